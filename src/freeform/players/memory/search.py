"""Finds facts for a question: words and vectors together, within the groups that may be seen."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.players.memory.model import MemoryFact
from freeform.players.memory.ports import MemoryStore, When
from freeform.retrieval.fuse import ordered
from freeform.retrieval.ports import Embedder, Hit, Vector

PAGE = 256
"""How many facts are embedded at a time."""
QUESTIONS = 64
"""So many questions' vectors are kept."""


@dataclass(frozen=True)
class MemoryTuning:
    """The numbers of the search, chosen on two of the ten LoCoMo conversations (see
    docs/memory.md)."""

    depth: int = 150
    vectors: float = 0.7
    """What the best by vector counts, where the best by words counts 1."""
    beside: float = 0.5
    """What the facts right before and after lend to a fact's nearness."""


class AskedBefore:
    """An embedder that keeps the vectors of the last questions: in a round every agent asks about
    the same things."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._kept = embedder, dict[str, Vector]()

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """As the embedder would; one question at a time is kept, batches of facts are not."""
        if len(texts) != 1:
            return await self._embedder.embed(texts)
        (text,) = texts
        if text not in self._kept:
            (vector,) = await self._embedder.embed(texts)
            while len(self._kept) >= QUESTIONS:
                del self._kept[next(iter(self._kept))]
            self._kept[text] = vector
        return [self._kept[text]]


async def find(
    query: str,
    groups: Sequence[str],
    store: MemoryStore,
    embedder: Embedder | None = None,
    when: When | None = None,
    most: int = 10,
    tuning: MemoryTuning | None = None,
) -> list[tuple[MemoryFact, float]]:
    """The best facts with their worth from 0 to 1. Without an embedder the words alone decide."""
    worth = await rank(query, groups, store, embedder, when, tuning)
    best = dict(list(worth.items())[:most])
    return [(fact, best[fact.id]) for fact in await store.get(list(best))]


async def rank(
    query: str,
    groups: Sequence[str],
    store: MemoryStore,
    embedder: Embedder | None = None,
    when: When | None = None,
    tuning: MemoryTuning | None = None,
) -> dict[str, float]:
    """Fact ids with their worth, best first."""
    t = tuning or MemoryTuning()
    if not query.strip() or not groups:
        return {}
    if embedder is None:
        return _joined(await store.words(query, groups, when, t.depth), [], 0.0)
    async with asyncio.TaskGroup() as beside:
        asked = beside.create_task(embedder.embed([query]))
        words = beside.create_task(store.words(query, groups, when, t.depth))
    near = await store.near(asked.result()[0], embedder.name, groups, when, t.depth, t.beside)
    return _joined(words.result(), near, t.vectors)


def _joined(words: Sequence[Hit], near: Sequence[Hit], share: float) -> dict[str, float]:
    """Scores as parts of the best of their list, added up, so that 1 is the best by both. A fact
    beyond the end of the list of vectors is taken to be as near as the last of it. (Ranks alone, as
    lore is fused, find a little less.)"""
    by_words = {hit.id: hit.score / words[0].score for hit in words if words[0].score > 0}
    best = near[0].score if near else 0.0
    by_vector = {hit.id: hit.score / best for hit in near} if best > 0 else {}
    last = min(by_vector.values(), default=0.0)
    both = {
        id: by_words.get(id, 0.0) + share * by_vector.get(id, last)
        for id in {**by_words, **by_vector}
    }
    full = 1.0 + (share if by_vector else 0.0)
    return ordered({id: worth / full for id, worth in both.items()})


async def embed_facts(groups: Sequence[str], store: MemoryStore, embedder: Embedder) -> int:
    """Gives every fact of these groups its vector; how many were new."""
    done = 0
    while facts := await store.without_vector(embedder.name, groups, PAGE):
        vectors = await embedder.embed([fact.text for fact in facts])
        await store.add_vectors(
            embedder.name, [(f.id, v) for f, v in zip(facts, vectors, strict=True)]
        )
        done += len(facts)
    return done
