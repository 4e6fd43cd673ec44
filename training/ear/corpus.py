"""The corpus of the ear: what players typed, with acts, families, flags and spans by offset."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FAMILIES = tuple(
    "talk ask persuade deceive threaten look search move take give use open_close unlock_break "
    "attack sneak_hide help_heal make_improvise wait_rest express ooc gm_question plan_only "
    "none".split()
)
FLAGS = ("negated", "conditional", "hypothetical", "asserts", "again", "correction")
ROLES = ("target", "item", "instrument", "destination", "topic", "speech")


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


def read_corpus(*places: Path) -> list[Example]:
    """Every example of the files, and of the files in the folders, in a fixed order."""
    examples: list[Example] = []
    for place in places:
        files = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
        for file in files:
            examples.extend(_examples(file))
    return examples


def _examples(file: Path) -> Iterator[Example]:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = row["text"]
        acts = tuple(_act(act, text) for act in row["acts"])
        yield Example(row["scene"], row.get("before", ""), text, acts)


def _act(act: dict[str, Any], text: str) -> Act:
    """An act given by its words (`of`), or by offsets."""
    start = act["start"] if "start" in act else text.index(act["of"])
    end = act["end"] if "end" in act else start + len(act["of"])
    spans = tuple(_span(span, text, start, end) for span in act["spans"])
    return Act(act["family"], start, end, tuple(act["flags"]), spans)


def _span(span: Any, text: str, start: int, end: int) -> Span:
    """A span given by its words is looked for inside its act first."""
    if isinstance(span, dict):
        return Span(span["role"], span["start"], span["end"])
    role, words, entity = span
    at = text.find(words, start, end)
    if at < 0:
        at = text.index(words)
    return Span(role, at, at + len(words), entity)
