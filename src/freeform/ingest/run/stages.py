"""The eight stages as a table: what each needs, which settings it reads, and how it is run."""

import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freeform.ingest.checkpoint import fingerprint, read_record_json, write_json, write_record
from freeform.ingest.config import IngestConfig, shown_name
from freeform.ingest.model import (
    BookSection,
    ContentType,
    ExtractOptions,
)
from freeform.ingest.pack.assemble import assemble, manifest_of
from freeform.ingest.pack.entries import plan_entries
from freeform.ingest.pack.guidance import (
    BATCH,
    GUIDANCE,
    GuidanceInput,
    GuidanceNote,
    find_advice,
    noted,
)
from freeform.ingest.pack.questions import questions_of
from freeform.ingest.pack.validate import (
    NO_RULEBOOK,
    understanding_errors,
    understanding_warnings,
    validate,
)
from freeform.ingest.pack.writing import enriched_files, guidance_files
from freeform.ingest.page.extract import extract
from freeform.ingest.ports import Progress
from freeform.ingest.run.classify_stage import run_classify
from freeform.ingest.run.job import BookJob, Made
from freeform.ingest.structure.passes import guess_with, split_with
from freeform.ingest.structure.segment import segment as cut_segments
from freeform.ingest.structure.structure import find_structure
from freeform.ingest.systems.config import BASE
from freeform.ingest.systems.extract import RulesText
from freeform.ingest.systems.stage import run_systems
from freeform.ingest.things.block_numbers import stat_blocks_in
from freeform.ingest.things.enrich import (
    TOO_LONG,
    Summed,
    find_entities,
    sum_up,
    things_of,
)
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.indicators import speaks_of_play
from freeform.ingest.things.sections_read import read_entities, rules_marked, stated
from freeform.ingest.things.things import SectionLook, text_of

Run = Callable[[BookJob, Path, Progress], Awaitable[Made]]


@dataclass(frozen=True)
class Stage:
    """A row of the table. `version` goes up when the same inputs give other outputs."""

    name: str
    needs: tuple[str, ...]
    run: Run
    reads: tuple[str, ...] = ()
    version: int = 1
    also: Callable[[BookJob], dict[str, Any]] = lambda job: {}

    def settings(self, job: BookJob) -> dict[str, Any]:
        """The settings its outputs depend on."""
        told = job.config.model_dump(mode="json", include=set(self.reads))
        return {**told, **self.also(job)}

    def wanted(self, config: IngestConfig) -> bool:
        """Whether it is to be done at all."""
        return self.name != "systems" or config.systems


async def run_extract(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 1."""
    config, crew = job.config, job.crew
    options = ExtractOptions(page_ranges=config.page_ranges, ocr=config.ocr, images=config.images)
    async with crew.reader.open(Path(config.pdf)) as book:
        result = await extract(
            book, out, options, ocr=crew.ocr, progress=progress, reader=crew.reader.name
        )
    write_record(out / "extraction.json", result)
    counts = {
        "pages": result.pages_read,
        "words": result.word_count,
        "doubtful_pages": len(result.doubtful_pages),
    }
    return Made({key: float(value) for key, value in counts.items()}, list(result.warnings))


async def run_structure(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 2."""
    guess = guess_with(job.crew, job.config.pack_id)
    found = await find_structure(
        job.folder("extract"), out, guess=guess, progress=progress, name=job.book_title()
    )
    counts = {"chapters": float(len(found.chapters)), "headings": float(len(found.headings))}
    return Made(
        counts, [] if found.chapters else ["no headings were found; the book is one chapter"]
    )


async def run_segment(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 3."""
    split = split_with(job.crew, job.config.pack_id)
    manifest = await cut_segments(job.folder("structure"), out, split=split, progress=progress)
    counts = {
        "segments": len(manifest.segments),
        "words": manifest.total_words,
        "filtered": len(manifest.filtered),
    }
    none = (
        ["no text was left to cut; look at the pages of stage 1"] if not manifest.segments else []
    )
    return Made({key: float(value) for key, value in counts.items()}, none)


async def run_enrich(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 5."""
    config, crew = job.config, job.crew
    segments, sections, readings = job.segments("classify"), job.sections(), job.readings()
    looks = job.looks()
    things = things_of(looks, stat_blocks_in(sections), job.catalogues())
    pages = {segment.id: segment.page_start for segment in segments}
    read = read_entities(readings.values(), pages)
    unread = [segment for segment in segments if segment.id not in readings]
    registry = await find_entities(
        [*things, *read], unread, sections, crew, config.pack_id, progress
    )
    registry = stated(registry, readings.values(), pages)
    summed = await sum_up(unread, crew, config.pack_id, progress)
    summed |= {
        id: Summed(id=id, summary=row.summary, tags=row.tags) for id, row in readings.items()
    }
    segment_of = {section: id for id, parts in job.inside().items() for section in parts}
    types = {s.id: s.content_type for s in segments}
    content: dict[str, ContentType] = {
        section: kind for section, id in segment_of.items() if (kind := types.get(id)) is not None
    }
    notes = await _advice(job, sections)
    planned = plan_entries(
        [look for look in looks if look.section.id in segment_of or look.kind], content
    )
    book, name = job.book_title(), shown_name(Path(config.pdf))
    files = enriched_files(planned, registry, summed, segment_of, book, name) | guidance_files(
        notes, book, name
    )
    warnings = []
    for path, text in files.items():
        target = out / "enriched" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if len(text.split()) > TOO_LONG:
            warnings.append(f"{path} has {len(text.split())} words; a reader may want it in parts")
    write_record(out / "entity_registry.json", registry)
    write_json(out / "gm_guidance.json", [note.model_dump() for note in notes])
    counts = {
        "entities": len(registry.entities),
        "files": len(files),
        "advice": len(notes),
        **registry.counts(),
    }
    return Made({key: float(value) for key, value in counts.items()}, warnings)


async def _advice(job: BookJob, sections: Sequence[BookSection]) -> list[GuidanceNote]:
    config = job.extraction_config().extraction.gm_guidance
    found = find_advice(sections, config)
    notes: list[GuidanceNote] = []
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        asked = GuidanceInput(
            pieces=[advice for _, advice, _ in batch], categories=sorted(config.categories)
        )
        answer = await job.crew.ask(GUIDANCE, asked, job.config.pack_id)
        rows = {row.id: row for row in answer.pieces}
        for section, advice, sure in batch:
            if note := noted(section, advice, sure, rows.get(advice.id), config.categories):
                notes.append(note)
    return notes


async def run_assemble(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 6."""
    family = job.config.system_hint or str(job.read_json("classify", "family.json")["family"])
    pages = len(job.page_map())
    manifest = manifest_of(
        job.config, job.book_title(), pages, "" if family == BASE else family, job.license()
    )
    pack = assemble(job.folder("enrich") / "enriched", manifest, out / job.config.pack_id, progress)
    return Made(
        {"entries": float(len(pack.entries))}, [str(problem) for problem in pack.errors[:20]]
    )


async def run_validate(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 7."""
    registry = read_record_json(job.folder("enrich") / "entity_registry.json", EntityRegistry)
    questions = questions_of(job.structure(), job.sections(), registry, job.config.pack_id)
    scratch = out / "scratch"
    pack = job.folder("assemble") / job.config.pack_id
    checked, asked = await validate(
        pack, questions, scratch, job.crew.new_index(), job.crew.clock, progress
    )
    shutil.rmtree(scratch, ignore_errors=True)
    write_json(out / "questions.json", [one.model_dump() for one in asked])
    told = understanding_warnings(job.catalogues(), job.structure(), registry)
    if not speaks_of_play(text_of(section) for section in job.sections()):
        told.insert(0, NO_RULEBOOK)
    wrong = [*understanding_errors(job.structure(), registry), *checked.errors]
    checked = checked.model_copy(
        update={"ok": not wrong, "errors": wrong, "warnings": [*told, *checked.warnings]}
    )
    write_record(out / "validation_report.json", checked)
    return Made({"questions": float(len(asked)), **checked.stats}, checked.warnings[:20])


async def run_systems_stage(job: BookJob, out: Path, progress: Progress) -> Made:
    """Stage 8, S1 to S3."""
    sections = job.sections()
    looks = job.looks()
    registry = read_record_json(job.folder("enrich") / "entity_registry.json", EntityRegistry)
    marked = rules_marked(job.readings().values())
    text = RulesText(job.segments("classify"), _listed(job, looks), marked)
    counts, warnings = await run_systems(
        job.config,
        job.crew,
        out,
        text,
        sections,
        looks,
        registry,
        job.extraction_config(),
        job.book_title(),
        progress,
    )
    return Made(counts, warnings)


def _listed(job: BookJob, looks: Sequence[SectionLook]) -> frozenset[str]:
    """Segments that mostly list creatures, wares or powers."""
    kinds = {look.section.id: look.kind for look in looks}
    inside = job.inside()
    named = ("creature", "item", "spell")
    blocks = {
        entry.id for entry in job.segments("classify") if entry.stat_blocks or entry.is_stat_block
    }
    return frozenset(blocks) | frozenset(
        id
        for id, parts in inside.items()
        if parts and sum(kinds.get(part) in named for part in parts) > 0.5 * len(parts)
    )


def _configs(job: BookJob) -> dict[str, Any]:
    """The extraction configs as they lie there: a changed one makes what depends on it anew."""
    folders = [*job.crew.config_folders, job.config.target]
    files = [
        file for folder in folders if folder.is_dir() for file in sorted(folder.glob("*.yaml"))
    ]
    kept = [
        file for file in files if file.parent != job.config.target or file.name == "extraction.yaml"
    ]
    return {
        "configs": fingerprint(
            "configs", 1, {}, [file.read_text(encoding="utf-8") for file in kept]
        )
    }


def _reader(job: BookJob) -> dict[str, Any]:
    return {"reader": job.crew.reader.name}


def _corrected(job: BookJob) -> dict[str, Any]:
    return {
        "corrections": {
            id: row.model_dump(mode="json") for id, row in sorted(job.corrections().items())
        },
        "catalogues": {
            id: row.model_dump(mode="json")
            for id, row in sorted(job.catalogue_corrections().items())
        },
    }


_BOOK = ("name", "pack_id")
TABLE: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage(
            "extract", (), run_extract, ("page_ranges", "ocr", "images"), version=6, also=_reader
        ),
        Stage("structure", ("extract",), run_structure, ("model",), version=7),
        Stage("segment", ("structure",), run_segment, ("model",)),
        Stage("classify", ("segment",), run_classify, ("model",), version=8, also=_corrected),
        Stage(
            "enrich",
            ("classify",),
            run_enrich,
            (*_BOOK, "model", "system_hint"),
            version=5,
            also=_configs,
        ),
        Stage(
            "assemble",
            ("enrich",),
            run_assemble,
            (
                *_BOOK,
                "version",
                "layer",
                "author",
                "description",
                "genre",
                "license",
                "system_hint",
            ),
            version=2,
        ),
        Stage("validate", ("assemble",), run_validate, version=4),
        Stage(
            "systems",
            ("enrich",),
            run_systems_stage,
            (*_BOOK, "genre", "model", "system_hint"),
            version=6,
            also=_configs,
        ),
    )
}
