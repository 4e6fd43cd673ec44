"""Finds facts for a question: words and vectors together, within the groups that may be seen."""

from collections.abc import Sequence
from dataclasses import dataclass

from freeform.players.memory.model import Fact
from freeform.players.memory.ports import MemoryStore, When
from freeform.retrieval.fuse import fuse
from freeform.retrieval.ports import Embedder

PAGE = 256
"""How many facts are embedded at a time."""


@dataclass(frozen=True)
class Tuning:
    """The numbers of the search, chosen on two of the ten LoCoMo conversations (see docs/memory.md)."""

    depth: int = 200
    words: float = 1.0
    vectors: float = 0.5
    steepness: float = 10
    beside: float = 0.5


async def find(
    query: str,
    groups: Sequence[str],
    store: MemoryStore,
    embedder: Embedder | None = None,
    when: When | None = None,
    most: int = 10,
    tuning: Tuning | None = None,
) -> list[tuple[Fact, float]]:
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
    tuning: Tuning | None = None,
) -> dict[str, float]:
    """Fact ids with their worth, best first."""
    t = tuning or Tuning()
    if not query.strip() or not groups:
        return {}
    lists, weights = [[hit.id for hit in await store.words(query, groups, when, t.depth)]], [t.words]
    if embedder is not None:
        (vector,) = await embedder.embed([query])
        near = await store.near(vector, embedder.name, groups, when, t.depth, t.beside)
        lists, weights = [*lists, [hit.id for hit in near]], [*weights, t.vectors]
    return fuse(lists, weights, t.steepness)


async def embed_facts(groups: Sequence[str], store: MemoryStore, embedder: Embedder) -> int:
    """Gives every fact of these groups its vector; how many were new."""
    done = 0
    while facts := await store.without_vector(embedder.name, groups, PAGE):
        vectors = await embedder.embed([fact.text for fact in facts])
        await store.add_vectors(embedder.name, [(f.id, v) for f, v in zip(facts, vectors, strict=True)])
        done += len(facts)
    return done
