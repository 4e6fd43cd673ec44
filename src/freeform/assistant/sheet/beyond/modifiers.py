"""The modifiers of a D&D Beyond character: who grants each, whether it counts, and what it
changes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from freeform.assistant.sheet.beyond.ids import ABILITY_OF, LONG, MARTIAL, SIMPLE, SKILL_OF, SPEEDS
from freeform.assistant.sheet.given import identity, mapping, rows, text, whole, whole_or_none
from freeform.assistant.sheet.model import Kind, SheetEffect
from freeform.assistant.sheet.numbers.checks import BY_HAND
from freeform.assistant.sheet.numbers.tables import SKILLS

_KINDS: dict[str, Kind] = {
    "bonus": "bonus", "proficiency": "proficiency", "expertise": "expertise", "half-proficiency": "half",
    "half-proficiency-round-up": "half_up", "set": "set", "set-base": "set", "advantage": "advantage",
    "disadvantage": "disadvantage", "damage": "bonus", "ignore": "ignore",
}  # fmt: skip
_PLAIN = {
    "saving-throws": "saves", "ability-checks": "checks", "armor-class": "ac", "armored-armor-class": "ac:armored",
    "initiative": "initiative", "speed": "speed:walk", "unarmored-movement": "speed:unarmored", "hit-points": "hp",
    "hit-points-per-level": "hp:level", "spell-save-dc": "dc", "spell-attacks": "attack:spell",
    "ranged-weapon-attacks": "attack:ranged", "melee-weapon-attacks": "attack:melee",
    "melee-attacks": "attack:melee", "ranged-attacks": "attack:ranged", "weapon-attacks": "attack:weapon",
    "unarmed-attacks": "attack:unarmed", "proficiency-bonus": "prof", "death-saving-throws": "save:death",
    "heavy-armor-speed-reduction": "speed:heavy_armor",
    "carrying-capacity": "carry", "ac-max-dex-unarmored-modifier": "ac:bare_dex",
}  # fmt: skip


_CLASS = re.compile(r"\((\w+) \d+\)$")


@dataclass
class Trained:
    """What the modifiers say beside numbers."""

    languages: list[str] = field(default_factory=list)
    armor: list[str] = field(default_factory=list)
    weapons: list[str] = field(default_factory=list)
    tools: dict[str, float] = field(default_factory=dict)
    defenses: dict[str, list[str]] = field(default_factory=dict)
    senses: dict[str, str] = field(default_factory=dict)
    size: str = ""
    effects: list[SheetEffect] = field(default_factory=list)


ComponentKey = tuple[int, int]
"""The id and the type of a component: ids of two types may be the same."""


def component_of(row: dict[str, Any]) -> ComponentKey:
    """The component that a modifier names."""
    return identity(row.get("componentId")), identity(row.get("componentTypeId"))


def name_of(row: dict[str, Any], named: dict[ComponentKey, str]) -> str:
    """Who grants a modifier: by id and type, or by the id where no type is told."""
    id, kind = component_of(row)
    return named.get((id, kind)) or named.get((id, 0), "")


def names_of(data: dict[str, Any]) -> dict[ComponentKey, str]:
    """Who stands behind a component id: a trait, a feature, a feat, a background, a thing."""
    named: dict[ComponentKey, str] = {}
    race = text(mapping(data, "race").get("fullName")) or "species"
    for trait in rows(mapping(data, "race").get("racialTraits")):
        _note(named, trait, race)
    for cls in rows(data.get("classes")):
        label = text(mapping(cls, "definition").get("name"))
        for feature in rows(cls.get("classFeatures")):
            level = whole(mapping(feature, "definition").get("requiredLevel"))
            _note(named, feature, f"{label} {level}")
    for feat in rows(data.get("feats")):
        _note(named, feat, "feat")
    for group, options in mapping(data, "options").items():
        for option in rows(options):
            _note(named, option, group)
    background = mapping(data, "background", "definition")
    if background:
        _name(named, background, f"{text(background.get('name'))} (background)")
    for item in rows(data.get("inventory")):
        definition = mapping(item, "definition")
        _name(named, definition, text(definition.get("name")))
    return named


def _note(named: dict[ComponentKey, str], row: dict[str, Any], where: str) -> None:
    definition = mapping(row, "definition")
    if definition.get("id") is not None:
        _name(named, definition, f"{text(definition.get('name'))} ({where})")


def _name(named: dict[ComponentKey, str], definition: dict[str, Any], name: str) -> None:
    """Under its id and type; and under its id alone, for modifiers that tell no type."""
    id, kind = identity(definition.get("id")), identity(definition.get("entityTypeId"))
    named[id, kind] = name
    named.setdefault((id, 0), name)


def counted(data: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The modifiers that count now, each with where it comes from."""
    named, later = names_of(data), _later_classes(data)
    groups = mapping(data, "modifiers")
    for group, listed in groups.items():
        if group == "item":
            continue
        for row in rows(listed):
            component = identity(row.get("componentId"))
            if (
                group == "class"
                and component in later
                and row.get("availableToMulticlass") is False
            ):
                continue
            yield row, name_of(row, named) or group
    yield from _of_items(data, rows(groups.get("item")))


def _later_classes(data: dict[str, Any]) -> set[int]:
    """Components of classes that were not the first: they do not bring everything."""
    return {
        identity(mapping(feature, "definition").get("id"))
        for cls in rows(data.get("classes"))
        if cls.get("isStartingClass") is False
        for feature in rows(cls.get("classFeatures"))
    }


def _of_items(
    data: dict[str, Any], listed: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Those of things that are worn and, where it matters, attuned."""
    for item in rows(data.get("inventory")):
        definition = mapping(item, "definition")
        granted = rows(definition.get("grantedModifiers"))
        own = {text(row.get("id")) for row in granted}
        granted += [
            row
            for row in listed
            if text(row.get("id")) not in own and _grants(row, definition) and own == set()
        ]
        for row in granted:
            if row.get("subType") != "magic" and is_working(item, row):
                yield row, text(definition.get("name"))


def _grants(modifier: dict[str, Any], definition: dict[str, Any]) -> bool:
    """Whether a modifier is of that thing: the same id, and the same type where both tell one."""
    id, kind = component_of(modifier)
    own = identity(definition.get("entityTypeId"))
    return id == identity(definition.get("id")) and (not kind or not own or kind == own)


def is_working(item: dict[str, Any], modifier: dict[str, Any]) -> bool:
    """Whether a thing's modifier counts: it is worn where it can be, attuned where it must be, and
    not still to be drunk or read."""
    definition = mapping(item, "definition")
    if definition.get("isConsumable") or definition.get("filterType") in ("Potion", "Scroll"):
        return False
    if definition.get("canEquip", True) and not item.get("equipped"):
        return False
    needs = modifier.get("requiresAttunement") or definition.get("canAttune")
    return bool(item.get("isAttuned")) or not needs


def read_modifiers(data: dict[str, Any]) -> Trained:
    """Everything the modifiers grant."""
    trained = Trained()
    for row, source in counted(data):
        kind, sub, label = (
            text(row.get("type")),
            text(row.get("subType")),
            text(row.get("friendlySubtypeName")),
        )
        label = label or sub.replace("-", " ").title()
        value = whole(row.get("fixedValue") if row.get("value") is None else row.get("value"))
        if kind == "language":
            _once(trained.languages, label)
        elif kind in ("resistance", "immunity", "vulnerability"):
            word = {"resistance": "resist", "immunity": "immune", "vulnerability": "vuln"}[kind]
            _once(trained.defenses.setdefault(word, []), label)
        elif kind == "size":
            trained.size = sub
        elif sub in ("darkvision", "blindsight", "tremorsense", "truesight"):
            trained.senses[sub] = f"{max(value, _feet(trained.senses.get(sub, '')))} ft."
        elif kind in ("proficiency", "expertise") and not _target(sub, kind):
            _train(trained, sub, label, 2.0 if kind == "expertise" else 1.0)
        elif kind in _KINDS and (target := _target(sub, kind)):
            trained.effects.append(_effect(row, kind, target, value, source))
    _by_hand(data, trained)
    return trained


def _effect(row: dict[str, Any], kind: str, target: str, value: int, source: str) -> SheetEffect:
    ability = ABILITY_OF.get(whole(row.get("statId")), "")
    when = text(row.get("restriction"))
    if target == "ac:base" and "monk" in source.lower():
        when = "no shield"
    if kind == "damage":
        target = target.replace("attack:", "damage:")
    dice = text(mapping(row, "dice").get("diceString"))
    cls = _CLASS.search(source)
    level_of = cls[1] if cls and target == "hp:level" else ""
    made = SheetEffect(
        target=target,
        kind=_KINDS[kind],
        value=value,
        dice=dice,
        when=when,
        source=source,
        level_of=level_of,
    )
    if target == "ac:base":
        # Here a value counts beside ten, not instead of it.
        return made.model_copy(update={"value": 10 + value, "ability": ability})
    return made.model_copy(update={"ability": ability if not value else ""})


def _target(sub: str, kind: str) -> str:
    name = sub.replace("-", "_")
    if name in SKILLS:
        return f"skill:{name}"
    if sub in _PLAIN:
        return _PLAIN[sub]
    if sub == "unarmored-armor-class":
        return "ac:base" if kind in ("set", "set-base") else "ac:unarmored"
    for long, short in LONG.items():
        if sub == f"{long}-score":
            return f"score:{short}"
        if sub == f"{long}-saving-throws":
            return f"save:{short}"
        if sub == f"{long}-ability-checks":
            return f"checks:{short}"
    if sub.startswith("passive-"):
        return f"passive:{name.removeprefix('passive_')}"
    if sub.startswith("innate-speed-"):
        return f"speed:{SPEEDS.get(sub.removeprefix('innate-speed-'), 'walk')}"
    if sub.startswith("speed-"):
        return f"speed:{SPEEDS.get(sub.removeprefix('speed-'), 'walk')}"
    for tail, target in (("-spell-save-dc", "dc:"), ("-spell-attacks", "attack:spell:")):
        if sub.endswith(tail):
            return target + sub.removesuffix(tail).replace("-", " ")
    return ""


def _train(trained: Trained, sub: str, label: str, rank: float) -> None:
    if sub.endswith("-armor") or sub == "shields":
        _once(trained.armor, label)
    elif sub.endswith("-weapons") or sub in SIMPLE or sub in MARTIAL:
        _once(trained.weapons, label)
    elif sub not in ("self", "choose-a-skill") and not sub.startswith("choose"):
        trained.tools[label] = max(rank, trained.tools.get(label, 0))


def _by_hand(data: dict[str, Any], trained: Trained) -> None:
    """What the person typed over the numbers."""
    for row in rows(data.get("bonusStats")):
        if value := whole(row.get("value")):
            ability = ABILITY_OF.get(whole(row.get("id")), "")
            trained.effects.append(
                SheetEffect(target=f"score:{ability}", value=value, source=BY_HAND)
            )
    for row in rows(data.get("characterValues")):
        trained.effects += _typed(
            whole(row.get("typeId")), row.get("value"), identity(row.get("valueId"))
        )
    for row in rows(data.get("customProficiencies")):
        name, kind = text(row.get("name")), whole(row.get("type"))
        rank = {2: 0.5, 3: 1.0, 4: 2.0}.get(whole(row.get("proficiencyLevel")), 0.0)
        if kind == 3:
            _once(trained.languages, name)
        elif kind == 4:
            _once(trained.armor, name)
        elif kind == 5:
            _once(trained.weapons, name)
        elif name and rank:
            trained.tools[name] = rank
    if bonus := whole(data.get("bonusHitPoints")):
        trained.effects.append(SheetEffect(target="hp", value=bonus, source=BY_HAND))


def _typed(kind: int, value: Any, id: int) -> list[SheetEffect]:
    """One value typed over, by its kind: Armor Class, skills, saves."""
    number = whole_or_none(value)
    if number is None:
        return []
    ranks: dict[int, Kind] = {2: "half", 3: "proficiency", 4: "expertise"}
    skill, save = SKILL_OF.get(id), ABILITY_OF.get(id)
    if kind == 1:
        return [SheetEffect(target="ac:override", kind="set", value=number, source=BY_HAND)]
    if kind in (2, 3):
        return [SheetEffect(target="ac", value=number, source=BY_HAND)]
    if kind in (23, 24, 25, 26, 27) and skill:
        target = f"skill:{skill}"
        if kind == 26:
            return (
                [SheetEffect(target=target, kind=ranks[number], source=BY_HAND)]
                if number in ranks
                else []
            )
        if kind == 27:
            ability = ABILITY_OF.get(number, "")
            return [
                SheetEffect(target=f"{target}:ability", kind="set", ability=ability, source=BY_HAND)
            ]
        return [
            SheetEffect(
                target=target, kind="set" if kind == 23 else "bonus", value=number, source=BY_HAND
            )
        ]
    if kind in (38, 39, 40, 41) and save:
        if kind == 41:
            return (
                [SheetEffect(target=f"save:{save}", kind=ranks[number], source=BY_HAND)]
                if number in ranks
                else []
            )
        return [
            SheetEffect(
                target=f"save:{save}",
                kind="set" if kind == 38 else "bonus",
                value=number,
                source=BY_HAND,
            )
        ]
    return []


def _once(kept: list[str], name: str) -> None:
    if name and name not in kept:
        kept.append(name)


def _feet(told: str) -> int:
    return whole(told.partition(" ")[0])
