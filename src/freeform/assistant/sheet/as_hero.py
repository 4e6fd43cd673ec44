"""A sheet as a hero of a table: its abilities as the table's stats, with the mapping."""

from pydantic import Field

from freeform.assistant.sheet.model import Sheet
from freeform.core.record import Record
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
    if sheet.abilities_info.features:
        left.append("features are kept on the sheet and have no rule at this table")
    hero = OwnHero(
        name=sheet.name,
        concept=", ".join(parts) or f"as {sheet.name}'s own sheet has it",
        stats={each.stat: each.value for each in mapping},
        facts=list(_facts(sheet)),
    )
    return SheetHero(sheet=sheet.id, system=system.id, hero=hero, mapping=mapping, not_taken=left)


def _mapping(sheet: Sheet, system: System) -> list[MappedStat]:
    low, high = system.stat_range
    abilities = sheet.character_basics.abilities
    mapped: dict[str, MappedStat] = {}
    for general, names in _STANDS_FOR.items():
        known = [name for name in names if name in abilities]
        for stat in system.stat_map.get(general) or [general]:
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


def _facts(sheet: Sheet) -> list[SetFact]:
    """What the hero brings along, as facts that every pass knows."""
    facts = []
    items = [item.name for item in sheet.inventory_info.items][:_MOST_GEAR]
    if items:
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
