"""Whose a pack's id is: a book never takes the place of another one, unless someone says so."""

from collections.abc import Iterator
from pathlib import Path

from freeform.core.errors import UserError
from freeform.engine.shelf.books import Books
from freeform.ingest.checkpoint import digest_file
from freeform.ingest.config import shown_name
from freeform.packs.folder.manifest import MANIFEST, read_manifest
from freeform.packs.model import ContentPackManifest, Findings


def free_id(books: Books, out: Path, id: str, pdf: Path) -> str:
    """This id, or the next one that no other book has: `coast`, `coast_2`."""
    digest, free, number = digest_file(pdf), id, 2
    while any(not _is_of(found, pdf, digest) for found in _called(books, out, free)):
        free, number = f"{id}_{number}", number + 1
    return free


def check_claim(books: Books, out: Path, wanted: tuple[str, str], pdf: Path) -> None:
    """UserError where another book was read into that id and version."""
    id, version = wanted
    digest = digest_file(pdf)
    for found in _called(books, out, id):
        if found.version == version and not _is_of(found, pdf, digest):
            raise UserError(
                f"another book has the id '{id}' {version} already ({found.name}); "
                f"choose another --id, or another --version"
            )


def same_book(one: ContentPackManifest, other: ContentPackManifest) -> bool:
    """Whether two packs were made from one book."""
    digests = [each.extra.get("source_digest") for each in (one, other)]
    if all(digests):
        return digests[0] == digests[1]
    return one.extra.get("source_file") == other.extra.get("source_file")


def _is_of(found: ContentPackManifest, pdf: Path, digest: str) -> bool:
    """Packs of before have only the name of their file."""
    known = found.extra.get("source_digest")
    if known:
        return bool(known == digest)
    return "ingested" in found.tags and found.extra.get("source_file") == shown_name(pdf)


def _called(books: Books, out: Path, id: str) -> Iterator[ContentPackManifest]:
    """The packs of that id: on the shelf, and where books are read to."""
    for shelved in books.shelf.packs():
        if shelved.manifest.id == id:
            yield shelved.manifest
    for folder in (out / id, out / "draft" / id):
        if (folder / MANIFEST).is_file():
            yield read_manifest(folder, Findings())
