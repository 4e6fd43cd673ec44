"""What is said to someone, where it was heard as less: an offer with a condition is no gift yet,
and thanks are more than the words after them."""

from freeform.engine.minds.terms import terms_of
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import words
from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.meaning.sense import Sense
from freeform.offline.referee.families import SPEECH

_PLAINLY = 0.7
_WHOLE = frozenset({"offer", "first", "due", "thanks", "sorry", "insult", "deal"})
"""What is done by the whole of the words, and lost with a part of them."""
_OFFERED = frozenset({"offer", "first"})
_HANGING = frozenset({"give", "improvise", "use", "plan", "plan_only", "express"})
"""What is not done yet where it hangs on what another does."""


def with_whole_sayings(
    output: InterpreterOutput, input: InterpreterInput, ear: OutcomeEar | None
) -> InterpreterOutput:
    """What was heard, with all the words where all of them are one saying to one person."""
    acts, said = output.proposed_actions, input.player_input.strip()
    kind = _done_by(said, ear)
    here = {*input.context_packet.present_entities}
    to = [act for act in acts if act.target_id in here]
    if not kind or len({act.target_id for act in to}) != 1:
        return output
    if not all(_is_of_it(act, kind, said) for act in acts):
        return output
    talk = {"action": "talk", "family": "persuade", "details": said, "deed": ""}
    return output.model_copy(update={"proposed_actions": [to[0].model_copy(update=talk)]})


def _done_by(said: str, ear: OutcomeEar | None) -> str:
    """What is plainly done by saying it; '' where that is nothing of these."""
    if not isinstance(ear, Sense):
        return ""
    vectors = ear.vectors([said])
    kinds = ear.told_as(said, vectors[0]) if vectors else {}
    kind = max(kinds, key=lambda one: kinds[one], default="")
    return kind if kind in _WHOLE and kinds[kind] >= _PLAINLY else ""


def _is_of_it(act: ProposedAction, kind: str, said: str) -> bool:
    """Whether an act is that saying, or part of it: words, or a gift that hangs on something."""
    if act.action in SPEECH:
        return not act.deed
    terms = terms_of(said)
    both = bool(words(terms.mine)) and bool(terms.theirs)
    return act.action in _HANGING and kind in _OFFERED and both
