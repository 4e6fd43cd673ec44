"""Memory as screens and notebooks want it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.players.memory.model import Mind
from freeform.players.memory.recall import recall
from freeform.players.memory.views import (
    belief_rows,
    jsonl,
    word_diff,
)
from tests.players.memory.facts import fact

ALEX = Mind(agent="alex", percentile=20, strength=1.0, seed=1)


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
