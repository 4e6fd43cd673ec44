"""What a saying is like, and how much of a question a sentence has."""

from math import log

import pytest

from freeform.language.inflection import lemma
from freeform.language.likeness import Examples, examples
from freeform.language.relevance import Relevance, near, saying, telling
from freeform.language.tables import cues

KINDS = Examples(
    {
        "people": ["who is here", "is anyone else here"],
        "thing": ["is there a _", "do i see a _"],
        "thanks": ["thank you", "thanks"],
    }
)


def test_a_saying_is_like_the_example_it_shares_most_with() -> None:
    assert KINDS.best("Who's here?").kind == "people"
    assert KINDS.best("Is there a ladder?") == KINDS.best("is there a brass telescope")
    assert KINDS.best("Is there a ladder?").likeness == pytest.approx(1.0)
    assert KINDS.best("Thank you so much").kind == "thanks"


def test_what_is_like_nothing_says_so() -> None:
    assert KINDS.best("purple monkey dishwasher").likeness < 0.4
    assert KINDS.best("").likeness < 0.4


def test_short_forms_and_their_long_ones_are_the_same() -> None:
    known = examples("questions")
    assert known.best("what's in my bag").likeness == known.best("what is in my bag").likeness == 1
    assert known.best("im hurt").words == known.best("i am hurt").words


def test_every_example_is_nearest_to_its_own_kind() -> None:
    for table in ("questions", "table_talk"):
        for kind, rows in cues(table)["examples"].items():
            for row in rows:
                found = examples(table).best(row)
                assert found.likeness == pytest.approx(1.0), (row, found.kind)
                assert found.kind == kind or row in cues(table)["examples"][found.kind], row


def test_rare_words_weigh_more_than_common_ones() -> None:
    weighed = Relevance(
        [saying("The door is shut."), saying("The door is red."), saying("A bell on the door.")]
    )
    wanted = dict.fromkeys(telling("door bell"), 1.0)
    shares = [weighed.share(number, wanted) for number in range(3)]
    assert shares[2].part == 1.0 and shares[2].found == {"door", "bell"}
    assert shares[0].part == shares[1].part < 0.5


def test_what_is_implied_and_what_is_of_the_sort_count_a_little_less() -> None:
    weighed = Relevance([saying("He nods.", "Viktor barkeep"), saying("A knife on the bar.")])
    assert 0 < weighed.share(0, {lemma("barkeep"): 1.0}).part < 1
    weapon, knife = lemma("weapon"), lemma("knife")
    assert 0.5 < weighed.share(1, {weapon: 1.0}).part < 1
    assert knife in near(weapon) and weapon not in near(knife)


def test_a_word_is_worth_the_more_the_fewer_sentences_have_it() -> None:
    weighed = Relevance([saying("A red door."), saying("A red lamp."), saying("A red bell.")])
    worth = [weighed.worth(lemma(word)) for word in ("red", "bell", "dragon")]
    assert worth == pytest.approx([log(2), log(4), log(7)])
