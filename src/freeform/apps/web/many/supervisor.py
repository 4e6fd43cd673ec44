"""Starts several web processes on one port, starts those anew that die, and ends them together."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType

from freeform.apps.web.many.worker import Ready, Refuses, WorkerChoice, WorkerPost, work
from freeform.apps.web.serve import Mounts
from freeform.core.clock import SystemClock
from freeform.core.errors import UserError
from freeform.core.log import tell
from freeform.services.table.links import (
    forget_address,
    note_address,
    reached_at,
    said_at,
)
from freeform.settings import Settings

_LOG = logging.getLogger("freeform.web")
BACKLOG = 512
ENDS = (signal.SIGINT, signal.SIGTERM)
_ticks = SystemClock().ticks
AGAIN_S, LONGEST_S, STEADY_S = 0.1, 10.0, 30.0
"""How long a place stays empty after a death: twice as long each time, until one has lived."""
# Forked, a worker has everything imported; the supervisor has opened nothing and has no threads.
_FORKS = sys.platform == "linux"
_START = multiprocessing.get_context("fork") if _FORKS else multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Port:
    """Where to listen, and whether to open the browser there."""

    host: str
    port: int
    show: bool = False


@dataclass
class WorkerPlace:
    """A worker's place, whoever fills it."""

    number: int
    process: BaseProcess | None = None
    line: Connection | None = None
    is_ready: bool = False
    began: float = 0.0
    due: float = 0.0
    wait_s: float = AGAIN_S


@dataclass
class Supervisor:
    """The workers, and what each new one is given."""

    settings: Settings
    host: str
    front: socket.socket
    desk: socket.socket
    mounts: Mounts
    say: Callable[[str], None]
    places: list[WorkerPlace]
    stopping: bool = False
    greeted: bool = False
    on_start: Callable[[], None] = field(default=lambda: None)

    def run(self) -> None:
        """Until somebody ends it. UserError where a worker says that it cannot start."""
        before = {each: signal.signal(each, self._end) for each in ENDS}
        try:
            while not self.stopping or any(place.process for place in self.places):
                for place in self.places:
                    if place.process is None and not self.stopping and place.due <= _ticks():
                        self._fill(place)
                self._look()
        finally:
            for place in self.places:
                if place.process:
                    place.process.kill()
                    place.process.join()
            for each, handler in before.items():
                signal.signal(each, handler)

    def _fill(self, place: WorkerPlace) -> None:
        ours, theirs = _START.Pipe()
        post = WorkerPost(self.host, self.front, self.desk, place.number == 0, theirs)
        lines = [each.line for each in self.places if each.line] + [ours]
        process = _START.Process(
            target=_begin,
            args=(self.settings, post, self.mounts, lines),
            name=f"web {place.number}",
        )
        with _held_back():
            process.start()
            place.process, place.line, place.is_ready, place.began = process, ours, False, _ticks()
        theirs.close()
        if self.stopping:  # meanwhile somebody ended it, and this one was not told
            self._tell_end(place)

    def _end(self, sent: int, frame: FrameType | None) -> None:
        """Passed on as it came; a second one tells them to hurry."""
        self.stopping = True
        for place in self.places:
            self._tell_end(place)

    def _tell_end(self, place: WorkerPlace) -> None:
        if place.process and place.process.pid:
            with suppress(ProcessLookupError):
                os.kill(place.process.pid, signal.SIGTERM)

    def _look(self) -> None:
        """Waits for a word or a death; no longer than until a place is to be filled."""
        heard = {place.line: place for place in self.places if place.line}
        ended = {place.process.sentinel: place for place in self.places if place.process}
        empty = [place.due - _ticks() for place in self.places if place.process is None]
        limit = max(0.0, min(empty)) if empty and not self.stopping else 1.0
        for each in wait([*heard, *ended], limit):
            if isinstance(each, Connection):
                self._hear(heard[each], each)
            elif isinstance(each, int):
                self._is_gone(ended[each])

    def _hear(self, place: WorkerPlace, line: Connection) -> None:
        try:
            said = line.recv()
        except (EOFError, OSError):
            place.line = None
            return
        match said:
            case Ready(note):
                place.is_ready = True
                if note and not self.greeted:
                    self.say(note)
                if not self.greeted and all(each.is_ready for each in self.places):
                    self.greeted = True
                    self.on_start()
            case Refuses(why):
                if not self.greeted:
                    raise UserError(why)
                tell(_LOG, logging.ERROR, "worker_refuses", place=place.number, why=why)
            case WorkerChoice(values):
                self.settings = self.settings.model_copy(update=values)
                for other in self.places:
                    if other is not place and other.line:
                        with suppress(OSError):
                            other.line.send(said)

    def _is_gone(self, place: WorkerPlace) -> None:
        assert place.process
        if place.line and place.line.poll():
            self._hear(place, place.line)  # its last word
        place.process.join()
        code, lived = place.process.exitcode, _ticks() - place.began
        place.process.close()
        place.process, place.line = None, None
        if self.stopping:
            return
        tell(_LOG, logging.ERROR, "worker_gone", place=place.number, code=code or 0)
        place.wait_s = AGAIN_S if lived > STEADY_S else min(LONGEST_S, place.wait_s * 2)
        place.due = _ticks() + place.wait_s


def supervise(
    settings: Settings, at: Port, workers: int, say: Callable[[str], None], mounts: Mounts
) -> None:
    """Serves with so many processes until it is told to stop."""
    front, desk = _listening(at.host, at.port), _listening("127.0.0.1", 0)
    with front, desk:
        places = [WorkerPlace(number) for number in range(workers)]
        supervisor = Supervisor(settings, at.host, front, desk, mounts, say, places)
        name = f"[{at.host}]" if ":" in at.host else at.host
        port = int(front.getsockname()[1])
        where = f"http://{name}:{port}/"

        def started() -> None:
            tell(_LOG, logging.INFO, "server_started", address=where, workers=workers)
            note_address(settings.home, reached_at(at.host, port))
            by = f"with {workers} processes (Ctrl+C ends it)"
            say(f"The table is at {said_at(at.host, port)}, {by}.")
            if at.show:
                webbrowser.open(where)

        supervisor.on_start = started
        try:
            supervisor.run()
        finally:
            forget_address(settings.home)
        tell(_LOG, logging.INFO, "server_stopped")


def _begin(settings: Settings, post: WorkerPost, mounts: Mounts, lines: list[Connection]) -> None:
    """In the new process: ends of others' lines are let go, so that they hear when we are gone."""
    if _FORKS:
        for each in lines:
            each.close()
        for caught in ENDS:
            signal.signal(caught, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
    work(settings, post, mounts)


@contextmanager
def _held_back() -> Iterator[None]:
    """Inside, being told to end waits: a worker that is being forked hears it with its own ears."""
    if not _FORKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(BACKLOG)
        opened.setblocking(False)
    except OSError:
        opened.close()
        told = f"port {port} of {host} is taken or not allowed; choose another with --port"
        raise UserError(told) from None
    return opened
