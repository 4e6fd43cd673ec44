"""Tapes: every call to a model as one row, keyed by the exact question, so that play can be
replayed."""

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from pydantic import Field, computed_field

from freeform.core.errors import NotFound, UserError
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.record import Record


class Tape(Record):
    """One call: the question, the answer, what it used.

    `error` instead of `output` when it failed.
    """

    key: str
    campaign: str
    turn_id: str
    turn_no: int
    pass_id: str
    prompt: str
    """The prompt's label: id, version, digest."""
    model: str
    seed: str
    input_json: str = Field(exclude=True)
    """What was asked, as it was sent: kept as text, since most tapes are never read."""
    text: str
    """The words that were sent, after the system text; '' offline, where none are (prompt and input
    make them)."""
    output: dict[str, Any] | None
    error: str = ""
    degraded: str = ""
    usage: Usage
    tries: int = 1
    ms: float
    at: str
    request: str = ""
    """The request it was asked for, as the log names it; '' outside of any."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def input(self) -> dict[str, Any]:
        """What was asked."""
        asked: dict[str, Any] = json.loads(self.input_json)
        return asked


def key_of(question: Question[Any], model: str) -> str:
    """The exact question as a short name: the same words to the same model with the same chance."""
    parts = (
        model,
        question.prompt.label,
        question.call.seed,
        question.kept,
        question.input.left_out(),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


class TapeStore(Protocol):
    """Keeps tapes beside the campaign they belong to; a call of no campaign ('') is kept too."""

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


class MemoryTapes:
    """Tapes that last as long as the program."""

    def __init__(self) -> None:
        self._tapes: list[Tape] = []

    async def add(self, tape: Tape) -> None:
        self._tapes.append(tape)

    async def find(self, campaign: str, key: str) -> Tape | None:
        good = (t for t in reversed(self._tapes) if (t.campaign, t.key) == (campaign, key))
        return next((tape for tape in good if tape.output is not None), None)

    async def of_turn(self, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
        mine = (tape for tape in self._tapes if tape.campaign == campaign)
        return [tape for tape in mine if turn_no is None or tape.turn_no == turn_no]

    async def spent(self, campaign: str | None, since: str) -> Usage:
        start = _moment(since)
        used = (
            t.usage
            for t in self._tapes
            if campaign in (None, t.campaign) and _moment(t.at) >= start
        )
        return sum(used, start=Usage())


def _moment(at: str) -> datetime:
    try:
        when = datetime.fromisoformat(at)
    except ValueError as wrong:
        raise UserError(f"'{at}' is no moment; write it like 2091-03-15T19:00:00Z") from wrong
    return when if when.tzinfo else when.replace(tzinfo=UTC)


class TapeModel:
    """A model that only repeats what is on tape: replay without any provider."""

    name = "tape"

    def __init__(self, tapes: TapeStore) -> None:
        self._tapes = tapes

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """The newest good answer to this very question, whichever model gave it."""
        call, pass_ = question.call, question.pass_
        for tape in reversed(await self._tapes.of_turn(call.campaign, call.turn_no)):
            if tape.output is None or tape.pass_id != pass_.id:
                continue
            if tape.key == key_of(question, tape.model):
                output = pass_.gives.model_validate(tape.output)
                text = pass_.streamed(output) if listen else ""
                if listen and text:
                    listen(text)
                return ModelSaid(output=output, usage=tape.usage, tries=tape.tries)
        raise NotFound(
            f"no tape answers pass '{pass_.id}' of turn {call.turn_no} "
            f"with prompt {question.prompt.label} "
            f"in campaign '{call.campaign}'; choose a model to ask it anew"
        )
