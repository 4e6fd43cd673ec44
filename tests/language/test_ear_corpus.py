"""What the ear is trained on holds to its own page: families, flags, roles, words that are there."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from freeform.language.ear import FAMILIES, FLAGS, KINDS, ROLES
from freeform.language.meaning.outcome import OUTCOME_KINDS, OUTCOME_RISKS, OUTCOME_ROLES
from tests.house import ROOT, none_of

CORPUS = ROOT / "training" / "ear" / "corpus"
SCENES: dict[str, Any] = json.loads((CORPUS / "scenes.json").read_text(encoding="utf-8"))
INPUTS = [
    (file.name, number, json.loads(line))
    for file in sorted(CORPUS.glob("*.jsonl"))
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
]


def test_every_input_is_well_formed() -> None:
    def broken() -> Iterator[str]:
        for file, number, row in INPUTS:
            names = {entity["name"] for entity in SCENES[row["scene"]]["entities"]}
            for wrong in wrong_in(row, names):
                yield f"{file}:{number}: {wrong}"

    none_of(broken())


def wrong_in(row: dict[str, Any], names: set[str]) -> Iterator[str]:
    if not row["acts"]:
        yield "no act"
    for act in row["acts"]:
        if act["family"] not in FAMILIES:
            yield f"no family {act['family']}"
        if act["of"] not in row["text"]:
            yield f"not in the text: {act['of']}"
        yield from (f"no flag {flag}" for flag in act["flags"] if flag not in FLAGS)
        for role, words, entity in act["spans"]:
            if role not in ROLES or words not in row["text"]:
                yield f"no span {role} {words}"
            if entity is not None and entity not in names:
                yield f"nobody is called {entity}"


def test_scenes_name_only_known_kinds() -> None:
    kinds = Counter(e["kind"] for scene in SCENES.values() for e in scene["entities"])
    assert set(kinds) == set(KINDS)


def test_the_page_for_writers_explains_every_name() -> None:
    page = (ROOT / "training" / "ear" / "FORMAT.md").read_text(encoding="utf-8")
    told = set(re.findall(r"\w+", page))
    none_of([name for name in (*FAMILIES, *FLAGS, *ROLES) if name not in told])


def test_pairs_are_of_a_sentence_and_a_topic() -> None:
    file = ROOT / "training" / "touches" / "pairs.jsonl"
    pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    none_of([str(pair) for pair in pairs if set(pair) != {"topic", "sentence", "touches"}])
    by_topic: dict[str, set[bool]] = {}
    for pair in pairs:
        by_topic.setdefault(pair["topic"], set()).add(pair["touches"])
    none_of([topic for topic, found in by_topic.items() if found != {True, False}])


def test_every_deed_has_an_outcome_in_its_own_words() -> None:
    for file in sorted((ROOT / "training" / "outcomes").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert row["kind"] in OUTCOME_KINDS, line
            assert row["mood"] in (-1, 0, 1), line
            assert row["risk"] in ("", *OUTCOME_RISKS), line
            for role in OUTCOME_ROLES:
                assert row[role] in ("me", "") or row[role] in row["deed"], line
