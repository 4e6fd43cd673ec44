"""A sheet as a hero of a table: its abilities as the table's stats, with the mapping."""

from pydantic import Field

from freeform.assistant.sheet.as_block import block_from, gear_from, plays_by_abilities
from freeform.assistant.sheet.model import Sheet
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.engine.authored.script import SetFact
from freeform.engine.authored.system import System
from freeform.engine.campaign.begin import OwnHero

_STANDS_FOR = {
    "force": ("str",),
    "finesse": ("dex",),
    "wits": ("int",),
    "charm": ("cha",),
    "nerve": ("wis", "con"),
}
"""A system's general stats, and the abilities of which the best stands for each."""
_MOST_GEAR = 12


class MappedStat(Record):
    """One stat of the table, and what of the sheet it was made from."""

    stat: str
    value: int
    made_from: str
    score: int
    modifier: int
    held_to_range: bool = False
    """Whether the modifier lies outside what the table's system allows."""


class SheetHero(Record):
    """A hero made from a sheet: what is played, how it was mapped, and what was left out."""

    sheet: str
    system: str
    hero: OwnHero
    mapping: list[MappedStat] = Field(default_factory=list)
    not_taken: list[str] = Field(default_factory=list)


def hero_of(sheet: Sheet, system: System) -> SheetHero:
    """The hero of a table that is played by that system."""
    mapping = _mapping(sheet, system)
    basics = sheet.character_basics
    classes = ", ".join(f"{each.name} {each.level}" for each in basics.classes)
    parts = [part for part in (basics.species, classes, basics.background) if part]
    left = []
    if not basics.abilities:
        left.append("the sheet has no abilities; every stat is 0")
    own_numbers = system.fight is not None and plays_by_abilities(system)
    if own_numbers:
        left += _without_rules(sheet, system)
    if sheet.abilities_info.features:
        left.append("features are kept on the sheet and have no rule at this table")
    hero = OwnHero(
        name=sheet.name,
        concept=", ".join(parts) or f"as {sheet.name}'s own sheet has it",
        stats={each.stat: each.value for each in mapping},
        facts=list(_facts(sheet, own_numbers)),
        block=block_from(sheet, system) if own_numbers else None,
        gear=gear_from(sheet) if own_numbers else [],
    )
    return SheetHero(sheet=sheet.id, system=system.id, hero=hero, mapping=mapping, not_taken=left)


def _pairs(system: System) -> list[tuple[tuple[str, ...], list[str]]]:
    """Abilities, and the table's stats that the best of them stands for: each for itself where the
    table has the same six."""
    if plays_by_abilities(system):
        return [((stat[:3],), [stat]) for stat in system.stats]
    return [(names, system.stat_map.get(g) or [g]) for g, names in _STANDS_FOR.items()]


def _mapping(sheet: Sheet, system: System) -> list[MappedStat]:
    low, high = system.stat_range
    abilities = sheet.character_basics.abilities
    mapped: dict[str, MappedStat] = {}
    for names, stats in _pairs(system):
        known = [name for name in names if name in abilities]
        for stat in stats:
            if not known or stat in mapped or stat not in system.stats:
                continue
            best = max(known, key=lambda name: abilities[name].mod)
            modifier = abilities[best].mod
            value = max(low, min(high, modifier))
            mapped[stat] = MappedStat(
                stat=stat,
                value=value,
                made_from=best,
                score=abilities[best].score,
                modifier=modifier,
                held_to_range=value != modifier,
            )
    return list(mapped.values())


def _without_rules(sheet: Sheet, system: System) -> list[str]:
    """Spells of the sheet that the table's system has no numbers for."""
    spells = [each.name for each in sheet.magic_info.spells if slug(each.name) not in system.powers]
    return [f"no rule here for: {', '.join(spells)}"] if spells else []


def _facts(sheet: Sheet, own_numbers: bool) -> list[SetFact]:
    """What the hero brings along, as facts that every pass knows."""
    facts = []
    items = [item.name for item in sheet.inventory_info.items][:_MOST_GEAR]
    if items and not own_numbers:
        facts.append(_fact("gear", items, f"You carry {', '.join(items)}."))
    coins = {kind: count for kind, count in sheet.inventory_info.currency.items() if count}
    if coins:
        told = ", ".join(f"{count} {kind}" for kind, count in coins.items())
        facts.append(_fact("money", coins, f"You have {told}."))
    hit_points = sheet.combat_info.hp
    if hit_points.max:
        now = f"{hit_points.current} of {hit_points.max}"
        facts.append(_fact("hit_points", hit_points.current, f"You have {now} hit points."))
    if sheet.combat_info.conditions:
        told = ", ".join(sheet.combat_info.conditions)
        facts.append(_fact("conditions", sheet.combat_info.conditions, f"You are {told}."))
    return facts


def _fact(predicate: str, value: object, text: str) -> SetFact:
    return SetFact(subject="player", predicate=predicate, value=value, text=text)
