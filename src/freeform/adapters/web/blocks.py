"""Writes a page's text and remembers where everything stands in it: headings, links, infobox rows,
tables."""

import re
from collections.abc import Sequence

from freeform.lore.ports import Infobox, InfoboxRow, PageHeading, PageLink, TableBlock

_SPACE = re.compile(r"[ \t\n\r\f\v\u00a0\u200b]+")
Run = list[tuple[str, PageLink | None]]
"""Pieces of a line, each with the link it is the text of."""


class PageWriter:
    """Blocks in, one Markdown text out. Every offset is of that text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._at = 0
        self.links: list[PageLink] = []
        self.tables: list[TableBlock] = []
        self.infobox: Infobox | None = None
        self._heads: list[tuple[str, int, int, int]] = []
        """Title, level, where its line begins, where its text begins."""

    @property
    def text(self) -> str:
        """What was written."""
        return "".join(self._pieces)

    @property
    def section(self) -> str:
        """The heading above what is written now."""
        return self._heads[-1][0] if self._heads else ""

    @property
    def headings(self) -> list[PageHeading]:
        """Each section ends where the next of its own or a higher level begins."""
        out = []
        for n, (title, level, _, start) in enumerate(self._heads):
            end = next(
                (line for _, other, line, _ in self._heads[n + 1 :] if other <= level), self._at
            )
            out.append(PageHeading(title=title, level=level, start=min(start, end), end=end))
        return out

    def heading(self, level: int, run: Run) -> None:
        """A heading on a line of its own."""
        if title := plain(run):
            line = self._at
            self._write(f"{'#' * level} ")
            self._run(run)
            self._write("\n\n")
            self._heads.append((title, level, line, self._at))

    def paragraph(self, run: Run, prefix: str = "", end: str = "\n\n") -> None:
        """A paragraph, or an item of a list with its mark."""
        if plain(run):
            self._write(prefix)
            self._run(run)
            self._write(end)

    def blank(self) -> None:
        """An empty line, where there is none yet."""
        if self._pieces and not self._pieces[-1].endswith("\n\n"):
            self._write("\n")

    def facts(self, kind: str, rows: Sequence[tuple[str, list[Run]]]) -> None:
        """An infobox: a line for each label, its values with commas between."""
        written = []
        for label, values in rows:
            values = [value for value in values if plain(value)]
            if not label or not values:
                continue
            row_start, before = self._at, len(self.links)
            self._write(f"{label}: ")
            start = self._at
            for n, value in enumerate(values):
                self._write(", " if n else "")
                self._run(value)
            text = "".join(self._pieces)[start:]
            row = InfoboxRow(
                label=label,
                value=text,
                start=start,
                end=self._at,
                row_start=row_start,
                links=self.links[before:],
                parts=[plain(value) for value in values] if len(values) > 1 else [],
            )
            written.append(row)
            self._write("\n")
        self.blank()
        if written and self.infobox is None:
            self.infobox = Infobox(kind=kind, rows=written)

    def table(self, caption: str, header: list[Run], rows: list[list[Run]]) -> None:
        """A table, a line for each row."""
        if caption:
            self._write(f"{caption}\n\n")
        if header:
            self._cells(header)
            self._write(f"|{' --- |' * len(header)}\n")
        starts = [self._cells(row) for row in rows]
        self.blank()
        self.tables.append(
            TableBlock(
                caption=caption,
                header=[plain(cell) for cell in header],
                rows=[[plain(cell) for cell in row] for row in rows],
                starts=starts,
                section=self.section,
            )
        )

    def _cells(self, row: list[Run]) -> int:
        start = self._at
        for cell in row:
            self._write("| ")
            self._run(cell)
            self._write(" ")
        self._write("|\n")
        return start

    def _run(self, run: Run) -> None:
        for text, link in tidy(run):
            if link is not None:
                self.links.append(
                    link.model_copy(update={"text": text.strip(), "start": self._at + _lead(text)})
                )
            self._write(text)

    def _write(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._at += len(text)


def tidy(run: Run) -> Run:
    """The pieces with single spaces, none at the ends."""
    out: Run = []
    spaced = True
    for text, link in run:
        text = _SPACE.sub(" ", text)
        if spaced:
            text = text.lstrip(" ")
        if text:
            out.append((text, link))
            spaced = text.endswith(" ")
    while out and not out[-1][0].rstrip(" "):
        out.pop()
    if out:
        out[-1] = (out[-1][0].rstrip(" "), out[-1][1])
    return out


def plain(run: Run) -> str:
    """The pieces as one text."""
    return "".join(text for text, _ in tidy(run))


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())
