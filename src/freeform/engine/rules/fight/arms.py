"""What one strikes with and what keeps blows off, each number with its parts."""

from freeform.engine.authored.opposition import Armour, Fight, Weapon
from freeform.engine.rules.fight.fray import Blow, whose
from freeform.engine.rules.numbers import (
    block_of,
    conditions_in,
    level_of,
    stats_of,
    training,
)
from freeform.engine.rules.rolls import dice_in
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.rolled import RollPart
from freeform.engine.world.state import PLAYER, GameState


def weapons_of(who: str, state: GameState, rules: Rules) -> dict[str, Weapon]:
    """All someone can strike with: by nature or sheet, what they hold, and bare hands."""
    found: dict[str, Weapon] = {}
    for name, weapon in block_of(who, state, rules.system).strikes.items():
        if not weapon.item or (who, weapon.item) in state.inventory:
            found[name] = weapon if weapon.name else weapon.model_copy(update={"name": name})
    for holding in state.held(who):
        item = state.entities.get(holding.item_id)
        kind = rules.system.weapons.get(str(item.attrs.get("weapon", ""))) if item else None
        if item and kind and not any(w.item == item.id for w in found.values()):
            more = {"item": item.id, "name": item.name, "bonus": _bonus(item.attrs, kind)}
            found[item.id] = kind.model_copy(update=more)
    own_class = rules.system.classes.get(block_of(who, state, rules.system).kind)
    if own_class and own_class.damage:
        same = {"damage": [own_class.damage]}
        found = {name: weapon.model_copy(update=same) for name, weapon in found.items()}
    unarmed = rules.system.fight.unarmed if rules.system.fight else Weapon()
    found.setdefault("unarmed", unarmed.model_copy(update={"name": unarmed.name or "bare hands"}))
    return found


def _bonus(attrs: dict[str, object], kind: Weapon) -> int:
    return int(str(attrs.get("bonus") or 0)) + kind.bonus


def weapon_meant(said: str, weapons: dict[str, Weapon]) -> Weapon:
    """The weapon that words name; else the one that does most."""
    spoken = words(said)
    named = [
        (len(words(weapon.name)), weapon)
        for key, weapon in weapons.items()
        if words(weapon.name) & spoken or words(key.replace("_", " ")) & spoken
    ]
    if named:
        return max(named, key=lambda pair: len(words(pair[1].name) & spoken))[1]
    return max(weapons.values(), key=lambda weapon: (_does(weapon), not weapon.ranged))


def _does(weapon: Weapon) -> float:
    """What a weapon does on the average."""
    total = float(weapon.gear)
    for row in weapon.damage:
        count, sides, more = dice_in(row.partition(" ")[0])
        total += count * (sides + 1) / 2 + more
    return total


def defence_parts(who: str, state: GameState, rules: Rules) -> list[RollPart]:
    """What a blow must beat."""
    system, block = rules.system, block_of(who, state, rules.system)
    fight = system.fight or Fight()
    if block.defence_of:
        parts = [RollPart(label=n, value=v, source="sheet") for n, v in block.defence_of.items()]
    elif block.defence:
        parts = [RollPart(label="defence", value=block.defence, source=whose(who, state))]
    else:
        parts = _worn_parts(who, state, rules, fight)
    for name, condition in conditions_in(who, state, system):
        if condition.defence:
            source = f"condition: {name}"
            parts.append(RollPart(label=name, value=condition.defence, source=source))
    return parts


def _worn_parts(who: str, state: GameState, rules: Rules, fight: Fight) -> list[RollPart]:
    worn = armour_of(who, state, rules)
    body = max((each for each in worn if each.base), key=lambda each: each.base, default=None)
    stat = stats_of(who, state, rules.system).get(fight.defence_stat, 0)
    parts = [RollPart(label="base", value=fight.defence, source="system")]
    if body:
        parts = [RollPart(label=body.name, value=body.base, source="armour")]
        stat = stat if body.stat_cap is None else min(stat, body.stat_cap)
    if stat:
        parts.append(RollPart(label=fight.defence_stat, value=stat, source="sheet"))
    others = (each for each in worn if each.bonus)
    return [*parts, *(RollPart(label=o.name, value=o.bonus, source="armour") for o in others)]


def armour_of(who: str, state: GameState, rules: Rules) -> list[Armour]:
    """What someone wears: by their block, and among what they have."""
    known = rules.system.armours
    ids = list(block_of(who, state, rules.system).armour)
    for holding in state.held(who):
        item = state.entities.get(holding.item_id)
        ids += [str(item.attrs["armour"])] if item and item.attrs.get("armour") else []
    named = ((id, known[id]) for id in dict.fromkeys(ids) if id in known)
    return [a if a.name else a.model_copy(update={"name": i.replace("_", " ")}) for i, a in named]


def to_hit(blow: Blow, state: GameState, rules: Rules) -> tuple[str, list[RollPart]]:
    """The stat of a blow, and all that is added."""
    weapon, system = blow.weapon, rules.system
    fight = system.fight or Fight()
    stats = stats_of(blow.by, state, system)
    default = system.resolution.stat_default
    stat = max(weapon.stats, key=lambda name: stats.get(name, default), default="")
    if weapon.to_hit is not None:
        made = [RollPart(label=n, value=v, source="sheet") for n, v in weapon.made_of.items()]
        whole = RollPart(label=weapon.name, value=weapon.to_hit, source=whose(blow.by, state))
        return stat, made or [whole]
    parts = [RollPart(label=stat, value=stats.get(stat, default), source="sheet")] if stat else []
    skill = weapon.skill or (fight.attack_skill_ranged if weapon.ranged else fight.attack_skill)
    rank = block_of(blow.by, state, system).skills.get(skill, 0) if skill else 0
    if rank:
        parts.append(RollPart(label=skill, value=rank, source="sheet"))
    trained = training(blow.by, state, system) if weapon.trained else 0
    if trained:
        level = level_of(blow.by, state, system)
        parts.append(RollPart(label="training", value=trained, source=f"level {level}"))
    more = weapon.gear + (0 if fight.damage == "effect" else weapon.bonus)
    if more:
        parts.append(RollPart(label=weapon.name, value=more, source="gear"))
    return stat, parts


def hindering(skill: str, state: GameState, rules: Rules) -> list[str]:
    """What the player's character wears that makes a skill harder."""
    worn = armour_of(PLAYER, state, rules) if rules.system.armours else []
    return [armour.name for armour in worn if skill in armour.unhelpful_for]
