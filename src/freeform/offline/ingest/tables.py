"""Markdown tables as rows, for the offline readers of rulebooks."""

import re
from collections.abc import Iterator

from freeform.ingest.systems.passes import RulesPassage
from freeform.ingest.things.things import bare


class MarkdownTable:
    """A table of a passage: its head, its rows, and what stood above it."""

    def __init__(self, head: list[str], rows: list[list[str]], page: int, heading: str) -> None:
        self.head, self.rows, self.page, self.heading = head, rows, page, heading

    def column(self, place: int) -> list[str]:
        """One column, below its head."""
        return [row[place] for row in self.rows if place < len(row)]

    def find(self, pattern: str) -> int:
        """The first column whose head fits, or -1."""
        return next((n for n, cell in enumerate(self.head) if re.search(pattern, cell, re.I)), -1)


def tables_in(passages: list[RulesPassage]) -> Iterator[MarkdownTable]:
    """Every table of at least two rows under its head."""
    for passage in passages:
        run: list[list[str]] = []
        above = passage.heading
        for line in [*passage.text.splitlines(), ""]:
            if line.lstrip().startswith("|"):
                cells = [bare(cell) for cell in line.strip().strip("|").split("|")]
                if not all(set(cell) <= set(":- ") for cell in cells):
                    run.append(cells)
                continue
            if len(run) >= 3:
                yield MarkdownTable(run[0], run[1:], passage.page, above)
            run = []
            if line.startswith("#") or (
                line.strip() and len(line) < 60 and not line.rstrip().endswith(".")
            ):
                above = bare(line).lstrip("# ").strip()


def number(text: str) -> int | None:
    """The number a cell holds, whatever sign the printer used for minus."""
    found = re.fullmatch(r"\s*([+−–-]?)\s*(\d{1,6})\s*", text.replace(",", ""))
    if not found:
        return None
    return -int(found[2]) if found[1] in ("−", "–", "-") else int(found[2])
