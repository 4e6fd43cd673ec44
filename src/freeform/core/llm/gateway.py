"""READ THIS FIRST. The one door to language models: ask a pass a question, get its typed answer.

Pass + input ──> Gateway.ask ──> Answer          a pass = prompt file + input record + output record
                    │
    prompt version pinned or newest (core.prompts)
    budget checked before the call (core.budget)
    model of the pass's role (Model port) ── fails for good ──> offline, and `degraded` says so
      pace and patience: calls a minute, tries, waits, time limit (core.patience)
    tape: the question, the answer, tokens, cost, time (core.tape); replay is the TapeModel
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, Field

from freeform.core.llm.prompts import Prompt
from freeform.core.llm.usage import Usage as Usage  # part of this door: whoever asks counts, too
from freeform.core.record import Record, canonical

Out = TypeVar("Out", bound=BaseModel)


class Listen(Protocol):
    """Hears the streamed field while it grows. `again`: what was heard is void, it starts over."""

    def __call__(self, text: str, /) -> None:
        """The next piece."""
        ...

    def again(self) -> None:
        """What was heard so far is void; the answer starts over."""
        ...


class PassInput(Record):
    """What a pass is told. `fields` are the strings its prompt has places for."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset()
    """Fields that the campaign holds anyway: tapes leave them out."""

    stable: ClassVar[str] = ""
    """The field after which a question begins to differ from the last one: up to there a provider
    may keep it."""

    def kept(self) -> str:
        """What a tape keeps of it, as JSON."""
        return self.model_dump_json(exclude=set(self.known_elsewhere))

    def left_out(self) -> str:
        """The rest of it, as far as it may differ from one call to the next: part of a tape's
        key."""
        return (
            self.model_dump_json(include=set(self.known_elsewhere)) if self.known_elsewhere else ""
        )

    def fields(self) -> dict[str, str]:
        """Each field as text: strings as they are, records as JSON."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {
            name: value if isinstance(value, str) else canonical(value)
            for name, value in values.items()
        }


In = TypeVar("In", bound=PassInput)


@dataclass(frozen=True)
class Pass(Generic[In, Out]):
    """One use of a language model.

    `id` is the prompt's id; `streams` names the field shown while it grows; of the fields that
    `needs` names a model's answer fills at least one.
    """

    id: str
    takes: type[In]
    gives: type[Out]
    role: str = "cheap"
    streams: str = ""
    needs: tuple[str, ...] = ()

    def is_empty(self, output: Out) -> bool:
        """Whether an answer says nothing of what it was asked for."""
        filled = (getattr(output, name) for name in self.needs)
        return bool(self.needs) and not any(
            each.strip() if isinstance(each, str) else each for each in filled
        )

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer, as a model is shown it."""
        schema = self.gives.model_json_schema()
        if self.needs:
            schema["required"] = sorted({*schema.get("required", ()), self.needs[0]})
        return schema

    def streamed(self, output: Out) -> str:
        """The whole text of the streamed field, for a model that has its answer at once."""
        return str(getattr(output, self.streams)) if self.streams else ""


class Call(Record):
    """On whose behalf a question is asked: where its tape belongs, its chance, and its pinned
    prompts."""

    campaign: str = ""
    turn_id: str = ""
    turn_no: int = 0
    seed: str = "0"
    pins: dict[str, int] = Field(default_factory=dict)
    may_degrade: bool = True
    most_tokens: int = 0
    """So many tokens were set aside for it, all tries together; 0 is no limit."""


@dataclass(frozen=True)
class Question(Generic[Out]):
    """A pass's question, ready to be put to a model: the words, the record asked for, and the input
    itself."""

    pass_: Pass[Any, Out]
    input: PassInput
    prompt: Prompt
    call: Call

    @cached_property
    def kept(self) -> str:
        """What a tape keeps of the input."""
        return self.input.kept()

    @cached_property
    def text(self) -> str:
        """The words, after the system text: made when a model wants them."""
        return self.prompt.render(self.input.fields())

    @property
    def stable_text(self) -> str:
        """The part of the words that a provider may keep for the next turn; '' where none is."""
        name = self.input.stable
        return self.prompt.render_up_to(name, self.input.fields()) if name else ""


@dataclass(frozen=True)
class ModelSaid(Generic[Out]):
    """A model's answer, what it used, its tries, and a note if it was asked less than the whole
    question."""

    output: Out
    usage: Usage
    tries: int = 1
    note: str = ""


class Model(Protocol):
    """Something that answers questions. Raises BadReply or Unavailable."""

    @property
    def name(self) -> str:
        """As a person writes it: `anthropic:…`, `ollama:…`, `offline`."""
        ...

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """The answer; pieces of the streamed field go to `listen` as they come."""
        ...


@dataclass(frozen=True)
class PassAnswer(Generic[Out]):
    """What `ask` gives back: the output, and how it came about."""

    output: Out
    prompt: str
    model: str
    usage: Usage = field(default_factory=Usage)
    ms: float = 0.0
    degraded: str = ""
    offline: bool = False
    """The offline model gave it: asked again it would say the same."""


class Gateway(Protocol):
    """Ask, and nothing else.

    `core.llm.live_gateway.LiveGateway` is the one that works; wiring builds it.
    """

    async def ask(
        self, pass_: Pass[In, Out], input: In, call: Call, listen: Listen | None = None
    ) -> PassAnswer[Out]:
        """A typed answer, or BadReply, Unavailable, BudgetSpent."""
        ...
