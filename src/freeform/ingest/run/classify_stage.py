"""Stage 4 run: catalogues, what the model reads in every section, and a type and a route for each
segment."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from freeform.ingest.checkpoint import read_record_json, write_json, write_record
from freeform.ingest.model import BookSection, Segment, SegmentManifest
from freeform.ingest.ports import Progress
from freeform.ingest.run.catalogues import understood_catalogues
from freeform.ingest.run.job import BookJob, Made, looks_at
from freeform.ingest.run.reading import read_book, verdict_of
from freeform.ingest.systems.config import detect_family
from freeform.ingest.things.classify import (
    CLASSIFY,
    ClassifyInput,
    classify_segment,
    doubtful,
    settle,
)
from freeform.ingest.things.indicators import count_shape
from freeform.ingest.things.kinds import Kind
from freeform.ingest.things.matching import match_sections
from freeform.ingest.things.sections_read import read_of_sections
from freeform.ingest.things.things import SectionLook, catalogues, text_of


async def run_classify(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 4."""
    segments, sections = job.segments("segment"), job.sections()
    catalogues_found, unproved = await understood_catalogues(job, sections)
    write_json(out / "catalogues.json", [each.model_dump() for each in catalogues_found])
    inside = match_sections(segments, sections)
    book = await read_book(job, segments, progress)
    write_json(
        out / "readings.json", [row.model_dump(mode="json") for row in book.sections.values()]
    )
    looks = looks_at(sections, catalogues_found, read_of_sections(book.sections, inside))
    counted = _counted(segments, looks, inside)
    verdicts = {id: verdict_of(read) for id, read in book.sections.items()}
    batches = doubtful([segment for segment in counted if segment.id not in verdicts])
    asked = [ClassifyInput(segments=batch) for batch in batches]
    for answer in await job.crew.ask_each(CLASSIFY, asked, job.config.pack_id, progress):
        verdicts |= {verdict.id: verdict for verdict in answer.verdicts}
    corrections = job.corrections()
    settled = [
        settle(segment, verdicts.get(segment.id), corrections.get(segment.id))
        for segment in counted
    ]
    manifest = read_record_json(job.folder("segment") / "segment_manifest.json", SegmentManifest)
    entries = tuple(
        type(old).model_validate(s.model_dump(exclude={"text"}))
        for old, s in zip(manifest.segments, settled, strict=True)
    )
    write_record(out / "segment_manifest.json", manifest.model_copy(update={"segments": entries}))
    write_json(out / "sections.json", {s.id: [part.id for part in inside[s.id]] for s in segments})
    family, sure = detect_family(job.crew.config_folders, "\n".join(s.text for s in segments))
    write_json(out / "family.json", {"family": family, "confidence": sure})
    progress(len(segments), len(segments))
    types = Counter(f"{segment.content_type}".lower() for segment in settled)
    counts = {
        "segments": len(settled),
        "asked": sum(map(len, batches)),
        "read": len(book.sections),
        **types,
    }
    told = [f"{unproved} answers about lists had no quote from the book and were not used"]
    return Made(
        {key: float(value) for key, value in counts.items()},
        [*(told if unproved else []), *book.warnings()],
    )


def _counted(
    segments: Sequence[Segment],
    looks: Sequence[SectionLook],
    inside: Mapping[str, Sequence[BookSection]],
) -> list[Segment]:
    """The segments with the types that rules alone give them."""
    by_id = {look.section.id: look for look in looks}
    listed: dict[str, frozenset[Kind]] = {}
    for chapter, kind in catalogues(looks):
        if kind in ("creature", "item", "spell"):
            listed[chapter] = listed.get(chapter, frozenset()) | {kind}
    found: list[Segment] = []
    for segment in segments:
        things: Counter[Kind] = Counter()
        for section in inside[segment.id]:
            things += _things_of(by_id[section.id])
        among = listed.get(segment.chapter_id, frozenset())
        found.append(classify_segment(segment, things, among))
    return found


def _things_of(look: SectionLook) -> Counter[Kind]:
    """Words of a section that are about things, by kind."""
    section = look.section
    if look.kind is not None:
        return Counter({look.kind: len(text_of(section).split()) + len(section.title.split())})
    priced = [
        block.text
        for block in section.blocks
        if block.kind == "table" and count_shape("priced_row", block.text) > 2
    ]
    return Counter({"item": sum(len(text.split()) for text in priced)})
