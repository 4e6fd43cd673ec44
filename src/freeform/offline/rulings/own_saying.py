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
    here = {*input.context_packet.present_entities}
    to = [act for act in acts if act.target_id in here]
    if len({act.target_id for act in to}) != 1 or not all(_may_be_of_it(act, said) for act in acts):
        return output
    kind = _done_by(said, ear)
    if not kind or not all(_is_of_it(act, kind) for act in acts):
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


def _may_be_of_it(act: ProposedAction, said: str) -> bool:
    """Whether an act can be a saying, or part of one: words, or a gift that hangs on something."""
    if act.action in SPEECH:
        return not act.deed
    terms = terms_of(said)
    return act.action in _HANGING and bool(words(terms.mine)) and bool(terms.theirs)


def _is_of_it(act: ProposedAction, kind: str) -> bool:
    """Whether such an act is part of that saying: only an offer hangs on anything."""
    return act.action in SPEECH or kind in _OFFERED
