"""Questions with where their answers stand: our own tables, and public sets of questions about texts.

Public sets lie in one folder outside the tree (`--public`); what is not there is not used:
`*.json` in the form of SQuAD, `qamr_*.tsv` with `qamr_sentences.tsv` in the form of QAMR.
"""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Span = tuple[int, int]


@dataclass
class Passage:
    """A text somebody may find an answer in, and what it stands under."""

    text: str
    place: str = ""


@dataclass
class Question:
    """What is asked, and the spans of the passages that say it; none where nothing does."""

    text: str
    spans: dict[int, list[Span]] = field(default_factory=dict)
    own: int | None = None
    """The passage it was written for, where that does not answer it."""
    either: frozenset[int] = frozenset()
    """Passages that may answer it too: they stand beside it neither as right nor as wrong."""


@dataclass
class Group:
    """Passages that compete, and the questions about them."""

    name: str
    ours: bool
    passages: list[Passage] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def read_tables(folder: Path) -> list[Group]:
    """Our own tables: sheets, notes and rules by many hands, as FORMAT.md says."""
    return [_table(file) for file in sorted(folder.glob("*.jsonl"))]


def _table(file: Path) -> Group:
    group = Group(file.stem, ours=True)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    at = {}
    for line in lines:
        if "text" in line:
            at[line["id"]] = len(group.passages)
            group.passages.append(Passage(line["text"], line["place"]))
    for line in lines:
        if "q" in line:
            either = frozenset(at[one] for one in line.get("either", ()))
            question = Question(line["q"], either=either)
            for answer in line["answers"]:
                text = group.passages[at[answer["id"]]].text
                starts = [(text.index(span), len(span)) for span in answer["spans"]]
                found = [(start, start + size) for start, size in starts]
                question.spans.setdefault(at[answer["id"]], []).extend(found)
            group.questions.append(question)
    return group


def read_public(folder: Path) -> Iterator[Group]:
    """The public sets that are there."""
    for file in sorted(folder.glob("*.json")):
        yield from _squad(file)
    for file in sorted(folder.glob("qamr_*.tsv")):
        if file.stem != "qamr_sentences":
            yield from _qamr(file, folder / "qamr_sentences.tsv")


def _squad(file: Path) -> Iterator[Group]:
    """Articles with paragraphs and questions; what is broken or has no answers at all is left."""
    try:
        articles = json.loads(file.read_text("utf-8"))["data"]
    except ValueError:
        return
    for number, article in enumerate(articles):
        title = article.get("title", "").replace("_", " ")
        group = Group(f"{file.stem}/{number}", ours=False)
        for paragraph in article["paragraphs"]:
            at = len(group.passages)
            group.passages.append(Passage(paragraph["context"], title))
            for asked in paragraph["qas"]:
                told = [(a["answer_start"], a["text"]) for a in asked["answers"]]
                spans = [(start, start + len(text)) for start, text in told[:1]]
                if spans or asked.get("is_impossible"):
                    found = {at: spans} if spans else {}
                    group.questions.append(Question(asked["question"], found, at))
        if group.questions:
            yield group


def _qamr(file: Path, sentences: Path) -> Iterator[Group]:
    """Sentences with questions about their parts, one group an article."""
    known = dict(line.split("\t") for line in sentences.read_text("utf-8").splitlines())
    groups: dict[str, Group] = {}
    places: dict[str, int] = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] not in known:
                continue
            name = ":".join(row[0].split(":")[:3])
            group = groups.setdefault(name, Group(f"{file.stem}/{name}", ours=False))
            text, starts, ends = _as_written(known[row[0]].split())
            if row[0] not in places:
                places[row[0]] = len(group.passages)
                group.passages.append(Passage(text))
            spans = [(starts[a], ends[b]) for a, b in _runs([int(n) for n in row[6].split()])]
            group.questions.append(Question(row[5], {places[row[0]]: spans}, places[row[0]]))
    yield from groups.values()


BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}


def _as_written(tokens: list[str]) -> tuple[str, list[int], list[int]]:
    """A sentence of tokens as one writes it, and where each token stands."""
    text, starts, ends = "", [], []
    for token in tokens:
        token = BRACKETS.get(token, token)
        close = re.match(r"[.,;:!?)\]%]|'s?$|n't", token) or text.endswith(("(", "["))
        text += "" if close or not text else " "
        starts.append(len(text))
        text += token
        ends.append(len(text))
    return text, starts, ends


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Numbers that follow each other, as first and last."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
