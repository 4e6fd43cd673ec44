"""The suite `retrieval`: words, vectors and both fused, by nDCG@10 and recall@10 on public
collections.

The numbers in `retrieval.search.Tuning` were chosen on the odd queries; `held_out` are the even
ones.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.clock import Clock
from freeform.core.record import Record
from freeform.evals.suites.retrieval.sets import TestQuery, TestSet, read_sets
from freeform.retrieval.indexing import Progress, index_documents
from freeform.retrieval.model import GM
from freeform.retrieval.ports import Embedder, PassageIndex, Where
from freeform.retrieval.search import Search, SearchTuning

WAYS = ("words", "vectors", "fused")
AT = 10


class RetrievalReport(Record):
    """What `eval retrieval` prints."""

    suite: str = "retrieval"
    n: int
    metrics: dict[str, Any]
    cases: list[dict[str, Any]] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


async def run_retrieval(
    data: Path,
    new_index: Callable[[str], PassageIndex],
    embedder: Embedder | None,
    clock: Clock,
    tuning: SearchTuning | None = None,
    progress: Progress | None = None,
) -> RetrievalReport:
    """Every collection of the folder, each in an index of its own."""
    cases: list[dict[str, Any]] = []
    for test_set in read_sets(data):
        index = new_index(test_set.name)
        await index_documents(test_set.documents, test_set.name, index, clock, embedder, progress)
        cases += await run_set(test_set, index, embedder, clock, tuning or SearchTuning())
    notes = [] if embedder else ["no embedder: vectors were not measured, and fused is words alone"]
    return RetrievalReport(n=len(cases), metrics=sum_up(cases), cases=cases, notes=notes)


async def run_set(
    test_set: TestSet,
    index: PassageIndex,
    embedder: Embedder | None,
    clock: Clock,
    tuning: SearchTuning,
) -> list[dict[str, Any]]:
    """One case per query: its measures for each way."""
    search, where, cases = Search(index, clock, embedder, tuning), Where(viewer=GM), []
    for query in test_set.queries:
        found = await rankings(query, search, where)
        case: dict[str, Any] = {
            "set": test_set.name,
            "query": query.number,
            "held_out": query.number % 2 == 0,
        }
        for way, ids in found.items():
            case[f"{way}_ndcg_10"] = ndcg(ids, query.relevant)
            case[f"{way}_recall_10"] = recall(ids, query.relevant)
        cases.append(case)
    return cases


async def rankings(query: TestQuery, search: Search, where: Where) -> dict[str, list[str]]:
    """The documents each way finds, best first."""
    vector, _ = await search.vector(query.text)
    depth = search.tuning.depth
    words = [hit.id for hit in await search.index.words(query.text, where, depth)]
    near = list[str]()
    if vector is not None and search.embedder is not None:
        near = [
            hit.id for hit in await search.index.near(vector, search.embedder.name, where, depth)
        ]
    fused = list((await search.rank(query.text, where))[0])
    lists = {"words": words, "vectors": near, "fused": fused}
    return {way: _documents(ids, query.exclude) for way, ids in lists.items()}


def _documents(chunk_ids: Sequence[str], exclude: Sequence[str]) -> list[str]:
    """Chunks as the documents they belong to, each once: `pack:document:section`."""
    seen = dict.fromkeys(id.split(":")[1] for id in chunk_ids)
    return [id for id in seen if id not in exclude]


def ndcg(ids: Sequence[str], relevant: Sequence[str], at: int = AT) -> float:
    """Normalised discounted cumulative gain with yes-or-no relevance."""
    gain = sum(
        1 / math.log2(rank + 1) for rank, id in enumerate(ids[:at], start=1) if id in relevant
    )
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(at, len(relevant)) + 1))
    return round(gain / best, 4) if best else 0.0


def recall(ids: Sequence[str], relevant: Sequence[str], at: int = AT) -> float:
    """The share of the answers among the first."""
    return round(len(set(ids[:at]) & set(relevant)) / len(relevant), 4) if relevant else 0.0


def sum_up(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Means per set and way, and their average over the sets; all queries, and the held-out
    ones."""
    halves = {"all": list(cases), "held_out": [case for case in cases if case["held_out"]]}
    metrics: dict[str, Any] = {}
    for half, chosen in halves.items():
        sets = list(dict.fromkeys(case["set"] for case in chosen))
        table = {
            name: {
                way: _mean(way, [case for case in chosen if case["set"] == name]) for way in WAYS
            }
            for name in sets
        }
        average = {
            way: {
                measure: round(sum(table[name][way][measure] for name in sets) / len(sets), 4)
                for measure in ("ndcg_10", "recall_10")
            }
            for way in WAYS
            if sets
        }
        metrics[half] = {**table, "average": average}
    return {
        **metrics["all"].pop("average"),
        "sets": metrics["all"],
        "held_out": metrics["held_out"],
    }


def _mean(way: str, cases: Sequence[dict[str, Any]]) -> dict[str, float]:
    return {
        measure: round(sum(case[f"{way}_{measure}"] for case in cases) / max(len(cases), 1), 4)
        for measure in ("ndcg_10", "recall_10")
    }
