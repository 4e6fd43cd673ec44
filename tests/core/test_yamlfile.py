"""The one YAML reader: plain data with lines, for our own files and for a pack's heads; nothing that blows up."""

from pathlib import Path

import pytest

from freeform.core.errors import BadFile
from freeform.core.yamlfile import (
    MAX_TEXT,
    NO_ALIASES,
    BadYaml,
    YamlLimits,
    _dumped,
    _Dumper,
    parse_yaml,
    read_mapping,
    read_yaml,
    write_mapping,
)

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)
DEEP = "a: " + "[" * 200_000


def test_the_parts_of_a_file_have_their_lines() -> None:
    data, lines = parse_yaml(
        "# a comment\nname: Inn\nrooms:\n  - id: hall\n  - id: cellar\n    dark: yes\n"
    )
    assert data == {"name": "Inn", "rooms": [{"id": "hall"}, {"id": "cellar", "dark": True}]}
    assert lines[("rooms", 1, "dark")] == 6
    assert lines[("rooms",)] == 3
    assert lines[("rooms", 1)] == 5


def test_anchors_and_merge_keys_of_our_own_files_are_read_and_what_is_said_wins() -> None:
    text = "lock: &lock {hard: 2, open: no}\ngate:\n  <<: *lock\n  hard: 9\nhatch: *lock\n"
    data, lines = parse_yaml(text)
    assert data["gate"] == {"hard": 9, "open": False}
    assert data["hatch"] == {"hard": 2, "open": False}
    assert lines[("gate", "hard")] == 4


def test_a_pack_author_is_not_surprised_by_yes_dates_and_times() -> None:
    text = "answer: no\nat: 12:30\nborn: 2087-04-01\nhouse: 010\nyear: 12\nshare: 0.5\nto: 1.5.2\n"
    assert read_mapping(text).values == {
        "answer": "no", "at": "12:30", "born": "2087-04-01", "house": "010", "year": 12, "share": 0.5,
        "to": "1.5.2",
    }  # fmt: skip
    assert parse_yaml("answer: no\nyear: 12\n")[0] == {"answer": False, "year": 12}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key `a` stands here twice"),
        ("a:\n  b: 1\n  b: 2\n", 3, "the key `b` stands here twice"),
        ("a: 1\nb: !thing 2\n", 2, "the tag `!thing` is not allowed"),
        ("a: !!python/name:os.system x\n", 1, "is not allowed"),
        ("a: 2020-13-45\n", 1, "does not read"),
        ("a: b: c\n", 1, "mapping values are not allowed"),
        ("? [a]\n: b\n", 1, "a key must be a plain word"),
        (DEEP, 1, "levels deep"),
        (LAUGHS, 1, "grows without end"),
    ],
    ids=["twice", "twice inside", "tag", "python", "no date", "colons", "odd key", "deep", "laughs"],
)  # fmt: skip
def test_what_a_file_must_not_hold_is_refused_with_its_line(
    text: str, line: int, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text)
    with pytest.raises(BadFile, match=why) as refused:
        read_yaml(file)
    assert refused.value.file == "odd.yaml"
    assert refused.value.line == line


@pytest.mark.parametrize("text", [DEEP, LAUGHS], ids=["deep", "laughs"])
def test_a_pack_cannot_blow_up_the_reader_either(text: str) -> None:
    with pytest.raises(BadYaml):
        read_mapping(text)


def test_what_another_program_wrote_holds_no_alias() -> None:
    assert parse_yaml("a: x & y\nb: '*'\n", NO_ALIASES)[0] == {"a": "x & y", "b": "*"}
    with pytest.raises(BadYaml, match="aliases"):
        parse_yaml("a: &x 1\nb: *x\n", NO_ALIASES)


def test_a_head_says_where_its_keys_stand_and_which_stand_twice() -> None:
    head = read_mapping("id: inn\ntags:\n  - old\n  - wet\nid: again\n", first_line=2)
    assert head.values == {"id": "inn", "tags": ["old", "wet"]}
    assert head.lines == {"id": 2, "tags": 3}
    assert head.item_lines == {"tags": [4, 5]}
    assert head.doubled == [("id", 6)]
    assert head.written == {"id": "inn"}


def test_a_file_may_be_as_deep_and_as_long_as_its_limit_and_no_more() -> None:
    limits = YamlLimits(depth=3, aliases=2, nodes=8)
    assert parse_yaml("a: [[x]]", limits)[0] == {"a": [["x"]]}
    assert parse_yaml("[1, 2, 3, 4, 5, 6, 7]", limits)[0] == [1, 2, 3, 4, 5, 6, 7]
    assert parse_yaml("[&a 1, *a, *a]", limits)[0] == [1, 1, 1]
    for text, why in {
        "a: [[[x]]]": "more than 3 levels",
        "[1, 2, 3, 4, 5, 6, 7, 8]": "too much",
        "[&a 1, *a, *a, *a]": "more than 2 YAML aliases",
    }.items():
        with pytest.raises(BadYaml, match=why):
            parse_yaml(text, limits)


def test_a_head_may_be_as_long_as_its_limit() -> None:
    longest = "a: " + "x" * (MAX_TEXT - 3)
    assert len(read_mapping(longest).values["a"]) == MAX_TEXT - 3
    with pytest.raises(BadYaml, match="256 kB") as refused:
        read_mapping(longest + "x", first_line=4)
    assert refused.value.line == 4
    with pytest.raises(BadYaml, match="key: value") as refused:
        read_mapping("\n- a\n", first_line=4)
    assert refused.value.line == 5
    assert read_mapping("# nothing").values == {}


@pytest.mark.parametrize(
    ("text", "limit", "enough"),
    [
        ("[[x]]", "depth", 2),
        ("{a: {b: x}}", "depth", 2),
        ("[x, y, z]", "nodes", 4),
        ("{a: x, b: y}", "nodes", 3),
        ("[&a x, *a, *a]", "aliases", 2),
    ],
)
def test_a_text_may_hold_just_as_much_as_its_limits_say(text: str, limit: str, enough: int) -> None:
    wide = {"depth": 9, "aliases": 9, "nodes": 99}
    parse_yaml(text, YamlLimits(**{**wide, limit: enough}))
    with pytest.raises(BadYaml):
        parse_yaml(text, YamlLimits(**{**wide, limit: enough - 1}))


@pytest.mark.parametrize(
    "text",
    [
        "plain words " * 30, "x: y", "- x", "no", "12:30", " lead", "it's \"quoted\"", "two\n\nparts\n",
        "a long line\nof many words " * 12, "\U0001f600 and “marks” — too", "\x85", "\u2028x", "日本語 " * 40, "\t", "",
        "Caf\udce9 ledger",
    ],
)  # fmt: skip
def test_what_the_quick_dumper_writes_is_what_the_plain_one_writes(text: str) -> None:
    values = {"key": text, "words": [text, "b"], "below": {text[:40] or "k": [{"a": text}]}}
    assert write_mapping(values) == _dumped(values, _Dumper)
