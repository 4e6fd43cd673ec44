"""One function per `pack` verb: takes the shelf and plain arguments, returns a record to print."""

import json
from pathlib import Path

from pydantic import Field

from freeform.core.errors import BadFile, UserError
from freeform.core.record import Record
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.files import (
    MAX_OTHER,
    Unreadable,
    decode_gently,
    read_bytes,
)
from freeform.packs.folder.manifest import MANIFEST
from freeform.packs.folder.new import scaffold_pack
from freeform.packs.formats.lorebook import is_lorebook, read_lorebook
from freeform.packs.formats.vault import read_vault
from freeform.packs.model import (
    ContentPackManifest,
    EntryType,
    Findings,
    Layer,
    License,
    PackValidation,
    Problem,
)
from freeform.packs.resolve import Shelved
from freeform.packs.shelf import PackShelf


class PackRow(Record):
    """A pack as a list shows it. `chunks` is filled by whoever knows the index."""

    id: str
    name: str
    version: str
    layer: Layer
    genre: str
    license: License | None
    entries: int
    chunks: int = 0
    origin: str
    path: str
    private: bool = False
    """Made from a book whose licence is not known: for one's own table."""


class PackList(Record):
    """`pack list`."""

    packs: list[PackRow]


class EntryRow(Record):
    """An entry as `pack info` shows it."""

    id: str
    name: str
    type: EntryType
    file_path: str
    gm_only: bool


class PackInfo(Record):
    """`pack info ID`."""

    packs: list[PackRow]
    manifest: ContentPackManifest
    digest: str
    counts: dict[str, int]
    contents: list[EntryRow]
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)


class Scaffolded(Record):
    """`pack new ID`."""

    id: str
    path: str
    files: list[str]


class Imported(Record):
    """`pack import PATH`."""

    kind: str
    id: str
    version: str
    path: str
    counts: dict[str, int]
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)


def pack_list(shelf: PackShelf) -> PackList:
    """Every version of every pack at hand."""
    return PackList(packs=[_row(shelf, shelved) for shelved in shelf.packs()])


def _row(shelf: PackShelf, shelved: Shelved) -> PackRow:
    told = shelved.manifest.model_dump(
        include={"id", "name", "version", "layer", "genre", "license"}
    )
    private = "private" in shelved.manifest.tags
    count = shelf.count_entries(shelved)
    return PackRow(**told, entries=count, origin=shelved.origin, path=shelved.path, private=private)


def pack_info(shelf: PackShelf, pack_id: str, version: str = "*") -> PackInfo:
    """One pack: its manifest and what is in it."""
    shelved = shelf.find(pack_id, version)
    pack = shelf.load(shelved)
    return PackInfo(
        packs=[_row(shelf, shelved)],
        manifest=pack.manifest,
        digest=pack.digest,
        counts=counts_of([entry.type for entry in pack.entries]),
        contents=[
            EntryRow(**e.model_dump(include=set(EntryRow.model_fields))) for e in pack.entries
        ],
        errors=pack.errors,
        warnings=pack.warnings,
    )


def counts_of(types: list[EntryType]) -> dict[str, int]:
    """How many of each type."""
    return {kind: types.count(kind) for kind in sorted(set(types))}


def pack_validate(path: Path, shelf: PackShelf | None = None) -> PackValidation:
    """What is wrong with a pack; packs on the shelf count as at hand."""
    return validate_pack(path, shelf.place_of if shelf else None)


def pack_new(
    folder: Path, pack_id: str, *, name: str = "", layer: Layer = "homebrew"
) -> Scaffolded:
    """Writes a small valid pack to begin from."""
    pack = scaffold_pack(folder, pack_id, name=name, layer=layer)
    return Scaffolded(
        id=pack.id, path=pack.path, files=[MANIFEST, *(e.file_path for e in pack.entries)]
    )


def pack_import(source: Path, folder: Path, *, pack_id: str = "", name: str = "") -> Imported:
    """Turns a lorebook or a Markdown vault into a pack in `folder`, ready to be installed."""
    found = Findings()
    kind = kind_of(source)
    if kind == "pack":
        raise UserError(f"{source} is a pack already; run: pack install {source}")
    builder: PackBuilder
    builder = (
        read_lorebook(source, found, pack_id)
        if kind == "lorebook"
        else read_vault(source, found, pack_id, name)
    )
    if not builder.entries:
        raise UserError(f"{source} holds no text to import; write some, then import it again")
    pack = builder.build(folder / builder.manifest.id)
    result = found.result()
    return Imported(
        kind=kind,
        id=pack.id,
        version=pack.manifest.version,
        path=pack.path,
        counts=counts_of([entry.type for entry in pack.entries]),
        errors=[*result.errors, *pack.errors],
        warnings=[*result.warnings, *pack.warnings],
    )


def kind_of(source: Path) -> str:
    """What a file or folder is, by its content: pack, vault or lorebook. BadFile when it is
    none."""
    if source.is_dir():
        return "pack" if (source / MANIFEST).is_file() else "vault"
    if not source.is_file():
        raise BadFile(str(source), "there is no such file or folder; check the path")
    try:
        if source.stat().st_size <= MAX_OTHER and is_lorebook(
            json.loads(decode_gently(read_bytes(source))[0])
        ):
            return "lorebook"
    except (Unreadable, json.JSONDecodeError, RecursionError):
        pass
    raise BadFile(str(source), "neither a lorebook nor a folder of Markdown; give one of these")
