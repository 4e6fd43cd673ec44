"""What the libraries hand over, as plain rows: the child process that reads has no need of our
records.

Records are made of them where they arrive (`apart.py`, `here.py`), so that starting a reader costs
little.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

#: left, top, right, bottom in points from the page's top left.
Box = tuple[float, float, float, float]


class Run(NamedTuple):
    """A run of text, in the order of the fields of `Span`."""

    text: str
    bbox: Box
    font: str
    size: float
    bold: bool
    italic: bool
    color: int = 0


class PageRows(NamedTuple):
    """A page, in the order of the fields of `RawPage`."""

    number: int
    width: float
    height: float
    runs: Sequence[Run]
    image_share: float
    unmapped: bool
    label: str


class Mark(NamedTuple):
    """A bookmark that leads to a page."""

    title: str
    level: int
    page: int


class RowBook(Protocol):
    """An open PDF as the libraries see it; pages are numbered from 1."""

    page_count: int

    @property
    def title(self) -> str: ...

    @property
    def outline(self) -> Sequence[Mark]: ...

    def read(self, number: int) -> PageRows: ...

    def render(self, number: int, dpi: int) -> bytes: ...

    def images(self, number: int) -> Sequence[bytes]: ...

    def close(self) -> None: ...
