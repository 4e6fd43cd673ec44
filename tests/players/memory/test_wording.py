"""Wrong details that read like right ones: always different, further off the deeper they are, and still a sentence."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.players.memory.model import Slot
from freeform.players.memory.wording import (
    LADDERS,
    MOST,
    colour,
    drift_name,
    drift_number,
    is_proper,
    one_line,
    put_in,
    simplify,
    slots_in,
    vague,
)

chances = st.floats(0, 1, exclude_max=True)


@settings(deadline=None)
@given(number=st.integers(0, 1_000_000), u=chances)
def test_a_number_drifts_away_and_then_further_in_the_same_direction(number: int, u: float) -> None:
    one, two = (
        int(re.sub(r"\D", "", drift_number(f"{number} gold", level, u))) for level in (1, 2)
    )
    assert one != number and abs(two - number) >= abs(one - number)
    assert min(one, two) >= 0
    assert "some gold" in drift_number(f"{number} gold", 3, u)


@settings(deadline=None)
@given(number=st.integers(2, 99), u=chances, level=st.integers(1, 3))
def test_numbers_in_words_stay_in_words(number: int, u: float, level: int) -> None:
    from freeform.players.memory.wording import _in_words

    word = _in_words(number)
    drifted = drift_number(f"{word} men", level, u)
    assert drifted != f"{word} men" and drifted.endswith(" men")


@pytest.mark.parametrize(
    ("text", "level", "expected"), [("21:52", 3, "some time"), ("at 9:05", 3, "at some time")]
)
def test_a_time_of_day_can_be_lost(text: str, level: int, expected: str) -> None:
    assert drift_number(text, level, 0.5) == expected
    assert re.search(r"\d+:\d\d", drift_number(text, 1, 0.5)) and drift_number(text, 1, 0.5) != text


@settings(deadline=None)
@given(name=st.from_regex(r"[A-Z][a-z]{2,9}", fullmatch=True), u=chances)
def test_a_name_is_a_letter_off_and_begins_the_same(name: str, u: float) -> None:
    drifted = drift_name(name, 1, u)
    assert drifted != name and drifted[0] == name[0]
    assert abs(len(drifted) - len(name)) <= 1


def test_only_names_can_be_misspelt() -> None:
    assert is_proper("Agent Chen") and is_proper("the Neon Dragon")
    assert not is_proper("the side door") and not is_proper("A lamp")


@pytest.mark.parametrize("ladder", LADDERS)
def test_colour_moves_a_word_towards_what_was_felt(ladder: tuple[str, ...]) -> None:
    middle = ladder[2]
    assert ladder.index(colour(middle, -0.5, 1)) > 2 > ladder.index(colour(middle, 0.5, 1))
    assert colour(ladder[-1], -1, 1) == ladder[-1], "there is nothing worse"
    assert colour("stone", -1, 1) == "stone"


@settings(deadline=None)
@given(
    words=st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=30),
    level=st.integers(1, 3),
)
def test_what_is_simplified_is_another_sentence(words: list[str], level: int) -> None:
    text = " ".join(words).capitalize() + "."
    assert simplify(text, level) != text
    assert simplify(simplify(text, level), 3) != ""


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("We met at the Broken Crown.", "the Broken Crown", "somewhere", "We met somewhere."),
        ("We saw the Warden.", "Warden", "someone", "We saw someone."),
        ("Viktor left.", "Viktor", "someone", "Someone left."),
        ("It rained. Viktor left.", "Viktor", "someone", "It rained. Someone left."),
        ("We paid nine coins.", "nine", "some", "We paid some coins."),
        ("He came at nine.", "nine", "some", "He came at some number."),
        ("A warm welcome.", "warm", "", "A welcome."),
    ],
)
def test_a_changed_sentence_still_reads(text: str, old: str, new: str, expected: str) -> None:
    at = text.index(old)
    assert put_in(text, at, at + len(old), new) == expected


def test_what_is_gone_is_named_by_its_kind() -> None:
    assert vague(Slot(name="who_1", kind="name", text="Jin")) == "someone"
    assert vague(Slot(name="what_1", kind="name", text="the key")) == "something"
    assert vague(Slot(name="n", kind="number", text="50 gold pieces")) == "some gold pieces"


def test_the_details_of_a_sentence_are_found() -> None:
    text = "On Tuesday Viktor paid 1,200 cred to Agent Chen at Kettle Row, and was afraid."
    found = slots_in(text, {"Agent Chen": "who", "Kettle Row": "place"}, leave=("Viktor",))
    assert [(slot.kind, slot.text) for slot in found] == [
        ("order", "On Tuesday"),
        ("number", "1,200 cred"),
        ("name", "Agent Chen"),
        ("place", "Kettle Row"),
        ("gist", text),
    ]


def test_no_part_of_the_name_of_who_acted_is_a_detail() -> None:
    found = slots_in(
        "Wren Calder met Agent Chen in March.", {"Agent Chen": "who"}, leave=("Wren Calder",)
    )
    assert [slot.text for slot in found[:-1]] == ["Agent Chen", "in March"]


@settings(deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_has_details_that_stand_in_it(text: str) -> None:
    line = one_line(text)
    found = slots_in(line, {"Jin": "who"})
    assert len(found) <= MOST + 1 and all(slot.text in line for slot in found)
