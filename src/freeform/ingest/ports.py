"""What an ingest works with: a PDF reader, a reader of pictures, and all its ports in one place."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from freeform.core.clock import Clock
from freeform.core.llm.gateway import (
    Call,
    Gateway,
    In,
    Out,
    Pass,
    Usage,
)
from freeform.ingest.model import OutlineItem, RawPage, Span
from freeform.retrieval.ports import PassageIndex

#: Called with the pages (or sections) done so far and how many there are.
Progress = Callable[[int, int], None]


class PdfBook(Protocol):
    """An open PDF. Pages are numbered from 1."""

    @property
    def page_count(self) -> int: ...

    @property
    def title(self) -> str:
        """The title of the file's own metadata, '' when it has none."""
        ...

    @property
    def outline(self) -> Sequence[OutlineItem]:
        """The bookmarks, in order."""
        ...

    async def read(self, numbers: Sequence[int]) -> Sequence[RawPage]:
        """The pages with their runs of text in stream order, boxes in points from the top left."""
        ...

    async def render(self, number: int, *, dpi: int = 150) -> bytes:
        """The page as a PNG."""
        ...

    async def images(self, number: int) -> Sequence[bytes]:
        """The pictures on the page, as PNGs, largest first."""
        ...


class PdfReader(Protocol):
    """Opens PDFs. A file it cannot open is a BadFile that says why and what to do."""

    name: str

    def open(self, path: Path) -> AbstractAsyncContextManager[PdfBook]: ...


class Ocr(Protocol):
    """Reads a picture of a page."""

    name: str

    def missing(self) -> str:
        """'' when it can run, else one sentence that says what to install."""
        ...

    async def read(
        self, png: bytes, *, dpi: int, language: str = "eng"
    ) -> tuple[Sequence[Span], float]:
        """Words (boxes in points at that dpi, in no promised order) and their mean confidence, 0 to
        1."""
        ...


@dataclass
class IngestPorts:
    """The reader of PDFs, the reader of pictures, the model, and where a test index can be made."""

    reader: PdfReader
    gateway: Gateway
    clock: Clock
    new_index: Callable[[], PassageIndex]
    """An empty index that lasts as long as its use, for the spot checks of stage 7."""
    check_system: Callable[[dict[str, Any]], Sequence[str]]
    """What the engine says against a rules system: nothing when it can play with it."""
    hold: Callable[[Path, str], AbstractContextManager[None]]
    """Holds a file for one run; a Conflict with that sentence when another run has it."""
    config_folders: Sequence[Path] = ()
    """Where extraction configs lie; later folders win."""
    ocr: Ocr | None = None
    parallel: int = 4
    """Questions that are under way at once."""
    reading_tokens: int = 700_000
    """Most tokens that showing a book's sections may take; 0 is no limit."""
    used: Usage = field(default_factory=Usage)
    degraded: list[str] = field(default_factory=list)

    async def ask(self, pass_: Pass[In, Out], input: In, pack_id: str) -> Out:
        """One question of the ingest of that pack. What it cost is added up; a model that fails is
        replaced."""
        answer = await self.gateway.ask(pass_, input, Call(seed=pack_id))
        self.used += answer.usage
        if answer.degraded and answer.degraded not in self.degraded:
            self.degraded.append(answer.degraded)
        return answer.output

    async def ask_each(
        self, pass_: Pass[In, Out], inputs: Sequence[In], pack_id: str, progress: Progress
    ) -> list[Out]:
        """The answers to some questions of one pass, in their order; a few are under way at once.
        The first that fails ends them all."""
        free = asyncio.Semaphore(self.parallel)
        done = 0

        async def one(input: In) -> Out:
            nonlocal done
            async with free:
                output = await self.ask(pass_, input, pack_id)
            done += 1
            progress(done, len(inputs))
            return output

        tasks = [asyncio.ensure_future(one(input)) for input in inputs]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
