"""Words that people cut short when they type."""

import pytest

from freeform.language.short_forms import familiar_forms, words_meant, written_out

KNOWN = ("level", "prepared", "potion", "damage", "weapon", "strength")


@pytest.mark.parametrize(
    ("short", "meant"),
    [("lvl", "level"), ("prep", "prepared"), ("pots", "potion"), ("dmg", "damage")],
)
def test_a_short_form_stands_for_the_word_it_begins_or_whose_consonants_it_is(
    short: str, meant: str
) -> None:
    assert words_meant(short, KNOWN) == [meant]


@pytest.mark.parametrize("word", ["le", "leve", "level", "weapons", "rn", "xyz", "st4"])
def test_what_is_too_short_too_long_or_nearly_whole_stands_for_nothing(word: str) -> None:
    assert words_meant(word, KNOWN) == []


def test_somebody_is_also_called_as_those_call_them_who_know_them() -> None:
    assert "grandma" in familiar_forms("grandmother") and "mother" in familiar_forms("mum")
    assert familiar_forms("Doc") == {"doctor", "physician"}
    assert familiar_forms("lighthouse") == frozenset()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("go talk 2 kowalczyk b4 he gets mad", "go talk to kowalczyk before he gets mad"),
        ("take 2 pens n go", "take 2 pens and go"),
        ("open door 2 first", "open door 2 first"),
        ('say "b4 u go" w/ a smile', 'say "b4 u go" with a smile'),
        ("n", "n"),
        ("I give him 2 gold", "I give him 2 gold"),
        ("I bring it 2 Marcus", "I bring it to Marcus"),
        ("go n", "go n"),
        ("Press W and N", "Press W and N"),
        ("ur in a city n ur friend is gone", "you are in a city and your friend is gone"),
    ],
)
def test_what_is_typed_on_a_phone_is_read_in_full(typed: str, whole: str) -> None:
    assert written_out(typed) == whole


def test_what_something_is_called_stays_as_it_is() -> None:
    assert written_out("I take the urs", {"urs"}) == "I take the urs"
    assert written_out("is it urs or mine", {"lamp"}) == "is it yours or mine"
