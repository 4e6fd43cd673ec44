"""The making half of the suite `ingest`: sections of the right sort, things of the right kind, time
and memory.

The labels are headings and pages of the SRD 5.1 with the sort a person gave them; none of the
book's text is kept here.
"""

import json
import resource
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from freeform.core.text import plain_form
from freeform.ingest.config import IngestConfig
from freeform.ingest.ports import IngestPorts
from freeform.ingest.run.ingest import ingest
from freeform.ingest.run.job import BookJob
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.register import aliases_of

BOOK = "pdf/srd51/book.pdf"
GOLD = {
    "creature": ("5e-SRD-Monsters.json",),
    "spell": ("5e-SRD-Spells.json",),
    "item": ("5e-SRD-Magic-Items.json", "5e-SRD-Equipment.json"),
    "condition": ("5e-SRD-Conditions.json",),
    "class": ("5e-SRD-Classes.json",),
}


async def measure_making(data: Path, crew: IngestPorts) -> dict[str, Any]:
    """The whole offline pipeline on the labelled book; nothing where the book is absent."""
    if not (data / BOOK).is_file():
        return {}
    with tempfile.TemporaryDirectory(prefix="freeform-making-") as scratch:
        config = IngestConfig(pdf=str(data / BOOK), out=scratch, pack_id="srd51", name="SRD 5.1")
        began, cpu = time.perf_counter(), time.process_time()
        report = await ingest(config, crew)
        spent = {
            "pipeline_cpu_s": round(time.process_time() - cpu, 1),
            "pipeline_s": round(time.perf_counter() - began, 1),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        job = BookJob(config, crew)
        right, labelled, wrong = classified(job)
        registry = EntityRegistry.model_validate(job.read_json("enrich", "entity_registry.json"))
        recall = {kind: recall_of(registry, kind, data / "srd" / "json") for kind in GOLD}
    found = [each for each in recall.values() if each is not None]
    return {
        "classification_accuracy": round(right / labelled, 4),
        "classification_n": labelled,
        "classification_wrong": wrong,
        "entity_recall": round(sum(hit for hit, _ in found) / max(1, sum(n for _, n in found)), 4),
        "entity_recall_by_kind": {
            kind: {"recall": round(hit[0] / hit[1], 4), "n": hit[1]}
            for kind, hit in recall.items()
            if hit
        },
        "own_questions_found": {
            k.removeprefix("found_"): v for k, v in report.validation.stats.items() if "found" in k
        },
        **spent,
    }


def labels() -> list[tuple[int, str, str]]:
    """Page, heading, sort: a sample of 150 sections, drawn by chance and labelled by hand."""
    text = (files("freeform.evals.suites") / "ingest_labels.json").read_text(encoding="utf-8")
    return [(page, title, sort) for page, title, sort in json.loads(text)]


def classified(job: BookJob) -> tuple[int, int, list[str]]:
    """How many labelled sections fell into a segment of their sort; those that did not."""
    sections = job.sections()
    inside: dict[str, list[str]] = job.read_json("classify", "sections.json")
    segment_of = {part: id for id, parts in inside.items() for part in parts}
    sorts = {segment.id: segment.content_type for segment in job.segments("classify")}
    right, wrong = 0, list[str]()
    for page, title, sort in labels():
        named = [
            s
            for s in sections
            if plain_form(s.title) == plain_form(title) and abs(s.page_start - page) <= 1
        ]
        got = sorts.get(segment_of.get(named[0].id, "")) if named else None
        if got == sort:
            right += 1
        else:
            wrong.append(f"p. {page} {title}: {got or 'not found'}, labelled {sort}")
    return right, len(labels()), wrong


def recall_of(registry: EntityRegistry, kind: str, gold: Path) -> tuple[int, int] | None:
    """Found and wanted: names of the gold that are entities of that kind.

    The gold lists what a book describes once under several names (`Werebear, Bear Form`; a belt for
    each giant). Such variants are left out; a thing counts under its own name or one of its
    aliases.
    """
    there = [gold / name for name in GOLD[kind] if (gold / name).is_file()]
    if not there:
        return None
    known = {
        plain_form(name)
        for e in registry.entities
        if e.kind == kind
        for name in (e.name, *e.aliases)
    }
    rows = [row for file in there for row in json.loads(file.read_text(encoding="utf-8"))]
    names = {row["name"] for row in rows if not row.get("variant")}
    own = {name for name in names if not (" Form" in name or "diseased" in name.lower())}
    hit = sum(1 for name in own if {plain_form(form) for form in (name, *aliases_of(name))} & known)
    return hit, len(own)
