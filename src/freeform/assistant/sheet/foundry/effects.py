"""What is in force on a Foundry actor: the active effects of the actor and of what it wears, and
its own bonuses."""

import re
from collections.abc import Iterator
from typing import Any

from freeform.assistant.sheet.foundry.codes import BARE, SKILL_OF
from freeform.assistant.sheet.given import mapping, number, rows, text, whole, whole_or_none
from freeform.assistant.sheet.model import ABILITIES, Kind, SheetEffect

_MOD = re.compile(r"@abilities\.(\w{3})\.mod")
_PLAIN = {
    "attributes.ac.bonus": ["ac"],
    "attributes.init.bonus": ["initiative"],
    "attributes.prof": ["prof"],
    "attributes.hp.bonuses.overall": ["hp"],
    "attributes.hp.bonuses.level": ["hp:level"],
    "attributes.hp.tempmax": ["hp"],
    "attributes.movement.all": ["speeds"],
    "bonuses.abilities.save": ["saves"],
    "bonuses.abilities.check": ["checks"],
    "bonuses.abilities.skill": ["skills"],
    "bonuses.mwak.attack": ["attack:melee"],
    "bonuses.rwak.attack": ["attack:ranged"],
    "bonuses.mwak.damage": ["damage:melee"],
    "bonuses.rwak.damage": ["damage:ranged"],
    "bonuses.msak.attack": ["attack:spell"],
    "bonuses.spell.dc": ["dc"],
}
_ADD, _LEAST, _OVERRIDE = 2, 4, 5


def read_effects(actor: dict[str, Any], system: dict[str, Any]) -> list[SheetEffect]:
    """Everything that changes a number now."""
    found = list(_own_bonuses(system))
    for effect, source in _active(actor):
        for change in rows(effect.get("changes")):
            found += _changed(change, source)
    found += _flags(mapping(actor, "flags", "dnd5e"), "special trait")
    return found


def _active(actor: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    for effect in rows(actor.get("effects")):
        if not effect.get("disabled"):
            yield effect, text(effect.get("name")) or text(effect.get("label")) or "effect"
    for item in rows(actor.get("items")):
        told = system_of(item)
        worn = item.get("type") not in ("equipment", "weapon", "container", "tool") or bool(
            told.get("equipped")
        )
        if not worn or (needs_attunement(told) and not is_attuned(told)):
            continue
        for effect in rows(item.get("effects")):
            if not effect.get("disabled") and effect.get("transfer") is not False:
                yield effect, text(item.get("name"))


def system_of(item: dict[str, Any]) -> dict[str, Any]:
    """The game data of a document; before version 10 it was called `data`."""
    return mapping(item, "system") or mapping(item, "data")


def needs_attunement(told: dict[str, Any]) -> bool:
    """Whether it works only attuned."""
    return told.get("attunement") in ("required", 1, 2)


def is_attuned(told: dict[str, Any]) -> bool:
    """Whether it is attuned, in the old way (2) or the new."""
    return bool(told.get("attuned")) or told.get("attunement") == 2


def _own_bonuses(system: dict[str, Any]) -> Iterator[SheetEffect]:
    """Bonuses typed into the actor itself."""
    for path in _PLAIN:
        value: Any = system
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if path not in ("attributes.prof",) and value not in (None, "", 0, "0"):
            yield from _valued(_PLAIN[path], "bonus", value, "sheet")
    for ability in ABILITIES:
        bonuses = mapping(system, "abilities", ability, "bonuses")
        yield from _valued([f"save:{ability}"], "bonus", bonuses.get("save"), "sheet")
        yield from _valued([f"checks:{ability}"], "bonus", bonuses.get("check"), "sheet")
    for code, skill in SKILL_OF.items():
        bonuses = mapping(system, "skills", code, "bonuses")
        yield from _valued([f"skill:{skill}"], "bonus", bonuses.get("check"), "sheet")
        yield from _valued([f"passive:{skill}"], "bonus", bonuses.get("passive"), "sheet")
    yield from _armor(mapping(system, "attributes", "ac"), "sheet")


def _armor(ac: dict[str, Any], source: str) -> Iterator[SheetEffect]:
    calc, flat = text(ac.get("calc")), whole_or_none(ac.get("flat"))
    if calc == "flat" and flat is not None:
        yield SheetEffect(target="ac:override", kind="set", value=flat, source=source)
    elif calc == "natural" and flat is not None:
        yield SheetEffect(
            target="ac:base", kind="set", value=flat, source=f"natural armor ({source})"
        )
    elif calc in BARE:
        base, ability, when = BARE[calc]
        yield SheetEffect(
            target="ac:base", kind="set", value=base, ability=ability, when=when, source=source
        )


def _changed(change: dict[str, Any], source: str) -> list[SheetEffect]:
    key = text(change.get("key")).removeprefix("system.").removeprefix("data.")
    mode, value = whole(change.get("mode"), _ADD), change.get("value")
    if key.startswith("flags.dnd5e."):
        return list(_flags({key.removeprefix("flags.dnd5e."): value}, source))
    if key == "attributes.ac.calc":
        return list(_armor({"calc": value}, source))
    targets, kind = _target(key), "bonus"
    if key.startswith("abilities.") and key.endswith(".value"):
        kind = "bonus" if mode == _ADD else "set"
    elif key.startswith("attributes.movement.") and mode in (_LEAST, _OVERRIDE):
        kind = "set"
    elif mode in (_LEAST, _OVERRIDE) and targets and whole_or_none(value) is None:
        return []
    if key.startswith("skills.") and key.endswith(".value"):
        rank: Kind = (
            "expertise" if number(value) >= 2 else "half" if number(value) == 0.5 else "proficiency"
        )
        return (
            [SheetEffect(target=targets[0], kind=rank, source=source)]
            if targets and number(value)
            else []
        )
    return list(_valued(targets, kind, value, source))


def _target(key: str) -> list[str]:
    if key in _PLAIN:
        return _PLAIN[key]
    parts = key.split(".")
    if parts[0] == "abilities" and len(parts) >= 3 and parts[1] in ABILITIES:
        if parts[2] == "value":
            return [f"score:{parts[1]}"]
        return [f"save:{parts[1]}"] if parts[-1] == "save" else [f"checks:{parts[1]}"]
    if parts[0] == "skills" and len(parts) >= 3 and parts[1] in SKILL_OF:
        head = "passive" if parts[-1] == "passive" else "skill"
        return [f"{head}:{SKILL_OF[parts[1]]}"]
    if key.startswith("attributes.movement."):
        return [f"speed:{parts[-1]}"]
    return []


def _valued(targets: list[str], kind: str, value: Any, source: str) -> Iterator[SheetEffect]:
    """An effect for a value that may be a number, `@abilities.cha.mod`, `@prof`, or dice."""
    said = text(value).replace(" ", "")
    if not said or said in ("0", "+0"):
        return
    for target in targets:
        made = SheetEffect(target=target, kind="set" if kind == "set" else "bonus", source=source)
        plain = whole_or_none(said)
        if plain is not None:
            yield made.model_copy(update={"value": plain})
        elif match := _MOD.search(said):
            yield made.model_copy(update={"ability": match[1]})
        else:
            yield made.model_copy(update={"dice": said})


def _flags(flags: dict[str, Any], source: str) -> Iterator[SheetEffect]:
    """Special traits of the system."""
    if _on(flags.get("jackOfAllTrades")):
        yield SheetEffect(target="checks", kind="half", source="Jack of All Trades")
    if _on(flags.get("initiativeAlert")):
        yield SheetEffect(target="initiative", value=5, source="Alert")
    if _on(flags.get("initiativeAdv")):
        yield SheetEffect(target="initiative", kind="advantage", source=source)
    if _on(flags.get("powerfulBuild")):
        yield SheetEffect(target="carry", kind="advantage", source="Powerful Build")
    if _on(flags.get("observantFeat")):
        yield SheetEffect(target="passive:perception", value=5, source="Observant")
        yield SheetEffect(target="passive:investigation", value=5, source="Observant")


def _on(value: Any) -> bool:
    return value in (True, 1, "1", "true")
