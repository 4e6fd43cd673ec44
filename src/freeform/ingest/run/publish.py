"""The end of an ingest: the pack in its place (or the draft, with what a person should look at),
and the report."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile, UserError
from freeform.ingest.checkpoint import read_meta, read_record_json
from freeform.ingest.config import IngestReport, StageRow, shown_name
from freeform.ingest.model import SegmentManifest
from freeform.ingest.pack.guidance import GuidanceNote, review_file
from freeform.ingest.run.job import BookJob
from freeform.ingest.things.found import EntityRegistry
from freeform.packs.folder.build import in_one_step
from freeform.packs.folder.manifest import read_manifest
from freeform.packs.model import Findings

MARKERS = ("REVIEW_NEEDED.md", "DRAFT_README.md", "gm_guidance_review.md", "EXTRACTION_REPORT.md")
"""Files of a draft that are for its reader and do not go into the pack."""
DOUBT = 0.7


def publish(job: BookJob) -> Path:
    """Writes the pack's folder whole or not at all: the assembled files, its rules, and a draft's
    papers."""
    config, target = job.config, job.config.target
    source = job.folder("assemble") / config.pack_id
    with in_one_step(target) as made:
        shutil.copytree(source, made, dirs_exist_ok=True)
        if config.systems:
            for folder in ("systems", "scenarios"):
                if (job.folder("systems") / "pack" / folder).is_dir():
                    shutil.copytree(
                        job.folder("systems") / "pack" / folder, made / folder, dirs_exist_ok=True
                    )
        if config.draft:
            for name, text in _papers(job).items():
                (made / name).write_text(text, encoding="utf-8")
    return target


def _papers(job: BookJob) -> dict[str, str]:
    book = job.book_title()
    notes = [
        GuidanceNote.model_validate(row) for row in job.read_json("enrich", "gm_guidance.json")
    ]
    papers = {
        "REVIEW_NEEDED.md": review_needed(job),
        "DRAFT_README.md": _readme(job),
        "gm_guidance_review.md": review_file([note for note in notes if note.universal], book),
    }
    if job.config.systems:
        report = job.folder("systems") / "EXTRACTION_REPORT.md"
        papers["EXTRACTION_REPORT.md"] = report.read_text(encoding="utf-8")
    return papers


def review_needed(job: BookJob) -> str:
    """What a person should look at before the pack is used, most doubtful first."""
    lines = [f"# To be looked at in {job.config.name}"]
    checked = job.validation()
    for title, rows in (
        ("Errors of the check", checked.errors),
        ("Warnings of the check", checked.warnings),
    ):
        if rows:
            lines += ["", f"## {title}", "", *(f"- [ ] {row}" for row in rows[:100])]
    pages = [
        row
        for row in job.page_map()
        if row.get("doubts") or row.get("doubtful_glyphs") or row.get("image_only")
    ]
    if pages:
        lines += ["", "## Pages", ""]
        for row in pages:
            why = "; ".join(row.get("doubts") or ()) or (
                "a picture" if row.get("image_only") else "unknown glyphs"
            )
            lines.append(f"- [ ] page {row['page_num']}: {why}")
    manifest = read_record_json(job.folder("classify") / "segment_manifest.json", SegmentManifest)
    unsure = sorted(
        (s for s in manifest.segments if s.confidence < DOUBT), key=lambda s: s.confidence
    )
    if unsure:
        lines += ["", f"## Sections of which the sort is doubtful ({len(unsure)})", ""]
        for s in unsure[:200]:
            kind = f"{s.content_type}/{s.route}"
            lines.append(
                f"- [ ] {s.id} '{s.title}', page {s.page_start}: taken as {kind} ({s.confidence:.0%})"
            )
    registry = read_record_json(job.folder("enrich") / "entity_registry.json", EntityRegistry)
    weak = sorted((e for e in registry.entities if e.confidence < 0.6), key=lambda e: e.confidence)
    if weak:
        lines += ["", f"## Names of which the kind is doubtful ({len(weak)})", ""]
        lines += [
            f"- [ ] {e.name}, page {e.page}: taken as {e.kind} ({e.confidence:.0%})"
            for e in weak[:200]
        ]
    low = {key: told for key, told in systems_of(job).items() if told["confidence"] < 0.5}
    if low:
        lines += ["", "## Rules of which the finding is doubtful", ""]
        lines += [f"- [ ] {key} ({told['confidence']:.0%})" for key, told in low.items()]
    if job.license() is None:
        lines += [
            "",
            "## Licence",
            "",
            "- [ ] none is known; the pack is marked private (give one with --license)",
        ]
    if len(lines) == 1:
        lines += [
            "",
            "Nothing stood out. A look at a few entries beside the book is still worth its time.",
        ]
    return "\n".join([*lines, ""])


def _readme(job: BookJob) -> str:
    config = job.config
    return "\n".join(
        [
            f"# Draft of {config.name}",
            "",
            f"Made from `{shown_name(Path(config.pdf))}`. It is a pack like any other, but nobody has looked at it yet.",
            "",
            "1. Read `REVIEW_NEEDED.md` and put right what is wrong, in the files themselves.",
            "2. Read `EXTRACTION_REPORT.md`: what was taken from the rules, and how sure that is.",
            "3. Read `gm_guidance_review.md`: advice that may hold at any table.",
            f"4. Check it: `freeform-rpg pack validate {config.target.name}`.",
            f"5. Accept it: `freeform-rpg promote-draft {config.target}`. These papers are left behind.",
            "",
        ]
    )


def systems_of(job: BookJob) -> dict[str, dict[str, Any]]:
    """Extractor -> confidence and fields, as the last systems stage left them."""
    if not job.config.systems:
        return {}
    found = job.read_json("systems", "confidence.json")
    return {
        key: {"confidence": told["confidence"], "fields": told["fields"]}
        for key, told in found.items()
    }


def report_on(job: BookJob, rows: Sequence[StageRow], *, seconds: float) -> IngestReport:
    """Everything one wants to know of the run."""
    config = job.config
    counts = {row.name: row.counts for row in rows}
    systems = config.target / "systems" / f"{config.pack_id}.yaml"
    notes = list(job.crew.degraded)
    license = job.license()
    if license is not None and config.license is None:
        notes.append(f"the licence ({license.type}) was read from the book; look at it yourself")
    if license is None:
        notes.append(
            "no licence is known: the pack is marked private and is for your own table; see --license"
        )
    used = job.crew.used
    return IngestReport(
        pack=config.pack_id,
        path=str(config.target),
        work=str(config.work),
        draft=config.draft,
        pages=int(counts["extract"].get("pages", 0)),
        segments=int(counts["segment"].get("segments", 0)),
        entities=int(counts["enrich"].get("entities", 0)),
        stages=list(rows),
        validation=job.validation(),
        systems=systems_of(job),
        system=config.pack_id if config.systems and systems.is_file() else "",
        license=license,
        private=license is None,
        seconds=seconds,
        usage={
            "calls": used.calls,
            "input_tokens": used.input_tokens,
            "output_tokens": used.output_tokens,
            "cost_usd": used.cost_usd,
        },
        notes=notes,
    )


def promotable(folder: Path) -> str:
    """The id of the draft in that folder. BadFile when it is none."""
    if not folder.is_dir():
        raise BadFile(
            str(folder), "there is no such folder; give the draft's, such as draft/my_book"
        )
    if not (folder / "pack.yaml").is_file():
        raise BadFile(
            str(folder),
            "holds no pack.yaml, so it is no draft of a pack; run pack-ingest --draft first",
        )
    return read_manifest(folder, Findings()).id


def promote(folder: Path, target: Path) -> list[str]:
    """Copies a draft without its papers to `target`; the names of what was left behind."""
    promotable(folder)
    if target.exists():
        raise UserError(f"{target} exists already; remove it, or choose another folder")
    left = [name for name in MARKERS if (folder / name).is_file()]
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        shutil.copytree(
            folder, made, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*MARKERS, ".*")
        )
        made.chmod(0o755)
        os.rename(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return left


def finished(folder: Path) -> bool:
    """Whether a stage's folder is whole."""
    return read_meta(folder) is not None
