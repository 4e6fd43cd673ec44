"""Parties of this server: opened when first asked for, one run at a time each, told to whoever listens."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from freeform.apps.web.live.hub import Hub
from freeform.core.errors import Conflict, FreeformError
from freeform.engine.table import Table
from freeform.players.model import Dm, Party, RoundRecord, Waiting
from freeform.players.party.evening import play_on
from freeform.settings import Settings
from freeform.wiring.players import PartyRoom, parlour_at


@dataclass
class Parties:
    """Runs in flight. Each phase and each round goes out on the one event stream, as `party`."""

    hub: Hub
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _parlour: PartyRoom | None = None
    _runs: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    async def parlour(self, settings: Settings, table: Table) -> PartyRoom:
        """The parlour round the server's table."""
        if self._parlour is None or self._parlour.table is not table:
            self._parlour = await self._stack.enter_async_context(parlour_at(settings, table))
        return self._parlour

    def is_running(self, party: str) -> bool:
        """Whether rounds of that party are being played."""
        return party in self._runs

    def start(
        self, room: PartyRoom, party: Party, rounds: int, dm: Dm, until_session_end: bool
    ) -> None:
        """Begins rounds; Conflict while others of that party are on their way."""
        if self.is_running(party.id):
            raise Conflict(f"'{party.id}' is playing; wait for its round to end")
        self.problems.pop(party.id, None)
        task = asyncio.create_task(
            self._run(room, party, rounds, dm, until_session_end), name=f"party {party.id}"
        )
        self._runs[party.id] = task
        task.add_done_callback(lambda ended: self._runs.pop(party.id, None))

    async def close(self) -> None:
        """Stops every run where it can go on, and closes the files."""
        tasks = list(self._runs.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stack.aclose()

    async def _run(
        self, room: PartyRoom, party: Party, rounds: int, dm: Dm, until_session_end: bool
    ) -> None:
        def show(phase: str, seen: dict[str, Any]) -> None:
            self._tell(party, "phase", phase=phase, round=seen["round"])

        try:
            opening = play_on(
                lambda who: room.game(who, dm, show),
                party,
                rounds,
                until_session_end=until_session_end,
            )
            async for came in opening:
                match came:
                    case RoundRecord():
                        self.waiting.pop(party.id, None)
                        self._tell(party, "round", round=came.round, place=came.place)
                    case Waiting():
                        self.waiting[party.id] = came
                        self._tell(
                            party, "waiting", round=came.round, who=came.who, question=came.question
                        )
        except FreeformError as failed:
            self.problems[party.id] = str(failed)
            self._tell(party, "problem", error=str(failed))
        self._tell(party, "stopped")

    def _tell(self, party: Party, what: str, **more: Any) -> None:
        self.hub.tell("party", campaign=party.campaign, party=party.id, what=what, **more)
