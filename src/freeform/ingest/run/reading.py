"""Every section shown to the model once, whole, within what a reading may take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freeform.ingest.model import Segment
from freeform.ingest.ports import Progress
from freeform.ingest.run.job import BookJob
from freeform.ingest.systems.passes import EXTRACTORS
from freeform.ingest.things.classify import KindVerdict
from freeform.ingest.things.kinds import KINDS
from freeform.ingest.things.sections_read import (
    READ,
    SectionRead,
    SectionShown,
    SectionsReadInput,
    proved,
    shown_whole,
    tokens_of,
)


@dataclass(frozen=True)
class BookRead:
    """What was read, by segment, and what did not come of it."""

    sections: Mapping[str, SectionRead]
    shown: int
    unproved: int
    """Statements that no words of the section bear out."""
    beyond: int
    """Segments that would have taken more tokens than a reading may."""

    @property
    def unread(self) -> int:
        """Segments that were shown and not answered: the model failed, or left them out."""
        return self.shown - len(self.sections)

    def warnings(self) -> list[str]:
        """What a person should know of it."""
        told = []
        if self.unread:
            told.append(
                f"{self.unread} of {self.shown} sections that were shown to the model have no "
                "answer:"
                " what was counted stands for them; once it answers again, --from-stage classify"
                " asks for these alone"
            )
        if self.unproved:
            told.append(
                f"{self.unproved} statements of the model had no words of the book behind them"
                " and were not used"
            )
        if self.beyond:
            told.append(
                f"{self.beyond} sections were not shown to the model: more tokens than the setting"
                " ingest_tokens allows; raise it and run again with --from-stage classify"
            )
        return told


async def read_book(job: BookJob, segments: Sequence[Segment], progress: Progress) -> BookRead:
    """What the model reads. The offline model reads nothing here: what was counted stands."""
    if job.config.model == "offline":
        return BookRead({}, 0, 0, 0)
    batches, beyond = _within(list(shown_whole(segments)), job.crew.reading_tokens)
    rules = [extractor.key for extractor in EXTRACTORS]
    asked = [SectionsReadInput(sections=batch, kinds=list(KINDS), rules=rules) for batch in batches]
    answers = await job.crew.ask_each(READ, asked, job.config.pack_id, progress)
    found: dict[str, SectionRead] = {}
    unproved = 0
    for batch, answer in zip(batches, answers, strict=True):
        by_id = {shown.id: shown for shown in batch}
        for read in answer.sections:
            if read.id in by_id:
                found[read.id], without = proved(read, by_id[read.id])
                unproved += without
    return BookRead(found, sum(map(len, batches)), unproved, beyond)


def _within(
    batches: Sequence[list[SectionShown]], most: int
) -> tuple[list[list[SectionShown]], int]:
    """The batches that may be shown, from the beginning, and how many sections are beyond them."""
    kept: list[list[SectionShown]] = []
    tokens = 0
    for batch in batches:
        tokens += tokens_of(batch)
        if most and tokens > most:
            break
        kept.append(batch)
    return kept, sum(map(len, batches)) - sum(map(len, kept))


def verdict_of(read: SectionRead) -> KindVerdict:
    """What sort of section it is, as was read."""
    return KindVerdict(
        id=read.id, content_type=read.content_type, route=read.route, confidence=read.confidence
    )
