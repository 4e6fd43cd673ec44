"""The numbers of a written sheet: scores, hit points, skills and saves with how well they are
trained, classes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from freeform.assistant.sheet.model import ABILITIES, HitPoints, Kind, SheetEffect
from freeform.assistant.sheet.numbers.tables import (
    ABILITY_NAMES,
    SKILLS,
    modifier,
    proficiency,
    skill_name,
)
from freeform.assistant.sheet.written.beside import (
    Pool,
    WrittenNumber,
    as_labels,
    numbers_beside,
    pool_of,
)
from freeform.assistant.sheet.written.outline import SheetLabel, WrittenPart, labels_of
from freeform.assistant.sheet.written.tables import is_short_for
from freeform.language.slips import is_near_slip

SOURCE = "sheet"
_SIGNED = r"([+\-−–]\s?\d{1,2})"
_NUMBER = re.compile(r"\d[\d,]*")


SHORTEST = 3
"""Letters of a word that cannot be told from another when one is wrong."""
_VOWELS = re.compile(r"(?<=\w)[aeiou]")
MOST_ADDED = 20
"""No roll adds more than that."""


class SheetLabels:
    """The labels of a sheet, by their words in any order: `Hit points, maximum`; where none is
    called so, the numbers that stand beside such words, however these are spelled."""

    def __init__(self, labels: Sequence[SheetLabel], beside: Sequence[WrittenNumber] = ()) -> None:
        self.labels = list(labels)
        self.beside = list(beside)
        self._keys = [_key(each.label) for each in self.labels]
        self._beside = list(as_labels(beside))

    def line(self, *names: str) -> str:
        """The whole line of the first of these labels on the page; '' where it has none."""
        return next((each.line for each in self._called(names)), "")

    def _called(self, names: Sequence[str]) -> Iterator[SheetLabel]:
        """These labels, in the order of the page."""
        wanted, found = {_key(name) for name in names}, False
        for each, key in zip(self.labels, self._keys, strict=True):
            if key in wanted:
                found = True
                yield each
        if not found:
            yield from (each for each in self._beside if is_called(each.label, names))
            yield from (each for each in self.labels if _is_short(each, names))

    def numbers(self, *names: str, more: int = 0) -> list[WrittenNumber]:
        """The numbers that stand beside one of these names, and at most so many words more."""
        return [each for each in self.beside if is_called(each.label, names, more)]

    def first(self, *names: str) -> str:
        """The value behind the first of these labels on the page; '' where it has none."""
        return next((each.value for each in self._called(names)), "")

    def number(self, *names: str) -> int | None:
        """The first number behind one of these labels."""
        for each in self._called(names):
            hit = _NUMBER.search(each.value)
            if hit:
                return int(hit[0].replace(",", ""))
        return None

    def added(self, *names: str) -> int | None:
        """What is added to a roll that is called so, with its sign or without."""
        for each in self.numbers(*names):
            bare = [amount.value for amount in each.amounts if not amount.role]
            if bare and abs(bare[0]) < MOST_ADDED:
                return bare[0]
        return None

    def signed(self, *names: str) -> int | None:
        """A number with its sign."""
        hit = re.search(r"[+\-−–]?\s?\d+", self.first(*names))
        return _whole(hit[0]) if hit else None


def labels_on(parts: Sequence[WrittenPart]) -> SheetLabels:
    """The labels of a page."""
    return SheetLabels(labels_of(list(parts)), numbers_beside(parts))


def is_called(label: str, names: Sequence[str], more: int = 0) -> bool:
    """Whether a label is one of these names, or holds it beside so many words more; slips count as
    meant."""
    return _is_called(label, tuple(names), more)


@lru_cache(maxsize=50_000)
def _is_called(label: str, names: tuple[str, ...], more: int) -> bool:
    said = label.lower().replace("-", " ").split()
    for name in names:
        wanted = name.lower().split()
        if "".join(said) == "".join(wanted):
            return True
        fits = len(wanted) <= len(said) <= len(wanted) + more
        if fits and all(_is_said(word, said) for word in wanted):
            return True
    return False


def _is_short(each: SheetLabel, names: Sequence[str]) -> bool:
    """Whether words stand behind the beginning of a name: `Lang: Elvish`; `Con 14` is another."""
    worded = not _NUMBER.match(each.value.lstrip("+-−–"))
    return worded and any(is_short_for(each.label, name) for name in names if " " not in name)


def _is_said(wanted: str, said: Sequence[str]) -> bool:
    return any(_same_word(word, wanted) for word in said)


def _same_word(said: str, wanted: str) -> bool:
    """Whether one is the other, with slips or without its vowels."""
    if said == wanted or (len(said) > SHORTEST and said == _VOWELS.sub("", wanted)):
        return True
    return min(len(said), len(wanted)) > SHORTEST and is_near_slip(said, wanted)


def _key(label: str) -> tuple[str, ...]:
    return tuple(sorted(label.lower().replace(",", " ").split()))


def _whole(text: str) -> int:
    return int(text.replace(" ", "").replace("−", "-").replace("–", "-"))


HIGHEST_SCORE = 30


def scores_of(parts: Sequence[WrittenPart], text: str) -> dict[str, int]:
    """The six scores, from a table of them or from `STR 20 (+5)`, `Strength: 20`."""
    found: dict[str, int] = {}
    for part in parts:
        for row in part.rows:
            for column, cell in row.items():
                _keep_score(column, cell, found)
            cells = list(row.values())
            if len(cells) > 1:
                _keep_score(cells[0], cells[1], found)
    for ability, name in ABILITY_NAMES.items():
        for said in (name, ability.upper(), ability.capitalize()):
            pattern = rf"(?<![\w+]){said}\b[\s:*_=|]*(\d{{1,2}})(?!\s*[/\d])"
            hit = re.search(pattern, text) if ability not in found else None
            if hit and 1 <= int(hit[1]) <= HIGHEST_SCORE:
                found[ability] = int(hit[1])
    return found | _scores_beside(parts, found)


def _scores_beside(parts: Sequence[WrittenPart], known: Mapping[str, int]) -> dict[str, int]:
    """Scores that stand beside their names in other ways: `str 10 dex 18`, `charsima 17`."""
    found: dict[str, int] = {}
    for each in numbers_beside(parts):
        for ability, name in ABILITY_NAMES.items():
            said = each.label == ability or _same_word(each.label, name.lower())
            bare = [a.value for a in each.amounts if not a.signed and not a.role and a.value > 0]
            if said and ability not in known and bare and bare[0] <= HIGHEST_SCORE:
                found.setdefault(ability, bare[0])
    return found


def _keep_score(label: str, cell: str, found: dict[str, int]) -> None:
    ability = label.strip().lower()[:3]
    long = ABILITY_NAMES.get(ability, "").lower()
    if label.strip().lower() not in (ability, long) or not long:
        return
    numbers = [int(n) for n in re.findall(r"(?<![+\-−–\d])\d{1,2}(?!\d)", cell)]
    if numbers and ability not in found:
        found[ability] = numbers[0]


ARMOR_CLASS = ("ac", "armor class", "armour class")
_OWN_HIT_POINTS = ("hp", "hit points", "hit pts", "hitpoints", "health points")
"""Mean hit points whatever stands beside them; `health potions` and a `life cleric` are others."""
HIT_POINTS = (*_OWN_HIT_POINTS, "health", "life")


def hit_points_of(labels: SheetLabels) -> HitPoints | None:
    """`61 / 85`, `HP: 85 (current 61)`, `Hit points (max 22): 9`, `9 out of 22 hp`; None where
    nothing says it."""
    told = _pool(labels.numbers(*HIT_POINTS))
    if told[:2] == (None, None):  # `Ada's HP`; beside a plain `HP`, the horse's is the horse's.
        told = _pool(labels.numbers(*_OWN_HIT_POINTS, more=1))
    if told[:2] == (None, None):
        return None
    most = told.now if told.most is None else told.most
    left = most if told.now is None else told.now
    extra = labels.number("temp hp", "temporary hp", "temporary hit points", "temp", "temporary")
    return HitPoints(
        override=most or 0, removed=(most or 0) - (left or 0), temp=told.beside or extra or 0
    )


def _pool(found: Sequence[WrittenNumber]) -> Pool:
    """What the first says, and what others of the name that a word marks add to it: `hp max: 49`,
    `hp now: 30`."""
    pools = [pool_of(each) for each in found]
    beside = next((pool.beside for pool in pools if pool.beside), 0)
    told = [
        (each, pool) for each, pool in zip(found, pools, strict=True) if pool[:2] != (None, None)
    ]
    if not told:
        return Pool(None, None, beside)
    now, most, _ = told[0][1]
    for each, pool in told[1:]:
        top = each.of("most")
        if each.plainly():
            continue
        if now is None and pool.most is None:
            now = pool.now
        elif now is None and pool.now is None and most is not None and top and top > most:
            now, most = most, top
        elif most is None and pool.now is None:
            most = top
    return Pool(now, most, beside)


_HAS_LEFT = re.compile(
    r"\b(?:now|current(?:ly)?|left|remaining|at)\b\W{0,3}(\d+)\b(?!\s*d\d)"
    r"|(\d+)\s{1,2}(?:now|left|remaining|current(?:ly)?)\b",
    re.I,
)
_HAS_LOST = re.compile(
    r"\b(?:used|spent|expended|gone|lost|missing|down)\b[^\d\n]{0,12}(\d+)\b"
    r"|(\d+)\s+(?:\w+ )?(?:used|spent|expended|gone|lost|missing)\b",
    re.I,
)


def left_of(said: str, most: int) -> int | None:
    """What is left of so many, by what stands beside: `now 33`, `2 left`, `used today: 1`."""
    if hit := _HAS_LEFT.search(said):
        return min(most, int(hit[1] or hit[2]))
    if hit := _HAS_LOST.search(said):
        return max(0, most - int(hit[1] or hit[2]))
    return None


_SAVES_LED = re.compile(r"(?:sav(?:es|ing throws?))\s+\w", re.I)
"""A label that begins with saves and says more of them: `saves I am good at`."""


def saves_said(parts: Sequence[WrittenPart], labels: SheetLabels) -> str:
    """Where the sheet tells its saving throws: behind a label, or under a heading of their own."""
    told = [labels.first("saving throws", "saves", "save", "saving throw proficiencies")]
    told += [
        line
        for part in parts
        if re.match(r"sav(?:es?|ing)\b", part.heading, re.I)
        for line in part.lines
    ]
    told += [each.value for each in labels.labels if _SAVES_LED.match(each.label)]
    return ", ".join(told)


def checks_of(
    text: str, saves: str, scores: dict[str, int], bonus: int, labels: SheetLabels
) -> Iterator[SheetEffect]:
    """How well trained each skill and save must be for the total that the sheet states."""
    mods = {ability: modifier(scores.get(ability, 10)) for ability in ABILITIES}
    for skill, ability in SKILLS.items():
        hit = re.search(
            rf"\b{re.escape(skill_name(skill))}\b[^\n+\-−–|]{{0,14}}[\s|]*{_SIGNED}", text, re.I
        )
        total = _whole(hit[1]) if hit else labels.added(skill_name(skill))
        if total is not None:
            yield from _training(f"skill:{skill}", total - mods[ability], bonus)
    for ability, name in ABILITY_NAMES.items():
        hit = re.search(rf"\b(?:{name}|{ability})\b[^\n+\-−–,;]{{0,6}}{_SIGNED}", saves, re.I)
        hit = hit or re.search(
            rf"\b(?:{name}|{ability})\s+(?:save|saving throw)\b\W{{0,4}}{_SIGNED}", text, re.I
        )
        total = _whole(hit[1]) if hit else labels.added(f"{name} save", f"{ability} save")
        if total is not None:
            yield from _training(f"save:{ability}", total - mods[ability], bonus)


def _training(target: str, beyond: int, bonus: int) -> Iterator[SheetEffect]:
    """Training that explains what a total has beyond its ability; else a plain bonus."""
    ranks: dict[int, Kind] = {bonus: "proficiency", 2 * bonus: "expertise"}
    kind = ranks.get(beyond)
    if kind:
        yield SheetEffect(target=target, kind=kind, source=SOURCE)
    elif beyond:
        yield SheetEffect(target=target, value=beyond, source=SOURCE)


def proficiency_of(labels: SheetLabels, level: int) -> int:
    """As stated, else by level."""
    told = labels.signed(
        "proficiency", "proficiency bonus", "prof", "prof bonus", "prof. bonus", "pb"
    )
    return told if told and 2 <= told <= 9 else proficiency(level)


def headline_effects(
    labels: SheetLabels, mods_dex: int, stated_prof: int, level: int
) -> Iterator[SheetEffect]:
    """Armor Class, initiative, speed and proficiency as the sheet states them."""
    armor = labels.number(*ARMOR_CLASS)
    if armor is None:
        beside = labels.numbers(*ARMOR_CLASS, "armor", "armour", more=1)
        armor = next((each.plainly()[0] for each in beside if each.plainly()), None)
    if armor is not None:
        made_of = re.search(r"\((.+)\)", labels.first(*ARMOR_CLASS))
        source = made_of[1] if made_of else SOURCE
        yield SheetEffect(target="ac:override", kind="set", value=armor, source=source)
    start = labels.signed("initiative", "init", "init.")
    if start is not None and start != mods_dex:
        yield SheetEffect(target="initiative", value=start - mods_dex, source=SOURCE)
    told = labels.first("speed", "speeds", "movement", "move", "walking speed", "spd", "walking")
    walk = _NUMBER.search(told)
    if walk:
        yield SheetEffect(target="speed:walk", kind="set", value=int(walk[0]), source=SOURCE)
    for way in ("fly", "swim", "climb", "burrow"):
        hit = re.search(
            rf"\b{way}\w*\s*(?:speed)?\s*:?\s*(\d+)|(\d+)\s*(?:ft\.?|feet)?\s*{way}", told, re.I
        )
        value = int(hit[1] or hit[2]) if hit else labels.number(f"{way} speed", f"{way}ing speed")
        if value:
            yield SheetEffect(target=f"speed:{way}", kind="set", value=value, source=SOURCE)
    if stated_prof != proficiency(level):
        yield SheetEffect(target="prof", value=stated_prof - proficiency(level), source=SOURCE)
