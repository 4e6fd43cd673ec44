"""The forms of a verb, and what an ending says."""

import pytest

from freeform.language.forms import (
    base_form,
    is_adverb,
    is_denial,
    is_over,
    is_told_of_another,
    may_be_finite,
    one_of,
    other_number,
    verb_forms,
)

FORMS = """walk walks walking walked|grab grabs grabbing grabbed|open opens opening opened|try tries trying tried
play plays playing played|pass passes passing passed|watch watches watching watched|fix fixes fixing fixed
raise raises raising raised|hop hops hopping hopped|buzz buzzes buzzing buzzed|bow bows bowing bowed|echo echoes echoing echoed
lean leans leaning leaned|push pushes pushing pushed|ask asks asking asked"""


def rows(listed: str) -> list[list[str]]:
    return [row.split() for row in listed.replace("\n", "|").split("|")]


@pytest.mark.parametrize("forms", rows(FORMS), ids=lambda forms: forms[0])
def test_a_regular_verb_has_four_forms_and_each_leads_back(forms: list[str]) -> None:
    assert verb_forms(forms[0]) == forms
    assert base_form(forms[3]) == base_form(forms[1]) == base_form(forms[0]) == forms[0]


def test_a_letter_alone_has_no_other_form() -> None:
    assert verb_forms("a") == ["a"]
    assert verb_forms("do")[1] == "does"


PASTS = """raised raise|hoped hope|hopped hop|pulled pull|whistled whistle|died die|tied tie|lied lie|seed seed|need need|weed weed
agreed agree|freed free|argued argue|buzzed buzz|dressed dress|danced dance|priced price|changed change|leaned lean|crossed cross
used use|moved move|amazed amaze|pleased please|missed miss|rolled roll|stuffed stuff|filled fill|rescued rescue|edged edge
wiped wipe|wheeled wheel|piled pile|startled startle|handled handle|hummed hum|ended end|drew draw|owed owe|decreed decree
kisses kiss|dresses dress|glass glass|leans lean|argues argue|begs beg|begged beg|gagged gag|added add|carried carry|tried try|hurried hurry|denied deny|fizzed fizz|wrestled wrestle|curled curl|settled settle|lodged lodge|sensed sense|puffed puff|gassed gass"""


@pytest.mark.parametrize(("past", "base"), rows(PASTS))
def test_a_verb_is_led_back_to_how_one_says_it_to_someone(past: str, base: str) -> None:
    assert base_form(past) == base


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("Silver Knives", "Silver Knife"),
        ("oak doors", "oak door"),
        ("KEYS", "KEY"),
        ("Wolves", "Wolf"),
        ("the glass", "the glass"),
    ],
)
def test_a_name_of_many_is_the_name_of_one(many: str, one: str) -> None:
    told = one_of(many)
    assert told.lower() == one.lower() and told[0] == one[0]
    assert told.split()[-1][0] == one.split()[-1][0]


def test_a_name_of_one_letter_has_one_number() -> None:
    assert [other_number(letter) for letter in ("s", "x", "")] == ["s", "x", ""]


def test_the_other_number_of_a_noun() -> None:
    assert [other_number(noun) for noun in ("door", "doors", "box", "knives")] == [
        "doors",
        "door",
        "boxes",
        "knife",
    ]


SAYS = [
    (is_adverb, "quickly quietly badly", "only family fly july quick ly"),
    (is_denial, "not never isn't won't no", "isnt knot now ever"),
    (is_told_of_another, "wedges wedged going nods", "wedge glass go"),
    (is_over, "was were had did sold locked went drew", "is has do sells selling lock going be"),
    (may_be_finite, "is was walks nods drew went", "us glass bus gas red selling famous"),
]


@pytest.mark.parametrize(("says", "yes", "no"), SAYS)
def test_an_ending_says_what_a_word_may_be(says: object, yes: str, no: str) -> None:
    assert callable(says)
    assert [word for word in yes.split() if not says(word)] == []
    assert [word for word in no.split() if says(word)] == []
