"""The spells of a written sheet: by the level they stand under, prepared where they are marked."""

import re
from collections.abc import Iterator
from itertools import chain

from freeform.assistant.sheet.model import MagicInfo, Spell, Uses
from freeform.assistant.sheet.written.figures import left_of
from freeform.assistant.sheet.written.outline import BULLET, WrittenPart, plain
from freeform.assistant.sheet.written.things import uses_in

_LEVEL = re.compile(
    r"^(?P<lead>(?:(?P<none>cantrips?|at will)|(?:level|lvl|lv\.?|[a-z])\s*(?P<after>\d)"
    r"|(?P<before>\d)(?:st|nd|rd|th)?"
    r"(?:[- ](?:level|lvl))?(?:\s+spells?)?))\b(?P<rest>[^:]{0,60})(?::\s*(?P<spells>.*))?$",
    re.I,
)
_SLOTS = re.compile(
    r"(?<!level )(\d)\s*(?:/\s*(\d)\s*)?slots?|slots?\s*:?\s*(\d)\s*(?:/\s*(\d))?", re.I
)
_SLOT_LIST = re.compile(
    r"(?:spell )?slots\s*(?:(?::|=|-+>?|→|–|—)\s*|(?=\d(?:st|nd|rd|th)\b)|$)(?P<listed>.*)$", re.I
)
_SLOTS_OF = re.compile(
    r"(?:(?:level|lvl)\s*)?(?P<level>[1-9])(?:st|nd|rd|th)?(?:[- ]level)?"
    r"\s*(?::|\s|-)\s*(?P<rest>\D*\d(?!st|nd|rd|th).*)$",
    re.I,
)
_IN_LINE = re.compile(
    r"\b(?P<level>[1-9])(?:st|nd|rd|th)(?:[- ](?:level|lvl))?"
    r"(?P<mark>\s*[:=]|\s*[x×]|\s)\s*(?:x\s*)?"
    r"(?P<rest>\d(?!st|nd|rd|th)(?:(?!\b[1-9](?:st|nd|rd|th)\b)[^,;\n]){0,40})",
    re.I,
)
"""Slots one after the other in running text: `slots 1st: 4 (2 used) 2nd: 2 (none used)`."""
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
_SPELLED = re.compile(rf"\b({'|'.join(_ORDINALS)})(?=[- ]level\b)", re.I)
_BOXED = re.compile(
    r"\b(?P<level>[1-9])(?:st|nd|rd|th)\b[^\d\n☐☑☒✓■□●○\[]{0,16}"
    r"(?P<boxes>(?:\[[ xX]\]\s?){2,}|[☐☑☒✓■□●○]{2,})"
)
_RANK = re.compile(r"level|\b(?:lvl?)\b")
_PREPARED = re.compile(r"\*$|^\*(?!\*)|\((?:p|prep|prepared)\)|\[x\]|✓|☑", re.I)
_HEADS = re.compile(r"\b(?:spell|cantrip|magic|grimoire)", re.I)


def magic_of(parts: list[WrittenPart]) -> MagicInfo:
    """All spells under headings that speak of spells, with what is left of the slots."""
    spells, slots = list[Spell](), dict[str, Uses]()
    inside = False
    for part in parts:
        level = _LEVEL.match(part.heading)
        inside = bool(_HEADS.search(part.heading)) or (inside and level is not None)
        if inside:
            spells += _spells(part, slots, _level_in(level) if level else None)
    marked = any(spell.prepared for spell in spells if spell.level)
    if not marked:  # Where none is marked, the list is what the character can cast.
        spells = [spell.model_copy(update={"prepared": True}) for spell in spells]
    told = _slots_in_line(parts) | slots | _boxed_slots(parts) | _listed_slots(parts)
    return MagicInfo(spells=spells, slots=told)


def _slots_in_line(parts: list[WrittenPart]) -> dict[str, Uses]:
    """Slots that stand behind that word among other things."""
    found = dict[str, Uses]()
    for part in parts:
        for line in part.lines:
            _, slots, listed = line.lower().partition("slots")
            alone = not re.search(r"[a-z]", _IN_LINE.sub("", listed))
            for hit in _IN_LINE.finditer(listed) if slots else ():
                if alone or hit["mark"].strip():
                    found.setdefault(hit["level"], _uses_of_slots(hit["rest"]))
    return found


def _boxed_slots(parts: list[WrittenPart]) -> dict[str, Uses]:
    """Slots as boxes beside their level: `1st lvl slots ■■□□  2nd ■□□`."""
    found = dict[str, Uses]()
    for part in parts:
        for line in part.lines:
            inside = re.search(r"\bslots?\b", f"{part.heading} {line}", re.I)
            for hit in _BOXED.finditer(line) if inside else ():
                uses = uses_in(hit["boxes"])
                if uses:
                    found[hit["level"]] = uses.model_copy(update={"reset": "long rest"})
    return found


def _listed_slots(parts: list[WrittenPart]) -> dict[str, Uses]:
    """Slots that are listed behind a label of their own, `Slots: 1st level 4 (3 used), 2nd 3`, or
    under it line by line, `1st: 2 left of 4`."""
    found = dict[str, Uses]()
    for part in parts:
        inside = bool(_SLOT_LIST.match(plain(part.heading)))
        for line in part.lines:
            said = _SPELLED.sub(_in_digits, plain(BULLET.sub("", line)))
            label = _SLOT_LIST.match(said)
            inside = bool(label) or (inside and bool(said or not found))
            listed = label["listed"] if label else said
            for each in re.split(r"[,;]\s*(?![^(]*\))", listed) if inside else ():
                hit = _SLOTS_OF.match(each.strip())
                if hit:
                    found[hit["level"]] = _uses_of_slots(hit["rest"])
    return found


def _in_digits(hit: re.Match[str]) -> str:
    """`third level` as `3 level`."""
    return str(_ORDINALS.index(hit[1].lower()) + 1)


def _uses_of_slots(said: str) -> Uses:
    """`2 left of 4`, `1/3`, `4 (3 used)`."""
    pair = re.search(r"(\d+)\s*(?:left|remaining)?\s*(?:of|/)\s*(\d+)", said, re.I)
    most = int(pair[2] if pair else re.findall(r"\d+", said)[0])
    left = int(pair[1]) if pair else left_of(said, most)
    return Uses(max=most, used=max(0, most - left) if left is not None else 0, reset="long rest")


def _spells(part: WrittenPart, slots: dict[str, Uses], level: int | None) -> Iterator[Spell]:
    if level:
        _keep_slots(part.heading, level, slots)
    yield from _from_rows(part, slots)
    under = level
    for line in chain.from_iterable(map(_by_level, part.lines)):
        said = BULLET.sub("", line).strip()
        hit = _LEVEL.match(plain(said))
        if hit:
            level = _level_in(hit)
            counted = re.search(r"\bslots?\b", hit["rest"]) and re.match(r"\d", hit["spells"] or "")
            _keep_slots(plain(said) if counted else hit["rest"], level, slots)
            listed = said.partition(":")[2].lstrip("*_ ") if hit["spells"] and not counted else ""
        elif level is None or not said:
            continue
        else:
            listed = said
        whole = not hit and (bool(BULLET.match(line)) or bool(re.search(r"\w\s+[–—-]\s", listed)))
        for each in [listed] if whole else re.split(r",\s*(?![^(]*\))", listed):
            name = plain(_PREPARED.sub("", each.strip())).partition(":")[0]
            name = re.sub(r"\s*\([^)]*\)|\s+[–—-]\s.*", "", name).strip(" .*")
            if name and len(name.split()) <= 6:
                yield Spell(
                    name=name,
                    level=level,
                    prepared=bool(_PREPARED.search(each.strip())),
                    ritual="ritual" in each.lower(),
                    conc=bool(re.search(r"\bconc", each, re.I)),
                    source="sheet",
                )
        if hit and hit["spells"] and BULLET.match(line):
            level = under  # One of several lines that each tell their own.


def _by_level(line: str) -> list[str]:
    """A line that goes through the levels, `Prepared: 1 Bless, Aid // 2 Silence`, as several."""
    _, colon, listed = line.partition(":")
    parts = re.split(r"\s*//\s*|\s*;\s*", listed)
    hits = [re.match(r"\s*(\d)(?:st|nd|rd|th)?\s+([A-Z].*)", plain(part)) for part in parts]
    if not colon or len(hits) < 2 or not all(hits):
        return [line]
    return [f"- Level {hit[1]}: {hit[2]}" for hit in hits if hit]


def _from_rows(part: WrittenPart, slots: dict[str, Uses]) -> Iterator[Spell]:
    """Tables: of spells with their level, and of slots with how many there are and are spent."""
    for row in part.rows:
        told = {name.lower(): cell for name, cell in row.items()}
        cells = list(row.values())
        level = next((_digit(cell) for name, cell in told.items() if _RANK.search(name)), None)
        if "slot" in " ".join(told) and level:
            most, left = _counted(told)
            if most:
                slots[str(level)] = Uses(max=most, used=most - left, reset="long rest")
        elif level is not None and cells and not cells[0][:1].isdigit():
            whole = " ".join(cells).lower()
            ready = next((cell for name, cell in told.items() if re.match("prep|ready", name)), "")
            yield Spell(
                name=cells[0],
                level=level,
                school=next((cell for name, cell in told.items() if name == "school"), ""),
                prepared=ready.strip().lower()
                in ("yes", "x", "y", "✓", "true", "prepared", "always"),
                ritual="ritual" in whole,
                conc="conc" in whole,
                source="sheet",
            )


def _digit(cell: str) -> int | None:
    """`1st` is 1, a cantrip 0."""
    if re.match(r"cantrip", cell, re.I):
        return 0
    hit = re.match(r"\D{0,6}(\d)", cell)
    return int(hit[1]) if hit else None


def _counted(told: dict[str, str]) -> tuple[int, int]:
    """How many slots a row has, and how many are left."""
    numbers = {name: int(hit[0]) for name, cell in told.items() if (hit := re.match(r"\d+", cell))}
    most = next((n for name, n in numbers.items() if re.search("total|max|slots$", name)), 0)
    left = next((n for name, n in numbers.items() if re.search("left|remain", name)), None)
    used = next((n for name, n in numbers.items() if re.search("used|spent", name)), 0)
    return most, max(0, most - used) if left is None else left


def _level_in(hit: re.Match[str]) -> int:
    return 0 if hit["none"] else int(hit["after"] or hit["before"])


def _keep_slots(said: str, level: int, slots: dict[str, Uses]) -> None:
    """`(3 slots, 1 used)`, `2/3 slots`."""
    hit, boxes = _SLOTS.search(said), uses_in(said)
    if not hit:
        if boxes and level:
            slots[str(level)] = boxes
        return
    first, second = hit[1] or hit[3], hit[2] or hit[4]
    most = int(second or first)
    left = int(first) if second else most
    told = left_of(said[hit.end() :], most)
    left = left if told is None else told
    slots[str(level)] = Uses(max=most, used=max(0, most - left), reset="long rest")
