"""What reading a book needs from outside: something that opens PDFs, and something that reads pictures of text."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from freeform.ingest.model import OutlineItem, RawPage, Span

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
        """Words (boxes in points at that dpi, in no promised order) and their mean confidence, 0 to 1."""
        ...
