"""What a party needs from outside: a place for messages, a book of rounds, hands for the agents'
calls, checkpoints."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from freeform.core.llm.gateway import Call, PassInput
from freeform.core.record import Record, canonical
from freeform.players.model import Message, Party, RoundRecord
from freeform.players.passes import PASSES, DirectiveReply, PersonaInput, TalkReply

Spans = Callable[[str, Mapping[str, str | int]], AbstractContextManager[None]]
"""Opens a stretch of work with a name and what is known of it, for whoever watches: a round, a
phase, a question."""


def unseen(name: str, about: Mapping[str, str | int]) -> AbstractContextManager[None]:
    """Nobody watches."""
    return nullcontext()


class ChannelStore(Protocol):
    """Lists of messages by name. It knows no rules: who may read a list is the router's
    business."""

    async def push(self, party: str, lists: Sequence[str], message: Message) -> Message:
        """Adds to the end of each list unless a message of that id is there; gives the one that
        stands."""
        ...

    async def read(self, party: str, name: str, most: int) -> list[Message]:
        """The last messages of a list that have not run out, oldest first."""
        ...


class PartyStore(Protocol):
    """Parties, their rounds, and what each round has already done (so that it is done once)."""

    async def create(self, party: Party) -> None:
        """Keeps a new party. Conflict when the id is taken."""
        ...

    async def get(self, party: str) -> Party:
        """By id; NotFound names those that there are."""
        ...

    async def update(self, party: Party) -> None:
        """Keeps a changed party."""
        ...

    async def names(self) -> list[str]:
        """Every party's id."""
        ...

    async def done(self, party: str, key: str) -> Any | None:
        """What was kept under that key (round, phase, agent), or None."""
        ...

    async def keep(self, party: str, round: int, key: str, value: Any) -> Any:
        """Keeps a value once; gives the one that stands."""
        ...

    async def forget(self, party: str, before: int) -> None:
        """Drops what rounds before that one had kept: they are recorded as a whole."""
        ...

    async def tried(self, party: str) -> dict[str, int]:
        """How often each deed was tried by the party."""
        ...

    async def record(self, party: str, round: RoundRecord) -> None:
        """Keeps a round, once, and counts what was tried in it."""
        ...

    async def rounds(
        self, party: str, first: int = 1, last: int | None = None
    ) -> list[RoundRecord]:
        """Rounds in order."""
        ...

    async def count(self, party: str) -> int:
        """How many rounds were played."""
        ...


@dataclass(frozen=True)
class AgentJob:
    """A question for a model; as a document, another process can ask it."""

    pass_id: str
    input: PassInput
    call: Call

    def document(self) -> str:
        """As one JSON text, the same for the same question."""
        return canonical({"pass_id": self.pass_id, "input": self.input, "call": self.call})

    @classmethod
    def read(cls, text: str) -> "AgentJob":
        """From its document."""
        data = json.loads(text)
        found = PASSES[data["pass_id"]]
        return cls(
            found.id, found.takes.model_validate(data["input"]), Call.model_validate(data["call"])
        )


class JobDone(Record):
    """A job's answer; `failed` instead of `output` where nothing came."""

    output: dict[str, Any] | None = None
    degraded: str = ""
    failed: str = ""


class AgentRunner(Protocol):
    """Hands that put questions to models side by side. Raises Unavailable when the crew itself is
    gone."""

    scripted: bool
    """Whether our own code answers for the players, and no language model."""

    async def ask_all(self, jobs: Sequence[AgentJob]) -> list[JobDone]:
        """The answers in the order of the jobs."""
        ...


class Agent(Protocol):
    """A player of one's own in a seat: it sees what every AI player sees, and nothing else. Its
    memory is in what it sees, right or wrong; `seen.mind` is what our own mind makes of it."""

    async def talk(self, seen: PersonaInput) -> TalkReply:
        """What it says at the table: puts something forward, or answers what was put forward."""
        ...

    async def choose(self, seen: PersonaInput) -> DirectiveReply:
        """What its character is to attempt."""
        ...


class Checkpoints(Protocol):
    """Where the graph's checkpoints lie."""

    def opened(self, party: str) -> AbstractAsyncContextManager[Any]:
        """A LangGraph checkpoint saver for that party, open meanwhile."""
        ...

    async def trim(self, saver: Any, thread: str, keep: int) -> None:
        """Drops all but the newest checkpoints of a thread, so that a long game costs no more."""
        ...
