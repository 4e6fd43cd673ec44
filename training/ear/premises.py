"""Premises with what their nouns name: `[goblin accountant|hero] audits a [lich|foe]`."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from freeform.language.meaning.premise import SAME

_MARKED = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_FIRST = 0.6
"""The share of the first of two shapes; of three it is a half."""
_PLAINLY = 0.25
"""How often a premise is told without capitals, and how often without its last stop."""


@dataclass(frozen=True)
class Noun:
    """Where a noun stands and what it names."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Premise:
    """A premise as one typed it."""

    id: str
    text: str
    nouns: tuple[Noun, ...]
    shapes: dict[str, float]
    """Which kinds of story it asks for, with shares that add up to 1; none where none fits."""
    genre: str


def read_premises(folder: Path) -> list[Premise]:
    """Every premise of the folder, in a fixed order."""
    found: list[Premise] = []
    for file in sorted(folder.glob("*.jsonl")):
        found += read_premise_file(file)
    return found


def read_premise_file(file: Path) -> list[Premise]:
    """Every premise of a file."""
    found: list[Premise] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        text, nouns = plain(row["text"])
        shapes = _shares([name for name in row["shapes"] if name != "none"])
        genre = "" if row["genre"] == "none" else row["genre"]
        found.append(Premise(f"{file.stem}/{number}", text, tuple(nouns), shapes, genre))
    return found


def plain(marked: str) -> tuple[str, list[Noun]]:
    """The text without its marks, and what was marked."""
    text, nouns = "", list[Noun]()
    for part in _parts(marked):
        if isinstance(part, str):
            text += part
        else:
            words, label = part
            name = SAME if label == "=" else label
            nouns.append(Noun(name, len(text), len(text) + len(words)))
            text += words
    return text, nouns


def _parts(marked: str) -> Iterator[str | tuple[str, str]]:
    done = 0
    for match in _MARKED.finditer(marked):
        yield marked[done : match.start()]
        yield match[1], match[2]
        done = match.end()
    yield marked[done:]


def _shares(shapes: list[str]) -> dict[str, float]:
    if len(shapes) < 2:
        return dict.fromkeys(shapes, 1.0)
    first = _FIRST if len(shapes) == 2 else 0.5
    rest = (1 - first) / (len(shapes) - 1)
    return {name: rest if at else first for at, name in enumerate(shapes)}


def retold(premise: Premise, luck: random.Random) -> Premise:
    """The same, typed with less care at times; no letter moves."""
    text = premise.text
    if luck.random() < _PLAINLY:
        text = text.lower() if len(text.lower()) == len(text) else text
    if luck.random() < _PLAINLY and text.endswith((".", "!")):
        text = text[:-1] + " "
    return replace(premise, text=text)
