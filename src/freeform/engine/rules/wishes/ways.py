"""How far one comes on the way to somewhere: all the way, or to the door that is shut."""

from freeform.engine.authored.conditions import check
from freeform.engine.rules.checks import HERE, Refusal, blocked_way, way_open
from freeform.engine.rules.known import is_known
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import GameState


def way_towards(
    to: str, state: GameState, rules: Rules, said: str = ""
) -> tuple[list[str], Refusal | None]:
    """The places one passes on the way there, as far as ways are open; or why one cannot set out.

    Of a place they never heard of nobody knows the way; through places one does not know one comes
    one step.
    """
    path, refusal = way_open(to, state, rules, said)
    if refusal is None or refusal.rule == HERE or not is_known(to, state, rules):
        return path, refusal
    route = _route(to, state, rules)
    walked = _as_far_as_known(route, state)
    return (walked, None) if walked else (path, refusal)


def stopped_by(to: str, state: GameState, rules: Rules) -> str:
    """What an author says of the shut way there from where one stands; '' where none is."""
    shut = (way for way in rules.exits(state.scene.location_id, state) if way.to == to)
    return next((blocked_way(way, state) for way in shut if not check(way.when, state).holds), "")


def falls_short(action: AllowedAction, after: GameState) -> str:
    """What is said of whatever was to be done where one does not arrive; '' where one does."""
    there = after.entities.get(action.target_id)
    going = action.action == "move" and there is not None and there.type == "location"
    arrived = after.scene.location_id == action.target_id
    return "" if arrived or not going or action.affordance else "It does not come to the rest yet."


def _route(to: str, state: GameState, rules: Rules) -> list[str]:
    """The places up to the last shut way on the shortest way there; [] where none leads there."""
    here = state.scene.location_id
    reached: dict[str, list[str]] = {here: []}
    queue = [here]
    while queue:
        place = queue.pop(0)
        for way in rules.exits(place, state):
            if way.to == to:
                return reached[place]
            if way.to not in reached and check(way.when, state).holds:
                reached[way.to] = [*reached[place], way.to]
                queue.append(way.to)
    return []


def _as_far_as_known(route: list[str], state: GameState) -> list[str]:
    """The route through places one has been to, and one step further."""
    walked: list[str] = []
    for place in route:
        walked.append(place)
        if not state.value(place, "visited"):
            break
    return walked
