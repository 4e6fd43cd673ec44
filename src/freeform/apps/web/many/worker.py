"""One of several web processes: it serves the port that its supervisor opened."""

import asyncio
import logging
import os
import socket
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from freeform.apps.web.room import Room
from freeform.apps.web.serve import (
    Mounts,
    WebServer,
    differ_in,
    house_of_server,
    make_server,
    new_loop,
)
from freeform.core.errors import FreeformError
from freeform.core.gc_tuning import set_aside
from freeform.core.log import tell
from freeform.services.table.wire import opened_wire
from freeform.settings import Settings

_LOG = logging.getLogger("freeform.web")


@dataclass(frozen=True)
class WorkerPost:
    """Where a worker stands: its sockets, and its line to the supervisor."""

    host: str
    front: socket.socket
    desk: socket.socket
    """Where the one that does long work is asked by the others."""
    has_desk: bool
    line: Connection


@dataclass(frozen=True)
class Ready:
    """A worker listens. Beside it: what it has to say at its start."""

    note: str = ""


@dataclass(frozen=True)
class Refuses:
    """A worker cannot start at all; the sentence says why."""

    why: str


@dataclass(frozen=True)
class WorkerChoice:
    """Settings that were chosen at a worker, and hold at all of them."""

    values: dict[str, Any]


def work(settings: Settings, post: WorkerPost, mounts: Mounts) -> None:
    """Serves until it is told to stop, or its supervisor is gone."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # Ctrl+C is for the supervisor, which tells the others
    try:
        with asyncio.Runner(loop_factory=new_loop()) as runner:
            runner.run(_work(settings, post, mounts))
    except FreeformError as wrong:
        post.line.send(Refuses(str(wrong)))


async def _work(settings: Settings, post: WorkerPost, mounts: Mounts) -> None:
    async with (
        opened_wire(settings, several=True) as (wire, differing),
        house_of_server(settings) as house,
    ):
        room = Room(house, wire)
        room.on_choice = lambda values: post.line.send(WorkerChoice(values))
        if not post.has_desk:
            room.desk = "http://{}:{}".format(*post.desk.getsockname())
        port = post.front.getsockname()[1]
        server = make_server(room, post.host, port, mounts)
        server.on_start = lambda: post.line.send(Ready(differ_in(differing) if differing else ""))
        listening = asyncio.create_task(_listen(room, post.line, server))
        set_aside()
        try:
            await server.serve([post.front, post.desk] if post.has_desk else [post.front])
        finally:
            listening.cancel()


async def _listen(room: Room, line: Connection, server: WebServer) -> None:
    """What was chosen at another worker holds here, too; without a supervisor, the end."""
    loop, said = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line.fileno(), said.set)
    try:
        while True:
            await said.wait()
            said.clear()
            while line.poll():
                try:
                    chosen: WorkerChoice = line.recv()
                except (EOFError, OSError):
                    server.should_exit = True
                    return
                try:
                    await room.house.take_over(chosen.values)
                except FreeformError as wrong:
                    tell(_LOG, logging.ERROR, "choice_not_taken", why=str(wrong))
    finally:
        loop.remove_reader(line.fileno())
