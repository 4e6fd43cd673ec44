"""The suite `own-packs`: questions over our own packs with the sections that answer them, half of
them held out."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.clock import Clock
from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.yamlfile import read_record
from freeform.evals.suites.retrieval.suite import WAYS, ndcg, recall
from freeform.packs.folder.load import load_pack
from freeform.packs.overlay import overlay
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import GM
from freeform.retrieval.ports import Embedder, PassageIndex, Where
from freeform.retrieval.search import Search

SUITE, HALVES = "own-packs", ("tune", "held")
GOLD = Path(str(files(__package__))) / "own_packs.yaml"
MEASURES = ("ndcg_10", "recall_10", "first")


class GoldQuestion(Record):
    """A question, how it is put, and the sections that answer it, best first."""

    q: str
    kind: str
    gold: list[str] = Field(min_length=1)
    held: bool = False


class GoldSet(Record):
    """All questions."""

    questions: list[GoldQuestion]


async def run_own_packs(
    gold: Path, packs: Path, index: PassageIndex, embedder: Embedder | None, clock: Clock
) -> dict[str, Any]:
    """Asks every question three ways: `{suite, n, metrics, cases}`. UserError when a gold section
    is gone."""
    asked = read_record(gold, GoldSet).questions
    about = {id.partition(":")[0] for question in asked for id in question.gold}
    for folder in sorted(packs / name for name in about if (packs / name / "pack.yaml").is_file()):
        documents = documents_of(overlay([load_pack(folder)]))
        await index_documents(documents, folder.name, index, clock, embedder)
    await _all_there(asked, index)
    search, cases = Search(index, clock, embedder), list[dict[str, Any]]()
    for question in asked:
        case: dict[str, Any] = question.model_dump()
        for way, ids in (await _rankings(question.q, search)).items():
            case[way] = {
                "ndcg_10": ndcg(ids, question.gold),
                "recall_10": recall(ids, question.gold),
                "first": float(ids[:1] != [] and ids[0] in question.gold),
                "found": ids[:3],
            }
        cases.append(case)
    return {"suite": SUITE, "n": len(cases), "metrics": sum_up(cases), "cases": cases}


async def _all_there(asked: Sequence[GoldQuestion], index: PassageIndex) -> None:
    wanted = sorted({id for question in asked for id in question.gold})
    there = {chunk.id for chunk in await index.get(wanted)}
    if gone := [id for id in wanted if id not in there]:
        raise UserError(f"no section {gone[0]} in the packs any more; put the gold set right")


async def _rankings(text: str, search: Search) -> dict[str, list[str]]:
    where, depth = Where(viewer=GM), search.tuning.depth
    found = {"words": [hit.id for hit in await search.index.words(text, where, depth)]}
    vector, _ = await search.vector(text)
    if vector is not None and search.embedder is not None:
        near = await search.index.near(vector, search.embedder.name, where, depth)
        found["vectors"] = [hit.id for hit in near]
    return {**found, "fused": list((await search.rank(text, where))[0])}


def sum_up(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Means for each way: over all, over each half, and fused for each kind of question."""
    halves = {half: [case for case in cases if case["held"] is (half == "held")] for half in HALVES}
    kinds = {
        kind: [case for case in cases if case["kind"] == kind]
        for kind in dict.fromkeys(c["kind"] for c in cases)
    }
    return {
        **_means(cases),
        **{half: _means(chosen) for half, chosen in halves.items()},
        "kinds": {
            kind: {"n": len(chosen), **_means(chosen)["fused"]} for kind, chosen in kinds.items()
        },
    }


def _means(cases: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    return {
        way: {m: round(sum(case[way][m] for case in cases) / len(cases), 4) for m in MEASURES}
        for way in WAYS
        if cases and way in cases[0]
    }
