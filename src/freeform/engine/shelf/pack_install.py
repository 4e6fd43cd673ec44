"""What one does with the shelf of packs, its index kept in step: install, remove, reindex, list,
search."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.engine.ports import StateStore
from freeform.engine.proof.check import check_file
from freeform.engine.shelf.books import Books
from freeform.engine.shelf.catalogue import Catalogue
from freeform.engine.shelf.history import campaign_reader
from freeform.packs.model import PackValidation, Problem
from freeform.packs.resolve import Shelved
from freeform.packs.verbs import (
    PackInfo,
    PackList,
    PackRow,
    kind_of,
    pack_import,
    pack_info,
    pack_list,
    pack_validate,
)
from freeform.retrieval.indexing import Progress
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Passage, Viewer


class Shelving(Record):
    """What came of an installation, a removal or a reindexing."""

    id: str
    version: str
    chunks: int
    tokens: int
    seconds: float
    kind: str = "pack"
    entries: int = 0
    path: str = ""
    already: bool = False
    versions: list[str] = Field(default_factory=list)
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


@contextmanager
def as_pack(
    path: Path, pack_id: str = "", name: str = ""
) -> Iterator[tuple[Path, str, list[Problem]]]:
    """A folder that is a pack, its kind before, and what was noticed: vaults and lorebooks are
    turned into one."""
    kind = kind_of(path)
    if kind == "pack":
        yield path, kind, []
        return
    with tempfile.TemporaryDirectory(prefix="freeform-import-") as scratch:
        made = pack_import(path, Path(scratch), pack_id=pack_id, name=name)
        yield Path(made.path), kind, [*made.errors, *made.warnings]


async def install(
    books: Books,
    path: Path,
    progress: Progress | None = None,
    *,
    strict: bool = False,
    pack_id: str = "",
    name: str = "",
) -> Shelving:
    """Puts a pack, a vault or a lorebook on the shelf and indexes it."""
    began = books.clock.ticks()
    with as_pack(path, pack_id, name) as (folder, kind, noticed):
        wrong = scenario_problems(folder, books)
        if strict and wrong:
            raise UserError(f"{path} was not installed: {wrong[0]}; see: pack validate {path}")
        done = books.shelf.install(folder, strict=strict)
    catalogue = Catalogue(books)
    pack = books.shelf.find(done.id, f"=={done.version}")
    notes: list[str] = []
    if _same(pack, books.shelf.find(done.id)):
        notes = (await catalogue.add(pack, progress)).notes
    stats = await catalogue.count(pack)
    return Shelving(
        id=done.id,
        version=done.version,
        chunks=stats.chunks,
        tokens=stats.total_tokens,
        seconds=round(books.clock.ticks() - began, 3),
        kind=kind,
        entries=done.entries,
        path=done.path,
        already=done.already,
        errors=[*done.errors, *wrong],
        warnings=[*noticed, *done.warnings],
        notes=notes,
    )


async def remove(
    books: Books, pack_id: str, version: str = "*", *, force: bool = False
) -> Shelving:
    """Takes a pack from the shelf and out of the index."""
    began, catalogue = books.clock.ticks(), Catalogue(books)
    mine = {s.manifest.version: s for s in books.shelf.packs() if s.manifest.id == pack_id}
    counts = {number: await catalogue.count(pack) for number, pack in mine.items()}
    gone = books.shelf.remove(pack_id, version, force=force)
    await catalogue.refresh_one(pack_id)
    gone_stats = [counts[number] for number in gone.versions if number in counts]
    return Shelving(
        id=pack_id,
        version=gone.versions[0],
        versions=gone.versions,
        chunks=sum(each.chunks for each in gone_stats),
        tokens=sum(each.total_tokens for each in gone_stats),
        seconds=round(books.clock.ticks() - began, 3),
    )


async def reindex(books: Books, pack_id: str, progress: Progress | None = None) -> Shelving:
    """Indexes the newest version of a pack from scratch."""
    pack = books.shelf.find(pack_id)
    result = await Catalogue(books).add(pack, progress, from_scratch=True)
    return Shelving(
        id=pack_id,
        version=pack.manifest.version,
        chunks=result.chunks,
        tokens=result.tokens,
        seconds=result.seconds,
        entries=result.documents,
        path=pack.path,
        notes=result.notes,
    )


async def listed(books: Books) -> PackList:
    """Every version of every pack, with its chunks; a copy kept for a campaign is not told
    twice."""
    catalogue, rows = Catalogue(books), dict[tuple[str, str], PackRow]()
    shelved = {(s.manifest.id, s.manifest.version, s.path): s for s in books.shelf.packs()}
    for row in pack_list(books.shelf).packs:
        if (row.id, row.version) not in rows:
            stats = await catalogue.count(shelved[row.id, row.version, row.path])
            rows[row.id, row.version] = row.model_copy(update={"chunks": stats.chunks})
    return PackList(packs=list(rows.values()))


async def info(books: Books, pack_id: str, version: str = "*") -> PackInfo:
    """One pack, with its chunks."""
    info = pack_info(books.shelf, pack_id, version)
    stats = await Catalogue(books).count(books.shelf.find(pack_id, version))
    return info.model_copy(
        update={"packs": [row.model_copy(update={"chunks": stats.chunks}) for row in info.packs]}
    )


def validate(books: Books, path: Path) -> PackValidation:
    """What is wrong with a pack; a vault or a lorebook is looked at as the pack it would become."""
    with as_pack(path) as (folder, _, noticed):
        result = pack_validate(folder, books.shelf)
        wrong = scenario_problems(folder, books)
        told = {
            "ok": result.ok and not wrong,
            "errors": [*result.errors, *wrong],
            "warnings": [*noticed, *result.warnings],
        }
        return result.model_copy(update=told)


def scenario_problems(folder: Path, books: Books) -> list[Problem]:
    """The errors of the scenarios that a pack brings, as `scenario check` names them."""
    problems = []
    for file in sorted(folder.glob("scenarios/*.yaml")):
        report = check_file(file, books.shelf.folder.parent, play=False)
        for each in report.findings:
            if each.severity == "error":
                name = f"scenarios/{file.name}"
                problems.append(Problem(file=name, line=each.line, message=each.message))
    return problems


async def search(
    books: Books,
    query: LoreRetrievalQuery,
    viewer: Viewer,
    progress: Progress | None = None,
    *,
    campaign: str = "",
    store: StateStore | None = None,
) -> LoreRetrievalResult:
    """Looks through the shelf, or through a campaign's own versions and what happened in it."""
    if not query.keywords.strip():
        raise UserError("there is nothing to look for; give some words")
    if campaign:
        assert store is not None, "a campaign lies in a store"
        begun = await store.begun(campaign)
        for id in query.packs:
            if id not in begun.packs:
                raise UserError(
                    f"'{campaign}' is not played with {id}; "
                    f"it has {', '.join(begun.packs) or 'no packs'}"
                )
        reader = await campaign_reader(campaign, begun, store, books, progress)
    else:
        if query.corpus == "history":
            raise UserError("history belongs to a campaign; name it with --campaign")
        for id in query.packs:
            books.shelf.find(id)
        reader = await Catalogue(books).searcher(progress)
    answer = await reader.query(query, viewer=viewer)
    notes = [*reader.notes, *answer.notes]
    return answer.model_copy(update={"chunks": cited_first(answer.chunks), "notes": notes})


def cited_first(passages: Sequence[Passage]) -> list[Passage]:
    """Of passages side by side with one name, those that a page of a book stands behind come
    first."""
    out: list[Passage] = []
    for _, alike in groupby(passages, key=lambda passage: passage.metadata.get("section_path")):
        out += sorted(alike, key=lambda passage: not passage.metadata.get("book"))
    return out


def _same(one: Shelved, other: Shelved) -> bool:
    return one.manifest.version == other.manifest.version
