"""The questions over our own packs: enough of them, answered by sections that exist, and found well enough."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import HandClock
from freeform.core.errors import UserError
from freeform.core.yamlfile import read_record
from freeform.engine.authored.library import content_folder
from freeform.evals.suites.retrieval.own_packs import GOLD, GoldSet, run_own_packs
from freeform.retrieval.ports import Embedder, Vector
from tests.retrieval.shelf import real_embedder
from tests.retrieval.stored import StoredVectors


async def measured(embedder: Embedder | None = None, gold: Path = GOLD) -> dict[str, Any]:
    return await run_own_packs(
        gold, content_folder("packs"), SqlitePassages(), embedder, HandClock()
    )


def test_there_are_enough_questions_over_every_pack_and_half_are_held_out() -> None:
    questions = read_record(GOLD, GoldSet).questions
    assert len(questions) >= 84 and sum(question.held for question in questions) * 2 == len(
        questions
    )
    assert len({question.q for question in questions}) == len(questions)
    for half in (True, False):
        mine = [question for question in questions if question.held is half]
        assert {id.partition(":")[0] for q in mine for id in q.gold} == {
            "neo_seattle",
            "saltmarch",
            "lantern_core",
        }
        assert {question.kind for question in mine} == {"direct", "paraphrase", "typo", "hop"}


async def test_words_alone_find_most_of_what_is_asked() -> None:
    report = await measured()
    assert (report["suite"], report["n"]) == ("own-packs", 84)
    assert "vectors" not in report["metrics"]
    assert (
        report["metrics"]["words"]["recall_10"] >= 0.74
        and report["metrics"]["words"]["ndcg_10"] >= 0.58
    )
    (dragon,) = [case for case in report["cases"] if case["q"] == "who owns the Neon Dragon"]
    assert dragon["fused"]["found"][0] == "neo_seattle:neon_dragon:ownership"


async def test_fused_beats_both_of_its_halves_also_on_questions_held_out() -> None:
    metrics = (await measured(StoredVectors()))["metrics"]
    for part in (metrics, metrics["tune"], metrics["held"]):
        assert part["fused"]["ndcg_10"] > max(part["words"]["ndcg_10"], part["vectors"]["ndcg_10"])
        assert part["fused"]["recall_10"] >= 0.8 and part["fused"]["ndcg_10"] >= 0.62


async def test_this_machines_vectors_are_near_the_stored_ones() -> None:
    """Int8 kernels round each in their way: cosines of .9975 and more were measured on this processor and its plain twins."""
    questions = [question.q for question in read_record(GOLD, GoldSet).questions]
    here = _matrix(await real_embedder().embed(questions))
    stored = _matrix(await StoredVectors().embed(questions))
    assert (here * stored).sum(axis=1).min() > 0.98


def _matrix(vectors: list[Vector]) -> Any:
    return np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)


async def test_a_gold_section_that_is_gone_is_named(tmp_path: Path) -> None:
    gold = tmp_path / "gold.yaml"
    gold.write_text(
        "questions:\n  - {q: who, kind: direct, gold: ['neo_seattle:nobody:overview']}\n",
        encoding="utf-8",
    )
    with pytest.raises(UserError, match="neo_seattle:nobody:overview"):
        await measured(gold=gold)
