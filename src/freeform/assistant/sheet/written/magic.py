"""The spells of a written sheet: by the level they stand under, prepared where they are marked."""

import re
from collections.abc import Iterator

from freeform.assistant.sheet.model import MagicInfo, Spell, Uses
from freeform.assistant.sheet.written.outline import BULLET, WrittenPart, plain
from freeform.assistant.sheet.written.things import uses_in

_LEVEL = re.compile(
    r"^(?P<lead>(?:(?P<none>cantrips?|at will)|(?:level|lvl)\s*(?P<after>\d)"
    r"|(?P<before>\d)(?:st|nd|rd|th)?"
    r"(?:[- ]level)?(?:\s+spells?)?))\b(?P<rest>[^:]{0,40})(?::\s*(?P<spells>.*))?$",
    re.I,
)
_SLOTS = re.compile(r"(\d)\s*(?:/\s*(\d)\s*)?slots?|slots?\s*:?\s*(\d)\s*(?:/\s*(\d))?", re.I)
_LEFT = re.compile(r"(\d)\s*left", re.I)
_USED = re.compile(r"(\d)\s*(?:used|spent)", re.I)
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
    return MagicInfo(spells=spells, slots=slots)


def _spells(part: WrittenPart, slots: dict[str, Uses], level: int | None) -> Iterator[Spell]:
    if level:
        _keep_slots(part.heading, level, slots)
    for line in part.lines:
        said = BULLET.sub("", line).strip()
        hit = _LEVEL.match(plain(said))
        if hit:
            level = _level_in(hit)
            _keep_slots(hit["rest"], level, slots)
            listed = said.partition(":")[2].lstrip("*_ ") if hit["spells"] else ""
        elif level is None or not said:
            continue
        else:
            listed = said
        whole = bool(BULLET.match(line)) and not hit
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
    if told := _LEFT.search(said):
        left = int(told[1])
    elif told := _USED.search(said):
        left = most - int(told[1])
    slots[str(level)] = Uses(max=most, used=max(0, most - left), reset="long rest")
