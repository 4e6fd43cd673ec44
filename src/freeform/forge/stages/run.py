"""READ THIS FIRST. A language model tells the story in stages; where it fails, the filling stands.

    premise ─> question ─> cast ─> secrets ─> clues ─> clocks ─> endings ─> opening
       └ read as the ear reads it        each: asked, checked, shown its mistakes once, kept, retold

Secrets are taken only together with their clues: a trace of the one truth would belie the other.
What was answered is kept under the wish: a run that was broken off goes on where it stopped.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Call, Gateway, Pass
from freeform.core.record import Record, canonical
from freeform.core.text import count_tokens
from freeform.forge.clues.plot import Plot
from freeform.forge.stages.checks import Crosses, StageChecks
from freeform.forge.stages.marks import MarkedEar, marks_wrong
from freeform.forge.stages.records import (
    CAST,
    CLOCKS,
    CLUES,
    ENDINGS,
    OPENING,
    PREMISE,
    QUESTION,
    SECRETS,
    STAGES,
    PremiseMarks,
    StageInput,
    stage_name,
)
from freeform.forge.stages.retell import retold
from freeform.forge.stages.skeleton import kinds_to_choose, skeleton

Told = TypeVar("Told", bound=BaseModel)
_ANSWER_TOKENS = 700
_QUESTION_TOKENS = 1800
"""About how long a stage's question and answer are."""


class StageNote(Record):
    """What came of one stage."""

    stage: str
    number: int
    of: int = len(STAGES)
    by: str
    """`model`, or `offline` where the filling stands."""
    why: str = ""


class StageEstimate(Record):
    """What it would take, before anything is asked."""

    calls: int
    input_tokens: int
    output_tokens: int

    def line(self, model: str) -> str:
        """In one sentence."""
        tokens = f"about {self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        return f"{model} is asked {self.calls} questions ({tokens}); each may be asked once more."


class StageStore(Protocol):
    """Keeps answers of a run under its key."""

    def read(self, key: str) -> dict[str, Any]:
        """What was kept; {} for nothing."""
        ...

    def write(self, key: str, answers: dict[str, Any]) -> None:
        """Keeps them."""
        ...

    def forget(self, key: str) -> None:
        """The run is over."""
        ...


Progress = Callable[[StageNote], None]


def no_progress(note: StageNote) -> None:
    """Nobody watches."""


def stage_estimate(premise: str) -> StageEstimate:
    """For a premise, more rather than less."""
    calls = len(STAGES)
    each = _QUESTION_TOKENS + count_tokens(premise)
    return StageEstimate(
        calls=calls, input_tokens=calls * each, output_tokens=calls * _ANSWER_TOKENS
    )


@dataclass
class StagedTelling:
    """One run."""

    gateway: Gateway
    store: StageStore
    key: str
    crosses: Crosses
    progress: Progress = no_progress
    notes: list[StageNote] = field(default_factory=list)
    _kept: dict[str, Any] = field(default_factory=dict)
    _spent: str = ""
    """Why nobody is asked any more."""

    def __post_init__(self) -> None:
        self._kept = self.store.read(self.key)

    def is_finished(self) -> bool:
        """Whether asking again would bring nothing more: every stage had its answer."""
        return not self._spent

    @property
    def by_model(self) -> list[str]:
        """The stages the model answered."""
        return [note.stage for note in self.notes if note.by == "model"]

    async def read(self, premise: str) -> MarkedEar | None:
        """The premise as the model marks it; None where the learned ear is to read it."""
        if not premise.strip():
            return None
        asked = StageInput(premise=premise, story=canonical(kinds_to_choose()))
        marks = await self._stage(PREMISE, asked, lambda said: marks_wrong(said, premise))
        return MarkedEar(marks) if isinstance(marks, PremiseMarks) else None

    async def told(self, plot: Plot) -> Plot:
        """The plot, with every stage that could be used."""
        plot = await self._retold(await self._retold(plot, QUESTION), CAST)
        with_secrets = await self._retold(plot, SECRETS)
        if with_secrets is not plot:
            with_clues = await self._retold(with_secrets, CLUES)
            if with_clues is with_secrets:
                self._take_back(SECRETS, "its clues could not be used")
            else:
                plot = with_clues
        else:
            self._note(CLUES, "offline", "the secrets are as they were filled")
        for stage in (CLOCKS, ENDINGS, OPENING):
            plot = await self._retold(plot, stage)
        return plot

    async def _retold(self, plot: Plot, stage: Pass[StageInput, Any]) -> Plot:
        checks = StageChecks(plot, self.crosses)
        asked = StageInput(
            premise=plot.premise.text, story=canonical(skeleton(plot, stage_name(stage)))
        )
        said = await self._stage(stage, asked, checks.wrong)
        return plot if said is None else retold(plot, said)

    async def _stage(
        self, stage: Pass[StageInput, Told], asked: StageInput, wrong: Callable[[Told], list[str]]
    ) -> Told | None:
        """A checked answer: the one that was kept, else a new one; None where there is none."""
        kept = self._kept_answer(stage)
        if kept is not None and not wrong(kept):
            self._note(stage, "model", "kept from before")
            return kept
        if self._spent:
            self._note(stage, "offline", self._spent)
            return None
        try:
            said, mistakes = await self._asked(stage, asked, wrong)
        except (BudgetSpent, Unavailable) as failed:
            self._spent = str(failed)  # whoever is silent now is not waited for seven times more
            self._note(stage, "offline", self._spent)
            return None
        except BadReply as failed:
            self._note(stage, "offline", str(failed))
            return None
        if mistakes:
            self._note(stage, "offline", "; ".join(mistakes[:3]))
            return None
        self._kept[stage_name(stage)] = said.model_dump(mode="json")
        self.store.write(self.key, self._kept)
        self._note(stage, "model")
        return said

    async def _asked(
        self, stage: Pass[StageInput, Told], asked: StageInput, wrong: Callable[[Told], list[str]]
    ) -> tuple[Told, list[str]]:
        """An answer and what is wrong with it, after it was shown its mistakes once."""
        call = Call(seed=self.key, may_degrade=False)
        said = (await self.gateway.ask(stage, asked, call)).output
        mistakes = wrong(said)
        if mistakes:
            listed = "Your last answer could not be used: " + "; ".join(mistakes)
            again = asked.model_copy(update={"mistakes": listed})
            said = (await self.gateway.ask(stage, again, call)).output
            mistakes = wrong(said)
        return said, mistakes

    def _kept_answer(self, stage: Pass[StageInput, Told]) -> Told | None:
        row = self._kept.get(stage_name(stage))
        try:
            return None if row is None else stage.gives.model_validate(row)
        except ValidationError:
            return None

    def _take_back(self, stage: Pass[StageInput, Any], why: str) -> None:
        """A stage that was answered and is not used after all."""
        name = stage_name(stage)
        taken = [note for note in self.notes if note.stage == name]
        for note in taken:
            self.notes[self.notes.index(note)] = note.model_copy(
                update={"by": "offline", "why": why}
            )

    def _note(self, stage: Pass[StageInput, Any], by: str, why: str = "") -> None:
        number = STAGES.index(stage) + 1
        note = StageNote(stage=stage_name(stage), number=number, by=by, why=why)
        self.notes.append(note)
        self.progress(note)
