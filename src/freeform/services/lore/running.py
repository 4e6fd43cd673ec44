"""Researchers that a server runs: begun and stopped from the browser, each in a thread of its own
with its own loop, so that reading a long page holds nobody up."""

import asyncio
import logging
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial

from freeform.core.errors import Conflict, FreeformError, Unavailable
from freeform.core.log import kind_of, place_of, tell
from freeform.core.record import Record
from freeform.core.text import visible
from freeform.services.lore.agents import StartRequest, named, start_researcher
from freeform.settings import Settings

_LOG = logging.getLogger("freeform.lore")


class RunningView(Record):
    """A researcher of this server. `said`: what it last told a person; `wrong`: why it ended."""

    game: str
    running: bool
    said: str = ""
    wrong: str = ""


@dataclass
class _Run:
    """One researcher in its thread."""

    settings: Settings
    request: StartRequest
    begun: Future[None] = field(default_factory=Future)
    said: str = ""
    wrong: str = ""
    thread: threading.Thread = field(init=False)
    _stop: "tuple[asyncio.AbstractEventLoop, asyncio.Event] | None" = None

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name="lore", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            asyncio.run(self._work())
        except FreeformError as wrong:
            self._end(wrong)
        except Exception as fault:
            where = {"error": kind_of(fault), "at": place_of(fault)}
            tell(_LOG, logging.ERROR, "lore_fault", **where)
            self._end(
                Unavailable("the researcher stopped at a fault of the program", passing=False)
            )
        finally:
            if not self.begun.done():
                self.begun.set_result(None)

    def _end(self, wrong: FreeformError) -> None:
        self.wrong = str(wrong)
        if not self.begun.done():
            self.begun.set_exception(wrong)

    async def _work(self) -> None:
        stop = asyncio.Event()
        self._stop = (asyncio.get_running_loop(), stop)
        await start_researcher(self.settings, self.request, self._heard, self._tell, stop)

    def _heard(self, line: str) -> None:
        if not self.begun.done():
            self.begun.set_result(None)

    def _tell(self, text: str) -> None:
        self.said = text

    def stop(self) -> None:
        """After the step at work."""
        if self._stop and self.thread.is_alive():
            loop, stop = self._stop
            loop.call_soon_threadsafe(stop.set)

    @property
    def view(self) -> RunningView:
        return RunningView(
            game=self.request.game, running=self.thread.is_alive(), said=self.said, wrong=self.wrong
        )


class Researchers:
    """The researchers of one server, one for each game."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    async def start(self, settings: Settings, request: StartRequest) -> RunningView:
        """Begins or goes on with a game. What keeps it from beginning is raised here."""
        request = request.model_copy(update={"game": named(request.game, "a game")})
        before = self._runs.get(request.game)
        if before and before.thread.is_alive():
            raise Conflict(f"'{request.game}' is being researched; stop it first")
        run = _Run(settings.model_copy(update={"log_level": "info"}), request)
        run.start()
        self._runs[request.game] = run
        await asyncio.wrap_future(run.begun)
        return run.view

    def stop(self, game: str) -> bool:
        """Asks a researcher of this server to stop, the one begun last where no game is named;
        False where it has none on that game."""
        alive = [run for run in self._runs.values() if run.thread.is_alive()]
        meant = [run for run in alive if visible(game) in ("", run.request.game)]
        if not meant:
            return False
        meant[-1].stop()
        return True

    def views(self) -> list[RunningView]:
        """Those that run or have run here."""
        return [run.view for run in self._runs.values()]

    async def close(self) -> None:
        """Stops them all; each keeps its finished steps."""
        for run in self._runs.values():
            run.stop()
        for run in self._runs.values():
            await asyncio.to_thread(partial(run.thread.join, timeout=10))
