"""Stage 8, Systems: S1 extract, S2 assemble, S3 validate, and what of it goes into the pack."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from freeform.core.text import plain_form, shorten
from freeform.core.yamlfile import write_tree
from freeform.ingest.checkpoint import write_json
from freeform.ingest.config import IngestConfig
from freeform.ingest.model import BookSection
from freeform.ingest.ports import IngestPorts, Progress
from freeform.ingest.systems.assemble import assemble_files, assemble_system
from freeform.ingest.systems.config import ExtractionConfig
from freeform.ingest.systems.extract import LOW, RulesText, extract_systems, known_of
from freeform.ingest.systems.foes import foes_of, rule_sentences
from freeform.ingest.systems.found import SystemFindings
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.things import SectionLook, text_of

Findings = Mapping[str, tuple[SystemFindings, dict[str, Any]]]


def check_configs(
    files: Mapping[str, Mapping[str, Any]],
    system: Mapping[str, Any],
    registry: EntityRegistry,
    engine_says: Sequence[str],
) -> tuple[list[str], list[str]]:
    """What is wrong with the configs and what is doubtful, against the registry and the engine's
    own schema."""
    errors = [f"system: {line}" for line in engine_says]
    warnings: list[str] = []
    known = {plain_form(name) for name in registry.by_name()}
    templates = files["entity_templates.yaml"].get("templates", {})
    strange = [row["name"] for row in templates.values() if plain_form(row["name"]) not in known]
    if strange:
        warnings.append(
            f"entity_templates.yaml: {len(strange)} names are not in the registry, such as {strange[0]}"
        )
    conditions = files["conditions_config.yaml"].get("conditions", {})
    empty = [row["name"] for row in conditions.values() if not row["effects"]]
    if empty:
        warnings.append(f"conditions_config.yaml: no rules were found for {', '.join(empty[:5])}")
    how = files["resolution_mapping.yaml"].get("found", {})
    usual = system.get("resolution", {}).get("difficulty_default")
    if usual and not (how.get("difficulty_default") or how.get("difficulties")):
        warnings.append(
            f"the book gives no usual number for its dice to reach: {usual} is ours, not the book's"
        )
    if not system:
        why = how.get("why_not", "")
        warnings.append(
            "no rules system: the book does not say clearly how dice decide"
            f"{f' ({why})' if why else ''}; play it with another system"
        )
    return errors, warnings


def extraction_report(
    book: str,
    found: Findings,
    family: str,
    sources: Sequence[str],
    errors: Sequence[str],
    warnings: Sequence[str],
) -> str:
    """The report as Markdown."""
    lines = [
        f"# Rules taken from {book}",
        "",
        f"Family of games: `{family}` (configs: {' -> '.join(sources)}).",
        "",
        "## Extractor Results",
        "",
        "| Extractor | Confidence | Fields | Pages |",
        "|-----------|------------|--------|-------|",
    ]
    for key, (finding, told) in found.items():
        sure = f"{told['confidence']:.0%}{' (low)' if told['confidence'] < LOW else ''}"
        pages = ", ".join(str(each.page) for each in finding.evidence[:4] if each.page) or "-"
        lines.append(f"| {key} | {sure} | {told['fields']} | {pages} |")
    lines += ["", "## Where it stands", ""]
    for key, (finding, _) in found.items():
        for each in finding.evidence[:2]:
            if each.quote:
                lines.append(f"- {key}, page {each.page}: {shorten(each.quote, 120)}")
    for title, rows in (("Errors", errors), ("Warnings", warnings)):
        if rows:
            lines += ["", f"## {title}", "", *(f"- {row}" for row in rows)]
    return "\n".join([*lines, ""])


async def run_systems(
    config: IngestConfig,
    crew: IngestPorts,
    out: Path,
    text: RulesText,
    sections: Sequence[BookSection],
    looks: Sequence[SectionLook],
    registry: EntityRegistry,
    hints: ExtractionConfig,
    book: str,
    progress: Progress,
) -> tuple[dict[str, float], list[str]]:
    """Writes extract/*.yaml, assemble/*.yaml, validate/report.json, EXTRACTION_REPORT.md and
    pack/."""
    known = known_of(registry, looks, sections)
    found = await extract_systems(text, known, hints, book, crew, config.pack_id, progress)
    for key, (finding, told) in found.items():
        _write(
            out / "extract" / f"{key}.yaml",
            {**finding.model_dump(exclude={"confidence"}), "_extraction_metadata": told},
        )
    system = assemble_system(config, found, hints.id)
    if system and system.get("health", {}).get("track_type", "points") == "points":
        told_of = {section.id: text_of(section) for section in sections}
        rules = rule_sentences(text)
        foes = foes_of(registry, system["resolution"], hints.extraction.stat_blocks, told_of, rules)
        system |= {**foes, "health": system.get("health", {}) | foes["health"]} if foes else {}
    files = assemble_files(config, found, system, registry, book)
    for name, data in files.items():
        _write(out / "assemble" / name, data)
    if system:
        _write(out / "assemble" / "engine_system.yaml", system)
    errors, warnings = check_configs(
        files, system, registry, crew.check_system(system) if system else []
    )
    write_json(
        out / "validate" / "report.json", {"ok": not errors, "errors": errors, "warnings": warnings}
    )
    report = extraction_report(book, found, hints.id, hints.sources, errors, warnings)
    (out / "EXTRACTION_REPORT.md").write_text(report, encoding="utf-8")
    write_json(out / "confidence.json", {key: told for key, (_, told) in found.items()})
    if system and not errors:
        _write(out / "pack" / "systems" / f"{config.pack_id}.yaml", system)
        _write(
            out / "pack" / "scenarios" / f"{config.pack_id}.yaml", files["scenario_fragment.yaml"]
        )
    low = sum(1 for _, told in found.values() if told["confidence"] < LOW)
    counts = {
        "extractors": len(found),
        "low_confidence": low,
        "playable": float(bool(system and not errors)),
    }
    return {key: float(value) for key, value in counts.items()}, [*errors, *warnings]


def _write(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_tree(_plain(data), width=110), encoding="utf-8")


def _plain(data: Any) -> Any:
    """Tuples as lists: YAML has no other."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data
