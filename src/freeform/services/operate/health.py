"""How the server stands, part by part, each with what to do. No address, path or key is in it."""

import asyncio
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from freeform import __version__
from freeform.core.llm.live_gateway import LiveGateway
from freeform.core.record import Record
from freeform.services.house import House
from freeform.services.models import shown_model
from freeform.wiring.operate.named import OutsideServer, outside_servers, problem_of

State = Literal["ok", "degraded", "failed"]
KEPT_S = 2.0
"""An answer is given again for so long: whoever asks all the time costs nothing."""
LITTLE_ROOM = 1_000_000_000
NO_ROOM = 50_000_000
_PROBE = b"freeform" * 1024


class HealthPart(Record):
    """One thing that is needed or used: how it stands, and what to do about it."""

    part: str
    state: State
    needed: bool
    note: str


class ServerHealth(Record):
    """All parts. `ok`: turns can be played."""

    ok: bool
    version: str
    parts: list[HealthPart]


@dataclass
class HealthDesk:
    """Looks at every part, at most every other second however often one asks."""

    house: House
    draining: bool = False
    _last: ServerHealth | None = None
    _at: float = 0.0
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> ServerHealth:
        """How all parts stand."""
        async with self._one:
            now = self.house.table.clock.ticks()
            if self._last is None or now - self._at > KEPT_S:
                self._last, self._at = await check_health(self.house), now
            return self._with_drain(self._last)

    def _with_drain(self, seen: ServerHealth) -> ServerHealth:
        if not self.draining:
            return seen
        told = "it ends as soon as the turns on their way are told; ask another, or again soon"
        ending = HealthPart(part="server", state="failed", needed=True, note=told)
        return seen.model_copy(update={"ok": False, "parts": [ending, *seen.parts]})


async def check_health(house: House) -> ServerHealth:
    """Looks at every part now."""
    home = house.settings.home
    servers = outside_servers(house.settings, house.model)
    here = await asyncio.gather(asyncio.to_thread(_store, home), asyncio.to_thread(_room, home))
    there = await asyncio.gather(*(_server(each) for each in servers))
    parts = [*here, _model(house), *there]
    is_well = not any(each.needed and each.state == "failed" for each in parts)
    return ServerHealth(ok=is_well, version=__version__, parts=parts)


def _store(home: Path) -> HealthPart:
    """A few pages are really written: an empty file fits on a full disk."""
    probe = home / f".probe-{os.getpid()}"
    note, state = "the home can be written", "ok"
    try:
        home.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(_PROBE)
    except OSError as wrong:
        reason = (wrong.strerror or "refused").lower()
        note = f"the home cannot be written ({reason}); free room, or allow it to this user"
        state = "failed"
    finally:
        _take_away(probe)
    return HealthPart.model_validate(
        {"part": "store", "state": state, "needed": True, "note": note}
    )


def _take_away(probe: Path) -> None:
    try:
        probe.unlink(missing_ok=True)
    except OSError:
        return


def _room(home: Path) -> HealthPart:
    try:
        free = shutil.disk_usage(home).free
    except OSError:
        told = "how much room is left cannot be read; see the part `store`"
        return HealthPart(part="disk", state="degraded", needed=True, note=told)
    left = f"{free / 1e9:.1f} GB are free"
    if free >= LITTLE_ROOM:
        return HealthPart(part="disk", state="ok", needed=True, note=left)
    state: State = "degraded" if free >= NO_ROOM else "failed"
    told = f"{left}; free some room, or move the home to a larger disk"
    return HealthPart(part="disk", state=state, needed=True, note=told)


def _model(house: House) -> HealthPart:
    """By the last call, since asking a model costs money; the offline one takes its place."""
    gateway = house.table.gateway
    failed = gateway.failing if isinstance(gateway, LiveGateway) else {}
    if not failed:
        note = f"{shown_model(house.model)} plays"
        return HealthPart(part="model", state="ok", needed=False, note=note)
    names = ", ".join(f"{shown_model(name)} ({kind})" for name, kind in sorted(failed.items()))
    told = f"the last call failed: {names}; the offline model answers meanwhile, see `models`"
    return HealthPart(part="model", state="degraded", needed=False, note=told)


async def _server(server: OutsideServer) -> HealthPart:
    problem = await problem_of(server)
    if not problem:
        return HealthPart(part=server.part, state="ok", needed=server.needed, note="it answers")
    told = f"{problem}; start it, or put the setting `{server.setting}` right"
    state: State = "failed" if server.needed else "degraded"
    return HealthPart(part=server.part, state=state, needed=server.needed, note=told)
