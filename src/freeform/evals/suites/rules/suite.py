"""READ THIS FIRST. The suite `rules`: which entries of the SRD are found for a player's question,
in three ways.

    SRD files ── rulebook pack ── index ──> words | vectors | both

The search alone is measured: names and intentions, which `ask` puts on top of it, have no part
here.

Entries are ranked, not passages: an entry stands where its best passage stands. Gold is by the
entry's name.
"""

import math
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from freeform.assistant.rulebook.bring import read_rulebook, write_rulebook
from freeform.core.clock import Clock
from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.evals.report import SuiteReport, mean
from freeform.packs.folder.load import load_pack
from freeform.packs.overlay import overlay
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import GM
from freeform.retrieval.ports import Embedder, PassageIndex, Where
from freeform.retrieval.search import Search

AT, DEPTH = 10, 100
WHERE = Where(viewer=GM)


class RuleQuestion(Record):
    """A question and the names of the entries that answer it."""

    ask: str
    gold: list[str]


@cache
def questions() -> tuple[RuleQuestion, ...]:
    """The questions."""
    text = (files(__package__) / "questions.yaml").read_text(encoding="utf-8")
    return tuple(
        RuleQuestion(**row) for row in yaml.load(text, Loader=yaml.CSafeLoader)["questions"]
    )


async def run_rules(
    data: Path | None,
    new_index: Callable[[str], PassageIndex],
    embedder: Embedder | None,
    clock: Clock,
) -> SuiteReport:
    """Imports the SRD into an index of its own and asks it everything."""
    place = _srd(data)
    with tempfile.TemporaryDirectory() as scratch:
        pack = load_pack(write_rulebook(read_rulebook(place), Path(scratch) / "srd"))
        documents = documents_of(overlay([pack]))
    names = {document.key: document.name for document in documents}
    index = new_index("rules")
    await index_documents(documents, "rules", index, clock, embedder)
    search = Search(index, clock, embedder)
    cases: list[dict[str, Any]] = []
    for number, each in enumerate(questions(), 1):
        case: dict[str, Any] = {
            "question": each.ask,
            "gold": each.gold,
            "held_out": number % 2 == 0,
        }
        for way, ids in (await _rankings(each.ask, search)).items():
            found = await _entries(ids, index, names)
            case[way] = {
                "ndcg_10": round(ndcg(found, each.gold), 4),
                "recall_10": round(recall(found, each.gold), 4),
                "first": found[:3],
            }
        cases.append(case)
    notes = [] if embedder else ["no embedder: vectors were not measured, and fused is words alone"]
    return SuiteReport(suite="rules", n=len(cases), metrics=sum_up(cases), cases=cases, notes=notes)


def _srd(data: Path | None) -> Path:
    for place in (data / "srd" / "json", data / "srd", data) if data else ():
        if place.is_dir() and any(place.glob("5e-SRD-*.json")):
            return place
    raise NotFound(
        "there is no SRD: give --data DIR (or set FREEFORM_DATA) with the JSON files in DIR/srd/json"
    )


async def _rankings(question: str, search: Search) -> dict[str, list[str]]:
    words = await search.index.words(question, WHERE, DEPTH)
    ranked = {"words": [hit.id for hit in words]}
    vector, _ = await search.vector(question)
    if vector is not None and search.embedder is not None:
        near = await search.index.near(vector, search.embedder.name, WHERE, DEPTH)
        ranked["vectors"] = [hit.id for hit in near]
    worth, _ = await search.rank(question, WHERE)
    return {**ranked, "fused": list(worth)}


async def _entries(ids: Sequence[str], index: PassageIndex, names: dict[str, str]) -> list[str]:
    chunks = await index.get(ids)
    return list(dict.fromkeys(names[chunk.document] for chunk in chunks))[:AT]


def ndcg(found: Sequence[str], gold: Sequence[str]) -> float:
    """Gains of one for each gold entry, by its place, against the best order there could be."""
    gain = sum(1 / math.log2(at + 2) for at, name in enumerate(found[:AT]) if name in gold)
    best = sum(1 / math.log2(at + 2) for at in range(min(len(set(gold)), AT)))
    return gain / best


def recall(found: Sequence[str], gold: Sequence[str]) -> float:
    """The share of the gold entries among the first ten."""
    return len(set(found[:AT]) & set(gold)) / len(set(gold))


def sum_up(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The means of each way; of the held-out half beside them."""
    ways = [way for way in ("words", "vectors", "fused") if cases and way in cases[0]]
    held = [case for case in cases if case["held_out"]]

    def means(rows: Sequence[dict[str, Any]], way: str) -> dict[str, float | None]:
        return {
            measure: mean(row[way][measure] for row in rows) for measure in ("ndcg_10", "recall_10")
        }

    return {way: {**means(cases, way), "held_out": means(held, way)} for way in ways}
