"""Where an allowed action leads, for judging the one after it."""

from freeform.engine.authored.script import Hand
from freeform.engine.rules.checks import holder_of, state_type
from freeform.engine.rules.effects import go, hand, perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.wishes.ways import way_towards
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER


def foresee(action: AllowedAction, page: Ledger, rules: Rules) -> None:
    """Writes down where an action leads if it works, for judging the one after it."""
    affordance = rules.scenario.deeds.get(action.affordance)
    if affordance:
        perform(affordance.outcomes["success"].effects, page, rules, "foreseen")
    elif action.ruling and not action.ruling.problem:
        perform(action.ruling.on["success"].effects, page, rules, "foreseen")
    elif (
        action.action in ("move", "follow")
        and state_type(action.target_id, page.state) == "location"
    ):
        path, _ = way_towards(action.target_id, page.state, rules)
        go(path[-1] if path else action.target_id, page, rules)
    elif action.action in ("take", "steal"):
        owner = holder_of(action.target_id, page.state)
        if owner and owner != PLAYER:
            hand(Hand(item=action.target_id, source=owner, to=PLAYER), page)
