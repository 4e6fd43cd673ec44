"""Words, sentences and phrases."""

from freeform.language.families import family
from freeform.language.phrases import Phrases
from freeform.language.sentences import sentences
from freeform.language.words import lemmas, stop_words, telling_words, words


def test_words_have_one_form_whatever_their_letters() -> None:
    assert words("Jörg’s  CAFÉ, the self-made O'Hara_one don’t!") == [
        "jorg", "cafe", "the", "self", "made", "o'hara", "one", "don't",
    ]  # fmt: skip
    assert words("") == words("…—") == []
    assert words("the spiders' webs") == ["the", "spiders", "webs"]


def test_what_says_nothing_is_left_out() -> None:
    assert telling_words("What do you know of the old mill?") == ["know", "old", "mill"]
    assert telling_words("What do you know of the old mill?", "request") == ["old", "mill"]
    assert lemmas("The wolves were stabbing at the doors") == ["wolf", "stab", "door"]
    assert stop_words() < stop_words("request")


def test_sentences_end_where_they_end() -> None:
    assert sentences('He runs. "Stop!" she says… No?') == [
        "He runs.",
        '"Stop!"',
        "she says…",
        "No?",
    ]
    assert sentences("") == []


def test_a_phrase_is_found_in_any_form_of_its_words() -> None:
    assert Phrases(["child abuse"]).found_in("He abused the children.")
    assert not Phrases(["child abuse"]).found_in("The children play.")
    assert Phrases(["hang himself"]).found_in("He hanged himself.")
    assert not Phrases(["hang himself"]).found_in("He hung it there himself.")
    assert Phrases(["biting"]).found_in("It bit her.")
    assert not Phrases(["biting"]).found_in("Not a bit of it, not the last bit.")
    assert Phrases(["wounds"]).found_in("Her arm wound opens.")
    assert not Phrases(["grinding"]).found_in("He lies on the ground.")
    assert not Phrases([]).found_in("Anything.")
    assert not Phrases(["", "…"]).found_in("Anything.")


def test_a_family_has_the_word_itself_and_its_kin() -> None:
    assert family("deaths") == ("deaths", "die", "dead", "deceased")
    assert family("lamp") == ("lamp",)
