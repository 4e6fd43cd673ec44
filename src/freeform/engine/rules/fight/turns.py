"""What a turn begins and ends with where blows may be struck."""

from freeform.core.chance import Chance
from freeform.engine.campaign.apart import FIGHT
from freeform.engine.rules.checks import Refusal
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.fight import rounds
from freeform.engine.rules.fight.foes import fight_of, is_fighting
from freeform.engine.rules.fight.fray import Fray
from freeform.engine.rules.fight.health import CONDITION, is_up, linger
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.rolls import at_least
from freeform.engine.rulings.lasting import fade
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER, GameState


class OneDeed:
    """In a fight with turns there is time for one deed, for what is quick, and for words."""

    def __init__(self) -> None:
        self._done = False

    def check(self, action: AllowedAction, rules: Rules, state: GameState) -> Refusal | None:
        """Why there is no time for another deed; None where there is."""
        kind = rules.action_type(action.action)[1]
        if kind.rest and is_fighting(state):
            return Refusal("order", "nobody rests with foes about")
        power = rules.system.powers.get(kind.power)
        counted = kind.roll == "always" or bool(kind.deed)
        if not counted or (power and power.quick) or not _has_rounds(rules, state):
            return None
        if self._done:
            return Refusal("order", "there is time for one deed in a round")
        self._done = True
        return None


def _has_rounds(rules: Rules, state: GameState) -> bool:
    fight = rules.system.fight
    return fight is not None and fight.foes == "turns" and is_fighting(state)


def begin_turn(page: Ledger, rules: Rules, chance: Chance, tried: bool) -> bool:
    """Faster foes act, unless nothing could be tried; one who lies there has a last roll instead of
    a deed. True when the player's character can do nothing this turn."""
    if not rules.system.fight:
        return False
    if page.state.value(PLAYER, CONDITION) == "dead":
        page.happen("dead_still")
        return True
    if not is_up(PLAYER, page.state):
        was_dying = page.state.value(PLAYER, CONDITION) == "dying"
        linger(page, rules, chance.at("last"))
        if not was_dying:
            page.note(CAMPAIGN, FIGHT, {})  # hours went by: nobody stands there any more
        return True
    if is_fighting(page.state) and tried:
        rounds.foes_act(Fray(page, rules, chance.at("before")), fast=True)
        fade(page)
    return not is_up(PLAYER, page.state)


def end_turn(page: Ledger, rules: Rules, chance: Chance) -> None:
    """Slower foes act, and a fight in which nobody stands is over. What was for one round is over
    before they do, also where quicker ones held their blow to hear what was said."""
    if not rules.system.fight or not fight_of(page.state):
        return
    fade(page)
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
    words_alone = kind.topic and kind.roll == "always"
    foes = fight_of(attempt.page.state).get("foes", []) if words_alone else []
    if who in foes and outcome and at_least(outcome, "success"):
        rounds.give_up(who, Fray(attempt.page, attempt.rules, attempt.chance))
