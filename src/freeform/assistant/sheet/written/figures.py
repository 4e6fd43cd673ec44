"""The numbers of a written sheet: scores, hit points, skills and saves with how well they are
trained, classes."""

import re
from collections.abc import Iterator, Sequence

from freeform.assistant.sheet.model import ABILITIES, ClassLevel, HitPoints, Kind, SheetEffect
from freeform.assistant.sheet.numbers.tables import (
    ABILITY_NAMES,
    HIT_DICE,
    SKILLS,
    modifier,
    proficiency,
    skill_name,
)
from freeform.assistant.sheet.written.outline import SheetLabel, WrittenPart

SOURCE = "sheet"
_SIGNED = r"([+\-−–]\s?\d{1,2})"
_PAIR = re.compile(r"(\d{1,4})\s*(?:/|of|out of)\s*(\d{1,4})")
_NUMBER = re.compile(r"\d[\d,]*")
_LEVEL = re.compile(
    r"\b(?:level|lvl\.?|lv\.?)\s*:?\s*(\d{1,2})\b|\b(\d{1,2})(?:st|nd|rd|th)[- ]level\b", re.I
)
_DICE_SPENT = re.compile(r"(\d{1,2})\s*(?:spent|used)", re.I)


class SheetLabels:
    """The labels of a sheet, by their words in any order: `Hit points, maximum`."""

    def __init__(self, labels: Sequence[SheetLabel]) -> None:
        self.labels = list(labels)
        self._keys = [_key(each.label) for each in self.labels]

    def line(self, *names: str) -> str:
        """The whole line of the first of these labels on the page; '' where it has none."""
        return next((each.line for each in self._called(names)), "")

    def _called(self, names: Sequence[str]) -> Iterator[SheetLabel]:
        """These labels, in the order of the page."""
        wanted = {_key(name) for name in names}
        for each, key in zip(self.labels, self._keys, strict=True):
            if key in wanted:
                yield each

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

    def signed(self, *names: str) -> int | None:
        """A number with its sign."""
        hit = re.search(r"[+\-−–]?\s?\d+", self.first(*names))
        return _whole(hit[0]) if hit else None


def _key(label: str) -> tuple[str, ...]:
    return tuple(sorted(label.lower().replace(",", " ").split()))


def _whole(text: str) -> int:
    return int(text.replace(" ", "").replace("−", "-").replace("–", "-"))


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
            if hit and 1 <= int(hit[1]) <= 30:
                found[ability] = int(hit[1])
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


def hit_points_of(labels: SheetLabels) -> HitPoints | None:
    """`61 / 85`, `HP: 85 (current 61)`, `Max HP 85`."""
    told = labels.first("hp", "hit points", "health", "current hp", "current hit points")
    most = labels.number(
        "max hp", "max hit points", "hit point maximum", "maximum hit points", "hp maximum"
    )
    current = labels.number("current hp", "current hit points", "hp now", "hit points now")
    temp = labels.number("temp hp", "temporary hp", "temporary hit points", "temp") or 0
    if beside := re.search(r"\btemp\w*\W{0,4}(\d+)|(\d+)\s+temp", told, re.I):
        temp = int(beside[1] or beside[2])
    pair = _PAIR.search(told)
    if pair:
        current, most = int(pair[1]), int(pair[2])
    if most is None:
        most = labels.number("hp", "hit points", "health")
    if top := re.search(r"(\d+)\s*max\b|\bmax\w*\W{0,3}(\d+)", told, re.I):
        current = current if current is not None or top[1] else _leading(told)
        most = int(top[1] or top[2])
    if most is None:
        return None
    whole = f"{told} {labels.line('max hp', 'hit point maximum')}"
    now = left_of(whole, most)
    current = current if now is None else now
    left = most if current is None else current
    return HitPoints(override=most, removed=most - left, temp=temp)


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


def _leading(said: str) -> int | None:
    hit = re.match(r"\d+", said)
    return int(hit[0]) if hit else None


def saves_said(parts: Sequence[WrittenPart], labels: SheetLabels) -> str:
    """Where the sheet tells its saving throws: behind a label, or under a heading of their own."""
    told = [labels.first("saving throws", "saves", "save", "saving throw proficiencies")]
    told += [
        line
        for part in parts
        if re.match(r"sav(?:es?|ing)\b", part.heading, re.I)
        for line in part.lines
    ]
    return ", ".join(told)


def checks_of(text: str, saves: str, scores: dict[str, int], bonus: int) -> Iterator[SheetEffect]:
    """How well trained each skill and save must be for the total that the sheet states."""
    mods = {ability: modifier(scores.get(ability, 10)) for ability in ABILITIES}
    for skill, ability in SKILLS.items():
        hit = re.search(
            rf"\b{re.escape(skill_name(skill))}\b[^\n+\-−–|]{{0,14}}[\s|]*{_SIGNED}", text, re.I
        )
        if hit:
            yield from _training(f"skill:{skill}", _whole(hit[1]) - mods[ability], bonus)
    for ability, name in ABILITY_NAMES.items():
        hit = re.search(rf"\b(?:{name}|{ability})\b[^\n+\-−–,;]{{0,6}}{_SIGNED}", saves, re.I)
        hit = hit or re.search(
            rf"\b(?:{name}|{ability})\s+(?:save|saving throw)\b\W{{0,4}}{_SIGNED}", text, re.I
        )
        if hit:
            yield from _training(f"save:{ability}", _whole(hit[1]) - mods[ability], bonus)


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
    armor = labels.number("ac", "armor class", "armour class")
    if armor is not None:
        made_of = re.search(r"\((.+)\)", labels.first("ac", "armor class", "armour class"))
        source = made_of[1] if made_of else SOURCE
        yield SheetEffect(target="ac:override", kind="set", value=armor, source=source)
    start = labels.signed("initiative", "init", "init.")
    if start is not None and start != mods_dex:
        yield SheetEffect(target="initiative", value=start - mods_dex, source=SOURCE)
    told = labels.first("speed", "speeds", "movement", "move", "walking speed")
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
