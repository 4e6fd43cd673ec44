"""Asks for a turn's prose and lets it out sentence by sentence; where one falls to a limit or to
what is so, a model is asked once to say it anew, and what still falls is cut."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Call, Gateway, Pass, PassAnswer
from freeform.core.log import kind_of, tell
from freeform.core.text import shorten
from freeform.engine.canon.happened import Happened
from freeform.engine.canon.prose_check import ProseCheck
from freeform.engine.canon.sentence import tells_of
from freeform.engine.passes import NARRATOR, NarratorInput
from freeform.engine.rules.accept import Accepted, RefusedClaim, accept
from freeform.engine.rules.known import has_heard_of
from freeform.engine.rules.safety import MOVED_ON, Fallen, Guarded, SafetyLimits
from freeform.engine.signals import Again, Prose, Show, Signal
from freeform.engine.table import Rules
from freeform.engine.two_calls import TELLER, TellerInput
from freeform.engine.world.model import NarratorOutput, PlannerOutput, ValidatorOutput
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import SENTENCE_END, sentences

PLAIN_QUESTION = "What do you do?"
"""Asked instead of a question that cannot be shown."""
MOST_BEATS, LONGEST_BEAT = 2, 200
"""How many beats of a plan the narrator hears, and how many letters of each."""
_TOLD = 0.4
"""Of the telling words of what was learnt, so many stand in prose that tells it."""
LONGEST_PROSE = 6000
"""Letters of one turn's prose that are shown; it ends at a sentence before that."""
_LOG = logging.getLogger("freeform.turn")


@dataclass(frozen=True)
class Told:
    """A turn's narration: the answer, what is shown of it, and what it makes true."""

    answer: PassAnswer[NarratorOutput]
    final_text: str
    accepted: Accepted


@dataclass(frozen=True)
class ProseGuard:
    """What a narration is held against: the table's limits, the world, and what just happened."""

    state: GameState
    rules: Rules
    limits: SafetyLimits
    happened: Happened

    def voice(self, show: Show) -> Guarded:
        """Lets out what may be shown, sentence by sentence."""
        return Guarded(self.limits, _Voice(show), self._check)

    @cached_property
    def _check(self) -> ProseCheck:
        return ProseCheck(self.state, self.rules, self.happened)

    def accept(self, telling: NarratorOutput) -> Accepted:
        """What it makes true."""
        return accept(telling, self.state, self.rules, self.limits, self.happened)

    def left_untold(self, prose: str) -> str:
        """What the character learnt in this turn and the prose does not say: clues are promised."""
        told = words(prose)
        rows: list[str] = []
        for event in self.happened.events:
            text = str(event.details.get("text", ""))
            clue = words(text)
            if event.type == "fact_learned" and len(clue & told) < _TOLD * len(clue):
                rows.append(text)
        return f"You know this now: {' '.join(rows)}" if rows else ""

    def shown(self, prose: str) -> str:
        """What may be shown of it, as one text."""
        kept = list[str]()
        voice = self.voice(lambda signal: kept.append(_piece(signal)))
        voice(prose)
        voice.close()
        return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip() or MOVED_ON


async def tell_in_prose(
    wanted: NarratorInput, call: Call, guard: ProseGuard, gateway: Gateway, show: Show
) -> Told:
    """The narrator's answer, shown while it comes. Where a sentence falls to a limit or to what is
    so, a model is asked once to say it anew; what falls then is cut."""
    voice = guard.voice(show)
    answer = await gateway.ask(_pass_of(wanted), wanted, call, voice)
    voice.close()
    accepted = guard.accept(answer.output)
    fallen = [*voice.fallen, *unfounded(answer.output.final_text, accepted.refused, guard)]
    if fallen and not answer.offline:
        tell(_LOG, logging.INFO, "said_anew", campaign=call.campaign, fallen=len(fallen))
        again = wanted.model_copy(update={"fallen": fallen})
        answer = await _anew(again, call, voice, gateway, answer)
        accepted = guard.accept(answer.output)
    prose = answer.output.final_text.strip()
    cut = unfounded(prose, accepted.refused, guard)
    by_model = isinstance(wanted, TellerInput) and not answer.offline
    missing = guard.left_untold(prose) if by_model else ""
    if cut or missing:
        prose = "\n\n".join(part for part in (_without(prose, cut), missing) if part)
        voice.again()
        voice(prose)
        voice.close()
    return Told(answer, guard.shown(prose), accepted)


def _pass_of(wanted: NarratorInput) -> Pass[Any, NarratorOutput]:
    """Who tells: a narrator, or a teller who has read the story."""
    return TELLER if isinstance(wanted, TellerInput) else NARRATOR


async def _anew(
    again: NarratorInput,
    call: Call,
    voice: Guarded,
    gateway: Gateway,
    first: PassAnswer[NarratorOutput],
) -> PassAnswer[NarratorOutput]:
    """A second telling; the first one, shown again, where there is none to be had."""
    voice.again()
    try:
        anew = await gateway.ask(
            _pass_of(again), again, call.model_copy(update={"may_degrade": False}), voice
        )
    except (BadReply, BudgetSpent, Unavailable) as failed:
        tell(_LOG, logging.WARNING, "not_said_anew", kind=kind_of(failed))
        voice.again()
        voice(first.output.final_text)
        voice.close()
        spent = getattr(failed, "usage", None)
        return replace(first, usage=first.usage + spent) if spent else first
    voice.close()
    return replace(anew, usage=first.usage + anew.usage, ms=first.ms + anew.ms)


def unfounded(prose: str, refused: Sequence[RefusedClaim], guard: ProseGuard) -> list[Fallen]:
    """The sentences that tell a claim which was refused because it is not so."""
    found: dict[str, Fallen] = {}
    for claim in refused:
        if not claim.contradicts:
            continue
        for sentence in sentences(prose):
            if tells_of(sentence, claim.subject_id, claim.said, guard.state):
                found.setdefault(sentence, Fallen(sentence=sentence, limit=claim.why.reason))
    return list(found.values())


def _without(prose: str, cut: Sequence[Fallen]) -> str:
    for fallen in cut:
        prose = prose.replace(fallen.sentence, "")
    return re.sub(r"[ \t]{2,}", " ", prose).strip()


def _piece(signal: Signal) -> str:
    return signal.piece if isinstance(signal, Prose) else ""


def plan_for_narrator(plan: PlannerOutput, state: GameState, limits: SafetyLimits) -> PlannerOutput:
    """The plan as the narrator may know it: a beat or two that tell nothing hidden."""
    told = (
        shorten(beat.strip(), LONGEST_BEAT)
        for beat in plan.beats
        if beat.strip() and limits.names_none(beat) and not _names_unknown(beat, state)
    )
    return plan.model_copy(update={"tension_move": "", "beats": [*islice(told, MOST_BEATS)]})


def _names_unknown(beat: str, state: GameState) -> bool:
    """Whether a beat names someone or something the player's character has not heard of."""
    named = mentioned(beat, state, ("npc", "location", "item", "object", "faction"))
    near = {PLAYER, state.scene.location_id, *state.scene.present_entity_ids}
    held = {
        item
        for owner, item in state.inventory
        if owner in near and not _is_hidden(owner, item, state)
    }
    return any(id not in near | held and not has_heard_of(id, state) for id in named)


def _is_hidden(owner: str, item: str, state: GameState) -> bool:
    return bool(state.inventory[owner, item].flags.get("hidden"))


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
