"""Parties of this server: one run at a time each, told to whoever listens."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from freeform.apps.web.live.hub import Hub
from freeform.core.errors import Conflict, FreeformError
from freeform.players.model import RoundRecord, Waiting
from freeform.services.house import House
from freeform.services.party.parties import PartyView, RunRequest, check_quiet, play_party


@dataclass
class Parties:
    """Runs in flight. Each phase and each round goes out on the one event stream, as `party`."""

    hub: Hub
    _runs: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def is_running(self, party: str) -> bool:
        """Whether rounds of that party are being played."""
        return party in self._runs

    def running(self) -> list[str]:
        """The parties whose rounds are being played."""
        return sorted(self._runs)

    async def stop(self, party: str) -> None:
        """Stops a run where it can go on; nothing when there is none."""
        task = self._runs.get(party)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def start(self, house: House, party: PartyView, request: RunRequest) -> None:
        """Begins rounds; Conflict while others of that party are on their way."""
        check_quiet(house, party.party)
        if self.is_running(party.party):
            raise Conflict(f"'{party.party}' is playing; wait for its round to end")
        self.problems.pop(party.party, None)
        run = self._run(house, party, request)
        task = asyncio.create_task(run, name=f"party {party.party}")
        self._runs[party.party] = task
        task.add_done_callback(lambda ended: self._runs.pop(party.party, None))

    async def close(self) -> None:
        """Stops every run where it can go on."""
        tasks = list(self._runs.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, house: House, party: PartyView, request: RunRequest) -> None:
        def show(phase: str, seen: dict[str, Any]) -> None:
            self._tell(party, "phase", phase=phase, round=seen["round"])

        def hear(came: RoundRecord | Waiting) -> None:
            self._hear(party, came)

        try:
            await play_party(house, party.party, request, hear, show)
        except FreeformError as failed:
            self.problems[party.party] = str(failed)
            self._tell(party, "problem", error=str(failed))
        self._tell(party, "stopped")

    def _hear(self, party: PartyView, came: RoundRecord | Waiting) -> None:
        match came:
            case RoundRecord():
                self.waiting.pop(party.party, None)
                self._tell(party, "round", round=came.round, place=came.place)
            case Waiting():
                self.waiting[party.party] = came
                asked = {"round": came.round, "who": came.who, "question": came.question}
                self._tell(party, "waiting", **asked)

    def _tell(self, party: PartyView, what: str, **more: Any) -> None:
        self.hub.tell("party", campaign=party.campaign, party=party.party, what=what, **more)
