"""Stage S3: are the assembled configs sound, and how sure is each extractor? EXTRACTION_REPORT.md says."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.text import plain_form, shorten
from freeform.ingest.systems.extract import LOW
from freeform.ingest.systems.found import SystemFindings
from freeform.ingest.things.found import EntityRegistry

Findings = Mapping[str, tuple[SystemFindings, dict[str, Any]]]


def check_configs(
    files: Mapping[str, Mapping[str, Any]],
    system: Mapping[str, Any],
    registry: EntityRegistry,
    engine_says: Sequence[str],
) -> tuple[list[str], list[str]]:
    """What is wrong with the configs and what is doubtful, against the registry and the engine's own schema."""
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
    if not system:
        warnings.append(
            "no rules system: the book does not say clearly how dice decide; play it with another system"
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
