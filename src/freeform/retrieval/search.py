"""READ THIS FIRST. One search: filter by what it is about, rank by words and vectors together, keep
to the budget.

    query + viewer ──> Where (stage 1) ──> words ─┐
                                       └─> near ──┴─> fuse, neighbours (stage 2) ──> budget (stage
                                       3) ──> result

Without an embedder the words alone answer, and the result says so.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from freeform.core.clock import Clock
from freeform.core.errors import Unavailable
from freeform.core.record import canonical
from freeform.core.text import plain_form
from freeform.retrieval.fuse import STEEPNESS, fuse, lend
from freeform.retrieval.model import (
    ContentPackChunk,
    Corpus,
    LoreRetrievalQuery,
    LoreRetrievalResult,
    Passage,
    Viewer,
)
from freeform.retrieval.ports import Embedder, PassageIndex, Signals, Vector, Where
from freeform.retrieval.scope import may_see

NO_EMBEDDER = "searched by words alone, since there is no embedder: get one with `freeform-rpg models get-embedder`"
_KEPT_VECTORS, _KEPT_RESULTS, _PAGE = 2048, 256, 8
_ENOUGH = 3
"""With fewer hits among what the scene is about, everything else is looked at too."""


@dataclass(frozen=True)
class SearchTuning:
    """The numbers of stage 2, chosen on one half of the evaluation queries (see
    docs/retrieval.md)."""

    depth: int = 100
    words: float = 1.0
    vectors: float = 1.0
    steepness: float = STEEPNESS
    neighbours: float = 0.25
    neighbours_of: int = 5


@dataclass
class Search:
    """Searches an index for a viewer. Keeps the vectors of the last queries, and results until the
    index changes."""

    index: PassageIndex
    clock: Clock
    embedder: Embedder | None = None
    tuning: SearchTuning = field(default_factory=SearchTuning)
    _vectors: OrderedDict[str, Vector] = field(default_factory=OrderedDict)
    _results: OrderedDict[str, LoreRetrievalResult] = field(default_factory=OrderedDict)

    async def search(self, query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
        """What the viewer may know that fits the query, best first, within its tokens."""
        began = self.clock.ticks()
        key = f"{await self.index.version()}|{canonical(viewer)}|{canonical(query)}"
        result = self._results.get(key)
        if result is None:
            result = await self._look(query, viewer)
            if not result.degraded:
                self._results[key] = result
                if len(self._results) > _KEPT_RESULTS:
                    self._results.popitem(last=False)
        ms = round((self.clock.ticks() - began) * 1000, 2)
        return result.model_copy(update={"query_time_ms": ms})

    async def _look(self, query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
        where, notes, degraded = where_of(query, viewer), list[str](), ""
        if query.keywords.strip():
            worth, degraded = await self.rank(query.keywords, where)
            if len(worth) < _ENOUGH and not where.any_of.empty:
                wider = where.model_copy(update={"any_of": Signals()})
                worth, degraded = await self.rank(query.keywords, wider)
                notes.append("little was found about the scene itself, so everything was searched")
            if degraded:
                notes.append(degraded)
            chunks = await self._read(list(worth), query)
            called = [chunk.id for chunk in chunks if is_called(chunk, query.keywords)]
            if called:
                # Who asks for a thing by its very name wants it before whatever speaks of it.
                worth = worth | dict.fromkeys(called, max(worth.values()))
                chunks.sort(key=lambda chunk: chunk.id not in called)
        else:
            chunks = await self.index.find(where, 4 * query.k)
            worth = fuse([[chunk.id for chunk in chunks]], steepness=self.tuning.steepness)
        notes += await self._missing(where, degraded)
        chunks = [chunk for chunk in chunks if may_see(viewer, chunk)]
        kept = within(chunks, query.max_tokens, query.k)
        return LoreRetrievalResult(
            chunks=[passage(chunk, worth[chunk.id]) for chunk in kept],
            total_tokens=sum(chunk.metadata.token_count for chunk in kept),
            degraded=bool(degraded),
            notes=notes,
        )

    async def _read(self, ids: list[str], query: LoreRetrievalQuery) -> list[ContentPackChunk]:
        """The best chunks, a page at a time until the budget is spent or enough were passed
        over."""
        chunks: list[ContentPackChunk] = []
        for start in range(0, min(len(ids), 4 * query.k), _PAGE):
            chunks += await self.index.get(ids[start : start + _PAGE])
            if sum(chunk.metadata.token_count for chunk in chunks) >= query.max_tokens:
                break
        return chunks

    async def rank(self, keywords: str, where: Where) -> tuple[dict[str, float], str]:
        """Stage 2: ids and their worth, best first; and why vectors had no part in it, if they had
        none."""
        t = self.tuning
        # The model and the word index work side by side.
        (vector, why_not), words = await asyncio.gather(
            self.vector(keywords), self.index.words(keywords, where, t.depth)
        )
        lists, weights = [[hit.id for hit in words]], [t.words]
        if vector is not None and self.embedder is not None:
            near = await self.index.near(vector, self.embedder.name, where, t.depth)
            lists, weights = [*lists, [hit.id for hit in near]], [*weights, t.vectors]
        worth = fuse(lists, weights, t.steepness)
        if t.neighbours:
            top = list(worth)[: t.neighbours_of]
            worth = lend(worth, await self.index.beside(top, where), t.neighbours)
        return worth, why_not

    async def vector(self, text: str) -> tuple[Vector | None, str]:
        """The query's vector, or none and why."""
        if self.embedder is None:
            return None, NO_EMBEDDER
        key = f"{self.embedder.name}|{text}"
        if key in self._vectors:
            self._vectors.move_to_end(key)
            return self._vectors[key], ""
        try:
            (vector,) = await self.embedder.embed([text])
        except Unavailable as lost:
            return None, f"searched by words alone: {lost}"
        self._vectors[key] = vector
        if len(self._vectors) > _KEPT_VECTORS:
            self._vectors.popitem(last=False)
        return vector, ""

    async def _missing(self, where: Where, degraded: str) -> list[str]:
        """What the index itself lacks, in sentences. Counts would tell a player of secrets, so
        there are none."""
        model = self.embedder.name if self.embedder and not degraded else ""
        stats = await self.index.stats(None, model)
        notes = []
        if stats.unfinished:
            notes.append(
                "the index is not finished: an indexing run was cut off, run `pack reindex`"
            )
        if model and stats.without_vector:
            notes.append(
                "some passages have no vectors yet and are found by words alone: run `pack reindex`"
            )
        return notes


def where_of(query: LoreRetrievalQuery, viewer: Viewer) -> Where:
    """Stage 1: the query's signals and filters as a filter on chunks."""
    corpora: tuple[Corpus, ...] = (
        ("authored", "history") if query.corpus == "all" else (query.corpus,)
    )
    return Where(
        viewer=viewer,
        corpora=corpora,
        packs=tuple(query.packs),
        types=tuple(query.types),
        tags=tuple(query.tags),
        entities=tuple(query.entities),
        locations=tuple(query.locations),
        any_of=Signals(
            locations=(query.location_id,) if query.location_id else (),
            entities=tuple(query.entity_ids),
            factions=tuple(query.faction_ids),
            threads=tuple(query.thread_ids),
            tags=tuple(query.thread_tags),
        ),
    )


def is_called(chunk: ContentPackChunk, keywords: str) -> bool:
    """Whether a passage goes by exactly these words."""
    return plain_form(chunk.heading).strip(" .:") == plain_form(keywords).strip(" .?!")


def within(chunks: list[ContentPackChunk], max_tokens: int, most: int) -> list[ContentPackChunk]:
    """Stage 3: the best that fit. One that is too long is passed over, since a shorter one may
    still fit."""
    kept: list[ContentPackChunk] = []
    left = max_tokens
    for chunk in chunks:
        if len(kept) < most and chunk.metadata.token_count <= left:
            kept.append(chunk)
            left -= chunk.metadata.token_count
    return kept


def passage(chunk: ContentPackChunk, score: float) -> Passage:
    """A chunk as a result shows it."""
    about = chunk.metadata.model_dump()
    about |= {
        "file_path": chunk.file_path,
        "section_path": chunk.section_path,
        "heading": chunk.heading,
        "audience": chunk.audience,
    }
    return Passage(
        chunk_id=chunk.id,
        text=chunk.chunk_text,
        relevance_score=round(min(score, 1.0), 4),
        source=chunk.corpus,
        pack_id=chunk.pack_id,
        metadata=about,
    )
