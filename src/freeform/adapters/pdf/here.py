"""Reads a PDF in this very process: for trying the libraries alone. Strangers' books are read apart
(`apart.py`)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from freeform.adapters.pdf.libraries import known, open_book
from freeform.adapters.pdf.rows import PageRows, RowBook
from freeform.ingest.model import OutlineItem, RawPage, Span


def record_of(sheet: PageRows) -> RawPage:
    """A page's rows as our record."""
    number, width, height, runs, image_share, unmapped, label = sheet
    return RawPage(
        number=number,
        width=width,
        height=height,
        spans=tuple(
            Span(text=text, bbox=bbox, font=font, size=size, bold=bold, italic=italic, color=color)
            for text, bbox, font, size, bold, italic, color in runs
        ),
        image_share=image_share,
        unmapped=unmapped,
        label=label,
    )


class HereReader:
    """One library, in this process."""

    def __init__(self, name: str) -> None:
        self.name = known(name)

    def open(self, path: Path) -> "HereBook":
        """The book, open."""
        return HereBook(open_book(self.name, path))


class HereBook:
    """A book that is open in this process."""

    def __init__(self, rows: RowBook) -> None:
        self.rows, self.page_count, self.title = rows, rows.page_count, rows.title
        self.outline = [
            OutlineItem(title=mark.title, level=mark.level, page=mark.page) for mark in rows.outline
        ]

    async def __aenter__(self) -> "HereBook":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.rows.close()

    async def read(self, numbers: Sequence[int]) -> Sequence[RawPage]:
        """Pages in the order asked for."""
        return await asyncio.to_thread(
            lambda: [record_of(self.rows.read(number)) for number in numbers]
        )

    async def render(self, number: int, *, dpi: int = 150) -> bytes:
        """The page as a PNG."""
        return await asyncio.to_thread(self.rows.render, number, dpi)

    async def images(self, number: int) -> Sequence[bytes]:
        """The pictures on the page, largest first."""
        return await asyncio.to_thread(self.rows.images, number)
