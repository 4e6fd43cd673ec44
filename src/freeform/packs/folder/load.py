"""READ THIS FIRST: a folder becomes a Pack. The four doors of the loader: load, list, validate,
parse.

    folder -> files that are safe -> manifest -> one Entry per Markdown file -> references as full
    ids

A file that does not read is named with the fix and left out; the rest of the pack is used.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile
from freeform.core.text import plain_form, slug
from freeform.core.yamlfile import BadYaml
from freeform.packs.folder.files import (
    PackFile,
    Unreadable,
    decode,
    digest_of,
    list_files,
    read_bytes,
)
from freeform.packs.folder.frontmatter import Front, parse_frontmatter, parse_text
from freeform.packs.folder.manifest import MANIFEST, read_manifest, read_manifest_lines
from freeform.packs.folder.markdown import first_title, split_sections
from freeform.packs.folder.secrecy import marks_of
from freeform.packs.folder.synonyms import LIST_FIELDS, REFS, type_of_folder
from freeform.packs.folder.tables import read_tables
from freeform.packs.model import (
    TYPES,
    ContentPackManifest,
    Entry,
    EntryType,
    Findings,
    Pack,
    Section,
)
from freeform.packs.tables import RandomTable

__all__ = ["list_packs", "load_pack", "parse_frontmatter", "read_pack"]

LOCAL_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,127}\Z")
_NOT_ENTRIES = frozenset({
    "readme", "license", "licence", "changelog", "contributing", "credits", "index",
    "review_needed", "draft_readme", "gm_guidance_review", "extraction_report",
})  # fmt: skip


@dataclass(frozen=True)
class ReadEntry:
    """An entry together with its file as taken apart, so that a check can point at lines."""

    entry: Entry
    front: Front


@dataclass(frozen=True)
class PackReading:
    """A pack as read, with everything a check wants to know."""

    manifest: ContentPackManifest
    manifest_lines: dict[str, int]
    root: Path
    files: list[PackFile]
    entries: list[ReadEntry]
    names: dict[str, str]
    found: Findings
    tables: list[RandomTable] = field(default_factory=list)


def load_pack(path: Path) -> Pack:
    """The pack in that folder. BadFile when its manifest does not read; other problems are in the
    Pack."""
    reading = read_pack(path)
    problems = reading.found.result()
    return Pack(
        manifest=reading.manifest,
        entries=[read.entry for read in reading.entries],
        path=str(reading.root),
        digest=digest_of(reading.files),
        tables=reading.tables,
        errors=problems.errors,
        warnings=problems.warnings,
    )


def list_packs(folder: Path) -> list[ContentPackManifest]:
    """The manifests of the packs that lie in a folder, by id; what has no readable manifest is
    passed over."""
    manifests: list[ContentPackManifest] = []
    for root in pack_folders(folder):
        try:
            manifests.append(read_manifest(root, Findings()))
        except BadFile:
            continue
    return sorted(manifests, key=lambda manifest: (manifest.id, manifest.version))


def pack_folders(folder: Path) -> list[Path]:
    """The folders in there that hold a manifest."""
    if not folder.is_dir():
        return []
    return sorted(
        p for p in folder.iterdir() if not p.name.startswith(".") and (p / MANIFEST).is_file()
    )


def read_pack(path: Path) -> PackReading:
    """Every file of the pack, read once."""
    found = Findings()
    manifest, lines = read_manifest_lines(path, found)
    files = list_files(path, found)
    entries: list[ReadEntry] = []
    first: dict[str, str] = {}
    for file in files:
        if not file.name.lower().endswith((".md", ".markdown")):
            continue
        read = _read_file(file, manifest.id, found)
        if read is None:
            continue
        local = read.entry.local_id
        if local in first:
            line = read.front.line_of("id")
            found.error(
                file.name,
                line,
                f"the id `{local}` is taken by {first[local]}; give this one another id",
            )
            continue
        first[local] = file.name
        entries.append(read)
    names = names_of([read.entry for read in entries])
    linked = [ReadEntry(link_up(read.entry, names), read.front) for read in entries]
    tables = read_tables(files, manifest.id, found)
    return PackReading(manifest, lines, path.resolve(), files, linked, names, found, tables)


def _read_file(file: PackFile, pack_id: str, found: Findings) -> ReadEntry | None:
    try:
        front = parse_text(decode(read_bytes(file.path)), file.name)
    except (Unreadable, BadYaml) as wrong:
        found.error(file.name, wrong.line, wrong.reason)
        return None
    stem = file.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if not front.given and "/" not in file.name and stem.lower() in _NOT_ENTRIES:
        return None
    found.errors += front.found.errors
    found.warnings += front.found.warnings
    if not front.given:
        found.warn(
            file.name,
            1,
            f"no frontmatter; begin the file with `---`, `id: {slug(stem)}`, `type: …`, `---`",
        )
    kind = _type(front, file.name, found)
    if kind is None:
        return None
    local = _local_id(front, stem, pack_id, file.name, found)
    return ReadEntry(make_entry(front, pack_id, local, kind, file.name), front) if local else None


def make_entry(front: Front, pack_id: str, local: str, kind: EntryType, file_path: str) -> Entry:
    """The entry a file taken apart holds. References are as written; see `link_up`."""
    key = (pack_id, local, kind, file_path)
    if key not in front.made:
        front.made[key] = _made(front, *key)
    return front.made[key]


def _made(front: Front, pack_id: str, local: str, kind: EntryType, file_path: str) -> Entry:
    metadata: dict[str, Any] = front.metadata
    marks = marks_of(metadata, kind)
    name = metadata.get("name") or first_title(front.content) or derive_name([], local)
    fields: dict[str, Any] = {key: metadata.get(key, []) for key in LIST_FIELDS}
    for key in ("extends", "overrides"):
        fields[key] = local if metadata.get(key) is True else metadata.get(key, "")
    return Entry(
        id=f"{pack_id}:{local}",
        pack_id=pack_id,
        local_id=local,
        type=kind,
        name=name,
        gm_only=marks.whole,
        extra=metadata.get("extra", {}),
        file_path=file_path,
        sections=split_sections(front.content, name, front.content_line, marks),
        **fields,
    )


def derive_name(sections: list[Section], local_id: str) -> str:
    """What the entry is called when its frontmatter does not say: its first H1, else its id as
    words."""
    return (
        next((s.heading for s in sections if s.level == 1), "")
        or local_id.replace("_", " ").title()
    )


def _type(front: Front, file: str, found: Findings) -> EntryType | None:
    said = front.metadata.get("type")
    if said:
        if said in TYPES:
            return next(kind for kind in TYPES if kind == said)
        line = front.line_of("type")
        found.error(file, line, f"the type `{said}` is unknown; use one of {', '.join(TYPES)}")
        return None
    guess = type_of_folder(file)
    if guess is None:
        found.error(
            file,
            1,
            f"no `type`, and the folder does not tell; add `type:` with one of {', '.join(TYPES)}",
        )
    elif front.given:
        found.warn(file, 1, f"no `type`; the folder says `{guess}`, add `type: {guess}`")
    return guess


def _local_id(front: Front, stem: str, pack_id: str, file: str, found: Findings) -> str:
    said = str(front.metadata.get("id") or "")
    line = front.line_of("id")
    if not said:
        if front.given:
            found.warn(
                file, 1, f"no `id`; it is taken from the file's name, add `id: {slug(stem)}`"
            )
        said = slug(stem)
    pack, colon, rest = said.partition(":")
    if colon:
        if pack != pack_id:
            fix = f"write `id: {slug(rest)}`, and `extends: {said}` if it changes that entry"
            found.error(file, line, f"the id `{said}` belongs to another pack; {fix}")
        said = rest
    if not LOCAL_ID.match(said):
        better = slug(said)[:128]
        if not better:
            found.error(file, line, "the id has no letter or digit; give one like `old_mill`")
            return ""
        found.warn(file, line, f"the id `{said}` is read as `{better}`; write it so")
        said = better
    return said


def names_of(entries: list[Entry]) -> dict[str, str]:
    """What an author may call an entry in a reference -> its full id. Ids win over names, names
    over aliases."""
    names: dict[str, str] = {}
    for pick in (
        lambda e: [e.local_id, e.id],
        lambda e: [plain_form(e.name), slug(e.name)],
        lambda e: [form for alias in e.aliases for form in (plain_form(alias), slug(alias))],
    ):
        for entry in entries:
            for name in pick(entry):
                names.setdefault(name, entry.id)
    return names


def find_name(ref: str, names: dict[str, str]) -> str | None:
    """The full id a reference of this pack means, if any entry goes by it."""
    return names.get(ref) or names.get(plain_form(ref)) or names.get(slug(ref) or ref)


def link_up(entry: Entry, names: dict[str, str]) -> Entry:
    """The entry with its references as full ids. A reference to nothing keeps its words, in this
    pack's name."""
    changed: dict[str, list[str]] = {}
    for key in REFS:
        refs: list[str] = getattr(entry, key)
        if refs:
            full = [
                find_name(ref, names) or (ref if ":" in ref else f"{entry.pack_id}:{ref}")
                for ref in refs
            ]
            changed[key] = list(dict.fromkeys(full))
    return entry.model_copy(update=changed) if changed else entry
