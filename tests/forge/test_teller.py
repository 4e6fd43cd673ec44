"""A premise said back to whoever wrote it: what was wished is so."""

import pytest

from freeform.forge.premise.teller import in_second_person


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("I want to be a raccoon", "You are a raccoon"),
        ("can i be the dog", "You are the dog"),
        ("Let me be the doctor", "You are the doctor"),
        ("I should like to find the thief", "You find the thief"),
        ("lowkey just want to run a shop with my friend", "You run a shop with your friend"),
        ("I'd like to be somebody with a garden", "You are somebody with a garden"),
        ("Put me in charge of a museum", "You are in charge of a museum"),
        ("Please give me a long winter", "a long winter"),
        ("Could I play Mara's model?", "You are Mara's model."),
        ("What I want is to be admired", "You are admired"),
        ("Perhaps a comedy about a theatre", "a theatre"),
        ("idk something with a dragon", "a dragon"),
        ("Something quiet, please: a boy and a garden", "a boy and a garden"),
        ("So a story where my sister is queen", "Your sister is queen"),
        ("Something is wrong with my shadow", "Something is wrong with your shadow"),
        ("A story about dragons was burnt", "A story about dragons was burnt"),
        ("I want something cosy", "You want something cosy"),
        ("The fairies took my son", "The fairies took your son"),
    ],
)
def test_what_is_wished_is_so(written: str, told: str) -> None:
    assert in_second_person(written) == told
