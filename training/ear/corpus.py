"""The corpus of the ear: what players typed, with acts, families, flags and spans by offset."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mentions import Mention, mentions

FOLDS = 5


@dataclass(frozen=True)
class Span:
    """A stretch of the text with its part in an act, and the entity it means, if one is meant."""

    role: str
    start: int
    end: int
    entity: str | None = None


@dataclass(frozen=True)
class Act:
    """One thing done, said or asked, and where it stands."""

    family: str
    start: int
    end: int
    flags: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Example:
    """One input of a player, in its scene."""

    scene: str
    before: str
    text: str
    acts: tuple[Act, ...]
    named: tuple[Mention, ...] = ()
    """Where it names something of the scene."""


def read_corpus(*places: Path) -> list[Example]:
    """Every example of the files, and of the files in the folders, in a fixed order."""
    examples: list[Example] = []
    for place in places:
        files = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
        for file in files:
            examples.extend(_examples(file))
    return examples


def _examples(file: Path) -> Iterator[Example]:
    """Entities stand in the line itself, or with the scene in `scenes.json`."""
    beside = file.parent / "scenes.json"
    scenes = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = row["text"]
        acts: list[Act] = []
        for act in row["acts"]:
            acts.append(_act(act, text, acts[-1].end if acts else 0))
        there = row.get("entities") or scenes.get(row["scene"], {}).get("entities", ())
        named = tuple(mentions(text, there))
        yield Example(row["scene"], row.get("before", ""), text, tuple(acts), named)


def _act(act: dict[str, Any], text: str, since: int) -> Act:
    """An act given by offsets, or by its words (`of`), which are looked for behind the act before."""
    start = act["start"] if "start" in act else _found(act["of"], text, since)
    end = act["end"] if "end" in act else start + len(act["of"])
    spans = tuple(_span(span, text, start, end) for span in act["spans"])
    return Act(act["family"], start, end, tuple(act["flags"]), spans)


def _found(words: str, text: str, since: int) -> int:
    at = text.find(words, since)
    return at if at >= 0 else text.index(words)


def _span(span: Any, text: str, start: int, end: int) -> Span:
    """A span given by its words is looked for inside its act first."""
    if isinstance(span, dict):
        return Span(span["role"], span["start"], span["end"])
    role, words, entity = span
    at = text.find(words, start, end)
    at = at if at >= 0 else text.index(words)
    return Span(role, at, at + len(words), entity)


def folds_of(names: Sequence[str]) -> dict[str, int]:
    """The fold of each scene, topic or moment."""
    ordered = sorted(set(names))
    random.Random(7).shuffle(ordered)
    return {name: n % FOLDS for n, name in enumerate(ordered)}
