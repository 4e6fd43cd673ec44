"""Memory as screens and notebooks want it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.evals.suites.forgetting import HUMAN
from freeform.players.memory.model import Mind, Rehearsal
from freeform.players.memory.recall import recall
from freeform.players.memory.views import (
    belief_rows,
    curve,
    jsonl,
    life_of,
    word_diff,
)
from tests.players.memory.facts import fact

ALEX = Mind(agent="alex", percentile=20, strength=1.0, seed=1)


def test_the_curve_falls_and_is_the_human_one_at_full_strength() -> None:
    rows = curve(Mind(agent="a", strength=1.0), until=90)
    assert rows[0]["kept"] == 1 and [r["kept"] for r in rows] == sorted(
        (r["kept"] for r in rows), reverse=True
    )
    assert 100 * (1 - rows[-1]["kept"]) == pytest.approx(HUMAN[50][2], abs=0.5)
    gentle = curve(Mind(agent="a", strength=0.3), until=90)
    assert 1 - gentle[-1]["kept"] == pytest.approx(0.3 * (1 - gentle[-1]["human"]), abs=1e-4)


def test_the_life_of_a_memory_shows_when_it_went_wrong_and_when_it_was_mended() -> None:
    lost = next(f for f in (fact(f"f{n}") for n in range(99)) if not recall(ALEX, f, 30).correct)
    told = Rehearsal(agent="alex", fact_id=lost.id, day=40, how="told")
    life = life_of(ALEX, lost, [told], [], until=60)
    assert life["changes"][0]["believed"] == lost.text
    mended = next(change for change in life["changes"][1:] if change["believed"] == lost.text)
    assert mended["day"] == 40 and life["rehearsals"] == [{"day": 40, "how": "told"}]


@settings(deadline=None)
@given(
    a=st.lists(st.sampled_from("a b c d e".split())),
    b=st.lists(st.sampled_from("a b c d e".split())),
)
def test_a_word_diff_holds_both_sentences(a: list[str], b: list[str]) -> None:
    runs = word_diff(" ".join(a), " ".join(b))
    assert " ".join(r["text"] for r in runs if r["op"] != "wrong").split() == a
    assert " ".join(r["text"] for r in runs if r["op"] != "lost").split() == b


def test_rows_are_tidy() -> None:
    facts = [fact(f"f{n}") for n in range(5)]
    rows = belief_rows([recall(ALEX, f, 90) for f in facts], facts)
    assert len(rows) == 15 and {row["kind"] for row in rows} == {"name", "number", "place"}
    assert [json.loads(line) for line in jsonl(rows).splitlines()] == rows
    assert all((row["level"] > 0) == bool(row["field_error"]) for row in rows)
