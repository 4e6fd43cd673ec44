"""The catalogue: one index over the newest version of every pack on the shelf, each pack a source
of its own.

Outside a campaign nothing is laid over anything: every entry is found as its own pack has it. What
was indexed last is written beside the index, so that a search opens no pack that has not changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from freeform.core.errors import BadFile
from freeform.engine.shelf.books import Books
from freeform.packs.lock import Lock, Locked, read_lock, write_lock
from freeform.packs.resolve import Shelved
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import Progress, index_documents
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import IndexResult, IndexStats
from freeform.retrieval.ports import Embedder, PassageIndex
from freeform.retrieval.search import Search

NAME = "shelf"


@dataclass
class Catalogue:
    """The shelf's index, kept true to the shelf."""

    books: Books

    @property
    def index(self) -> PassageIndex:
        """Where it is kept."""
        return self.books.open_index(NAME)

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors, if anything does."""
        return self.books.embedder

    async def searcher(self, progress: Progress | None = None) -> LoreRetriever:
        """What searches every pack; changed packs are indexed and removed ones forgotten first."""
        notes = await self.refresh(progress=progress)
        return LoreRetriever(Search(self.index, self.books.clock, self.embedder), notes)

    async def refresh(self, progress: Progress | None = None) -> list[str]:
        """Brings the index up to date with the shelf; what is worth telling of it."""
        shelved = self.books.newest()
        sources = await self.index.sources()
        for gone in sorted(set(sources) - {s.manifest.id for s in shelved}):
            await self.forget(gone)
        indexed = self._indexed()
        notes: list[str] = []
        for pack in shelved:
            if not await self._is_current(pack, indexed, sources):
                notes += (await self.add(pack, progress)).notes
        return notes

    async def add(
        self, pack: Shelved, progress: Progress | None = None, *, from_scratch: bool = False
    ) -> IndexResult:
        """Indexes one pack; only its changed files are read anew, unless from scratch.

        Its vectors are kept.
        """
        source = pack.manifest.id
        if from_scratch:
            await self.index.write([], sorted(await self.index.begin(source)), {}, "")
        documents = documents_of(self.books.world([pack]))
        result = await index_documents(
            documents, source, self.index, self.books.clock, self.embedder, progress
        )
        mark = Locked(version=pack.manifest.version, digest=self.books.shelf.digest(pack))
        self._mark({**self._indexed(), source: mark})
        return result

    async def forget(self, pack_id: str) -> IndexStats:
        """Takes a pack out of the index; what it held."""
        stats = await self.index.stats(pack_id)
        await index_documents([], pack_id, self.index, self.books.clock)
        self._mark({id: mark for id, mark in self._indexed().items() if id != pack_id})
        return stats

    async def refresh_one(self, pack_id: str) -> None:
        """After versions were removed: the newest that is left is indexed, or nothing."""
        left = [pack for pack in self.books.newest() if pack.manifest.id == pack_id]
        if left:
            await self.add(left[0])
        else:
            await self.forget(pack_id)

    async def count(self, pack: Shelved) -> IndexStats:
        """What a pack has: from the index where it holds that version, else by cutting it here and
        now."""
        if await self._is_current(pack, self._indexed(), await self.index.sources(), vectors=False):
            return await self.index.stats(pack.manifest.id)
        documents = documents_of(self.books.world([pack]))
        cut = [chunk for document in documents for chunk in chunk_document(document)]
        tokens = sum(chunk.metadata.token_count for chunk in cut)
        return IndexStats(documents=len(documents), chunks=len(cut), total_tokens=tokens)

    async def _is_current(
        self,
        pack: Shelved,
        indexed: dict[str, Locked],
        sources: Iterable[str],
        *,
        vectors: bool = True,
    ) -> bool:
        id = pack.manifest.id
        mark = indexed.get(id)
        if mark is None or id not in sources or mark.version != pack.manifest.version:
            return False
        if mark.digest != self.books.shelf.digest(pack) or (await self.index.stats(id)).unfinished:
            return False
        model = self.embedder.name if self.embedder and vectors else ""
        return not (model and (await self.index.stats(id, model)).without_vector)

    @property
    def _place(self) -> Path:
        return self.books.shelf.folder.parent / "index" / f"{NAME}.lock"

    def _indexed(self) -> dict[str, Locked]:
        try:
            lock = read_lock(self._place)
        except BadFile:
            return {}
        return lock.packs if lock else {}

    def _mark(self, packs: dict[str, Locked]) -> None:
        write_lock(self._place, Lock(packs=packs))
