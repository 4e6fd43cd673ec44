"""What retrieval speaks of: documents cut into chunks, who looks, what is asked and what is
found."""

import hashlib
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record, canonical

Corpus = Literal["authored", "history"]
Audience = Literal["all", "player", "gm"]
"""Who may read a text: anyone in the world, the player but not every NPC (what happened in play),
the GM alone."""
CHUNKER = 2
"""Goes up when the same document is cut differently, so that indexes are made anew."""


class DocumentSection(Record):
    """A heading and the text under it. `path` leads to it: `The Neon Dragon > History`."""

    path: str
    heading: str = ""
    level: int = 1
    text: str = ""
    gm_only: bool = False
    page: int = 0
    """Of the book it was taken from, 0 where there is none."""


class Document(Record):
    """One file of a pack, or one thing that happened in play, ready to be cut."""

    pack_id: str
    """For `history`, the campaign."""
    id: str
    """Inside the pack: `viktor`."""
    type: str
    name: str
    aliases: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    related_entities: list[str] = Field(default_factory=list)
    related_factions: list[str] = Field(default_factory=list)
    related_locations: list[str] = Field(default_factory=list)
    related_threads: list[str] = Field(default_factory=list)
    file_path: str = ""
    sections: list[DocumentSection] = Field(default_factory=list)
    corpus: Corpus = "authored"
    audience: Audience = "all"
    known_by: list[str] = Field(default_factory=list)
    """Entities who know of it although its audience leaves them out."""
    book: str = ""
    """The printed book it was taken from; sections say the page."""

    @property
    def key(self) -> str:
        """Its full name: `neo_seattle:viktor`."""
        return f"{self.pack_id}:{self.id}"

    @property
    def digest(self) -> str:
        """Changes when anything in it, or our way of cutting, does."""
        told = self.model_dump(mode="json")
        if not self.book:
            # Packs that no book stands behind keep the digests they always had.
            del told["book"]
            for section in told["sections"]:
                del section["page"]
        return hashlib.sha256(f"{CHUNKER}{canonical(told)}".encode()).hexdigest()[:32]


class ChunkMetadata(Record):
    """What a chunk is about, inherited from its document. Ids are full: `neo_seattle:viktor`."""

    type: str = ""
    name: str = ""
    location_ids: list[str] = Field(default_factory=list)
    entity_ids: list[str] = Field(default_factory=list)
    faction_ids: list[str] = Field(default_factory=list)
    thread_ids: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    token_count: int = 0
    book: str = ""
    page: int = 0
    """Where it stands in print, for packs made from a book."""


class ContentPackChunk(Record):
    """A passage: one section, a part of a long one, or some short ones together."""

    id: str
    """`neo_seattle:neon_dragon:history`; stays the same while other sections change."""
    pack_id: str
    document: str
    """The key of its document."""
    file_path: str
    section_path: str
    heading: str = ""
    chunk_text: str
    aliases: list[str] = Field(default_factory=list)
    metadata: ChunkMetadata
    embedding_id: str = ""
    """Digest of the text that is embedded: equal texts share one vector."""
    corpus: Corpus = "authored"
    audience: Audience = "all"
    known_by: list[str] = Field(default_factory=list)
    place: int = 0
    """Its place in the document; neighbours differ by one."""

    @property
    def embedded_text(self) -> str:
        """What the embedder reads: the passage under its path."""
        return embedded_text(self.section_path, self.chunk_text)


def embedded_text(path: str, text: str) -> str:
    """A passage under its path, as a sentence."""
    return f"{path.replace(' > ', ', ')}. {text}"


class Viewer(Record):
    """Through whose eyes one looks: the GM's, the player's, or an NPC's."""

    kind: Literal["gm", "player", "npc"] = "gm"
    id: str = ""

    @classmethod
    def parse(cls, text: str) -> "Viewer":
        """`gm`, `player` or `npc:<id>`; anything else sees what a player sees."""
        kind, _, id = text.partition(":")
        if kind == "npc" and id:
            return cls(kind="npc", id=id)
        return cls(kind="gm") if text == "gm" else cls(kind="player")


GM = Viewer(kind="gm")
PLAYER = Viewer(kind="player")


class LoreRetrievalQuery(Record):
    """What is asked. The signals widen (any of them may match), the filters narrow (all of them
    must)."""

    location_id: str = ""
    entity_ids: list[str] = Field(default_factory=list)
    faction_ids: list[str] = Field(default_factory=list)
    thread_ids: list[str] = Field(default_factory=list)
    thread_tags: list[str] = Field(default_factory=list)
    keywords: str = ""
    corpus: Literal["authored", "history", "all"] = "all"
    max_tokens: int = 3000
    k: int = 20
    packs: list[str] = Field(default_factory=list)
    types: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    entities: list[str] = Field(default_factory=list)
    locations: list[str] = Field(default_factory=list)


class Passage(Record):
    """A chunk that was found."""

    chunk_id: str
    text: str
    relevance_score: float
    source: Corpus
    pack_id: str
    metadata: dict[str, Any] = Field(default_factory=dict)


class LoreRetrievalResult(Record):
    """What was found, best first, within the token budget. `notes` says what was not as it should
    be."""

    chunks: list[Passage] = Field(default_factory=list)
    total_tokens: int = 0
    query_time_ms: float = 0.0
    degraded: bool = False
    """True when vectors were wanted and could not be used."""
    notes: list[str] = Field(default_factory=list)


class IndexStats(Record):
    """What an index holds of a pack (or of all). `unfinished`: an indexing run was cut off."""

    documents: int = 0
    chunks: int = 0
    total_tokens: int = 0
    without_vector: int = 0
    last_indexed: str = ""
    unfinished: bool = False


class IndexResult(Record):
    """What an indexing run did."""

    documents: int = 0
    changed: int = 0
    removed: int = 0
    chunks: int = 0
    tokens: int = 0
    embedded: int = 0
    seconds: float = 0.0
    notes: list[str] = Field(default_factory=list)
