"""The numbers of a written sheet: scores, hit points, skills and saves with how well they are
trained, classes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from freeform.assistant.sheet.model import ABILITIES, ClassLevel, HitPoints, Kind, SheetEffect
from freeform.assistant.sheet.numbers.tables import (
    ABILITY_NAMES,
    HIT_DICE,
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
from freeform.language.slips import is_near_slip

SOURCE = "sheet"
_SIGNED = r"([+\-−–]\s?\d{1,2})"
_NUMBER = re.compile(r"\d[\d,]*")
_LEVEL = re.compile(
    r"\b(?:level|lvl\.?|lv\.?)\s*:?\s*(\d{1,2})\b|\b(\d{1,2})(?:st|nd|rd|th)[- ]level\b", re.I
)
_DICE_SPENT = re.compile(r"(\d{1,2})\s*(?:spent|used)", re.I)


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


def classes_of(labels: SheetLabels, head: str) -> list[ClassLevel]:
    """`Goliath Barbarian 7, Path of the Avalanche`, `Class: Wizard 3 / Rogue 2`, `Level: 5`."""
    told = labels.first("class", "classes", "class & level", "class and level", "class/level")
    level = labels.number("level", "lvl", "character level")
    said = told or head
    found = _with_levels(said)
    if found:
        return found
    hit = _LEVEL.search(said)
    number = level or (int(hit[1] or hit[2]) if hit else 0)
    name = _known_class(said) or (told.split(",")[0].strip() if told else "")
    if not name or not number:
        return []
    return [_class(re.sub(r"\d.*", "", name).strip() or name, number, _subclass(said, name), True)]


def _with_levels(said: str) -> list[ClassLevel]:
    """Names with a number behind them, where one of them is a class that the game knows, or stands
    alone."""
    known = "|".join(HIT_DICE)
    hits = list(re.finditer(rf"\b({known})\s*(?:\(([^)]+)\)\s*)?(\d{{1,2}})\b", said, re.I))
    found: list[ClassLevel] = []
    for hit in hits:
        found.append(
            _class(hit[1].capitalize(), int(hit[3]), hit[2] or _subclass(said, hit[1]), not found)
        )
    return found


def _known_class(said: str) -> str:
    hit = re.search(rf"\b({'|'.join(HIT_DICE)})\b", said, re.I)
    return hit[1].capitalize() if hit else ""


def _subclass(said: str, name: str) -> str:
    """What stands behind a class in brackets or after a comma."""
    rest = said[said.lower().find(name.lower()) + len(name) :]
    hit = re.match(r"\s*\d*\s*(?:\(([^)]+)\)|,\s*([^,|·(\n]+))", rest)
    return (hit[1] or hit[2]).strip(" *_") if hit else ""


def _class(name: str, level: int, subclass: str, start: bool) -> ClassLevel:
    die = HIT_DICE.get(name.lower(), 0)
    return ClassLevel(name=name, level=level, subclass=subclass, hit_die=die, start=start)


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


_DICE_LEFT = re.compile(r"\b(?:left|remaining|now|available)\b(.*)$", re.I)
_ONE_DIE = re.compile(r"(\d{1,2})\s*d\s*(\d{1,2})", re.I)


def with_spent_dice(classes: Sequence[ClassLevel], labels: SheetLabels) -> list[ClassLevel]:
    """The classes with the hit dice that are spent: `7d12 (3 spent)`, `3d10 + 2d8, left: 2d10`."""
    told = labels.first("hit dice", "hit die", "hd")
    left = _DICE_LEFT.search(told)
    if left and (dice := {int(die): int(n) for n, die in _ONE_DIE.findall(left[1])}):
        spent = [max(0, each.level - dice.get(each.hit_die, 0)) for each in classes]
    else:
        hit = _DICE_SPENT.search(told)
        spent = [int(hit[1]) if hit and not at else 0 for at in range(len(classes))]
    return [
        each.model_copy(update={"hit_dice_used": gone})
        for each, gone in zip(classes, spent, strict=True)
    ]
