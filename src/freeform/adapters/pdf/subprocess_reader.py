"""Reads a PDF in a process of its own, so that no page can hang, crash or fill the one that asked.

A page that ends its process (more than `child.PAGE_SECONDS` of computing, more than `child.MEMORY`,
a crash) is tried once more with pdfium in a new process. If that ends too, the page is handed over
empty with its `trouble`, and the rest of the book is read. A file with several such pages is
refused.
"""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from freeform.adapters.pdf import child
from freeform.adapters.pdf.here import record_of
from freeform.adapters.pdf.libraries import DEFAULT, known
from freeform.adapters.pdf.rows import PageRows
from freeform.core.errors import BadFile, UserError
from freeform.ingest.model import OutlineItem, RawPage

#: Seconds by the clock for one page, where the limit of computing does not hold or does not bite.
PATIENCE = 90.0
#: Pages of one book that may end their process before the book is refused.
MOST_ENDED = 4
PLAIN = "pdfium"


class Ended(Exception):
    """The process ended (or was ended) before it answered; the message is what is told about the
    page."""


class ApartReader:
    """A library behind a process. `name` is the library's."""

    def __init__(
        self, name: str = DEFAULT, *, seconds: int = child.PAGE_SECONDS, memory: int = child.MEMORY
    ) -> None:
        self.name, self.seconds, self.memory = known(name), seconds, memory

    def open(self, path: Path) -> "ApartBook":
        """The book; the process starts with `async with`."""
        return ApartBook(self.name, path, self.seconds, self.memory)


class ApartBook:
    """A book that is open in another process."""

    page_count = 0
    title = ""

    def __init__(self, reader: str, path: Path, seconds: int, memory: int) -> None:
        self.reader, self.path, self.seconds, self.memory = reader, path, seconds, memory
        self.outline: Sequence[OutlineItem] = ()
        self.ended: dict[int, str] = {}
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> "ApartBook":
        try:
            hello = await self._start(self.reader)
        except Ended as why:
            raise BadFile(
                str(self.path),
                f"cannot be opened: it {why}, as files made to break readers do; print it to a new PDF.",
            ) from None
        self.page_count, self.title = int(hello["pages"]), str(hello["title"])
        self.outline = [
            OutlineItem(title=t, level=level, page=page) for t, level, page in hello["outline"]
        ]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stop()

    async def read(self, numbers: Sequence[int]) -> Sequence[RawPage]:
        """Pages in the order asked for; one that cannot be read is empty and says why."""
        found: list[RawPage] = []
        while len(found) < len(numbers):
            left = list(numbers[len(found) :])
            try:
                async for page in self._pages(left):
                    found.append(page)
            except Ended as why:
                found.append(await self._plainly(numbers[len(found)], why))
        return found

    async def render(self, number: int, *, dpi: int = 150) -> bytes:
        """The page as a PNG."""
        (picture,) = [
            content async for _, content in self._guarded(number, do="render", page=number, dpi=dpi)
        ]
        return picture

    async def images(self, number: int) -> Sequence[bytes]:
        """The pictures on the page, largest first; none when the page is one that breaks
        readers."""
        try:
            return [content async for _, content in self._guarded(number, do="images", page=number)]
        except BadFile:
            return []

    async def _pages(self, numbers: Sequence[int]) -> AsyncIterator[RawPage]:
        async for _, content in self._ask(do="read", pages=list(numbers)):
            told = json.loads(content)
            page = record_of(PageRows(*told["sheet"]))
            yield page.model_copy(update={"trouble": told["trouble"]}) if told["trouble"] else page

    async def _plainly(self, number: int, why: Ended) -> RawPage:
        """The page once more, with pdfium; the next page is read by the usual reader again."""
        try:
            if self.reader != PLAIN:
                await self._start(PLAIN)
                async for page in self._pages([number]):
                    return page
        except Ended as again:
            why = again
        finally:
            await self._stop()
        width, height = child.USUAL
        return RawPage(number=number, width=width, height=height, trouble=self._note(number, why))

    def _note(self, number: int, why: Ended) -> str:
        self.ended[number] = str(why)
        if len(self.ended) > MOST_ENDED:
            pages = ", ".join(str(page) for page in sorted(self.ended))
            raise BadFile(
                str(self.path),
                f"holds pages that no reader survives ({pages}), as files made to break readers do; "
                "leave them out with --pages, or print the book to a new PDF.",
            )
        return f"could not be read: it {why}"

    async def _guarded(self, number: int, **asked: Any) -> AsyncIterator[tuple[bytes, bytes]]:
        try:
            async for frame in self._ask(**asked):
                yield frame
        except Ended as why:
            self._note(number, why)
            raise BadFile(str(self.path), f"page {number} cannot be drawn: it {why}.") from None

    async def _ask(self, **asked: Any) -> AsyncIterator[tuple[bytes, bytes]]:
        if self._process is None:
            await self._start(self.reader)
        assert self._process is not None and self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
            await self._process.stdin.drain()
        while (frame := await self._frame())[0] != child.DONE:
            yield frame

    async def _start(self, reader: str) -> dict[str, Any]:
        """A new process with the book open in it, and what it says of the book."""
        await self._stop()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", child.__name__, reader, str(self.path), str(self.seconds), str(self.memory),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            told: dict[str, Any] = json.loads((await self._frame())[1])
        except UserError:
            await self._stop()
            raise
        return told

    async def _frame(self) -> tuple[bytes, bytes]:
        """The next frame; Ended when the process is no more, or takes too long."""
        assert self._process is not None and self._process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self._process.stdout.readexactly(5)
                content = await self._process.stdout.readexactly(int.from_bytes(head[1:], "big"))
        except TimeoutError:
            await self._stop()
            raise Ended(f"takes longer than {PATIENCE:.0f} s") from None
        except asyncio.IncompleteReadError:
            raise Ended(await self._cause()) from None
        if head[:1] == child.WRONG:
            told = json.loads(content)
            raise child.KINDS.get(told["kind"], UserError)(*told["told"])
        return head[:1], content

    async def _cause(self) -> str:
        assert self._process is not None
        code = await self._process.wait()
        self._process = None
        if code == -getattr(signal, "SIGXCPU", 0):
            return f"takes more than {self.seconds} s of computing"
        if code == child.OUT_OF_MEMORY:
            return f"takes more than {self.memory // 1_000_000} MB of memory"
        return "breaks the reader or takes more memory than a page may"

    async def _stop(self) -> None:
        """Ends the process; it holds nothing that must be kept."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
