"""The suite `safety`: what is missed, what is cut for nothing, by kind, and its first run."""

import json
from pathlib import Path

import pytest

from freeform.core.errors import BadFile, UserError
from freeform.engine.rules.safety import SafetyLimits
from freeform.evals.suites.first_runs import SetWish
from freeform.evals.suites.safety.suite import TopicPair, judge_pair, read_pairs, run_safety

PAIRS = [
    ("rats", "A rat runs over the table.", True),
    ("rats", "Something with a bald tail gnaws under the floor.", True),
    ("rats", "The rating of the ship is poor.", False),
    ("rats", "The baker sells bread.", False),
]


def limits(topic: str) -> SafetyLimits:
    return SafetyLimits([topic], [])


@pytest.fixture
def blind(tmp_path: Path) -> Path:
    rows = [{"topic": t, "sentence": s, "touches": touches} for t, s, touches in PAIRS]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "2026-11-16.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_misses_and_false_alarms_are_counted_by_kind(blind: Path) -> None:
    wish = SetWish(names=("2026-11-16",), first_run=True, date="2026-11-17", commit="abc")
    report = run_safety(wish, limits, blind)
    found = report.metrics["2026-11-16"]
    assert (report.n, found["missed"], found["false_alarm"]) == (4, 0.5, 0.0)
    assert found["by_kind"]["word_in_it"] == {
        "n": 1,
        "missed": 0.0,
        "false_alarm": None,
        "touching": 1,
        "harmless": 0,
    }
    assert found["by_kind"]["word_not_in_it"]["missed"] == 1.0
    assert found["first_run"] is True
    assert found["standing"]["figures"] == {"missed": 0.5, "false_alarm": 0.0}
    assert [row["right"] for row in report.cases] == [True, False, True, True]


def test_what_is_cut_for_nothing_is_a_false_alarm(blind: Path) -> None:
    wish = SetWish(names=("2026-11-16",), first_run=True, date="2026-11-17", commit="abc")
    found = run_safety(wish, lambda topic: limits("bread"), blind).metrics["2026-11-16"]
    assert (found["missed"], found["false_alarm"]) == (1.0, 0.5)


def test_blind_pairs_wait_for_their_first_run(blind: Path) -> None:
    with pytest.raises(UserError, match="not run yet"):
        run_safety(SetWish(names=("2026-11-16",)), limits, blind)
    report = run_safety(SetWish(), limits, blind)
    assert list(report.metrics) == ["development"]
    assert report.metrics["development"]["touching"] == report.metrics["development"]["harmless"]
    assert "2026-11-16: not run yet" in report.notes[0]


def test_part_of_a_sentence_that_is_cut_is_not_shown() -> None:
    pair = TopicPair(topic="rats", sentence="It is dark. A rat squeaks.", touches=True)
    assert judge_pair(pair, limits).shown is False
    assert judge_pair(pair.model_copy(update={"topic": "spiders"}), limits).shown is True


def test_a_line_that_is_no_pair_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"topic": "rats"}\n', encoding="utf-8")
    with pytest.raises(BadFile, match="p.jsonl:1: is no pair"):
        read_pairs(path)
