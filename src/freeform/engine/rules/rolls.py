"""How dice decide: five methods, all read from the system's data, rolled in the open."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from freeform.core.chance import Chance
from freeform.engine.authored.system import OUTCOMES, Resolution, System
from freeform.engine.rules.numbers import stat_parts
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER, GameState

_DICE = re.compile(r"^(\d*)d(\d+)\s*([+-]\s*\d+)?$|^([+-]?\d+)$")
_MOST_BURSTS = 20


@dataclass(frozen=True)
class Throw:
    """What is rolled for, by whom, and what bears on it."""

    action: str
    target_id: str
    stat: str
    tier: int
    bonus: int = 0
    """What the situation gives or takes, where nobody says by what."""
    parts: tuple[RollPart, ...] = ()
    """What is added beside the stat."""
    own: tuple[RollPart, ...] | None = None
    """Instead of the stat."""
    skill: str = ""
    advantage: int = 0
    by: str = PLAYER
    kind: str = ""
    against: tuple[RollPart, ...] = ()
    """Someone's own number or roll, instead of a tier's."""
    natural: dict[str, str] | None = None
    """What bare dice force, instead of what they force in a check."""


@dataclass(frozen=True)
class Fall:
    """How dice fell, and how they are read."""

    dice: list[int]
    total: int
    outcome: str
    text: str
    difficulty: int | None = None
    kept: list[int] | None = None


def roll(throw: Throw, system: System, state: GameState, chance: Chance) -> Roll:
    """Rolls for an attempt."""
    label, parts = _added(throw, system, state)
    modifier, throw = _modified(throw, parts, system)
    fall = _METHODS[system.resolution.method](system.resolution, modifier, throw, chance)
    new = system.shows_parts
    return Roll(
        action=throw.action,
        target_id=throw.target_id,
        method=system.resolution.method,
        dice=fall.dice,
        sides=system.resolution.die_type,
        modifier=modifier,
        stat=label,
        difficulty=fall.difficulty,
        total=fall.total,
        outcome=fall.outcome,
        text=fall.text,
        kind=throw.kind,
        by="" if throw.by == PLAYER else throw.by,
        parts=[part for part in parts if part.value] if new else [],
        against=list(throw.against),
        kept=fall.kept or [],
    )


def how_often(
    throw: Throw, system: System, state: GameState, chance: Chance, times: int
) -> Counter[str]:
    """How often each outcome comes of that many throws."""
    modifier, throw = _modified(throw, _added(throw, system, state)[1], system)
    cast = _METHODS[system.resolution.method]
    falls = (cast(system.resolution, modifier, throw, chance) for _ in range(times))
    return Counter(fall.outcome for fall in falls)


def _added(throw: Throw, system: System, state: GameState) -> tuple[str, list[RollPart]]:
    """What the stat is called, and all that is added to the dice."""
    label, own = throw.stat, list(throw.own or ())
    if throw.own is None:
        label, own = stat_parts(throw.stat, throw.by, state, system, throw.skill)
    return label, [*own, *throw.parts]


def _modified(throw: Throw, parts: list[RollPart], system: System) -> tuple[int, Throw]:
    """The number beside the dice, with what advantage adds where it adds a number."""
    modifier = sum(part.value for part in parts) + throw.bonus
    if system.resolution.advantage == "bonus":
        return modifier + throw.advantage, replace(throw, advantage=0)
    return modifier, throw


def _sum_bands(how: Resolution, modifier: int, throw: Throw, chance: Chance) -> Fall:
    dice, kept, thrown = _cast(how, throw, chance)
    total = sum(kept) + modifier
    against = sum(part.value for part in throw.against) if throw.against else None
    forced = _forced(how, throw, kept)
    outcome = forced or _band(how, total if against is None else _opposed(how, total, against))
    versus = "" if against is None else f" vs {against}"
    text = f"{thrown}{_signed(modifier)} = {total}{versus} {outcome}"
    return Fall(dice, total, outcome, text, against, _if_fewer(dice, kept))


def _target_number(how: Resolution, modifier: int, throw: Throw, chance: Chance) -> Fall:
    against = sum(part.value for part in throw.against)
    difficulty = against if throw.against else _difficulty(how, throw.tier)
    dice, kept, thrown = _cast(how, throw, chance)
    total = sum(kept) + modifier
    outcome = _forced(how, throw, kept) or _band(how, total - difficulty)
    text = f"{thrown}{_signed(modifier)} = {total} vs {difficulty} {outcome}"
    return Fall(dice, total, outcome, text, difficulty, _if_fewer(dice, kept))


def _roll_under(how: Resolution, modifier: int, throw: Throw, chance: Chance) -> Fall:
    """Low wins: the score itself is what the dice must not exceed. Against someone's own roll, the
    one who stays further below their score wins."""
    score = max(1, modifier - how.difficulties.get(str(throw.tier), 0))
    dice, kept, thrown = _cast(how, throw, chance, low_wins=True)
    total = sum(kept)
    margin = score - total - sum(part.value for part in throw.against)
    outcome = _forced(how, throw, kept) or _band(how, margin)
    text = f"{thrown} = {total} under {score}: {outcome}"
    return Fall(dice, total, outcome, text, score, _if_fewer(dice, kept))


def _dice_pool(how: Resolution, modifier: int, throw: Throw, chance: Chance) -> Fall:
    difficulty = _difficulty(how, throw.tier)
    pool = max(1, how.base_pool + modifier + throw.advantage)
    dice = _burst(how, chance.dice(pool, how.die_type), chance)
    against = sum(part.value for part in throw.against)
    total, outcome = _count(how, dice, difficulty, against)
    wins = "1 success" if total == 1 else f"{total} successes"
    over = f" over {against}" if throw.against else ""
    text = f"{pool}d{how.die_type} ({_list(dice)}) at {difficulty}: {wins}{over}, {outcome}"
    return Fall(dice, total, outcome, text, difficulty)


def _highest_die(how: Resolution, modifier: int, throw: Throw, chance: Chance) -> Fall:
    """The best die counts; with no dice at all, the worse of two."""
    pool = how.base_pool + modifier + throw.advantage
    dice = chance.dice(pool if pool > 0 else 2, how.die_type)
    best = max(dice) if pool > 0 else min(dice)
    double = how.doubles.get(str(best)) if pool > 0 and dice.count(best) > 1 else None
    outcome = double or _band(how, best)
    read = "highest" if pool > 0 else "lowest"
    text = f"{len(dice)}d{how.die_type} ({_list(dice)}) {read} {best} {outcome}"
    return Fall(dice, best, outcome, text, None, [best])


_METHODS: dict[str, Callable[[Resolution, int, Throw, Chance], Fall]] = {
    "sum_bands": _sum_bands,
    "target_number": _target_number,
    "roll_under": _roll_under,
    "dice_pool": _dice_pool,
    "highest_die": _highest_die,
}


def _cast(
    how: Resolution, throw: Throw, chance: Chance, low_wins: bool = False
) -> tuple[list[int], list[int], str]:
    """The dice of a sum: all that fell, those that count, and how it is written."""
    name = f"{how.dice_count}d{how.die_type}"
    first = _burst(how, chance.dice(how.dice_count, how.die_type), chance)
    if how.advantage == "die" and throw.advantage:
        more = chance.dice(abs(throw.advantage), how.die_type)
        high = (throw.advantage > 0) != low_wins
        kept = sorted([*first, *more], reverse=high)[: len(first)]
        word = "highest" if high else "lowest"
        return [*first, *more], kept, f"{name} ({_list([*first, *more])}, {word} {len(first)})"
    if how.advantage != "twice" or not throw.advantage:
        return first, first, f"{name} ({_list(first)})"
    again = _burst(how, chance.dice(how.dice_count, how.die_type), chance)
    high = (throw.advantage > 0) != low_wins
    kept = (max if high else min)(first, again, key=sum)
    word = "higher" if high else "lower"
    return [*first, *again], kept, f"{name} ({_list(first)} / {_list(again)}, the {word})"


def _burst(how: Resolution, dice: list[int], chance: Chance) -> list[int]:
    """Dice that explode are thrown once more, and those again."""
    if not how.explodes:
        return dice
    grown, fresh = list(dice), list(dice)
    while fresh and len(grown) < len(dice) + _MOST_BURSTS:
        fresh = [chance.die(how.die_type) for die in fresh if die >= how.explodes]
        grown += fresh
    return grown


def dice_in(text: str) -> tuple[int, int, int]:
    """`2d6+1` as how many, of how many sides, and what is added; a bare number has no dice."""
    found = _DICE.match(text.strip().lower())
    if found is None:
        return 0, 0, 0
    if found[4]:
        return 0, 0, int(found[4])
    return int(found[1] or 1), int(found[2]), int((found[3] or "0").replace(" ", ""))


def thrown(text: str, chance: Chance) -> tuple[list[int], int]:
    """Dice written as `2d6+1`: how they fell, and their sum."""
    count, sides, more = dice_in(text)
    dice = chance.dice(count, sides) if count else []
    return dice, sum(dice) + more


def at_least(outcome: str, floor: str) -> bool:
    """Whether an outcome is as good as that one, or better."""
    return OUTCOMES.index(outcome) >= OUTCOMES.index(floor)


def _forced(how: Resolution, throw: Throw, kept: list[int]) -> str | None:
    forced = how.natural if throw.natural is None else throw.natural
    return forced.get(str(sum(kept)))


def _opposed(how: Resolution, total: int, against: int) -> int:
    """Where totals alone are read: as good as the least success when the other is beaten, and as
    much better as by how far."""
    won = next((b.at_least for b in how.bands if b.outcome == "success"), 0)
    return won + total - against if total > against else min(total - against, won - 1)


def _band(how: Resolution, total: int) -> str:
    reached = [band for band in how.bands if total >= band.at_least]
    return max(reached, key=lambda band: band.at_least).outcome if reached else "failure"


def _count(how: Resolution, dice: list[int], difficulty: int, against: int) -> tuple[int, str]:
    hits = sum(1 for die in dice if die >= difficulty)
    ones = dice.count(1)
    if how.botch_on_ones and hits == 0 and ones:
        return 0, "botch"
    net = max(0, hits - ones) if how.ones_cancel_successes else hits
    left = net - against
    reached = [name for name in OUTCOMES[1:] if left >= how.pool_outcome_thresholds.get(name, 99)]
    return net, reached[-1] if reached else "failure"


def _difficulty(how: Resolution, tier: int) -> int:
    low, high = how.difficulty_range
    return max(low, min(high, how.difficulties.get(str(tier), how.difficulty_default)))


def _if_fewer(dice: list[int], kept: list[int]) -> list[int] | None:
    return kept if len(kept) < len(dice) else None


def _list(dice: list[int]) -> str:
    return ",".join(map(str, dice))


def _signed(number: int) -> str:
    return f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""
