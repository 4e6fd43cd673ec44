"""The books on the table: which packs a campaign plays with, and leafing through them.

Each set of pack versions has an index of its own, found by their digests, so a campaign that began
before an upgrade goes on reading what it began with. Vectors are made when someone searches; a
scene needs none.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from freeform.core.clock import Clock
from freeform.engine.authored.library import content_folder
from freeform.packs.folder.tables import tables_in
from freeform.packs.lock import Lock, Locked, write_lock
from freeform.packs.model import Dependency, Pack
from freeform.packs.overlay import PackWorld, overlay
from freeform.packs.resolve import Shelved, layer_order, resolve
from freeform.packs.shelf import PackShelf
from freeform.packs.tables import RandomTable
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

    shelf: PackShelf
    open_index: Callable[[str], PassageIndex]
    clock: Clock
    embedder: Embedder | None = None
    _open: dict[str, LoreRetriever] = field(default_factory=dict)
    _opening: dict[str, asyncio.Lock] = field(default_factory=dict)
    _tables: dict[str, dict[str, RandomTable]] = field(default_factory=dict)

    def choose(self, packs: Sequence[str]) -> list[Shelved]:
        """The packs a scenario names, with what they depend on, lowest layer first."""
        wanted = []
        for pack in packs:
            id, _, version = pack.partition("@")
            wanted.append(Dependency(id=id, version=version or "*"))
        return resolve(wanted, self.shelf.packs())

    def hold(self, packs: Sequence[str]) -> dict[str, Locked]:
        """The versions a campaign begins with, kept on the shelf for as long as it is there."""
        return self.shelf.hold(self.choose(packs)).packs if packs else {}

    def write_lock(self, campaign: str, packs: dict[str, Locked]) -> None:
        """A copy of what the campaign holds, beside it, so that the shelf knows what is in use."""
        if packs:
            write_lock(self.shelf.lock_path(campaign), Lock(packs=packs))

    def locked(self, packs: dict[str, Locked]) -> list[Shelved]:
        """Exactly these versions. UserError names what is gone or was changed."""
        return self.shelf.open_locked(Lock(packs=packs))

    def newest(self, packs: Sequence[str] = ()) -> list[Shelved]:
        """The newest version of each pack, or of those named."""
        newest: dict[str, Shelved] = {}
        for shelved in self.shelf.packs():
            newest.setdefault(shelved.manifest.id, shelved)
        return [self.shelf.find(id) for id in packs] if packs else list(newest.values())

    def world(self, packs: Sequence[Shelved]) -> PackWorld:
        """The packs laid over one another."""
        return overlay(self._load(packs))

    async def reader(self, packs: dict[str, Locked]) -> LoreRetriever:
        """What leafs through a campaign's own versions.

        Their files are opened only to make the index.
        """
        name = set_name(packs)
        if name in self._open:
            return self._open[name]
        async with self._opening.setdefault(
            name, asyncio.Lock()
        ):  # many tables may sit down at once
            if name not in self._open:
                index = self.open_index(name)
                stats = await index.stats(SOURCE)
                if stats.unfinished or not stats.last_indexed:
                    await self.index(self.locked(packs))
                self._open[name] = LoreRetriever(Search(index, self.clock))
        return self._open[name]

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
        return _name((s.manifest.id, s.manifest.version, self.shelf.digest(s)) for s in packs)

    def locked_world(self, packs: dict[str, Locked]) -> PackWorld:
        """A campaign's own versions, laid over one another."""
        return self.world(self.locked(packs))

    def tables(self, packs: dict[str, Locked]) -> dict[str, RandomTable]:
        """The random tables by id: the house's general ones, and over them those of a campaign's
        own versions, a higher layer over a lower."""
        if not packs:
            return general_tables()
        name = set_name(packs)
        if name not in self._tables:
            loaded = {pack.manifest.id: pack for pack in self._load(self.locked(packs))}
            found = dict(general_tables())
            for id in layer_order([pack.manifest for pack in loaded.values()]):
                found.update({table.id: table for table in loaded[id].tables})
            self._tables[name] = found
        return self._tables[name]

    def _load(self, packs: Sequence[Shelved]) -> list[Pack]:
        return [self.shelf.load(shelved) for shelved in packs]


@cache
def general_tables() -> dict[str, RandomTable]:
    """The random tables that come with the program, by id."""
    return tables_in(content_folder("tables"))


def set_name(packs: dict[str, Locked]) -> str:
    """The name of the index of a campaign's versions."""
    return _name((id, locked.version, locked.digest) for id, locked in packs.items())


def _name(versions: Iterable[tuple[str, str, str]]) -> str:
    parts = sorted(f"{id}@{version}#{digest}" for id, version, digest in versions)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
