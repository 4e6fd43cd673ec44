"""Asks for a turn's prose and lets it out sentence by sentence; where one falls to a limit, a model
is asked once to say it anew."""

import logging
from dataclasses import replace

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Call, Gateway, PassAnswer
from freeform.core.log import kind_of, tell
from freeform.engine.passes import NARRATOR, NarratorInput
from freeform.engine.rules.safety import Guarded, SafetyLimits
from freeform.engine.signals import Again, Prose, Show
from freeform.engine.world.model import NarratorOutput, ValidatorOutput

PLAIN_QUESTION = "What do you do?"
"""Asked instead of a question that cannot be shown."""
_LOG = logging.getLogger("freeform.turn")


async def ask_for_prose(
    wanted: NarratorInput, call: Call, limits: SafetyLimits, gateway: Gateway, show: Show
) -> PassAnswer[NarratorOutput]:
    """The narrator's answer. What may be shown of it is shown while it comes."""
    voice = Guarded(limits, _Voice(show))
    answer = await gateway.ask(NARRATOR, wanted, call, voice)
    voice.close()
    if not voice.fallen or answer.offline:
        return answer
    tell(_LOG, logging.INFO, "said_anew", campaign=call.campaign, fallen=len(voice.fallen))
    again = wanted.model_copy(update={"fallen": list(voice.fallen)})
    voice.again()
    try:
        anew = await gateway.ask(
            NARRATOR, again, call.model_copy(update={"may_degrade": False}), voice
        )
    except (BadReply, BudgetSpent, Unavailable) as failed:
        tell(_LOG, logging.WARNING, "not_said_anew", kind=kind_of(failed))
        voice.again()
        voice(answer.output.final_text)
        voice.close()
        return answer
    voice.close()
    return replace(anew, usage=answer.usage + anew.usage, ms=answer.ms + anew.ms)


def fit_to_ask(judged: ValidatorOutput, limits: SafetyLimits) -> ValidatorOutput:
    """What was judged, with a question that names nothing this table keeps out."""
    if not judged.clarification_needed:
        return judged
    question = judged.clarification_question
    fit = limits.allow_each([question, *(reading.text for reading in judged.readings)])
    return judged.model_copy(
        update={
            "clarification_question": question if question in fit else PLAIN_QUESTION,
            "readings": [reading for reading in judged.readings if reading.text in fit],
        }
    )


class _Voice:
    """Prose on its way to whoever watches."""

    def __init__(self, show: Show) -> None:
        self._show = show

    def __call__(self, piece: str, /) -> None:
        self._show(Prose(piece))

    def again(self) -> None:
        self._show(Again())
