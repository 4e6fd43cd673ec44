"""Where whatever is done counts, as in a bout: a feint is no gesture there, kindness no blow."""

from freeform.engine.authored.conditions import check
from freeform.engine.authored.ruling import DeedRuling
from freeform.engine.table import Rules
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.state import GameState

_SMALL = "express"
_FREE_DEED = {"action": "improvise", "family": "use"}


def as_a_blow(action: ProposedAction, state: GameState, rules: Rules) -> ProposedAction:
    """A small deed as the free deed it is, where one was authored for whatever is done here."""
    if _SMALL not in (action.family, action.action) or action.deed:
        return action
    open_now = (
        deed.action == _FREE_DEED["action"] and check(deed.when, state).holds
        for deed in rules.scenario.affordances
        if deed.whatever
    )
    return action.model_copy(update=_FREE_DEED) if any(open_now) else action


def is_kindly(ruling: DeedRuling) -> bool:
    """Whether somebody thinks better of the player for it."""
    good = ruling.on.get("success")
    return good is not None and any(e.trust and e.trust.delta > 0 for e in good.effects)
