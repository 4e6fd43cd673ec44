"""A fifth-edition sheet as the numbers a table with opposition plays by: its own, not ones made
anew."""

import re

from freeform.assistant.model import Number
from freeform.assistant.sheet.model import ABILITIES, Attack, Sheet
from freeform.core.text import slug
from freeform.engine.authored.opposition import CombatBlock, Weapon
from freeform.engine.authored.system import System
from freeform.engine.world.state import Entity

_DAMAGE = re.compile(r"^(\d+d\d+|\d+)\s*([+-]\s*\d+)?(?:\s+([a-z]+))?")
_UNARMED = "unarmed"


def plays_by_abilities(system: System) -> bool:
    """Whether the table's stats are a sheet's six abilities."""
    return set(ABILITIES) <= {stat[:3] for stat in system.stats}


def block_from(sheet: Sheet, system: System) -> CombatBlock:
    """The sheet's hit points, defence, attacks, skills, saves, spells and slots."""
    basics, combat = sheet.character_basics, sheet.combat_info
    own = next((slug(each.name) for each in basics.classes), "")
    full = {stat[:3]: stat for stat in system.stats}
    casters = sheet.magic_info.casters
    return CombatBlock(
        name=sheet.name,
        kind=own if own in system.classes else "",
        level=max(1, basics.level or sum(each.level for each in basics.classes)),
        printed=True,
        hp=combat.hp.max,
        hit_die=next((each.hit_die for each in basics.classes), 0),
        defence=int(combat.ac.value),
        defence_of=_parts(combat.ac),
        initiative=combat.initiative,
        skills={name: each.total for name, each in sheet.abilities_info.skills.items()},
        saves={full[name]: each.total for name, each in combat.saves.items() if name in full},
        strikes={_key(each): _strike(each, sheet) for each in combat.attacks},
        powers=[slug(each.name) for each in sheet.magic_info.spells],
        casting=full.get(casters[0].ability, "") if casters else "",
        resources=_resources(sheet),
    )


def gear_from(sheet: Sheet) -> list[Entity]:
    """What the sheet carries, as things of this world."""
    things: dict[str, Entity] = {}
    for item in sheet.inventory_info.items:
        id = _item_id(item.name)
        attrs = {"aliases": [item.base] if item.base else [], "description": item.desc[:300]}
        things.setdefault(id, Entity(id=id, type="item", name=item.name, attrs=attrs))
    return list(things.values())


def _item_id(name: str) -> str:
    return f"gear:{slug(name)}"


def _key(attack: Attack) -> str:
    return slug(attack.name) if attack.source_item else _UNARMED


def _strike(attack: Attack, sheet: Sheet) -> Weapon:
    return Weapon(
        name=attack.name,
        to_hit=attack.to_hit,
        made_of=_parts(sheet.derived.get(f"attack:{attack.name}")),
        damage=[_damage(text) for text in attack.damage[:1]],
        ranged="ranged" in _kind_of(attack, sheet),
        item=_item_id(attack.source_item) if attack.source_item else "",
    )


def _kind_of(attack: Attack, sheet: Sheet) -> str:
    items = sheet.inventory_info.items
    return next((item.weapon for item in items if item.name == attack.source_item), "")


def _damage(text: str) -> str:
    """`1d8 + 3 slashing` as the engine writes it."""
    found = _DAMAGE.match(text.strip().lower())
    if found is None:
        return "1"
    more = (found[2] or "").replace(" ", "")
    if "d" not in found[1]:
        more = ""
    return f"{found[1]}{more} {found[3] or ''}".strip()


def _parts(number: Number | None) -> dict[str, int]:
    """What a number of the sheet is made of, where its parts are whole numbers and sum up to it."""
    if number is None:
        return {}
    parts = {part.label: part.value for part in number.parts if isinstance(part.value, int)}
    return parts if sum(parts.values()) == number.value else {}


def _resources(sheet: Sheet) -> dict[str, int]:
    magic = sheet.magic_info
    found = {f"slots_{level}": uses.max for level, uses in magic.slots.items()}
    if magic.pact and magic.pact.max:
        found["pact_slots"] = magic.pact.max
    found["hit_dice"] = sum(uses.max for uses in sheet.combat_info.hit_dice.values())
    return found
