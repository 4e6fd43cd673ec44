"""Powers: which one is meant, what it costs to hold out against it, and what it comes to."""

from freeform.engine.authored.opposition import HeroPower, Weapon
from freeform.engine.rules.fight.fray import Fray
from freeform.engine.rules.numbers import block_of, level_of, stats_of, training
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER, GameState


def powers_of(state: GameState, rules: Rules) -> list[HeroPower]:
    """What the player's character can do of that kind: by their sheet and by their class."""
    system, block = rules.system, block_of(PLAYER, state, rules.system)
    ids = list(block.powers)
    own_class = system.classes.get(block.kind)
    level = level_of(PLAYER, state, system)
    for needed, more in own_class.powers.items() if own_class else ():
        ids += more if int(needed) <= level else []
    return [system.powers[id] for id in dict.fromkeys(ids) if id in system.powers]


def power_meant(said: str, powers: list[HeroPower]) -> HeroPower | None:
    """The power that words name in full; the longest name wins."""
    spoken = words(said)
    named = [
        (len(words(name)), power)
        for power in powers
        for name in (power.name, *power.aliases)
        if words(name) and words(name) <= spoken
    ]
    return max(named, key=lambda pair: pair[0])[1] if named else None


def casting_stat(state: GameState, rules: Rules) -> str:
    """The stat that powers use."""
    block = block_of(PLAYER, state, rules.system)
    own_class = rules.system.classes.get(block.kind)
    return block.casting or (own_class.casting if own_class else "")


def casting_part(fray: Fray) -> list[RollPart]:
    """What the casting stat adds."""
    stat = casting_stat(fray.state, fray.rules)
    value = stats_of(PLAYER, fray.state, fray.rules.system).get(stat, 0)
    return [RollPart(label=stat, value=value, source="sheet")] if value else []


def difficulty_of(fray: Fray) -> list[RollPart]:
    """What others must reach to hold out against the player's powers."""
    bonus = training(PLAYER, fray.state, fray.rules.system)
    base = RollPart(label="base", value=fray.fight.save_base, source="system")
    trained = [RollPart(label="training", value=bonus, source="level")] if bonus else []
    return [base, *trained, *casting_part(fray)]


def price_of(power: HeroPower, state: GameState, rules: Rules) -> dict[str, int]:
    """What a power costs the player's character, by how their class pays."""
    own_class = rules.system.classes.get(block_of(PLAYER, state, rules.system).kind)
    pays = own_class.pays if own_class else {}
    return {pays.get(id, id): count for id, count in power.costs.items()}


def times_of(power: HeroPower, state: GameState, rules: Rules) -> int:
    """How often a power strikes at the hero's level."""
    level = level_of(PLAYER, state, rules.system)
    reached = [int(needed) for needed in power.times_by_level if int(needed) <= level]
    return power.times_by_level[str(max(reached))] if reached else power.times


def weapon_of(power: HeroPower, fray: Fray) -> Weapon:
    """A power as something one strikes with."""
    level = level_of(PLAYER, fray.state, fray.rules.system)
    reached = [int(needed) for needed in power.by_level if int(needed) <= level]
    damage = power.by_level[str(max(reached))] if reached else power.damage
    stat = casting_stat(fray.state, fray.rules)
    return Weapon(
        name=power.name,
        stats=[stat] if stat else [],
        damage=damage,
        adds_stat=power.adds_stat,
        ranged=power.ranged,
    )


def healing_roll(power: HeroPower, dice: list[int], total: int, fray: Fray) -> Roll:
    """Healing as a roll with its parts."""
    parts = casting_part(fray) if power.adds_stat else []
    if power.adds_level:
        level = level_of(PLAYER, fray.state, fray.rules.system)
        parts = [*parts, RollPart(label="level", value=level, source="sheet")]
    flat = total - sum(dice)
    if flat:
        parts = [RollPart(label=power.name, value=flat, source="power"), *parts]
    whole = sum(dice) + sum(part.value for part in parts)
    fell = ",".join(map(str, dice))
    more = "".join(f" {'+' if p.value > 0 else '-'} {abs(p.value)}" for p in parts)
    return Roll(
        action="heal",
        method="healing",
        dice=dice,
        sides=0,
        modifier=whole - sum(dice),
        total=whole,
        outcome="success",
        text=f"{power.heals.partition('+')[0]} ({fell}){more} = {whole} healed"
        if dice
        else f"{whole} healed",
        kind="healing",
        parts=parts,
    )
