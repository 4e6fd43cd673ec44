"""The two passes of reading: what the headings of a plain book are, and where a long text should be cut."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import Field

from freeform.core.gateway import Pass, PassInput
from freeform.core.record import Reply
from freeform.ingest.crew import Crew

MOST_LINES = 400


class StructureInput(PassInput):
    """Short lines of the book, in order."""

    known_elsewhere = frozenset({"lines"})
    lines: list[str]


class Titled(Reply):
    """A line that is a heading, and its level: 1 for chapters."""

    title: str
    level: int = 1


class StructureOutput(Reply):
    """The headings among the lines."""

    headings: list[Titled] = Field(default_factory=list)


class SegmentInput(PassInput):
    """A text that is too long."""

    known_elsewhere = frozenset({"text"})
    text: str


class SegmentOutput(Reply):
    """How each piece after the first begins: its first words, as the text has them."""

    starts: list[str] = Field(default_factory=list)


STRUCTURE = Pass("ingest/structure", StructureInput, StructureOutput)
SEGMENT = Pass("ingest/segment", SegmentInput, SegmentOutput)


def guess_with(crew: Crew, pack_id: str) -> Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]:
    """Asks which lines are headings, some hundreds at a time."""

    async def guess(lines: Sequence[str]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for start in range(0, len(lines), MOST_LINES):
            asked = StructureInput(lines=[line[:120] for line in lines[start : start + MOST_LINES]])
            answer = await crew.ask(STRUCTURE, asked, pack_id)
            found |= {row.title: max(1, min(6, row.level)) for row in answer.headings if row.title in lines}
        return found

    return guess


def split_with(crew: Crew, pack_id: str) -> Callable[[str], Awaitable[Sequence[str]]]:
    """Asks where to cut, and cuts there: the words themselves are never the model's."""

    async def split(text: str) -> Sequence[str]:
        answer = await crew.ask(SEGMENT, SegmentInput(text=text), pack_id)
        pieces: list[str] = []
        rest = text
        for start in answer.starts:
            at = rest.find(start.strip(), 1) if start.strip() else -1
            if at > 0:
                pieces.append(rest[:at])
                rest = rest[at:]
        return [*pieces, rest]

    return split
