"""What nobody could do: flying, walking through walls, magic where there is none. It is refused
kindly and costs nothing; what is only said, supposed or asked is not meant."""

from freeform.engine.rules.checks import Refusal
from freeform.engine.rules.validate import refused
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    AllowedAction,
    InterpreterOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.state import GameState

PART = "feats"
_PLAINLY = 0.8
"""How likely it must be that nobody could: whoever is unsure is let try."""
_DEEDS = frozenset("improvise express use brave cast attack break hide open take help heal".split())
_REFUSED = {
    "body": "Nobody could do that, try as they may; something nearer the ground might work.",
    "magic": "No such power is yours here; what is done here is done with hands, wits and words.",
}
_MAGICAL, _ALIKE = "fantasy, magic, superheroes", 0.35
"""What a setting with powers is called, and how near a genre must come to it in meaning."""


def beyond_anyone(
    judged: ValidatorOutput,
    heard: InterpreterOutput,
    state: GameState,
    rules: Rules,
    text: str,
) -> ValidatorOutput:
    """What was judged, or the refusal of a deed that is beyond anybody; what is refused for a
    better reason stays so."""
    acts = heard.proposed_actions
    nowhere = all(one.action == "move" for one in judged.blocked_actions)
    if rules.sense is None or judged.clarification_needed or not nowhere:
        return judged
    if not acts or not all(map(_is_deed, acts)) or any(map(_is_provided, judged.allowed_actions)):
        return judged
    chances = rules.sense.said_as(PART, text)
    kind = next((name for name in _REFUSED if chances.get(name, 0.0) >= _PLAINLY), "")
    if not kind or (kind == "magic" and _has_powers(rules)):
        return judged
    refusal = Refusal("contradiction", _REFUSED[kind], state.scene.id)
    return ValidatorOutput(blocked_actions=[refused(acts[0], refusal)])


def _is_deed(act: ProposedAction) -> bool:
    """Whether it is done, with nothing authored for it; a going nowhere known may be a flight."""
    nowhere = act.action == "move" and not act.target_id
    return (act.action in _DEEDS or nowhere) and not act.deed


def _is_provided(act: AllowedAction) -> bool:
    """Whether an author wrote what comes of it, or a ruling stands for it."""
    return bool(act.affordance) or act.ruling is not None


def _has_powers(rules: Rules) -> bool:
    """Whether this table's system has powers, or its setting is of a kind that has."""
    genre = rules.scenario.genre
    near = rules.sense.near(genre, [_MAGICAL]) if rules.sense and genre else []
    return bool(rules.system.powers) or any(one >= _ALIKE for one in near)
