"""Stage 3, Segment: sections become pieces of 150 to 2,000 words, about 600 each.

In order: cut at headings; merge what is small and split what is large; split at paragraphs; and for
a long mixed passage without headings ask the pass. A stat block is never split. META sections are
left out. Streams by chapter.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from freeform.ingest.model import (
    Block,
    BookSection,
    ChapterIntent,
    DocumentStructure,
    Segment,
    SegmentEntry,
    SegmentManifest,
    SegmentOptions,
)
from freeform.ingest.ports import Progress
from freeform.ingest.structure.splitting import Unit, cut, split_unit
from freeform.ingest.things.statblocks import find_stat_blocks, names_a_part

#: The segment pass: a long text goes in, its pieces come out, together the same words.
Split = Callable[[str], Awaitable[Sequence[str]]]


def load_sections(folder: Path) -> Iterator[BookSection]:
    """The sections stage 2 wrote, in order."""
    with (folder / "sections.jsonl").open(encoding="utf-8") as file:
        for row in file:
            yield BookSection.model_validate_json(row)


def load_structure(folder: Path) -> DocumentStructure:
    """What stage 2 found."""
    return DocumentStructure.model_validate_json(
        (folder / "structure.json").read_text(encoding="utf-8")
    )


def load_segments(folder: Path) -> list[Segment]:
    """The segments stage 3 wrote, as the manifest has them now, with their text."""
    manifest = SegmentManifest.model_validate_json(
        (folder / "segment_manifest.json").read_text(encoding="utf-8")
    )
    return [
        Segment(**entry.model_dump(), text=(folder / entry.file).read_text(encoding="utf-8"))
        for entry in manifest.segments
    ]


async def segment(
    structured: Path,
    out: Path,
    options: SegmentOptions | None = None,
    *,
    split: Split | None = None,
    progress: Progress | None = None,
) -> SegmentManifest:
    """Reads stage 2's folder, writes segment_manifest.json and segments/*.md."""
    options = options or SegmentOptions()
    structure = load_structure(structured)
    titles = {chapter.id: chapter.title for chapter in structure.chapters}
    (out / "segments").mkdir(parents=True, exist_ok=True)
    entries: list[SegmentEntry] = []
    filtered: list[str] = []
    chapters = groupby(load_sections(structured), key=lambda section: section.chapter_id)
    for done, (chapter_id, rows) in enumerate(chapters, start=1):
        sections = list(rows)
        left_out = [section for section in sections if section.intent == ChapterIntent.META]
        filtered += [section.title for section in left_out]
        kept = [section for section in sections if section.intent != ChapterIntent.META]
        for unit in await _cut_chapter(kept, options, split):
            made = _segment(unit, len(entries) + 1, chapter_id, titles.get(chapter_id, chapter_id))
            (out / made.file).write_text(made.text, encoding="utf-8")
            entries.append(SegmentEntry.model_validate(made.model_dump(exclude={"text"})))
        if progress:
            progress(done, len(titles))
    manifest = _manifest(entries, filtered)
    write_manifest(out, manifest)
    return manifest


def write_manifest(out: Path, manifest: SegmentManifest) -> None:
    """segment_manifest.json; stage 4 writes it again with its verdicts."""
    text = json.dumps(manifest.model_dump(mode="json"), indent=1, ensure_ascii=False)
    (out / "segment_manifest.json").write_text(text, encoding="utf-8")


async def _cut_chapter(
    sections: Sequence[BookSection], options: SegmentOptions, split: Split | None
) -> list[Unit]:
    whole = _units(sections)
    if all(len(unit.blocks) == 1 for unit in whole):
        return []  # a title page: headings with nothing below them
    pieces: list[Unit] = []
    for unit in cut(whole, options):
        if unit.words <= options.max_words or unit.stat_block:
            pieces.append(unit)
        elif split is not None and unit.mixed:
            pieces += await _ask(unit, options, split)
        else:
            pieces += split_unit(unit, options)
    return pieces


async def _ask(unit: Unit, options: SegmentOptions, split: Split) -> list[Unit]:
    """The pass's pieces, if together they are the text that went in; else paragraphs."""
    texts = [block.text for block in unit.blocks]
    answer = [piece for piece in await split("\n\n".join(texts)) if piece.strip()]
    if "".join("".join(answer).split()) != "".join("".join(texts).split()) or len(answer) < 2:
        return split_unit(unit, options)
    pieces, at = [], 0
    for piece in answer:
        size, taken, start = len("".join(piece.split())), 0, at
        while at < len(texts) and taken < size:
            taken += len("".join(texts[at].split()))
            at += 1
        if unit.blocks[start:at]:
            pieces.append(unit.part(unit.blocks[start:at]))
    return pieces if len(pieces) > 1 else split_unit(unit, options)


def _units(sections: Iterable[BookSection]) -> list[Unit]:
    """One unit a section; the parts of a stat block that have headings of their own stay with
    it."""
    units: list[Unit] = []
    for section in sections:
        head = Block(
            kind="heading",
            text=section.title,
            page_start=section.page_start,
            page_end=section.page_start,
            level=section.level,
        )
        blocks = (head, *section.blocks)
        if units and units[-1].stat_block and names_a_part(section.title):
            units[-1] = units[-1].plus(blocks)
            continue
        unit = Unit(
            title=section.title,
            path=section.heading_path,
            level=section.level,
            blocks=blocks,
            intent=section.intent,
        )
        units.append(unit.marked(bool(find_stat_blocks(unit.markdown()))))
    return units


def _segment(unit: Unit, number: int, chapter_id: str, chapter_title: str) -> Segment:
    text = unit.markdown()
    names = tuple(block.name for block in find_stat_blocks(text))
    words = unit.words
    return Segment(
        id=f"seg_{number:04}",
        title=unit.title,
        heading_path=unit.path,
        page_start=min(block.page_start for block in unit.blocks),
        page_end=max(block.page_end for block in unit.blocks),
        word_count=words,
        chapter_id=chapter_id,
        chapter_title=chapter_title,
        intent=unit.intent,
        file=f"segments/seg_{number:04}.md",
        is_stat_block=bool(names) and unit.stat_block,
        stat_blocks=names,
        tables=sum(1 for block in unit.blocks if block.kind == "table"),
        text=text,
    )


def _manifest(entries: Sequence[SegmentEntry], filtered: Sequence[str]) -> SegmentManifest:
    sizes = [entry.word_count for entry in entries]
    return SegmentManifest(
        segments=tuple(entries),
        total_words=sum(sizes),
        filtered=tuple(filtered),
        smallest=min(sizes, default=0),
        largest=max(sizes, default=0),
        average=round(sum(sizes) / len(sizes), 1) if sizes else 0.0,
    )
