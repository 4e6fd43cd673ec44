"""The gateway that works: prompt, budget, model, patience, tape, and offline when all else
fails."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from freeform.core.chance import Chance
from freeform.core.clock import Clock
from freeform.core.errors import BadReply, Unavailable
from freeform.core.llm.budget import BudgetLimits, check_budget, estimate
from freeform.core.llm.gateway import (
    Call,
    In,
    Listen,
    Model,
    Out,
    Pass,
    PassAnswer,
    Question,
    Usage,
)
from freeform.core.llm.line import CallLine, LineLimits, MemoryCounts
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.llm.retry import Patience
from freeform.core.llm.tape import Tape, TapeStore, key_of
from freeform.core.log import current_request, kind_of, tell

_LOG = logging.getLogger("freeform.model")


@dataclass(frozen=True)
class ModelsByRole:
    """Which model answers: one of a role's own, else the default; offline when all else fails."""

    default: Model
    offline: Model
    by_role: Mapping[str, Model] = field(default_factory=dict)

    def of(self, role: str) -> Model:
        """The model of a role."""
        return self.by_role.get(role, self.default)


class LiveGateway:
    """Puts a pass's question to the model of its role.

    The offline model is free and always at hand.
    """

    def __init__(
        self,
        models: ModelsByRole,
        *,
        prompts: PromptRegistry,
        tapes: TapeStore,
        clock: Clock,
        limits: BudgetLimits | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._models, self._offline = models, models.offline
        self._prompts, self._tapes, self._clock = prompts, tapes, clock
        self._limits, patience = limits or BudgetLimits(), patience or Patience()
        self._policy, self._sleep = patience.policy, patience.sleep
        alone = LineLimits(per_minute=self._policy.calls_per_minute)
        self._line = patience.line or CallLine(MemoryCounts(clock), alone, clock)
        self.failing: dict[str, str] = {}
        """Models whose last call failed for good, with the kind of what went wrong."""

    def is_offline(self, role: str) -> bool:
        """Whether no language model answers in that role."""
        return self._models.of(role) is self._offline

    def window(self, role: str) -> int:
        """The tokens that the model of a role sees at once; 0 where nobody knows."""
        return int(getattr(self._models.of(role), "window", 0) or 0)

    async def ask(
        self, pass_: Pass[In, Out], input: In, call: Call, listen: Listen | None = None
    ) -> PassAnswer[Out]:
        """A typed answer, or BadReply, Unavailable, BudgetSpent."""
        prompt = self._prompts.get(pass_.id, call.pins.get(pass_.id))
        question = Question(pass_, input, prompt, call)
        model = self._models.of(pass_.role)
        ear = _Ear(listen) if listen and pass_.streams else None
        if model is self._offline:
            return await self._put(question, model, ear)
        await self._check_budget(question)
        try:
            answer = await self._put(question, model, ear)
            self.failing.pop(model.name, None)
            return answer
        except (BadReply, Unavailable) as failed:
            self.failing[model.name] = kind_of(failed)
            if not call.may_degrade:
                raise
            why = (
                f"{pass_.id}: {model.name} failed ({failed}); {self._offline.name} answered instead"
            )
            kind, spent = kind_of(failed), failed.usage or Usage()
            tell(_LOG, logging.WARNING, "degraded", part=pass_.id, model=model.name, kind=kind)
        if ear:
            ear.again()
        answer = await self._put(question, self._offline, ear, degraded=why)
        return replace(answer, usage=spent + answer.usage)

    async def _put(
        self, question: Question[Out], model: Model, ear: "_Ear | None", degraded: str = ""
    ) -> PassAnswer[Out]:
        """One question to one model, and a tape of whatever came of it."""
        course = _Course(self._clock.ticks(), degraded)
        try:
            if model is self._offline:  # it has no bad days: no clock, no further tries
                said = await model.reply(question, ear)
                course.add(said.usage, said.tries)
                output = said.output
            else:
                output = await self._try(question, model, ear, course)
        except (BadReply, Unavailable) as failed:
            failed.usage = course.usage
            await self._tape(question, model, course, error=str(failed))
            await self._count(course.usage)
            raise
        except asyncio.CancelledError:
            await self._tape(question, model, course, error="cancelled before it was answered")
            raise
        ms = await self._tape(question, model, course, output)
        if model is not self._offline:
            await self._count(course.usage)
        return PassAnswer(
            output,
            question.prompt.label,
            model.name,
            course.usage,
            ms,
            course.degraded,
            offline=model is self._offline,
        )

    async def _count(self, usage: Usage) -> None:
        """What was answered is paid for and kept, whether or not it could be counted."""
        try:
            await self._line.count(usage)
        except Unavailable as wrong:
            tell(_LOG, logging.WARNING, "not_counted", kind=kind_of(wrong))

    async def _try(
        self, question: Question[Out], model: Model, ear: "_Ear | None", course: "_Course"
    ) -> Out:
        call, limit = question.call, self._policy.seconds
        chance = Chance(call.seed, "patience", call.turn_id, question.pass_.id)
        async for attempt in self._policy.retrying(chance, self._sleep):
            with attempt:
                if ear:
                    ear.again()
                await self._line.take(model.name, call, self._sleep)
                try:
                    async with asyncio.timeout(limit):
                        said = await model.reply(question, ear)
                except TimeoutError:
                    course.add(None)
                    late = f"no answer within {limit:g} s (setting `time_limit_s`)"
                    raise Unavailable(late, passing=False) from None
                except BadReply as failed:
                    course.add(failed.usage, failed.tries)
                    raise
                except Unavailable as failed:
                    course.add(failed.usage)
                    self._tell_of_try(question, model, course, failed)
                    raise
                course.add(said.usage, said.tries)
                course.degraded = course.degraded or (
                    said.note and f"{question.pass_.id}: {said.note}"
                )
        return said.output

    def _tell_of_try(
        self, question: Question[Out], model: Model, course: "_Course", failed: Unavailable
    ) -> None:
        if failed.passing and course.tries < self._policy.tries:
            part, kind = question.pass_.id, kind_of(failed)
            tell(_LOG, logging.INFO, "retry", part=part, model=model.name, kind=kind)

    async def _check_budget(self, question: Question[Out]) -> None:
        call, now = question.call, self._clock.now()
        midnight = _stamp(now.replace(hour=0, minute=0, second=0, microsecond=0))
        table: Usage | None = None
        if call.campaign and self._line.counts_tables:
            table = await self._tapes.spent(call.campaign, midnight)
        await self._line.check(call, estimate(question, self._limits), table)
        if not self._limits.any:
            return
        day = await self._tapes.spent(None, midnight)
        tapes = await self._tapes.of_turn(call.campaign, call.turn_no) if call.turn_id else ()
        turn = sum((tape.usage for tape in tapes if tape.turn_id == call.turn_id), start=Usage())
        check_budget(self._limits, estimate(question, self._limits), turn=turn, day=day)

    async def _tape(
        self,
        question: Question[Out],
        model: Model,
        course: "_Course",
        output: Out | None = None,
        error: str = "",
    ) -> float:
        call, ms = question.call, round((self._clock.ticks() - course.start) * 1000, 3)
        tape = Tape(
            key=key_of(question, model.name),
            campaign=call.campaign,
            turn_id=call.turn_id,
            turn_no=call.turn_no,
            pass_id=question.pass_.id,
            prompt=question.prompt.label,
            model=model.name,
            seed=call.seed,
            input_json=question.kept,
            text="" if model is self._offline else question.text,
            output=None if output is None else output.model_dump(mode="json"),
            error=error,
            degraded=course.degraded,
            usage=course.usage,
            tries=max(course.tries, 1),
            ms=ms,
            at=_stamp(self._clock.now()),
            request=current_request(),
        )
        await self._tapes.add(tape)
        return ms


@dataclass
class _Course:
    """What one question has come to so far; failed tries count and cost too."""

    start: float
    degraded: str
    tries: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, usage: Usage | None, tries: int = 1) -> None:
        if usage:
            self.usage = self.usage + usage if self.tries else usage
        self.tries += tries


class _Ear:
    """Passes pieces on, and tells the listener to start over only if it has heard something."""

    def __init__(self, listen: Listen) -> None:
        self._listen, self._heard = listen, False

    def __call__(self, text: str, /) -> None:
        self._heard = True
        self._listen(text)

    def again(self) -> None:
        if self._heard:
            self._heard = False
            self._listen.again()


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
