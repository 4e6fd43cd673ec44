"""A party's messages and rounds in memory: for probes, experiments and tests. The same rules as on disk."""

import copy
from collections.abc import Sequence
from typing import Any

from freeform.core.clock import Clock
from freeform.core.errors import Conflict
from freeform.players.model import Message, Party, RoundRecord
from freeform.players.round.options import current, deeds_in, missing


class MemoryChannels:
    """Lists of messages by party and name."""

    def __init__(self, clock: Clock, hours: float = 24.0) -> None:
        self._clock, self._hours = clock, hours
        self._lists: dict[tuple[str, str], dict[str, Message]] = {}

    async def push(self, party: str, lists: Sequence[str], message: Message) -> Message:
        stands = message
        for name in lists:
            stands = self._lists.setdefault((party, name), {}).setdefault(message.id, message)
        return stands

    async def read(self, party: str, name: str, most: int) -> list[Message]:
        held = self._lists.get((party, name), {}).values()
        return current(held, self._clock, self._hours)[-most:] if most else []


class MemoryParties:
    """Parties and their rounds, as long as the program lasts."""

    def __init__(self) -> None:
        self._parties: dict[str, Party] = {}
        self._done: dict[str, dict[str, tuple[int, Any]]] = {}
        self._rounds: dict[str, dict[int, RoundRecord]] = {}

    async def create(self, party: Party) -> None:
        if party.id in self._parties:
            raise Conflict(f"there is a party '{party.id}' already; choose another name")
        self._parties[party.id] = party

    async def get(self, party: str) -> Party:
        if party not in self._parties:
            raise missing(party, sorted(self._parties))
        return self._parties[party]

    async def update(self, party: Party) -> None:
        self._parties[party.id] = party

    async def names(self) -> list[str]:
        return sorted(self._parties)

    async def done(self, party: str, key: str) -> Any | None:
        found = self._done.get(party, {}).get(key)
        return copy.deepcopy(found[1]) if found else None

    async def keep(self, party: str, round: int, key: str, value: Any) -> Any:
        kept = self._done.setdefault(party, {}).setdefault(key, (round, copy.deepcopy(value)))
        return copy.deepcopy(kept[1])

    async def forget(self, party: str, before: int) -> None:
        held = self._done.get(party, {})
        self._done[party] = {key: row for key, row in held.items() if row[0] >= before}

    async def tried(self, party: str) -> dict[str, int]:
        counts: dict[str, int] = {}
        for record in self._rounds.get(party, {}).values():
            for deed in deeds_in(record):
                counts[deed] = counts.get(deed, 0) + 1
        return counts

    async def record(self, party: str, round: RoundRecord) -> None:
        self._rounds.setdefault(party, {}).setdefault(round.round, round)

    async def rounds(
        self, party: str, first: int = 1, last: int | None = None
    ) -> list[RoundRecord]:
        held = self._rounds.get(party, {})
        return [held[n] for n in sorted(held) if n >= first and (last is None or n <= last)]

    async def count(self, party: str) -> int:
        return max(self._rounds.get(party, {}), default=0)
