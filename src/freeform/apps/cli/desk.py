"""What every verb has at hand: the flags, the settings, the table, and one way to answer."""

import asyncio
import json
import sys
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from freeform.apps.cli.doors import NO_DOORS, Doors

if TYPE_CHECKING:
    from rich.console import Console

    from freeform.retrieval.indexing import Progress
    from freeform.services.house import House
    from freeform.settings import Settings
    from freeform.settings.sources import Loaded

T = TypeVar("T")


@dataclass
class Desk:
    """One command's surroundings. Heavy things are made when first asked for."""

    home: Path | None = None
    model: str | None = None
    seed: int | None = None
    json: bool = False
    quiet: bool = False
    plain: bool = False
    pdf_reader: str | None = None
    doors: Doors = NO_DOORS

    @cached_property
    def loaded(self) -> "Loaded":
        """The settings with where each came from."""
        from freeform.core.ids import RandomIds
        from freeform.core.log import begin_request
        from freeform.services.logs import set_up_logs
        from freeform.settings.sources import load

        loaded = load(
            {
                "home": self.home,
                "model": self.model,
                "seed": self.seed,
                "pdf_reader": self.pdf_reader,
            }
        )
        begin_request(RandomIds().new("req"))
        set_up_logs(loaded.settings, on_screen=not self.quiet)
        return loaded

    @contextmanager
    def serving(self, what: str) -> "Iterator[None]":
        """The log says when something that runs until it is stopped began and ended."""
        import logging

        from freeform.core.log import tell

        logger = logging.getLogger("freeform.server")
        _ = self.settings  # sets the log up
        tell(logger, logging.INFO, "server_started", what=what)
        try:
            yield
        finally:
            tell(logger, logging.INFO, "server_stopped", what=what)

    def keep_log_off_screen(self) -> None:
        """For what fills the terminal itself, a game above all: the log goes to its file alone."""
        from freeform.services.logs import set_up_logs

        set_up_logs(self.settings, on_screen=False)

    @property
    def settings(self) -> "Settings":
        """The settings."""
        return self.loaded.settings

    def run(self, work: "Callable[[House], Awaitable[T]]", *, model: bool = True) -> T:
        """Opens the house, works in it, and closes it. Without `model` none is looked for."""
        from freeform.services.house import opened_house

        async def in_the_house() -> T:
            async with opened_house(self.settings, model=model) as house:
                return await work(house)

        return asyncio.run(in_the_house())

    def answer(self, document: Any, lines: Iterable[str] | Callable[[], Iterable[str]]) -> None:
        """The verb's answer: under `--json` the document and nothing else, otherwise the lines."""
        if self.json:
            print(as_json(document), flush=True)
            return
        for line in lines() if callable(lines) else lines:
            self.console.print(printable(line), markup=False, soft_wrap=self.is_plain)

    def note(self, text: str) -> None:
        """Something by the way, on standard error."""
        if not self.quiet and not self.json:
            print(text, file=sys.stderr, flush=True)

    @contextmanager
    def progress(self, what: str) -> "Iterator[Progress]":
        """A bar on standard error for something long, where a person can see it."""
        if self.json or self.quiet or self.plain or not sys.stderr.isatty():
            yield lambda done, total: None
            return
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    @property
    def is_plain(self) -> bool:
        """No colours, no drawing, no wrapping: asked for, or there is no terminal."""
        return self.plain or not sys.stdout.isatty()

    @property
    def is_terminal(self) -> bool:
        """A person sits there: questions can be asked."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    @cached_property
    def console(self) -> "Console":
        """Rich's console, as colourful as was asked for."""
        from rich.console import Console

        color = self.settings.color
        colorless = (self.is_plain and color != "always") or color == "never"
        return Console(
            highlight=False,
            emoji=False,
            no_color=True if colorless else None,
            force_terminal=True if color == "always" and not self.plain else None,
        )


def at(ctx: typer.Context) -> Desk:
    """The desk of a verb's context."""
    desk = ctx.find_object(Desk)
    assert desk is not None, "the callback puts it there"
    return desk


def printable(text: str) -> str:
    """The text without control characters: what a model says must not drive the terminal."""
    return "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")


def as_json(document: Any) -> str:
    """A record or plain data as one JSON document."""
    from freeform.core.record import plain

    return json.dumps(document, ensure_ascii=False, default=plain)
