"""A search of a small shelf: chunks, ranks for each eye, filters, budgets, fusing, and the notes for a scene."""

from pathlib import Path
from typing import Any

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.retrieval.fuse import fuse, lend
from freeform.retrieval.lore import LoreRetriever, SceneSignal, ThreadSignal
from freeform.retrieval.model import GM, LoreRetrievalQuery, Viewer
from freeform.retrieval.ports import Where
from freeform.retrieval.search import Search
from tests.retrieval.shelf import DRAGON, SHELF, HashedWords, document, fill, searching
from tests.snapshots.keeping import cut, plain, without

LONG = document(
    "tunnels",
    "The Tunnels",
    "location",
    [
        ("Ways", " ".join(f"The {n}th bend leads on, past the {n} lamps, to another." for n in range(90))),
        ("Short", "Dark."),
        ("Shorter", "Wet."),
        ("Ways", "A second part of that name."),
    ],
    overview="Below the market.",
    related_locations=["neon_dragon"],
)  # fmt: skip
VIEWERS = ("gm", "player", "npc:viktor", "npc:agent_chen")
WISHES: tuple[dict[str, Any], ...] = (
    {"keywords": "who owns the Neon Dragon"},
    {"keywords": "vault code"},
    {"keywords": "Chen works for two masters"},
    {"keywords": "lamps in the tunnels", "k": 3},
    {"keywords": "night dock bar", "location_id": "neon_dragon", "entity_ids": ["viktor"]},
    {"keywords": "tides and old cranes", "location_id": "nowhere_at_all"},
    {"keywords": "market", "packs": ["coast"]},
    {"keywords": "Viktor bar market night", "max_tokens": 60},
    {"keywords": "favours", "thread_tags": ["market"]},
    {"keywords": "Jin", "thread_ids": ["main_case"], "faction_ids": ["guild"]},
    {"keywords": "", "entity_ids": ["viktor"]},
    {"keywords": "Chen", "max_tokens": 0},
)
SCENE = SceneSignal(
    location_id="neon_dragon", present_entity_ids=["viktor", "agent_chen"], tags=["bar"]
)
THREADS = [ThreadSignal(id="main_case", title="Where is Jin?", tags=["case"])]


async def found(folder: Path) -> dict[str, Any]:
    """Words and vectors; then words alone."""
    index, embedder = SqlitePassages(), HashedWords()
    made = await fill(index, [*SHELF, LONG], embedder)
    both = searching(index, embedder)
    again = await fill(index, [*SHELF[:4], LONG], embedder)
    back = await fill(index, [*SHELF, LONG], embedder)
    chunks = await index.find(Where(viewer=GM), 100)
    words = SqlitePassages()
    await fill(words, [*SHELF, LONG])
    retriever = LoreRetriever(both)
    return {
        "indexed": [without(plain(each), "seconds") for each in (made, again, back)],
        "chunks": [cut(without(plain(chunk), "digest", "embedding_id")) for chunk in chunks],
        "both": [await _ranked(both, wish) for wish in WISHES],
        "words": [await _ranked(searching(words), wish) for wish in WISHES],
        "scene": cut(plain(await retriever.retrieve_for_scene(SCENE, THREADS))),
        "scene_in_few_tokens": cut(plain(await retriever.retrieve_for_scene(SCENE, THREADS, 80))),
        "entity": await _about(retriever),
        "session": cut(without(plain(await retriever.retrieve_for_session("c")), "text")),
        "query": plain(LoreRetriever.build_query(SCENE, THREADS, "", ["The Neon Dragon"])),
        "fused": fuse([["a", "b", "c"], ["c", "a"], []], [1.0, 2.0, 0.5]),
        "lent": lend({"a": 1.0, "b": 0.4}, {"a": ["b", "c"], "b": ["a", "d"]}, 0.5),
        "digest_moves": DRAGON.digest != DRAGON.model_copy(update={"name": "Dragon"}).digest,
    }


async def _ranked(search: Search, wish: dict[str, Any]) -> dict[str, Any]:
    """Ids in their order for each who asks."""
    told: dict[str, Any] = {"wish": wish}
    for name in VIEWERS:
        result = await search.search(LoreRetrievalQuery(**wish), Viewer.parse(name))
        ids = [chunk.chunk_id for chunk in result.chunks]
        told[name] = " ".join([str(result.total_tokens), *ids, *result.notes])
    return told


async def _about(retriever: LoreRetriever) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in VIEWERS:
        result = await retriever.retrieve_for_entity("viktor", Viewer.parse(name), 200)
        told[name] = [(chunk.chunk_id, chunk.relevance_score) for chunk in result.chunks]
    return told
