"""The real server on loopback, in the test's own event loop, and what talks to it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from freeform.apps.launch import mounts
from freeform.apps.web.room import Room
from freeform.apps.web.serve import Mounts, make_server
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
)
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.offline.model import OfflineModel
from freeform.services.house import opened_house
from freeform.services.table.wire import opened_wire
from freeform.settings import Settings
from tests.apps.program import Home
from tests.patience import PATIENCE


class Pausing:
    """The offline model with a narrator who speaks sentence by sentence and waits before the last word."""

    name = "pausing"

    def __init__(self) -> None:
        self._offline = OfflineModel()
        self.waits, self.go = asyncio.Event(), asyncio.Event()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        if listen is None:
            return await self._offline.reply(question)
        pieces: list[str] = []
        said = await self._offline.reply(question, _Kept(pieces))
        for piece in pieces[:-1]:
            listen(piece)
        self.waits.set()
        await self.go.wait()
        listen(pieces[-1])
        return said


class _Kept:
    def __init__(self, pieces: list[str]) -> None:
        self._pieces = pieces

    def __call__(self, text: str, /) -> None:
        self._pieces.append(text)

    def again(self) -> None:
        self._pieces.clear()


@dataclass
class Served:
    """A running server."""

    url: str
    room: Room
    http: httpx.AsyncClient

    async def begin(self, campaign: str = "a", scenario: str = "cellar") -> None:
        """A campaign to play."""
        wanted = {"scenario": scenario, "campaign": campaign, "seed": 7}
        assert (await self.http.post("/api/campaigns", json=wanted)).status_code == 201

    async def turn(self, text: str, key: str = "", campaign: str = "a") -> str:
        """Plays one turn to its end; gives its id."""
        headers = {"Idempotency-Key": key} if key else {}
        answer = await self.http.post(
            f"/api/campaigns/{campaign}/turns", json={"text": text}, headers=headers
        )
        assert answer.status_code == 202, answer.text
        await self.quiet(campaign)
        return str(answer.json()["turn_id"])

    async def quiet(self, campaign: str = "a") -> None:
        """Waits until no turn is on its way."""
        if flight := self.room.plays.flights.get(campaign):
            await asyncio.wait([flight.task], timeout=PATIENCE)
            await asyncio.sleep(0)

    async def get(self, path: str) -> Any:
        """The JSON at a path; fails unless it went well."""
        answer = await self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """The JSON answer to a POST; fails unless it went well."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await self.http.post(path, json=body, headers=named)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def story(self, campaign: str = "a") -> Any:
        """All turns."""
        return (await self.get(f"/api/campaigns/{campaign}/story"))["turns"]


@asynccontextmanager
async def serving(
    home: Path,
    model: Any = None,
    beside: Mounts = mounts,
    *,
    several: bool = False,
    **settings: Any,
) -> AsyncIterator[Served]:
    """A server on a free port of loopback; `beside` it the doors of MCP and Discord, or none (`alone`);
    as one of `several` on that home."""
    if not (home / "scenarios").exists():
        Home(home)
    wanted = Settings.model_validate(
        {"home": home, "model": "offline", "serve_per_minute": 0, "serve_drain_s": 0, **settings}
    )
    async with (
        opened_wire(wanted, several=several) as (wire, _),
        opened_house(wanted, files=False) as house,
    ):
        if model is not None:
            gateway = LiveGateway(
                ModelsByRole(model, OfflineModel()),
                prompts=bundled(),
                tapes=house.table.tapes,
                clock=house.table.clock,
            )
            house.table = replace(house.table, gateway=gateway)
        room = Room(house, wire)
        server = make_server(room, "127.0.0.1", 0, beside)
        up = asyncio.Event()
        server.on_start = up.set
        task = asyncio.create_task(server.serve())
        await up.wait()
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        try:
            async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
                yield Served(url, room, http)
        finally:
            server.should_exit = True
            await task


@dataclass
class Heard:
    """One event of the stream."""

    id: str
    kind: str
    data: dict[str, Any]


class Tab:
    """A browser's tab: one open event stream."""

    def __init__(self, served: Served, after: str = "", campaign: str = "") -> None:
        self._served, self._headers = served, {"Last-Event-ID": after} if after else {}
        self._query = f"?campaign={campaign}" if campaign else ""
        self.heard: list[Heard] = []

    async def __aenter__(self) -> "Tab":
        self._stream = self._served.http.stream(
            "GET", f"/api/events{self._query}", headers=self._headers
        )
        self._answer = await self._stream.__aenter__()
        assert self._answer.headers["content-type"].startswith("text/event-stream")
        self._lines = self._answer.aiter_lines()
        assert (await anext(self._lines)).startswith("retry:")
        await anext(self._lines)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stream.__aexit__(None, None, None)

    async def until(self, kind: str) -> list[Heard]:
        """Everything up to and with the next event of that kind."""
        new: list[Heard] = []
        async with asyncio.timeout(PATIENCE):
            while not new or new[-1].kind != kind:
                new.append(await self._next())
        self.heard += new
        return new

    async def _next(self) -> Heard:
        fields: dict[str, str] = {}
        while line := await anext(self._lines):
            name, _, value = line.partition(": ")
            fields[name] = value
        return Heard(fields.get("id", ""), fields["event"], json.loads(fields["data"]))


def prose(heard: list[Heard]) -> str:
    """The words among events."""
    return "".join(event.data["piece"] for event in heard if event.kind == "prose")
