"""How dice decide: four methods, all read from the system's data, rolled in the open."""

from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.engine.authored.system import OUTCOMES, Resolution, System
from freeform.engine.world.model import Roll
from freeform.engine.world.state import PLAYER, GameState


@dataclass(frozen=True)
class Throw:
    """What is rolled for."""

    action: str
    target_id: str
    stat: str
    tier: int
    bonus: int = 0
    """What the situation gives or takes."""


def roll(throw: Throw, system: System, state: GameState, chance: Chance) -> Roll:
    """Rolls for an attempt."""
    label, value = stat_of(system, throw.stat, state)
    modifier = value + throw.bonus
    how, tier = system.resolution, throw.tier
    match how.method:
        case "sum_bands":
            dice = chance.dice(how.dice_count, how.die_type)
            total = sum(dice) + modifier
            outcome = how.natural.get(str(sum(dice))) or _band(how, total)
            thrown = f"{how.dice_count}d{how.die_type} ({_list(dice)}){_signed(modifier)}"
            text = f"{thrown} = {total} {outcome}"
            difficulty = None
        case "target_number":
            difficulty = _difficulty(how, tier)
            dice = chance.dice(how.dice_count, how.die_type)
            total = sum(dice) + modifier
            outcome = how.natural.get(str(sum(dice))) or _band(how, total - difficulty)
            thrown = f"{how.dice_count}d{how.die_type} ({_list(dice)}){_signed(modifier)}"
            text = f"{thrown} = {total} vs {difficulty} {outcome}"
        case "roll_under":
            # Low wins: the score itself is what the dice must not exceed.
            difficulty = max(1, modifier - how.difficulties.get(str(tier), 0))
            dice = chance.dice(how.dice_count, how.die_type)
            total = sum(dice)
            outcome = how.natural.get(str(total)) or _band(how, difficulty - total)
            thrown = f"{how.dice_count}d{how.die_type} ({_list(dice)})"
            text = f"{thrown} = {total} under {difficulty}: {outcome}"
        case "dice_pool":
            difficulty = _difficulty(how, tier)
            pool = max(1, how.base_pool + modifier)
            dice = chance.dice(pool, how.die_type)
            total, outcome = _count(how, dice, difficulty)
            wins = "1 success" if total == 1 else f"{total} successes"
            text = f"{pool}d{how.die_type} ({_list(dice)}) at {difficulty}: {wins}, {outcome}"
    return Roll(
        action=throw.action,
        target_id=throw.target_id,
        method=how.method,
        dice=dice,
        sides=how.die_type,
        modifier=modifier,
        stat=label,
        difficulty=difficulty,
        total=total,
        outcome=outcome,
        text=text,
    )


def stat_of(system: System, stat: str, state: GameState) -> tuple[str, int]:
    """The stat a roll uses and its value: a general stat stands for the system's own ones, added
    up."""
    sheet = state.entities[PLAYER].attrs.get("stats", {}) if PLAYER in state.entities else {}
    names = system.stat_map.get(stat) or ([stat] if stat else [])
    default = system.resolution.stat_default
    return "+".join(names), sum(int(sheet.get(name, default)) for name in names)


def at_least(outcome: str, floor: str) -> bool:
    """Whether an outcome is as good as that one, or better."""
    return OUTCOMES.index(outcome) >= OUTCOMES.index(floor)


def _band(how: Resolution, total: int) -> str:
    reached = [band for band in how.bands if total >= band.at_least]
    return max(reached, key=lambda band: band.at_least).outcome if reached else "failure"


def _count(how: Resolution, dice: list[int], difficulty: int) -> tuple[int, str]:
    hits = sum(1 for die in dice if die >= difficulty)
    ones = dice.count(1)
    if how.botch_on_ones and hits == 0 and ones:
        return 0, "botch"
    net = max(0, hits - ones) if how.ones_cancel_successes else hits
    reached = [name for name in OUTCOMES[1:] if net >= how.pool_outcome_thresholds.get(name, 99)]
    return net, reached[-1] if reached else "failure"


def _difficulty(how: Resolution, tier: int) -> int:
    low, high = how.difficulty_range
    return max(low, min(high, how.difficulties.get(str(tier), how.difficulty_default)))


def _list(dice: list[int]) -> str:
    return ",".join(map(str, dice))


def _signed(number: int) -> str:
    return f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""
