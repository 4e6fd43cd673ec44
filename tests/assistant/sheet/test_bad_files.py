"""Broken files, other systems and missing parts: a clear sentence, or a sheet that says what it lacks."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.sheet.read import read_sheet
from freeform.core.errors import BadFile
from tests.assistant.sheet.examples import BRANNOC, brannoc, raw


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (BRANNOC.read_bytes()[:5000], "ends in the middle"),
        (b'{"name": "A", "stats": [1,,2]}', "breaks here"),
        (b"[1, 2, 3]", "no character is in it"),
        (b"42", "no character is in it"),
        # Two megabytes of such lines took more than a minute, and the whole server waited.
        (b"Strength 16, AC 15, hp 22/31, rope 3\n" * 60_000, "no character is in it"),
        (b"name: [a, b", "neither JSON nor YAML"),
        (b"a: &x 1\nb: *x\n", "aliases"),
        (b"\x89PNG\r\n\x1a\nrest", "middle of a chunk"),
        (b"\0\1\2binary", "binary"),
        (b'{"build": {"abilities": {"str": 10}}}', "Pathfinder 2"),
        (b'{"success": false, "message": "Unauthorized", "data": null}', "Unauthorized"),
        (
            raw(
                {
                    "_stats": {"systemId": "pf2e"},
                    "system": {"abilities": {"str": {"mod": 3}}},
                    "items": [],
                }
            ),
            "pf2e",
        ),
        (raw({"items": [], "system": {"attributes": {}}}), "another system"),
        (raw({"character_basics": {"level": "many"}}), "character_basics.level"),
        (b"{" * 100_000, "JSON"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(content: bytes, says: str) -> None:
    with pytest.raises(BadFile) as wrong:
        read_sheet(content, "file.json")
    assert says in str(wrong.value)
    assert str(wrong.value).startswith("file.json")


@pytest.mark.parametrize(
    "key",
    ["stats", "modifiers", "classes", "race", "inventory", "baseHitPoints", "background", "notes"],
)
def test_a_missing_part_leaves_a_sheet_that_says_so(key: str) -> None:
    export = brannoc()
    del export["data"][key]
    sheet = read_sheet(raw(export), "a")
    assert len(sheet.missing) == 1 and sheet.name == "Brannoc Vale"
    assert "armor_class" in sheet.derived


def test_an_actor_without_class_or_items_says_so() -> None:
    sheet = read_sheet(
        raw({"name": "Bo", "type": "npc", "system": {"abilities": {"str": {"value": 14}}}}), "a"
    )
    assert sheet.derived["mod:str"].value == 2
    assert {
        "class" in line or "npc" in line or "skills" in line or "items" in line
        for line in sheet.missing
    } == {True}


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(brannoc()["data"])), odd)
@settings(deadline=None, max_examples=80)
def test_any_part_may_hold_anything_without_a_crash(key: str, value: Any) -> None:
    export = brannoc()
    export["data"][key] = value
    with contextlib.suppress(BadFile):
        assert read_sheet(json.dumps(export).encode(), "a").system == "dnd5e"


@given(
    st.sampled_from(["abilities", "attributes", "details", "traits", "skills", "spells", "tools"]),
    odd,
)
@settings(deadline=None, max_examples=60)
def test_any_part_of_an_actor_may_hold_anything_without_a_crash(key: str, value: Any) -> None:
    actor = {"name": "A", "type": "character", "system": {"abilities": {"str": {"value": 10}}, key: value}, "items": [
        {"name": "Fighter", "type": "class", "system": {"levels": 2, "advancement": value}},
        {"name": "Thing", "type": "weapon", "system": {"damage": value, "properties": value, "equipped": True}},
        {"name": "Spell", "type": "spell", "system": {"level": value}, "effects": value},
    ]}  # fmt: skip
    with contextlib.suppress(BadFile):
        read_sheet(json.dumps(actor).encode(), "a")
