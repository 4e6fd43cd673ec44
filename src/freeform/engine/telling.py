"""Asks for a turn's prose and lets it out sentence by sentence; where one falls to a limit, a model
is asked once to say it anew."""

import logging
from dataclasses import replace
from itertools import pairwise

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Call, Gateway, PassAnswer
from freeform.core.log import kind_of, tell
from freeform.core.text import shorten
from freeform.engine.passes import NARRATOR, NarratorInput
from freeform.engine.rules.safety import Guarded, SafetyLimits
from freeform.engine.signals import Again, Prose, Show
from freeform.engine.world.model import NarratorOutput, ValidatorOutput
from freeform.language.sentences import SENTENCE_END

PLAIN_QUESTION = "What do you do?"
"""Asked instead of a question that cannot be shown."""
LONGEST_PROSE = 6000
"""Letters of one turn's prose that are shown; it ends at a sentence before that."""
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
        spent = getattr(failed, "usage", None)
        return replace(answer, usage=answer.usage + spent) if spent else answer
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


def ended_in_time(prose: str) -> str:
    """Prose of a length one can read: what goes on and on ends at a sentence."""
    if len(prose) <= LONGEST_PROSE:
        return prose
    shown = list[str]()
    page = _Voice(lambda signal: shown.append(signal.piece) if isinstance(signal, Prose) else None)
    page(prose)
    return "".join(shown).rstrip()


class _Voice:
    """Prose on its way to whoever watches, as far as one can read."""

    def __init__(self, show: Show) -> None:
        self._show, self._told, self._over = show, 0, False

    def __call__(self, piece: str, /) -> None:
        fit = ""
        for sentence in _sentence_by_sentence(piece):
            told = self._told + len(fit)
            self._over = self._over or told + len(sentence.rstrip()) > LONGEST_PROSE
            if self._over and not told:
                fit = shorten(sentence, LONGEST_PROSE)
            if self._over:
                break
            fit += sentence
        self._told += len(fit)
        if fit:
            self._show(Prose(fit))

    def again(self) -> None:
        self._told, self._over = 0, False
        self._show(Again())


def _sentence_by_sentence(text: str) -> list[str]:
    """The sentences of a text, each with the space after it."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    cuts = [0, *ends, len(text)]
    return [text[start:end] for start, end in pairwise(cuts) if end > start]
