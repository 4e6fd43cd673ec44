"""Packs on the desk: their entries and random tables as texts, each change kept, checked, taken
back, put on the shelf as a new version. Kept as drafts of scenarios are (`kept.py`)."""

import asyncio
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import Field

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import slug, visible
from freeform.core.yamlfile import BadYaml, read_mapping, write_mapping
from freeform.engine.shelf import pack_install
from freeform.packs.folder.files import list_files
from freeform.packs.folder.manifest import find_manifest, read_manifest
from freeform.packs.model import Findings, Problem
from freeform.packs.verbs import pack_new
from freeform.packs.versions import Version, parse_version
from freeform.services.desk.drafts import LONGEST_ID
from freeform.services.desk.kept import DraftFolder, DraftVersion, VersionRow, new_folder
from freeform.services.house import House

FOLDER, MANIFEST = "pack_drafts", "pack.yaml"
TEXTS = (".md", ".yaml", ".yml")
MOST_FILES, LONGEST_PATH = 2000, 200
_LONGEST_PART = 255
"""In bytes: no file system we know takes a longer name."""
_PATH = re.compile(r"(?:[\w][\w .-]*/){0,4}[\w][\w .-]*\.(?:md|yaml|yml)")


class PackDraftRow(Record):
    """A pack on the desk, among others."""

    id: str
    name: str
    version: int
    at: str
    files: int
    deleted: bool = False


class PackFinding(Record):
    """What the check says of a file."""

    severity: Literal["error", "warning"]
    file: str
    line: int
    message: str


class PackDraftShown(Record):
    """A pack on the desk with all its texts and what is wrong with them."""

    id: str
    name: str
    version: int
    at: str
    texts: dict[str, str]
    ok: bool
    findings: list[PackFinding] = Field(default_factory=list)
    undo: bool
    redo: bool


class PackPublished(Record):
    """A pack that went onto the shelf."""

    pack: str
    version: str
    entries: int


def list_pack_drafts(house: House, *, deleted: bool = False) -> list[PackDraftRow]:
    """Every pack on the desk, the last changed first; or those in the bin."""
    folders = [DraftFolder(path) for path in _root(house).glob("*") if path.is_dir()]
    shown = [each for each in folders if each.is_there and each.is_deleted == deleted]
    return sorted((_row(each, each.head()) for each in shown), key=lambda row: row.at, reverse=True)


async def begin_pack_draft(house: House, name: str = "", pack: str = "") -> PackDraftShown:
    """A new one: a small valid pack, or the copy of one on the shelf."""

    def keep() -> tuple[DraftFolder, DraftVersion]:
        if pack:
            shelved = house.books.shelf.find(pack)
            data = {"texts": _texts_in(Path(shelved.path)), "from": pack}
            wanted, what = pack, f"a copy of {pack}"
        else:
            called = " ".join(visible(name).split())[:120]
            wanted, what = slug(called)[:48].strip("_") or "pack", "begun"
            with tempfile.TemporaryDirectory(prefix="freeform-pack-") as scratch:
                made = pack_new(Path(scratch), wanted, name=called or "A new pack")
                data = {"texts": _texts_in(Path(made.path)), "from": ""}
        folder = new_folder(_root(house), slug(wanted) or "pack", frozenset())
        return folder, folder.add(data, _now(house), what, 0)

    return await asyncio.to_thread(lambda: _shown(house, *keep()))


async def show_pack_draft(house: House, draft: str) -> PackDraftShown:
    """One as it stands."""
    folder = _folder(house, draft)
    return await asyncio.to_thread(lambda: _shown(house, folder, folder.head()))


async def save_pack_draft(
    house: House, draft: str, texts: Mapping[str, str], seen: int
) -> PackDraftShown:
    """Keeps a change, whatever state it is in; Conflict where another came first: both are kept."""
    folder = _folder(house, draft)
    _check_names(texts)

    def keep() -> PackDraftShown:
        before = folder.read(seen)
        old = _texts(before) if before else {}
        changed = [name for name in {**old, **texts} if old.get(name) != texts.get(name)]
        origin = before.scenario.get("from", "") if before else ""
        data = {"texts": dict(texts), "from": origin}
        return _shown(house, folder, folder.add(data, _now(house), ", ".join(changed[:4]), seen))

    return await asyncio.to_thread(keep)


async def step_pack_draft(house: House, draft: str, *, back: bool) -> PackDraftShown:
    """Takes the last change back, or forth again."""
    folder = _folder(house, draft)
    if folder.step(back=back) is None:
        raise UserError(f"there is nothing to {'undo' if back else 'redo'} in this draft")
    return await show_pack_draft(house, draft)


def list_pack_versions(house: House, draft: str) -> list[VersionRow]:
    """What is kept of one, newest first."""
    return _folder(house, draft).history()


def delete_pack_draft(house: House, draft: str, *, deleted: bool = True) -> PackDraftRow:
    """Into the bin, or out of it."""
    folder = _folder(house, draft)
    folder.delete(deleted)
    return _row(folder, folder.head())


async def publish_pack_draft(house: House, draft: str) -> PackPublished:
    """Puts it on the shelf: under its version, or the next free one where that is taken by other
    content. Refused with the first mistake."""
    folder = _folder(house, draft)
    with _on_disk(house, folder.head()) as path:
        found = await asyncio.to_thread(pack_install.validate, house.books, path)
        if found.errors:
            more = f" (and {len(found.errors) - 1} more)" if len(found.errors) > 1 else ""
            raise UserError(f"it cannot go onto the shelf as it is: {found.errors[0]}{more}")
        await asyncio.to_thread(_give_version, house, path)
        done = await pack_install.install(house.books, path, strict=True)
    return PackPublished(pack=done.id, version=done.version, entries=done.entries)


def _give_version(house: House, path: Path) -> None:
    """The next number in the manifest, where its own is on the shelf already."""
    manifest = read_manifest(path, Findings())
    taken = [
        parse_version(each.manifest.version)
        for each in house.books.shelf.packs()
        if each.manifest.id == manifest.id
    ]
    if parse_version(manifest.version) not in taken:
        return
    first, second, third = max(taken).numbers
    file = find_manifest(path, Findings())
    values = read_mapping(file.read_text("utf-8")).values
    values["version"] = str(Version((first, second, third + 1)))
    file.write_text(write_mapping(values), "utf-8")


def _shown(house: House, folder: DraftFolder, version: DraftVersion) -> PackDraftShown:
    row = _row(folder, version)
    findings = _checked(house, version)
    return PackDraftShown(
        id=row.id,
        name=row.name,
        version=version.number,
        at=version.at,
        texts=_texts(version),
        ok=not any(each.severity == "error" for each in findings),
        findings=findings,
        undo=folder.before(version) is not None,
        redo=folder.after(version) is not None,
    )


def _checked(house: House, version: DraftVersion) -> list[PackFinding]:
    """What `pack validate` says; what cannot be read as a pack at all is said too."""
    try:
        with _on_disk(house, version) as path:
            found = pack_install.validate(house.books, path)
    except BadFile as wrong:
        told = {"severity": "error", "line": wrong.line, "message": wrong.reason}
        file = wrong.file if wrong.file in _texts(version) else MANIFEST
        return [PackFinding.model_validate({"file": file, **told})]
    except UserError as wrong:
        message = re.sub(r"\S*freeform-pack-\S*", "the pack", str(wrong))
        return [PackFinding(severity="error", file=MANIFEST, line=0, message=message)]
    return [
        *(_finding("error", each) for each in found.errors),
        *(_finding("warning", each) for each in found.warnings),
    ]


def _finding(severity: Literal["error", "warning"], each: Problem) -> PackFinding:
    return PackFinding(severity=severity, file=each.file, line=each.line, message=each.message)


@contextmanager
def _on_disk(house: House, version: DraftVersion) -> Iterator[Path]:
    """The pack as a folder, for as long as it is looked at. What is no text stays as it was."""
    with tempfile.TemporaryDirectory(prefix="freeform-pack-") as scratch:
        root = Path(scratch) / "pack"
        origin = str(version.scenario.get("from") or "")
        if origin:
            _copy_others(house, origin, root)
        for name, text in _texts(version).items():
            _write(root, name, text)
        yield root


def _write(root: Path, name: str, text: str) -> None:
    file = root / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "replace"))
    except OSError as wrong:
        reason = f"cannot be a file beside the others ({wrong.strerror}); give it another name"
        raise BadFile(name, reason) from None


def _copy_others(house: House, origin: str, root: Path) -> None:
    try:
        path = Path(house.books.shelf.find(origin).path)
    except NotFound:
        return  # taken from the shelf meanwhile: its texts are here
    for file in list_files(path, Findings()):
        if not file.name.lower().endswith(TEXTS):
            target = root / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.path.read_bytes())


def _texts_in(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for file in list_files(path, Findings()):
        if file.name.lower().endswith(TEXTS):
            texts[file.name] = file.path.read_text("utf-8", "replace")
    if len(texts) > MOST_FILES:
        raise UserError(f"a pack on the desk has at most {MOST_FILES} files; edit it as a folder")
    return texts


def _check_names(texts: Mapping[str, str]) -> None:
    if len(texts) > MOST_FILES:
        raise UserError(f"a pack on the desk has at most {MOST_FILES} files")
    for name in texts:
        if len(name) > LONGEST_PATH or not _PATH.fullmatch(name) or _is_long(name):
            raise UserError(
                f"'{visible(name)[:60]}' is no file of a pack; name it like npcs/hanne.md or "
                "tables/weather.yaml"
            )
        both = next((str(each) for each in PurePosixPath(name).parents if str(each) in texts), "")
        if both:
            raise UserError(
                f"'{visible(both)[:60]}' cannot be a file and the folder of "
                f"'{visible(name)[:60]}'; give one of them another name"
            )


def _is_long(name: str) -> bool:
    return any(len(part.encode()) > _LONGEST_PART for part in name.split("/"))


def _texts(version: DraftVersion) -> dict[str, str]:
    texts: Any = version.scenario.get("texts")
    return {str(name): str(text) for name, text in texts.items()} if isinstance(texts, dict) else {}


def _row(folder: DraftFolder, version: DraftVersion) -> PackDraftRow:
    texts = _texts(version)
    try:
        name = str(read_mapping(texts.get(MANIFEST, "")).values.get("name") or "")
    except BadYaml:
        name = ""
    return PackDraftRow(
        id=folder.path.name,
        name=name or folder.path.name,
        version=version.number,
        at=version.at,
        files=len(texts),
        deleted=folder.is_deleted,
    )


def _folder(house: House, draft: str) -> DraftFolder:
    folder = DraftFolder(_root(house) / draft)
    if slug(draft) != draft or len(draft) > LONGEST_ID or not folder.is_there:
        raise NotFound(f"no pack '{visible(draft)[:60]}' on the desk")
    return folder


def _root(house: House) -> Path:
    return house.settings.home / FOLDER


def _now(house: House) -> str:
    return house.table.clock.now().isoformat(timespec="milliseconds")
