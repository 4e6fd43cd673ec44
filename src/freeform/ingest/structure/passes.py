"""The two passes of reading: what the headings of a plain book are, and where a long text should be cut."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.text import plain_form
from freeform.ingest.ports import IngestPorts
from freeform.ingest.reply import IngestReply

MOST_LINES = 400


class StructureInput(PassInput):
    """Short lines of the book, in order."""

    known_elsewhere = frozenset({"lines"})
    lines: list[str]


class Titled(IngestReply):
    """A line that is a heading, and its level: 1 for chapters."""

    title: str
    level: int = 1


class StructureOutput(IngestReply):
    """The headings among the lines."""

    headings: list[Titled] = Field(default_factory=list)


class SegmentInput(PassInput):
    """A text that is too long."""

    known_elsewhere = frozenset({"text"})
    text: str


class SegmentOutput(IngestReply):
    """How each piece after the first begins: its first words, as the text has them."""

    starts: list[str] = Field(default_factory=list)


STRUCTURE = Pass("ingest/structure", StructureInput, StructureOutput)
SEGMENT = Pass("ingest/segment", SegmentInput, SegmentOutput)


def _plain(line: str) -> str:
    """A line as it is compared: cut as it was shown, without Markdown and with single spaces."""
    return " ".join(plain_form(line[:120]).strip("#*_ .").split())


def begins(text: str, start: str) -> int:
    """Where those words stand after the beginning, whatever breaks and marks are between them; 0 where they do not."""
    words = [re.escape(word) for word in re.findall(r"\w+", start)]
    found = re.compile(r"\W+".join(words), re.I).search(text, 1) if words else None
    if found is None:
        return 0
    line = text.rfind("\n", 0, found.start()) + 1
    if text[line:].lstrip().startswith("|"):
        return 0  # a table is never cut
    return line if line and not text[line : found.start()].strip("#*_>|- ") else found.start()


def guess_with(
    crew: IngestPorts, pack_id: str
) -> Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]:
    """Asks which lines are headings, some hundreds at a time."""

    async def guess(lines: Sequence[str]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for start in range(0, len(lines), MOST_LINES):
            asked = StructureInput(lines=[line[:120] for line in lines[start : start + MOST_LINES]])
            answer = await crew.ask(STRUCTURE, asked, pack_id)
            there = {_plain(line): line for line in reversed(lines[start : start + MOST_LINES])}
            found |= {
                there[_plain(row.title)]: max(1, min(6, row.level))
                for row in answer.headings
                if _plain(row.title) in there
            }
        return found

    return guess


def split_with(crew: IngestPorts, pack_id: str) -> Callable[[str], Awaitable[Sequence[str]]]:
    """Asks where to cut, and cuts there: the words themselves are never the model's."""

    async def split(text: str) -> Sequence[str]:
        answer = await crew.ask(SEGMENT, SegmentInput(text=text), pack_id)
        pieces: list[str] = []
        rest = text
        for start in answer.starts:
            if at := begins(rest, start):
                pieces.append(rest[:at])
                rest = rest[at:]
        return [*pieces, rest]

    return split
