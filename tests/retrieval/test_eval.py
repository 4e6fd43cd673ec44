"""The suite `retrieval`: its measures, its readers, and that fusing pays."""

import os
from pathlib import Path

import pytest

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import HandClock
from freeform.core.errors import NotFound
from freeform.core.yamlfile import read_record
from freeform.engine.authored.library import content_folder
from freeform.evals.suites.retrieval import sets
from freeform.evals.suites.retrieval.own_packs import GOLD, GoldQuestion, GoldSet
from freeform.evals.suites.retrieval.sets import read_sets
from freeform.evals.suites.retrieval.suite import (
    ndcg,
    recall,
    run_retrieval,
    run_set,
    sum_up,
)
from freeform.packs.folder.load import load_pack
from freeform.packs.overlay import overlay
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import Document
from freeform.retrieval.search import SearchTuning
from tests.retrieval.stored import StoredVectors


def collections() -> Path:
    folder = (
        Path(os.environ.get("FREEFORM_DATA") or Path(__file__).parents[3] / "shared" / "data")
        / "ir"
    )
    if not folder.is_dir():
        pytest.skip("no retrieval collections: set FREEFORM_DATA to the folder that holds ir/")
    return folder


def test_ndcg_and_recall_are_the_usual_ones() -> None:
    assert ndcg(["a", "x", "b"], ["a", "b"]) == pytest.approx((1 + 0.5) / (1 + 0.63093), abs=1e-4)
    assert ndcg(["a", "b"], ["a", "b"]) == 1.0 and ndcg(["x"], ["a"]) == 0.0
    assert recall(["a", "x"], ["a", "b", "c", "d"]) == 0.25


def test_the_collections_are_read_whole() -> None:
    read = {s.name: (len(s.documents), len(s.queries)) for s in read_sets(collections())}
    assert read == {"seealso": (2888, 81), "cranfield": (1400, 225), "vaswani": (11429, 93)}


def test_no_collections_say_where_to_put_them(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="seealso_srd52.json"):
        list(read_sets(tmp_path))


async def test_words_alone_are_as_good_as_fts5_should_be(tmp_path: Path) -> None:
    for name in ("seealso_srd52.json", "cranfield"):  # three in four documents are the third's
        (tmp_path / name).symlink_to(collections() / name)
    report = await run_retrieval(tmp_path, lambda _: SqlitePassages(), None, HandClock())
    assert report.n == 81 + 225
    assert report.metrics["sets"]["cranfield"]["words"]["ndcg_10"] >= 0.51
    assert report.metrics["sets"]["seealso"]["words"]["ndcg_10"] >= 0.32
    assert report.metrics["words"] == report.metrics["fused"]


async def test_fusing_is_no_worse_than_its_better_half_by_documents() -> None:
    """On our own packs and stored vectors; what the collections give on this machine is for `eval retrieval`."""
    folder = content_folder("packs")
    documents: list[Document] = []
    for name in ("lantern_core", "neo_seattle", "saltmarch"):
        documents += documents_of(overlay([load_pack(folder / name)]))
    asked = read_record(GOLD, GoldSet).questions
    queries = [
        sets.TestQuery(number=number, text=question.q, relevant=_documents_of(question))
        for number, question in enumerate(asked)
    ]
    own = sets.TestSet(name="own", documents=documents, queries=queries)
    index, embedder = SqlitePassages(), StoredVectors()
    await index_documents(own.documents, "own", index, HandClock(), embedder)
    measured = sum_up(await run_set(own, index, embedder, HandClock(), SearchTuning()))
    best_half = max(measured["words"]["ndcg_10"], measured["vectors"]["ndcg_10"])
    assert measured["fused"]["ndcg_10"] >= best_half
    assert measured["vectors"]["ndcg_10"] > 0.5, "vectors alone find much, too"


def _documents_of(question: GoldQuestion) -> list[str]:
    return list(dict.fromkeys(section.split(":")[1] for section in question.gold))
