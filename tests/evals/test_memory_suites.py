"""The suites `memory` and `forgetting`: what they read, how they score, what they say of a wrong file."""

import json
from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import BadFile, NotFound
from freeform.evals.suites.forgetting import read_reviews, real_log
from freeform.evals.suites.locomo import RecallQuestion, read_conversations, run_memory, scored
from freeform.wiring.memory import scratch_memory
from tests.retrieval.shelf import HashedWords


def talk(sessions: dict[int, list[str]], qa: list[dict[str, Any]]) -> dict[str, Any]:
    said = {
        f"session_{n}": [
            {"speaker": "Ann", "dia_id": f"D{n}:{i}", "text": text}
            for i, text in enumerate(texts, 1)
        ]
        for n, texts in sessions.items()
    }
    return {"sample_id": "made-up", "conversation": {"speaker_a": "Ann", **said}, "qa": qa}


CATS = talk(
    {
        1: ["I have a grey cat.", "He is called Soot."],
        2: ["My boat sank.", "It was insured.", "Luckily."],
    },
    [
        {"question": "What happened to the boat?", "category": 4, "evidence": ["D2:1"]},
        {"question": "What is the cat called?", "category": 1, "evidence": ["D:1:2", "D1:1; D9:9"]},
        {"question": "Unscorable?", "category": 4, "evidence": ["D9:1"]},
    ],
)


def write(folder: Path, rows: Any) -> Path:
    (folder / "locomo").mkdir()
    path = folder / "locomo" / "locomo10.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_evidence_is_read_however_it_is_written(tmp_path: Path) -> None:
    (found,) = read_conversations(write(tmp_path, [CATS]))
    assert [turn.id for turn in found.turns] == ["D1:1", "D1:2", "D2:1", "D2:2", "D2:3"]
    assert [asked.evidence for asked in found.asked] == [
        frozenset({"D2:1"}),
        frozenset({"D1:1", "D1:2"}),
    ]


def test_recall_counts_the_evidence_among_the_best() -> None:
    sessions = {f"t{n}": n // 10 for n in range(40)}
    asked = RecallQuestion("?", 1, frozenset({"t3", "t35"}))
    order = [f"t{n}" for n in range(40)]
    assert scored(order, asked, sessions)["turn"] == {"5": 0.5, "10": 0.5, "25": 0.5, "50": 1.0}
    assert scored(order, asked, sessions)["session"] == {"5": 1.0, "10": 1.0}
    assert scored([], asked, sessions)["turn"]["50"] == 0


async def test_the_suite_reports_only_conversations_that_were_not_tuned_on(tmp_path: Path) -> None:
    write(tmp_path, [CATS, CATS, CATS])
    report = await run_memory(tmp_path, scratch_memory, HashedWords())
    assert report.n == 2 and len(report.cases) == 6
    assert report.metrics["turn_recall_10"] == 1.0 and report.metrics["session_recall_10"] == 1.0
    assert set(report.metrics) >= {"words", "both", "tuned_on", "by_category"}
    plain = await run_memory(tmp_path, scratch_memory, None)
    assert "both" not in plain.metrics and any("get-embedder" in note for note in plain.notes)


async def test_absent_or_wrong_data_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="locomo"):
        await run_memory(tmp_path, scratch_memory, None)
    with pytest.raises(BadFile, match="no LoCoMo file"):
        read_conversations(write(tmp_path, [{"conversation": {}}]))


def reviews(
    path: Path, rows: list[tuple[str, int, str]], head: str = "card_id,review_rating,review_time"
) -> Path:
    path.write_text("\n".join([head, *(f"{c},{g},{t}" for c, g, t in rows)]), encoding="utf-8")
    return path


def test_a_person_who_never_forgets_is_found_to_have_a_good_memory(tmp_path: Path) -> None:
    days = [f"2026-01-{day:02}T10:00:00+00:00" for day in (1, 5, 15, 31)]
    path = reviews(tmp_path / "log.csv", [(f"c{n}", 3, day) for n in range(20) for day in days])
    assert len(read_reviews(path)) == 80
    found = real_log(path)
    assert found["reviews"] == 30 and found["observed"] == 1.0
    assert found["percentile"] == 95 and found["predicted"] > found["predicted_median_person"]


def test_a_log_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no review log"):
        read_reviews(reviews(tmp_path / "log.csv", [("a", 3, "soon")]))
    with pytest.raises(BadFile, match="card_id"):
        read_reviews(reviews(tmp_path / "log.csv", [], head="a,b\n1,2"))


def test_the_real_log_is_predicted_better_than_by_a_constant(data: Path) -> None:
    found = real_log(data / "fsrs" / "review_log.csv")
    assert found["log_loss"] < found["log_loss_constant"] < found["log_loss_exponential"]
    assert found["predicted"] == pytest.approx(found["observed"], abs=0.02)
