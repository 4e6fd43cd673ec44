"""Pushing one's luck, before a roll or after it, and taking the edge off what just happened."""

from typing import Any

from freeform.core.chance import Chance
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import pay
from freeform.engine.rules.fight.health import HARM, take_back
from freeform.engine.rules.fight.pushing import LAST_ROLL, PUSHED
from freeform.engine.rules.fight.resources import change, lacks, spend
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER, GameState


class ThrownAgain(Chance):
    """Dice of a roll that is pushed: those that are kept lie as they lay, the rest fall anew."""

    def __init__(self, chance: Chance, lay: list[int], keep: list[int]) -> None:
        super().__init__(0, "pushed")
        self._fresh, self._lay, self._keep = chance, list(lay), keep

    def at(self, *path: int | str) -> Chance:
        return self._fresh.at(*path)

    def dice(self, count: int, sides: int) -> list[int]:
        lay, self._lay = self._lay[:count], []
        kept = [die if die in self._keep else self._fresh.die(sides) for die in lay]
        return [*kept, *(self._fresh.die(sides) for _ in range(count - len(lay)))]


def push_before(attempt: Attempt) -> str:
    """Pays for dice on the next roll."""
    page, how = attempt.page, attempt.rules.system.push
    if how is None:
        page.happen("nothing_to_push")
        return ""
    lacking = lacks(how.costs, page.state, attempt.rules)
    if lacking:
        page.happen("lacked", name=lacking)
        return ""
    spend(how.costs, page, attempt.rules)
    page.note(PLAYER, PUSHED, how.dice)
    page.happen("pushed", dice=how.dice)
    return ""


def last_roll(state: GameState) -> dict[str, Any]:
    """The roll of the turn before, where it may still be pushed."""
    kept = state.value(PLAYER, LAST_ROLL) or {}
    return dict(kept) if kept and kept["turn"] == state.turn_no - 1 else {}


def again(attempt: Attempt) -> Attempt | None:
    """The deed of the turn before with its dice thrown again."""
    kept, how = last_roll(attempt.page.state), attempt.rules.system.push
    if not kept or how is None:
        attempt.page.happen("nothing_to_push")
        return None
    attempt.page.note(PLAYER, LAST_ROLL, {})
    action = AllowedAction.model_validate(kept["action"])
    chance = ThrownAgain(attempt.chance, kept["dice"], how.keep)
    attempt.page.happen("pushed", dice=0)
    return Attempt(action, attempt.page, attempt.rules, chance, attempt.background)


def pay_for_ones(attempt: Attempt, first: int) -> None:
    """Each 1 that lies there after pushing has its price."""
    how = attempt.rules.system.push
    rolls = [roll for roll in attempt.page.rolls[first:] if not roll.kind or roll.kind == "attack"]
    if how is None or not how.ones_cost or not rolls:
        return
    ones = rolls[0].dice.count(1)
    if ones and how.ones_cost == "harm":
        pay({"harm": ones}, attempt.page, attempt.rules)
        attempt.page.happen("strained", ones=ones)
    elif ones:
        change(how.ones_cost, ones, attempt.page, attempt.rules)


def resist(attempt: Attempt) -> str:
    """Takes the edge off the harm just taken, for stress by the dice."""
    page, how = attempt.page, attempt.rules.system.resist
    borne = list(page.state.value(PLAYER, HARM) or [])
    if how is None or not borne:
        page.happen("nothing_to_resist")
        return ""
    stat = attempt.kind.stat
    thrown = roll(
        Throw("resist", "", stat, 0, kind="resist"),
        attempt.rules.system,
        page.state,
        attempt.chance,
    )
    page.rolls.append(thrown)
    cost = how.base - thrown.total
    if thrown.outcome == "critical":
        cost = -how.critical_gives
    change(how.resource, cost, page, attempt.rules)
    take_back(max(borne), 1, page, attempt.rules)
    page.happen("resisted", cost=cost)
    return ""
