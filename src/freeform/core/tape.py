"""Tapes: every call to a model as one row, keyed by the exact question, so that play can be replayed."""

import hashlib
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from freeform.core.errors import NotFound
from freeform.core.gateway import Listen, Out, Question, Said, Usage
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


class MemoryTapes:
    """Tapes that last as long as the program. With `keep`, only the newest rows stay; sums stay right."""

    def __init__(self, keep: int | None = None) -> None:
        self._tapes: deque[Tape] = deque(maxlen=keep)
        self._bills: list[tuple[str, str, Usage]] = []

    async def add(self, tape: Tape) -> None:
        self._tapes.append(tape)
        self._bills.append((tape.campaign, tape.at, tape.usage))

    async def find(self, campaign: str, key: str) -> Tape | None:
        good = (t for t in reversed(self._tapes) if (t.campaign, t.key) == (campaign, key))
        return next((tape for tape in good if tape.output is not None), None)

    async def of_turn(self, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
        mine = (tape for tape in self._tapes if tape.campaign == campaign)
        return [tape for tape in mine if turn_no is None or tape.turn_no == turn_no]

    async def spent(self, campaign: str | None, since: str) -> Usage:
        bills = (use for whose, at, use in self._bills if campaign in (None, whose) and at >= since)
        return sum(bills, start=Usage())


class TapeModel:
    """A model that only repeats what is on tape: replay without any provider."""

    name = "tape"

    def __init__(self, tapes: TapeStore) -> None:
        self._tapes = tapes

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        """The newest good answer to this very question, whichever model gave it."""
        call, pass_ = question.call, question.pass_
        for tape in reversed(await self._tapes.of_turn(call.campaign, call.turn_no)):
            if tape.output is None or tape.pass_id != pass_.id:
                continue
            if tape.key == key_of(question, tape.model):
                output = pass_.gives.model_validate(tape.output)
                if listen and (text := pass_.streamed(output)):
                    listen(text)
                return Said(output=output, usage=tape.usage, tries=tape.tries)
        raise NotFound(
            f"no tape answers pass '{pass_.id}' of turn {call.turn_no} with prompt {question.prompt.label} "
            f"in campaign '{call.campaign}'; choose a model to ask it anew"
        )
