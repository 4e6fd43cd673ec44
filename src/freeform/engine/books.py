"""The books on the table: which packs a campaign plays with, and leafing through them.

Each set of pack versions has an index of its own, found by their digests, so a campaign that began before an
upgrade goes on reading what it began with. Vectors are made when someone searches; a scene needs none.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from freeform.core.clock import Clock
from freeform.packs.lock import Lock, read_lock, write_lock
from freeform.packs.model import Dependency, Pack
from freeform.packs.overlay import World, overlay
from freeform.packs.resolve import Shelved, resolve
from freeform.packs.shelf import Shelf
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import Progress, index_documents
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import IndexResult
from freeform.retrieval.ports import Embedder, PassageIndex
from freeform.retrieval.search import Search

SOURCE = "packs"


@dataclass
class Books:
    """The shelf of packs with its indexes."""

    shelf: Shelf
    open_index: Callable[[str], PassageIndex]
    clock: Clock
    embedder: Embedder | None = None
    _open: dict[str, LoreRetriever] = field(default_factory=dict)

    def choose(self, packs: Sequence[str]) -> list[Shelved]:
        """The packs a scenario names, with what they depend on, lowest layer first."""
        wanted = [Dependency(id=id, version=version or "*") for id, _, version in (p.partition("@") for p in packs)]
        return resolve(wanted, self.shelf.packs())

    def lock(self, campaign: str, packs: Sequence[str]) -> Lock:
        """Writes down which versions a campaign begins with, and keeps them on the shelf."""
        lock = self.shelf.hold(self.choose(packs))
        write_lock(self.shelf.lock_path(campaign), lock)
        return lock

    def of_campaign(self, campaign: str) -> list[Shelved]:
        """The packs of a campaign, exactly as it began with them; none when it has no lock."""
        lock = read_lock(self.shelf.lock_path(campaign))
        return self.shelf.open_locked(lock) if lock else []

    def newest(self, packs: Sequence[str] = ()) -> list[Shelved]:
        """The newest version of each pack, or of those named."""
        newest: dict[str, Shelved] = {}
        for shelved in self.shelf.packs():
            newest.setdefault(shelved.manifest.id, shelved)
        return [self.shelf.find(id) for id in packs] if packs else list(newest.values())

    def world(self, packs: Sequence[Shelved]) -> World:
        """The packs laid over one another."""
        return overlay(self._load(packs))

    async def retriever(
        self, packs: Sequence[Shelved], *, vectors: bool = False, progress: Progress | None = None
    ) -> LoreRetriever:
        """What leafs through these packs; their index is made or brought up to date first."""
        name = self.name_of(packs)
        key = f"{name}{'+' if vectors else ''}"
        if key not in self._open:
            await self.index(packs, vectors=vectors, progress=progress)
            embedder = self.embedder if vectors else None
            self._open[key] = LoreRetriever(Search(self.open_index(name), self.clock, embedder))
        return self._open[key]

    async def index(
        self, packs: Sequence[Shelved], *, vectors: bool = False, progress: Progress | None = None
    ) -> IndexResult:
        """Brings the index of these packs up to date; only what changed is read anew."""
        documents = documents_of(self.world(packs))
        embedder = self.embedder if vectors else None
        return await index_documents(
            documents, SOURCE, self.open_index(self.name_of(packs)), self.clock, embedder, progress
        )

    def name_of(self, packs: Sequence[Shelved]) -> str:
        """The name of the index of these pack versions."""
        parts = sorted(f"{s.manifest.id}@{s.manifest.version}#{self.shelf.digest(s)}" for s in packs)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _load(self, packs: Sequence[Shelved]) -> list[Pack]:
        return [self.shelf.load(shelved) for shelved in packs]
