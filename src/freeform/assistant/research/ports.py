"""What research needs from outside: tools to look with, and somewhere to keep its state."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from freeform.assistant.research.model import (
    ItemResult,
    ResearchRow,
    ResearchState,
    Status,
    ToolFinding,
)


class Tool(Protocol):
    """Something that can be asked in words and answers in records. Raises Unavailable or UserError
    when it cannot."""

    @property
    def name(self) -> str:
        """As a plan writes it: `rag_query`."""
        ...

    @property
    def describes(self) -> str:
        """For the planner: what it is good for, and its parameters."""
        ...

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        """What was found, best first; nothing is an answer too."""
        ...


class ResearchStore(Protocol):
    """Keeps research between programs. Each method is one transaction: done, or not at all."""

    async def create(self, state: ResearchState) -> None:
        """A new piece of research. Conflict when the id is taken."""
        ...

    async def load(self, research_id: str) -> ResearchState:
        """All of it, as last kept. NotFound with the ids there are."""
        ...

    async def rows(self) -> Sequence[ResearchRow]:
        """What there is, newest first."""
        ...

    async def put(self, state: ResearchState) -> None:
        """The head and the plan as they are; items that the plan no longer holds are forgotten."""
        ...

    async def put_step(
        self, research_id: str, step_id: int, status: Status, error: str = ""
    ) -> None:
        """A step's status."""
        ...

    async def put_item(self, research_id: str, step_id: int, done: ItemResult) -> None:
        """What came of one item: with it the item is done, and never done again."""
        ...

    def claim(self, research_id: str) -> AbstractAsyncContextManager[None]:
        """Holds it for one worker at a time, until the worker ends or dies. Conflict when another
        one has it."""
        ...
