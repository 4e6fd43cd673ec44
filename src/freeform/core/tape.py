"""Tapes: every call to a model as one row, keyed by the exact question, so that play can be replayed."""

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

from freeform.core.gateway import Question, Usage
from freeform.core.record import Record, canonical


class Tape(Record):
    """One call: the question, the answer, what it used. `error` instead of `output` when it failed."""

    key: str
    campaign: str
    turn_id: str
    turn_no: int
    pass_id: str
    prompt: str
    """The prompt's label: id, version, digest."""
    model: str
    seed: str
    input: dict[str, Any]
    text: str
    """The words that were sent, after the system text."""
    output: dict[str, Any] | None
    error: str = ""
    degraded: str = ""
    usage: Usage
    tries: int = 1
    ms: float
    at: str


def key_of(question: Question[Any], model: str) -> str:
    """The exact question as a short name: the same words to the same model with the same chance."""
    parts = (model, question.prompt.label, question.call.seed, question.text, canonical(question.input))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


class TapeStore(Protocol):
    """Keeps tapes beside the campaign they belong to."""

    async def add(self, tape: Tape) -> None:
        """Adds a row; rows are never changed."""
        ...

    async def find(self, campaign: str, key: str) -> Tape | None:
        """The newest good answer to that exact question."""
        ...

    async def of_turn(self, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
        """The tapes of a turn, or of all turns, oldest first."""
        ...

    async def spent(self, campaign: str | None, since: str) -> Usage:
        """What was used since that moment (ISO, UTC): by one campaign, or by all."""
        ...
