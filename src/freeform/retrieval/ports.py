"""What retrieval needs from outside: an index of passages, and a model that turns texts into
vectors."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from pydantic import Field

from freeform.core.record import Record
from freeform.retrieval.model import ContentPackChunk, Corpus, IndexStats, Viewer

Vector: TypeAlias = bytes
"""Little-endian float32 numbers, of unit length together."""


class Signals(Record):
    """Stage 1: a chunk is looked at when it shares any of these. Short ids match in any pack."""

    locations: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.locations or self.entities or self.factions or self.threads or self.tags)


class Where(Record):
    """Which chunks count: those the viewer may see, and that pass every filter that is set."""

    viewer: Viewer
    corpora: tuple[Corpus, ...] = ("authored", "history")
    packs: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    """Documents about one of these, or being one of these."""
    locations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    any_of: Signals = Field(default_factory=Signals)


class Hit(Record):
    """A chunk's id and how well it fits, higher is better; comparable only inside one list."""

    id: str
    score: float


class Fresh(Record):
    """A document to be written: its chunks replace those it had."""

    key: str
    source: str
    digest: str
    chunks: list[ContentPackChunk]


class Embedder(Protocol):
    """Turns texts into vectors. Raises Unavailable."""

    @property
    def name(self) -> str:
        """Model and variant; vectors of different names are never compared."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text, in order."""
        ...


class PassageIndex(Protocol):
    """Keeps chunks with their words and vectors. A source is a pack or a campaign's history.

    No text that a viewer may not see changes anything that viewer is given: not the hits, nor their
    scores.
    """

    async def begin(self, source: str) -> dict[str, str]:
        """Marks a run on that source as begun; its documents' digests by key."""
        ...

    async def write(
        self, fresh: Sequence[Fresh], gone: Sequence[str], vectors: Mapping[str, Vector], model: str
    ) -> None:
        """Replaces documents, forgets others (by key), adds vectors (by embedding id): all or
        nothing.

        UserError when what is to be written does not fit; then nothing is.
        """
        ...

    async def finish(self, source: str, at: str) -> None:
        """The run is done; `at` is the time of day."""
        ...

    async def without_vector(self, model: str, embedding_ids: Sequence[str]) -> list[str]:
        """Those of these texts that have no vector of that model."""
        ...

    async def lacking(self, model: str, most: int) -> list[ContentPackChunk]:
        """Some chunks that have no vector of that model, each text once."""
        ...

    async def words(self, query: str, where: Where, most: int) -> list[Hit]:
        """The best chunks by words."""
        ...

    async def near(self, vector: Vector, model: str, where: Where, most: int) -> list[Hit]:
        """The best chunks by vector, exactly."""
        ...

    async def beside(self, ids: Sequence[str], where: Where) -> dict[str, list[str]]:
        """The chunks right before and after each, in the same document, that count."""
        ...

    async def find(self, where: Where, most: int) -> list[ContentPackChunk]:
        """Chunks by filter alone: most signals shared first, then in the order of their
        documents."""
        ...

    async def get(self, ids: Sequence[str]) -> list[ContentPackChunk]:
        """These chunks, in this order; ids that are unknown are left out."""
        ...

    async def stats(self, source: str | None = None, model: str = "") -> IndexStats:
        """What is held."""
        ...

    async def sources(self) -> list[str]:
        """The packs and histories held."""
        ...

    async def version(self) -> int:
        """Goes up with every write: an answer of an older version may be stale."""
        ...
