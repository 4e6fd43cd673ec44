"""From scores to acts and spans, on scores made by hand."""

import numpy as np

from freeform.adapters.ear.decode import Scores, acts_in, by_words, heard_in
from freeform.adapters.ear.graph import PER_TEXT, PER_TOKEN
from freeform.adapters.ear.outcomes import outcome_in
from freeform.adapters.ear.tuning import Tuning
from freeform.language.ear import FAMILIES, FLAGS, ROLES
from freeform.language.meaning.outcome import STATES

TUNING = Tuning(begin_bias=0.0, text_family=(1.0, 0.0, 0.0))
OUTSIDE = len(FAMILIES)


def scores(
    families: list[str], begins: set[int], tags: dict[int, str] | None = None, flags: str = ""
) -> Scores:
    """Sure of everything: `tags` has B or I and the role."""
    rows = np.zeros((len(families), sum(PER_TOKEN)), dtype=np.float32)
    first_family, first_flag = 1, 1 + len(FAMILIES) + 1
    first_tag = first_flag + len(FLAGS)
    for at, family in enumerate(families):
        rows[at, 0] = 6 if at in begins else -6
        rows[at, first_family + (FAMILIES.index(family) if family else OUTSIDE)] = 8
        rows[at, first_flag : first_flag + len(FLAGS)] = -6
        if flags and family:
            rows[at, first_flag + FLAGS.index(flags)] = 6
        mark, _, role = (tags or {}).get(at, "O").partition(" ")
        tag = 0 if mark == "O" else 1 + 2 * ROLES.index(role) + (mark == "I")
        rows[at, first_tag + tag] = 8
    return Scores(rows, np.zeros(sum(PER_TEXT), dtype=np.float32))


def places(count: int) -> list[tuple[int, int]]:
    return [(3 * at, 3 * at + 2) for at in range(count)]


def test_an_act_goes_on_to_the_next_or_to_what_is_outside() -> None:
    made = scores(["", "move", "move", "", "ask", "ask"], {1, 4})
    assert [(act.first, act.last) for act in acts_in(made, TUNING)] == [(1, 3), (4, 6)]
    one_after_the_other = scores(["take", "take", "take"], {0, 2})
    assert [(act.first, act.last) for act in acts_in(one_after_the_other, TUNING)] == [
        (0, 2),
        (2, 3),
    ]


def test_what_has_no_act_is_taken_as_one() -> None:
    made = scores(["", "", ""], set())
    assert [(act.first, act.last) for act in acts_in(made, TUNING)] == [(0, 3)]


def test_families_and_flags_are_those_of_the_act() -> None:
    heard = heard_in(scores(["move", "move", "ask"], {0, 2}, flags="negated"), places(3), TUNING)
    assert [max(act.families, key=act.families.__getitem__) for act in heard.acts] == [
        "move",
        "ask",
    ]
    assert [(act.start, act.end) for act in heard.acts] == [(0, 5), (6, 8)]
    assert all(act.flags["negated"] > 0.9 and act.flags["again"] < 0.1 for act in heard.acts)
    assert heard.families["move"] > 0.4 > heard.families["take"]


def spans(families: list[str], tags: dict[int, str]) -> list[tuple[str, int, int]]:
    heard = heard_in(scores(families, {0}, tags), places(len(families)), TUNING)
    return [(span.role, span.start, span.end) for act in heard.acts for span in act.spans]


def test_spans_lie_side_by_side() -> None:
    tags = {0: "B item", 1: "I item", 2: "B item", 4: "B target"}
    assert spans(["give"] * 5, tags) == [("item", 0, 5), ("item", 6, 8), ("target", 12, 14)]


def test_who_is_called_stands_inside_of_the_speech() -> None:
    middle = {0: "B speech", 1: "I speech", 2: "B target", 3: "I speech"}
    assert spans(["talk"] * 4, middle) == [("speech", 0, 11), ("target", 6, 8)]
    first = {0: "B target", 1: "I speech", 2: "I speech"}
    assert spans(["talk"] * 3, first) == [("speech", 0, 8), ("target", 0, 2)]
    last = {0: "B speech", 1: "I speech", 2: "B target"}
    assert spans(["talk"] * 3, last) == [("speech", 0, 8), ("target", 6, 8)]


def test_a_span_belongs_to_the_act_it_stands_in() -> None:
    made = scores(["take", "take", "give", "give"], {0, 2}, {1: "B item", 3: "B target"})
    heard = heard_in(made, places(4), TUNING)
    assert [[span.role for span in act.spans] for act in heard.acts] == [["item"], ["target"]]


def test_pieces_of_a_word_are_one_row() -> None:
    text = "Anselm's keys, don't"
    cut = [(0, 3), (3, 6), (6, 7), (7, 8), (9, 13), (13, 14), (15, 18), (18, 19), (19, 20)]
    rows, joined = by_words(np.zeros((9, sum(PER_TOKEN)), dtype=np.float32), cut, text)
    assert [text[start:end] for start, end in joined] == ["Anselm's", "keys", ",", "don't"]
    assert len(rows) == 4


def test_the_likeliest_stretch_plays_a_part_though_no_word_is_sure_of_it() -> None:
    rows = np.zeros((4, sum(PER_TOKEN)), dtype=np.float32)
    first = sum(PER_TOKEN[:5])
    begins_on, inside_on = first + 3, first + 4
    rows[:, first] = 6
    rows[1, begins_on], rows[2, inside_on] = 7, 5.5
    heard = outcome_in(rows, np.zeros(sum(PER_TEXT), dtype=np.float32), places(4))
    on = heard.of("on")
    assert on is not None
    assert (on.start, on.end) == (3, 8)
    assert heard.of("where") is None


def test_states_are_shares_and_the_likeliest_stand_first() -> None:
    text = np.zeros(sum(PER_TEXT), dtype=np.float32)
    first = sum(PER_TEXT[:4])
    text[first + 5], text[first + 2] = 9, 8
    heard = outcome_in(np.zeros((2, sum(PER_TOKEN)), dtype=np.float32), text, places(2))
    assert list(heard.states)[:2] == [STATES[5], STATES[2]]
    assert sum(heard.states.values()) <= 1
