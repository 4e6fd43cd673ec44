"""Small truths about text, chance and names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.core.chance import Chance
from freeform.core.ids import CountedIds, RandomIds, new_secret
from freeform.core.text import count_tokens, plain_form, shorten, slug, visible, words_in


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("The old mill", 12, "The old mill"),
        ("The old mill burns", 12, "The old…"),
        ("The old mill burns", 14, "The old mill…"),
        ("Donaudampfschiff ahoi", 10, "Donaudamp…"),
        ("a Donaudampfschiff", 10, "a Donauda…"),
        ("", 0, ""),
    ],
)
def test_a_long_text_is_cut_at_a_word(text: str, most: int, short: str) -> None:
    assert shorten(text, most) == short


@given(st.text(alphabet="ab ", max_size=40), st.integers(4, 20))
def test_what_is_cut_is_never_too_long_and_begins_as_it_was(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert text.startswith(short.removesuffix("…"))
    assert (short == text) == (len(text) <= most)


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [("", 0, 0), ("lamps", 1, 1), ("lantern", 2, 1), ("1234 lit", 3, 2), ("Stop!!!!!", 3, 1)],
)
def test_tokens_and_words_are_counted(text: str, tokens: int, words: int) -> None:
    assert (count_tokens(text), words_in(text)) == (tokens, words)


def test_a_text_is_compared_shown_and_named_in_its_plain_form() -> None:
    assert plain_form("Jörg’s “CAFÉ” – Straße…") == 'jorg\'s "cafe" - strasse.'
    assert plain_form("ISN’T") == "isn't"
    assert slug("  The Neon—Dragon! ") == "the_neon_dragon"
    assert visible(" a\tb\n\nc\x1b[1md\u200be ") == "a b c[1mde"


def test_a_path_of_names_gives_the_same_chance_and_another_path_another() -> None:
    def drawn(chance: Chance) -> list[int]:
        return chance.dice(8, 1000)

    assert drawn(Chance(7, "turn", 1)) == drawn(Chance("7").at("turn", 1))
    assert drawn(Chance(7, "turn", 1)) != drawn(Chance(7, "turn", 2))
    one = Chance(7)
    before = drawn(Chance(7))
    one.at("aside").die(6)
    assert drawn(one) == before, "a stream below disturbs none"
    assert Chance(7).shuffled([4]) == [4]
    assert sorted(Chance(7).shuffled(range(9))) == list(range(9)) != Chance(7).shuffled(range(9))
    assert {Chance(n).choose("abc") for n in range(40)} == set("abc")
    assert {Chance(n).die(3) for n in range(40)} == {1, 2, 3}
    assert all(0 <= Chance(n).fraction() < 1 for n in range(40))


def test_names_are_new_each_time() -> None:
    counted = CountedIds()
    assert [counted.new("turn"), counted.new("turn")] == ["turn_1", "turn_2"]
    assert len({RandomIds().new("turn") for _ in range(9)}) == 9
    assert len(RandomIds().new("turn")) == len("turn_") + 16
    assert len(new_secret()) == 32
