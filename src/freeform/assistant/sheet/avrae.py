"""A character as Avrae, the Discord bot, keeps it: numbers, attacks and spells; no belongings but
coins."""

import re
from collections.abc import Iterator
from typing import Any

from freeform.assistant.sheet.given import mapping, rows, text, whole, whole_or_none
from freeform.assistant.sheet.model import (
    AbilityScore,
    CharacterBasics,
    ClassLevel,
    CombatInfo,
    HitPoints,
    InventoryInfo,
    Item,
    Kind,
    MagicInfo,
    Sheet,
    SheetAction,
    SheetEffect,
    Spell,
    StoryInfo,
    Uses,
)
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES, SKILLS, modifier
from freeform.core.text import slug

_RANKS: dict[float, Kind] = {0.5: "half", 1.0: "proficiency", 2.0: "expertise"}
_WORD_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DICE = re.compile(r"\d*d\d+")
_TYPES = re.compile(r"\[([^\]]+)\]")
_RESETS = {"long": "long rest", "short": "short rest"}
MISSING = (
    "an Avrae file lists no belongings and no features: items, languages and features are absent"
)


def is_avrae(document: dict[str, Any]) -> bool:
    """Whether it is such a file: the six scores beside levels, skills and saves."""
    stats = mapping(document, "stats")
    return {"prof_bonus", *map(str.lower, ABILITY_NAMES.values())} <= set(stats) and (
        "levels" in document and "saves" in document
    )


def read_avrae(document: dict[str, Any]) -> Sheet:
    """The sheet."""
    stats = mapping(document, "stats")
    scores = {short: whole(stats.get(name.lower()), 10) for short, name in ABILITY_NAMES.items()}
    mods = {short: modifier(score) for short, score in scores.items()}
    bonus = whole(stats.get("prof_bonus"), 2)
    most, left = whole(document.get("max_hp")), whole(document.get("hp"))
    purse = mapping(document, "coinpurse")
    return Sheet(
        character_basics=CharacterBasics(
            name=text(document.get("name")),
            species=text(document.get("race")),
            background=text(document.get("background")),
            classes=_classes(mapping(document, "levels", "classes")),
            abilities={short: AbilityScore(base=score) for short, score in scores.items()},
        ),
        combat_info=CombatInfo(
            hp=HitPoints(override=most, removed=most - left, temp=whole(document.get("temp_hp"))),
            defenses=_defenses(mapping(document, "resistances")),
            actions=[_counter(row) for row in rows(document.get("consumables"))],
        ),
        inventory_info=InventoryInfo(
            items=[_attack(row, mods, bonus) for row in rows(document.get("attacks"))],
            currency={coin: whole(purse.get(coin)) for coin in ("pp", "gp", "ep", "sp", "cp")},
        ),
        magic_info=_magic(mapping(document, "spellbook")),
        story_info=StoryInfo(appearance=text(document.get("description"))),
        effects=[*_checks(document), _armor(document)],
        missing=[MISSING],
    )


def _classes(levels: dict[str, Any]) -> list[ClassLevel]:
    return [
        ClassLevel(name=name, level=whole(level, 1), hit_die=0, start=at == 0)
        for at, (name, level) in enumerate(levels.items())
    ]


def _checks(document: dict[str, Any]) -> Iterator[SheetEffect]:
    """How well trained each skill and save is, and what is added beside."""
    for key, row in mapping(document, "skills").items():
        skill = slug(_WORD_BREAK.sub(" ", key))
        if skill in SKILLS:
            yield from _trained(f"skill:{skill}", mapping(row))
        elif skill == "initiative":
            yield from _trained("initiative", mapping(row))
    for key, row in mapping(document, "saves").items():
        short = key.removesuffix("Save")[:3].lower()
        yield from _trained(f"save:{short}", mapping(row))


def _trained(target: str, row: dict[str, Any]) -> Iterator[SheetEffect]:
    rank = row.get("prof")
    kind = _RANKS.get(float(rank)) if isinstance(rank, int | float) else None
    if kind:
        yield SheetEffect(target=target, kind=kind, source="Avrae")
    if added := whole(row.get("bonus")):
        yield SheetEffect(target=target, value=added, source="Avrae")


def _armor(document: dict[str, Any]) -> SheetEffect:
    value = whole(document.get("ac"), 10)
    return SheetEffect(target="ac:override", kind="set", value=value, source="Avrae")


def _defenses(told: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in ("resist", "immune", "vuln"):
        kinds = [text(row.get("dtype")) for row in rows(told.get(key))]
        if kinds:
            found[key] = kinds
    return found


def _counter(row: dict[str, Any]) -> SheetAction:
    most = whole(row.get("_max") or row.get("max"))
    left = whole_or_none(row.get("_value") if "_value" in row else row.get("value"))
    reset = text(row.get("_reset") or row.get("reset"))
    used = max(0, most - left) if left is not None else 0
    uses = Uses(max=most, used=used, reset=_RESETS.get(reset, reset)) if most else None
    return SheetAction(name=text(row.get("name")), uses=uses, desc=text(row.get("desc")))


def _attack(row: dict[str, Any], mods: dict[str, int], bonus: int) -> Item:
    """An attack as a weapon in hand; the ability is the one that its bonus comes from."""
    told = " ".join(_texts(row.get("automation"), "damage"))
    to_hit = next((whole(said) for said in _texts(row.get("automation"), "attackBonus")), bonus)
    own = to_hit - bonus
    ability = next((a for a in ("dex", "str", "cha", "wis", "int", "con") if mods[a] == own), "")
    dice = _DICE.search(told)
    return Item(
        name=text(row.get("name")) or "Attack",
        type="weapon",
        equipped=True,
        weapon="melee",
        damage=dice[0] if dice else "",
        damage_types=[kind.strip() for kind in _TYPES.findall(told)],
        ability=ability,
        bonus=0 if ability else own - mods["str"],
        proficient=True,
    )


def _texts(value: Any, key: str) -> Iterator[str]:
    """Every text under a key, however deep in the tree of effects."""
    if isinstance(value, dict):
        if isinstance(value.get(key), str):
            yield value[key]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each, key)


def _magic(book: dict[str, Any]) -> MagicInfo:
    left, most = mapping(book, "slots"), mapping(book, "max_slots")
    slots = {
        level: Uses(max=whole(count), used=whole(count) - whole(left.get(level)), reset="long rest")
        for level, count in most.items()
        if whole(count)
    }
    spells = [
        Spell(
            name=text(row.get("name")),
            level=whole(row.get("level")),
            prepared=bool(row.get("prepared", True)),
            source="Avrae",
        )
        for row in rows(book.get("spells"))
        if text(row.get("name"))
    ]
    return MagicInfo(slots=slots, spells=spells)
