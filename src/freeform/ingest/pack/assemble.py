"""Stage 6: the enriched files become a pack in the format of all packs, with its manifest and its
licence."""

from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile
from freeform.core.yamlfile import BadYaml
from freeform.ingest.checkpoint import digest_file
from freeform.ingest.config import IngestConfig, shown_name
from freeform.ingest.ports import Progress
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.frontmatter import parse_text
from freeform.packs.folder.synonyms import REFS
from freeform.packs.model import FOLDERS, TYPES, ContentPackManifest, EntryType, License, Pack

PRIVATE = "private"
"""The tag of a pack without a known licence."""


def manifest_of(
    config: IngestConfig, book: str, pages: int, system: str, license: License | None
) -> ContentPackManifest:
    """pack.yaml. Without a licence the pack is marked private."""
    private = license is None
    description = config.description or f"Made from {book} ({pages} pages)."
    return ContentPackManifest(
        id=config.pack_id,
        name=config.name,
        version=config.version,
        genre=config.genre,
        layer=config.layer,
        license=license,
        description=description,
        author=config.author,
        system=system,
        tags=["ingested", *([PRIVATE] if private else [])],
        extra={
            "source": book,
            "source_file": shown_name(Path(config.pdf)),
            "source_digest": digest_file(Path(config.pdf)),
            **({PRIVATE: True} if private else {}),
        },
    )


def assemble(
    enriched: Path, manifest: ContentPackManifest, target: Path, progress: Progress
) -> Pack:
    """Reads every enriched file (a person may have changed some) and writes the pack's folder."""
    builder = PackBuilder(manifest)
    files = sorted(enriched.rglob("*.md"))
    for number, path in enumerate(files):
        _add(builder, path, path.relative_to(enriched).as_posix())
        if number % 100 == 0:
            progress(number, len(files))
    pack = builder.build(target, replace=True)
    progress(len(files), len(files))
    return pack


def _add(builder: PackBuilder, path: Path, name: str) -> None:
    try:
        front = parse_text(path.read_text(encoding="utf-8"), name)
    except BadYaml as wrong:
        raise BadFile(
            name, f"{wrong.reason}; mend it, or run again with --from-stage enrich", wrong.line
        ) from None
    told: dict[str, Any] = dict(front.metadata)
    said = told.pop("type", "")
    kind: EntryType = next((each for each in TYPES if each == said), "culture")
    local, extra = str(told.pop("id", path.stem)), dict(told.pop("extra", {}))
    title = told.pop("name", "")
    body = front.content.strip()
    if body.startswith("# "):
        line, _, _ = body.partition("\n")
        title = title or line[2:].strip()
    fields = {key: told[key] for key in ("aliases", "tags", *REFS, "gm_only") if key in told}
    folder = "storytelling" if name.startswith("storytelling/") else FOLDERS[kind]
    builder.add(
        builder.free_id(local),
        kind,
        title or local,
        body=body,
        file_path=f"{folder}/{path.stem}.md",
        extra=extra,
        **fields,
    )
