"""The classes of a written sheet with their levels, and the hit dice that are spent."""

import re
from collections.abc import Sequence

from freeform.assistant.sheet.model import ClassLevel
from freeform.assistant.sheet.numbers.tables import HIT_DICE
from freeform.assistant.sheet.written.figures import SheetLabels
from freeform.assistant.sheet.written.tables import is_short_for

_LEVEL = re.compile(
    r"\b(?:level|lvl\.?|lv\.?)\s*:?\s*(\d{1,2})\b|\b(\d{1,2})(?:st|nd|rd|th)[- ]level\b", re.I
)
_DICE_SPENT = re.compile(r"(\d{1,2})\s*(?:spent|used)", re.I)


def classes_of(labels: SheetLabels, head: str) -> list[ClassLevel]:
    """`Goliath Barbarian 7, Path of the Avalanche`, `Class: Wizard 3 / Rogue 2`, `Level: 5`."""
    told = labels.first("class", "classes", "class & level", "class and level", "class/level")
    level = labels.number("level", "lvl", "character level")
    said = told or head
    found = _with_levels(said)
    if found:
        return found
    if shortened := _shortened(told):
        return shortened
    hit = _LEVEL.search(said)
    number = level or (int(hit[1] or hit[2]) if hit else 0)
    name = known_class(said) or (told.split(",")[0].strip() if told else "")
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


def _shortened(told: str) -> list[ClassLevel]:
    """Behind a label of their own, classes by how they begin: `CLR 5, Life`, `Wiz 3`."""
    found: list[ClassLevel] = []
    for hit in re.finditer(r"\b([A-Za-z]{3,})\.?\s*(\d{1,2})\b", told):
        meant = [name for name in HIT_DICE if is_short_for(hit[1], name)]
        if len(meant) == 1:
            sub = _subclass(told, hit[0])
            found.append(_class(meant[0].capitalize(), int(hit[2]), sub, not found))
    return found


def known_class(said: str) -> str:
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


_OF_ALL = re.compile(r"\b(\d{1,2})\s*(?:of|/)\s*(\d{1,2})\s*(?:left|remaining)\b", re.I)
_DICE_LEFT = re.compile(r"\b(?:left|remaining|now|available)\b(.*)$", re.I)
_ONE_DIE = re.compile(r"(\d{1,2})\s*d\s*(\d{1,2})", re.I)


def with_spent_dice(classes: Sequence[ClassLevel], labels: SheetLabels) -> list[ClassLevel]:
    """The classes with the hit dice that are spent: `7d12 (3 spent)`, `3d10 + 2d8, left: 2d10`."""
    told = labels.first("hit dice", "hit die", "hd")
    left = _DICE_LEFT.search(told)
    if (pair := _OF_ALL.search(told)) and len(classes) == 1:
        spent = [max(0, int(pair[2]) - int(pair[1]))]
    elif left and (dice := {int(die): int(n) for n, die in _ONE_DIE.findall(left[1])}):
        spent = [max(0, each.level - dice.get(each.hit_die, 0)) for each in classes]
    else:
        hit = _DICE_SPENT.search(told)
        spent = [int(hit[1]) if hit and not at else 0 for at in range(len(classes))]
    return [
        each.model_copy(update={"hit_dice_used": gone})
        for each, gone in zip(classes, spent, strict=True)
    ]
