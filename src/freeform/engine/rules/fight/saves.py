"""Holding out against something, and what a hit brings beside its damage."""

from freeform.core.chance import Chance
from freeform.engine.authored.script import Become
from freeform.engine.rules.fight.fray import Fray
from freeform.engine.rules.numbers import Bearing, RollAsked, bearing_on, block_of, save_parts
from freeform.engine.rules.rolls import Throw, at_least, roll, thrown
from freeform.engine.rulings.lasting import become
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER


def rolled_beside(bearing: Bearing, chance: Chance) -> list[RollPart]:
    """Dice that something adds to a roll, thrown."""
    parts = []
    for number, (dice, source) in enumerate(bearing.dice):
        sign = -1 if dice.startswith("-") else 1
        total = sign * thrown(dice.lstrip("-"), chance.at(number))[1]
        parts.append(RollPart(label=source, value=total, source=f"{dice} of {source}"))
    return parts


def save(who: str, stat: str, difficulty: list[RollPart], fray: Fray) -> bool:
    """Someone holds out against something; True when they do."""
    asked = RollAsked("save", who, "", (stat,))
    bearing = bearing_on(asked, fray.state, fray.rules.system)
    number = sum(part.value for part in difficulty)
    by = "" if who == PLAYER else who
    if bearing.fails:
        fray.page.rolls.append(
            Roll(
                action="save",
                method="save",
                dice=[],
                sides=0,
                stat=stat,
                difficulty=number,
                total=0,
                outcome="failure",
                text=f"{stat} save vs {number} fails: {bearing.fails}",
                kind="save",
                by=by,
                against=difficulty,
            )
        )
        return False
    own = save_parts(stat, who, fray.state, fray.rules.system)
    beside = rolled_beside(bearing, fray.chance.at("beside"))
    throw = Throw(
        action="save",
        target_id="",
        stat=f"{stat} save",
        tier=0,
        own=tuple(own),
        parts=tuple([*bearing.parts, *beside]),
        advantage=bearing.advantage,
        by=who,
        kind="save",
        against=tuple(difficulty),
        natural={},
    )
    made = roll(throw, fray.rules.system, fray.state, fray.chance)
    fray.page.rolls.append(made)
    return at_least(made.outcome, "success")


def afflict(who: str, condition: str, turns: int, fray: Fray) -> bool:
    """Someone is in a condition, unless they are above such things."""
    if condition in block_of(who, fray.state, fray.rules.system).immune:
        return False
    become(Become(subject=who, condition=condition, turns=turns), fray.page, "fight")
    return True
