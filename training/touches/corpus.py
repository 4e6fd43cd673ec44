"""What people wrote of sentences and topics: blocks, pairs, and sentences with all they touch."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
SUITE = HERE.parents[1] / "src" / "freeform" / "evals" / "suites" / "safety"
BLIND = SUITE / "blind"
HELD_SET = BLIND / "2026-11-18.jsonl"
"""What nothing learns from; the few numbers that make scores chances are fitted on it."""


@dataclass
class Topic:
    """A topic as different people would put it, sentences that touch it, and that do not."""

    names: list[str]
    touching: list[str] = field(default_factory=list)
    harmless: list[str] = field(default_factory=list)


def read_blocks(*files: Path) -> list[Topic]:
    """`# name; name`, then lines with `+` and `-`."""
    found: list[Topic] = []
    for file in files:
        for line in filter(None, file.read_text(encoding="utf-8").splitlines()):
            mark, text = line[0], line[1:].strip()
            if mark == "#":
                found.append(Topic([name.strip() for name in text.split(";") if name.strip()]))
            elif mark == "+":
                found[-1].touching.append(text)
            elif mark == "-":
                found[-1].harmless.append(text)
            else:
                raise ValueError(f"{file.name}: a line begins with {mark!r}")
    return found


def written(folder: Path = HERE / "written") -> list[Topic]:
    """The blocks of all writers."""
    return read_blocks(*sorted(folder.glob("*.txt")))


def as_topics(*files: Path) -> list[Topic]:
    """Rows with a sentence, a topic and whether it touches, by their topics."""
    found: dict[str, Topic] = {}
    for file in files:
        for row in rows_of(file):
            topic = found.setdefault(row["topic"], Topic([row["topic"]]))
            (topic.touching if row["touches"] else topic.harmless).append(row["sentence"])
    return [*found.values()]


def listed(folder: Path = HERE) -> tuple[list[str], list[tuple[str, set[str]]]]:
    """Topics, and sentences with all of them that they touch."""
    topics = (folder / "topics.txt").read_text(encoding="utf-8").splitlines()
    rows = [(row["sentence"], set(row["touches"])) for row in rows_of(folder / "sentences.jsonl")]
    return topics, rows


def plain_sentences(training: Path = HERE.parent) -> list[str]:
    """Sentences of scenes that nobody wrote for a topic."""
    found: dict[str, None] = {}
    for file in sorted((training / "answers").glob("*.jsonl")):
        for row in rows_of(file):
            found |= dict.fromkeys(row["sentences"])
    return [*found]


def typed_inputs(training: Path = HERE.parent) -> list[str]:
    """What players typed, and deeds."""
    texts = [row["text"] for file in _jsonl(training / "ear" / "corpus") for row in rows_of(file)]
    texts += [row["deed"] for file in _jsonl(training / "outcomes") for row in rows_of(file)]
    return [*dict.fromkeys(texts)]


def rows_of(file: Path) -> Iterator[dict]:
    """The rows of a file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _jsonl(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))
