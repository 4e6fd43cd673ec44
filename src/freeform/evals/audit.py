"""Whether an accepted action was possible at all: a second opinion that shares no code with the
validator's rules."""

from freeform.engine.authored.conditions import check
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER, GameState

OUT_OF_PLAY = frozenset({"dead", "killed", "deceased", "destroyed", "unconscious", "out"})
FACE_TO_FACE = frozenset(
    {"ask", "talk", "persuade", "deceive", "threaten", "attack", "give", "show", "heal", "steal"}
)
FROM_HAND = frozenset({"drop", "give", "show"})


def impossible(action: AllowedAction, state: GameState, rules: Rules) -> str:
    """Why it could not be done as things stood, in a few words; '' when it could."""
    if action.target_id and action.target_id not in state.entities:
        return f"{action.target_id} does not exist"
    if action.affordance:
        return _not_afforded(action, state, rules)
    target = state.entities.get(action.target_id)
    if target is None:
        return ""
    match target.type:
        case "npc" if action.action in FACE_TO_FACE:
            return _not_face_to_face(target.id, state)
        case "item" if action.action not in ("recall", "look", "search", "ask", "talk"):
            return _not_at_hand(action, state)
        case "location" if action.action == "move":
            return (
                ""
                if target.id in within_reach(state, rules)
                else f"no open way leads to {target.id}"
            )
    return ""


def within_reach(state: GameState, rules: Rules) -> set[str]:
    """Every place one can come to through open ways, whether one has been there or not."""
    here = state.scene.location_id
    reached, edge = {here}, [here]
    while edge:
        place = edge.pop()
        for way in rules.exits(place, state):
            if way.to not in reached and check(way.when, state).holds:
                reached.add(way.to)
                edge.append(way.to)
    return reached


def _not_afforded(action: AllowedAction, state: GameState, rules: Rules) -> str:
    authored = next((a for a in rules.scenario.affordances if a.id == action.affordance), None)
    if authored is None:
        return f"nobody authored {action.affordance}"
    if authored.at not in ("", state.scene.location_id):
        return f"{authored.id} is done at {authored.at}"
    unmet = check(authored.when, state)
    if not unmet.holds:
        return f"{unmet.because} does not allow {authored.id}"
    if authored.using and (PLAYER, authored.using) not in state.inventory:
        return f"{authored.using} is not at hand"
    return ""


def _not_face_to_face(who: str, state: GameState) -> str:
    if who not in state.scene.present_entity_ids:
        return f"{who} is not here"
    for predicate in ("status", "condition", "state"):
        if str(state.value(who, predicate)) in OUT_OF_PLAY:
            return f"{who} is {state.value(who, predicate)}"
    return ""


def _not_at_hand(action: AllowedAction, state: GameState) -> str:
    item, here = action.target_id, state.scene.location_id
    owners = {
        owner for (owner, held), row in state.inventory.items() if held == item and row.qty > 0
    }
    if action.action in FROM_HAND:
        return "" if PLAYER in owners else f"the player does not have {item}"
    near = {PLAYER, here, *state.scene.present_entity_ids}
    return "" if owners & near else f"{item} is not here"
