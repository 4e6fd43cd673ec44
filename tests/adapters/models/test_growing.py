"""A streamed field is heard exactly as it will be, however its JSON is cut."""

import json

from hypothesis import given
from hypothesis import strategies as st

from freeform.adapters.models.json_stream import Growing
from tests.core.scripted import Ear

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(TEXT, TEXT, st.booleans(), st.lists(st.integers(1, 12), max_size=80))
def test_the_pieces_make_the_whole(
    other: str, prose: str, ascii_only: bool, cuts: list[int]
) -> None:
    written = json.dumps({"mood": other, "prose": prose, "exits": [other]}, ensure_ascii=ascii_only)
    ear, at = Ear(), 0
    growing = Growing("prose", ear)
    for cut in [*cuts, len(written)]:
        growing.add(written[at : at + cut])
        at += cut
        assert prose.startswith(ear.heard)
    assert (ear.heard, ear.void) == (prose, [])
    growing.end(prose)
    assert (ear.heard, ear.void) == (prose, [])


@given(TEXT, TEXT)
def test_the_end_is_what_was_heard_whatever_came_before(first: str, last: str) -> None:
    ear = Ear()
    growing = Growing("prose", ear)
    growing.add(json.dumps({"prose": first}))
    growing.end(last)
    assert ear.heard == last


def test_a_new_answer_voids_the_old_one_only_if_it_was_heard() -> None:
    ear = Ear()
    growing = Growing("prose", ear)
    growing.again()
    growing.add('{"prose": "Once')
    growing.again()
    growing.add('{"prose": "Twice"}')
    assert (ear.heard, ear.void) == ("Twice", ["Once"])


def test_what_is_no_json_is_not_heard() -> None:
    ear = Ear()
    Growing("prose", ear).add("Sure! Here is the answer: ")
    assert ear.heard == ""
