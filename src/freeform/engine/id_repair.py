"""Whom a model meant where an id belongs: small ones write names, or ids with a slip in them.

Only what the player's character knows of is found by name. What is found nowhere goes back into
words, for the validator to judge as it judges a player's own.
"""

from freeform.core.text import slug
from freeform.engine.rules.known import is_known
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import names_of, words
from freeform.engine.world.state import GameState


def with_ids(heard: InterpreterOutput, state: GameState, rules: Rules) -> InterpreterOutput:
    """The same wishes with ids where ids belong."""
    targets = [action.target_id for action in heard.proposed_actions]
    if all(not id or id in state.entities for id in (*targets, *heard.referenced_entities)):
        return heard
    referenced = (id_of(said, state, rules) for said in heard.referenced_entities)
    return heard.model_copy(
        update={
            "proposed_actions": [_aimed(action, state, rules) for action in heard.proposed_actions],
            "referenced_entities": list(dict.fromkeys(id for id in referenced if id)),
        }
    )


def id_of(said: str, state: GameState, rules: Rules) -> str:
    """The id that was meant; '' when nothing the player knows of goes by that name."""
    said = said.strip()
    if not said or said in state.entities:
        return said
    called, tail = words(_in_words(said)), slug(said.rpartition(":")[2])
    if not called:
        return ""
    named = []
    for entity in state.entities.values():
        same = slug(entity.id.rpartition(":")[2]) == tail or called in map(words, names_of(entity))
        if same and is_known(entity.id, state, rules):
            named.append(entity.id)
    exits = rules.exits(state.scene.location_id, state)
    ways = [way.to for way in exits if called in map(words, (way.name, *way.aliases))]
    here = [id for id in named if id in state.scene.present_entity_ids]
    return next(iter((*here, *ways, *named)), "")


def _aimed(action: ProposedAction, state: GameState, rules: Rules) -> ProposedAction:
    target = id_of(action.target_id, state, rules)
    if target or not action.target_id:
        return action.model_copy(update={"target_id": target})
    said, details = _in_words(action.target_id.strip()), action.details
    if not words(said) <= words(details):
        invented = rules.action_type(action.action)[0] == "improvise"
        details = details if details and invented else f"{said}; {details}".strip("; ")
    return action.model_copy(update={"target_id": "", "details": details})


def _in_words(said: str) -> str:
    """`npc:old_viktor` as people say it."""
    return said.rpartition(":")[2].replace("_", " ")
