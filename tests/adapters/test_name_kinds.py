"""What names name, as it is shipped: by how sentences use them, the same without onnxruntime."""

import pytest

from freeform.adapters.reader.names import LearnedNameKinds, shipped_name_kinds
from freeform.language.meaning.names import NAME_KINDS

SAID = [
    "Mara Teel complains about strangers and lends nobody her boat.",
    "The road from Callow climbs to the old town of Sarn Vell.",
    "The Salt Brotherhood demands a tithe of every village and hangs its traitors.",
]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Mara Teel", "person"), ("Sarn Vell", "place"), ("Salt Brotherhood", "faction")],
)
def test_a_name_is_what_its_sentence_makes_of_it(name: str, kind: str) -> None:
    chances = shipped_name_kinds().kinds([name], SAID)[name]
    assert max(chances, key=lambda each: chances[each]) == kind
    assert set(chances) == set(NAME_KINDS) and abs(sum(chances.values()) - 1) < 1e-5


def test_a_name_that_stands_nowhere_is_not_told() -> None:
    assert shipped_name_kinds().kinds(["Mar", "Nobody"], SAID) == {}
    assert shipped_name_kinds().kinds([], []) == {}


def test_numpy_alone_tells_the_same() -> None:
    names = ["Mara Teel", "Sarn Vell"]
    quick = shipped_name_kinds().kinds(names, SAID[:2])
    plain = LearnedNameKinds(numpy_only=True).kinds(names, SAID[:2])
    for name in names:
        assert all(abs(quick[name][kind] - plain[name][kind]) < 0.1 for kind in NAME_KINDS)


def test_a_very_long_sentence_is_read() -> None:
    long = f"Mara Teel {'very ' * 400}gladly mends nets."
    assert shipped_name_kinds().kinds(["Mara Teel"], [long])
