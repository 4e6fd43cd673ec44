"""Records as JSON."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from freeform.core.record import Record, fields, spelled

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
)


@given(_PLAIN)
def test_it_is_spelled_the_same_whatever_spells_it(value: Any) -> None:
    assert spelled(value) == to_json(value, inf_nan_mode="null").decode()


class Pair(Record):
    a: int
    b: list[int]


def test_the_fields_of_a_record_are_its_own_row() -> None:
    pair = Pair(a=1, b=[2])
    row = fields(pair, "a", "none")
    assert row == {"b": [2]}
    row["c"] = 3
    assert fields(pair) == {"a": 1, "b": [2]}
