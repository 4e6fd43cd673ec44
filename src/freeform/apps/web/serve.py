"""Runs the server: checks who may listen, opens the table, and stops without losing anything."""

import asyncio
import logging
import signal
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from types import FrameType
from typing import Any

import uvicorn

from freeform.apps.web.app import make_app
from freeform.apps.web.hosts import check_host
from freeform.apps.web.mounted import Mounted
from freeform.apps.web.room import Room
from freeform.core.errors import UserError
from freeform.core.gc_tuning import set_aside
from freeform.core.log import tell
from freeform.services.house import House, opened_house
from freeform.services.table.links import (
    forget_address,
    note_address,
    reached_at,
    said_at,
)
from freeform.services.table.wire import opened_wire
from freeform.settings import Settings

_LOG = logging.getLogger("freeform.web")
OPEN_CAMPAIGNS = 256
Mounts = Callable[[Room, str], Sequence[Mounted]]
"""Says which other apps stand beside ours, on a server of that host."""


class WebServer(uvicorn.Server):
    """Uvicorn that ends the event streams first, since they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self._room = room
        self.on_start: Callable[[], None] = lambda: None
        self._hurry = False

    async def startup(self, sockets: Any = None) -> None:
        """Listens, then says so."""
        await super().startup(sockets)
        if self.started:
            self._room.port = self.servers[0].sockets[0].getsockname()[1]
            self.on_start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As Uvicorn has it, but that SIGTERM is an order and no accident: it ends with 0. A second
        signal of any kind means that somebody is in a hurry."""
        self._hurry = self.should_exit
        super().handle_exit(sig, frame)
        while signal.SIGTERM in self._captured_signals:
            self._captured_signals.remove(signal.SIGTERM)

    async def shutdown(self, sockets: Any = None) -> None:
        """Begins no more turns, lets those on their way be told, ends the streams, then closes."""
        self._room.health.draining = True
        limit = self._room.settings.serve_drain_s
        await self._room.plays.drain(limit, lambda: self._hurry)
        self._room.hub.close()
        await self._room.tables.close()
        await self._room.plays.close()
        await super().shutdown(sockets)


def alone(room: Room, host: str) -> Sequence[Mounted]:
    """No other app."""
    return ()


def make_server(room: Room, host: str, port: int, mounts: Mounts = alone) -> WebServer:
    """A server ready to run."""
    config = uvicorn.Config(
        make_app(room, host, mounts(room, host)),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        lifespan="on",
    )
    return WebServer(config, room)


def house_of_server(settings: Settings) -> AbstractAsyncContextManager[House]:
    """The house of a server."""
    return opened_house(settings, campaigns=OPEN_CAMPAIGNS, files=False)


async def serve(
    settings: Settings,
    host: str,
    port: int,
    say: Callable[[str], None],
    *,
    show: bool = False,
    mounts: Mounts = alone,
) -> None:
    """Serves until it is told to stop."""
    check_host(host, settings)
    async with (
        opened_wire(settings) as (wire, differing),
        house_of_server(settings) as house,
    ):
        if differing:
            say(differ_in(differing))
        server = make_server(Room(house, wire), host, port, mounts)

        def started() -> None:
            where, at = address(server, host), port_of(server)
            note_address(settings.home, reached_at(host, at))
            tell(_LOG, logging.INFO, "server_started", address=where)
            say(f"The table is at {said_at(host, at)} (Ctrl+C ends it).")
            if show:
                webbrowser.open(where)

        server.on_start = started
        set_aside()
        try:
            await server.serve()
        except SystemExit:
            raise UserError(
                f"port {port} of {host} is taken or not allowed; choose another with --port"
            ) from None
        finally:
            forget_address(settings.home)
            tell(_LOG, logging.INFO, "server_stopped")


def differ_in(settings: Sequence[str]) -> str:
    """What is said at the start where another server of the database has other settings."""
    return f"Another server of this database has other settings: {'; '.join(settings)}."


def new_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The quickest event loop there is here; None for Python's own."""
    try:
        import uvloop
    except ImportError:  # Windows has none
        return None
    return uvloop.new_event_loop


def address(server: uvicorn.Server, host: str) -> str:
    """Where a running server is."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port_of(server)}/"


def port_of(server: uvicorn.Server) -> int:
    """The port of a running server."""
    return int(server.servers[0].sockets[0].getsockname()[1])
