"""What a turn begins and ends with where blows may be struck."""

from freeform.core.chance import Chance
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.fight import rounds
from freeform.engine.rules.fight.foes import fight_of, is_fighting
from freeform.engine.rules.fight.fray import Fray
from freeform.engine.rules.fight.health import CONDITION, is_up, linger
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.rolls import at_least
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER


def begin_turn(page: Ledger, rules: Rules, chance: Chance) -> bool:
    """Faster foes act; one who lies there has a last roll instead of a deed. True when the player's
    character can do nothing this turn."""
    if not rules.system.fight:
        return False
    if page.state.value(PLAYER, CONDITION) == "dead":
        page.happen("dead_still")
        return True
    if not is_up(PLAYER, page.state):
        linger(page, rules, chance.at("last"))
        return True
    if is_fighting(page.state):
        rounds.foes_act(Fray(page, rules, chance.at("before")), fast=True)
    return not is_up(PLAYER, page.state)


def end_turn(page: Ledger, rules: Rules, chance: Chance) -> None:
    """Slower foes act, and a fight in which nobody stands is over."""
    if not rules.system.fight or not fight_of(page.state):
        return
    fray = Fray(page, rules, chance.at("behind"))
    rounds.foes_act(fray, fast=False)
    rounds.close(fray)


def leave_foes(attempt: Attempt) -> None:
    """Who walks away from foes is struck at first."""
    if attempt.action.action == "move" and is_fighting(attempt.page.state):
        rounds.parting_blows(Fray(attempt.page, attempt.rules, attempt.chance.at("leaving")))


def settle_with(attempt: Attempt, outcome: str) -> None:
    """A foe who is talked round lays down arms."""
    who, kind = attempt.action.target_id, attempt.kind
    words_alone = kind.topic and "contested" in kind.risk_flags
    foes = fight_of(attempt.page.state).get("foes", []) if words_alone else []
    if who in foes and outcome and at_least(outcome, "success"):
        rounds.give_up(who, Fray(attempt.page, attempt.rules, attempt.chance))
