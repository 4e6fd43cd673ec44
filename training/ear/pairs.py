"""The pairs of sentence and topic, and of sentence and question, and pairs made from them."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freeform.adapters.ear.graph import QUESTION, TOPIC

WEAK = 0.3
"""How much a pair counts that nobody wrote: the sentence may touch that topic as well."""
AGAIN = 0.4
"""How often a sentence is seen again with a topic that it was not written for."""
UNTOUCHED = 4
"""Topics that a sentence does not touch, taken from those it was held against."""
OTHERS = 2
"""Sentences of the moment that a question is held against beside its answer."""
PLAIN = 0.7
"""How much a plain sentence of play counts."""
FORMS = (
    "{}",
    "{}",
    "{}",
    "no {}",
    "{} please",
    "anything with {}",
    "{}!",
    "any {}",
    "no {} at all",
)


@dataclass(frozen=True)
class Pair:
    """A sentence, a topic, and whether the one touches the other; or a question that it answers."""

    sentence: str
    topic: str
    touches: bool
    weight: float = 1.0
    kind: int = TOPIC


@dataclass(frozen=True)
class Moment:
    """What was seen and known at one moment of play, and questions asked then."""

    id: str
    sentences: tuple[str, ...]
    questions: tuple["Question", ...]


@dataclass(frozen=True)
class Question:
    """A question, the sentences that answer it, and those that only come near."""

    text: str
    by: tuple[int, ...]
    near: tuple[int, ...]


def read_moments(folder: Path) -> list[Moment]:
    """Every moment of the folder."""
    moments: list[Moment] = []
    for file in sorted(folder.glob("*.jsonl")):
        for row in _lines(file):
            asked = [
                Question(one["q"], tuple(one["by"]), tuple(one.get("near", ())))
                for one in row["questions"]
            ]
            moments.append(
                Moment(f"{file.stem}/{row['moment']}", tuple(row["sentences"]), tuple(asked))
            )
    return moments


def asked(moments: Sequence[Moment], count: int, luck: random.Random) -> list[Pair]:
    """So many questions, each beside one sentence that answers it and a few that do not."""
    made: list[Pair] = []
    for _ in range(count):
        moment = luck.choice(moments)
        question = luck.choice(moment.questions)
        wrong = [n for n in range(len(moment.sentences)) if n not in question.by]
        chosen = {*question.by[:1], *luck.sample(question.near, min(1, len(question.near)))}
        chosen |= set(luck.sample(wrong, OTHERS))
        for n in sorted(chosen):
            right = n in question.by
            made.append(Pair(moment.sentences[n], question.text, right, 1.0, QUESTION))
    return made


def read_pairs(folder: Path) -> list[Pair]:
    """Every pair of the folder: those written as pairs, and sentences with all they touch."""
    rows = _lines(folder / "pairs.jsonl")
    pairs = [Pair(row["sentence"], row["topic"], row["touches"]) for row in rows]
    topics = (folder / "topics.txt").read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(_lines(folder / "sentences.jsonl")):
        pairs += [Pair(row["sentence"], topic, True) for topic in row["touches"]]
        others = [topic for topic in topics if topic not in row["touches"]]
        for topic in random.Random(number).sample(others, UNTOUCHED):
            pairs.append(Pair(row["sentence"], topic, False))
    return pairs


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def drawn(
    pairs: Sequence[Pair], plain: Sequence[str], count: int, luck: random.Random
) -> list[Pair]:
    """So many pairs, as many that touch as that do not, some again with another topic, and plain
    sentences of play.

    Plain ones touch nothing: without them whatever is not like the pairs seems to touch a little.
    """
    touching = [pair for pair in pairs if pair.touches]
    chosen = [luck.choice(touching if n % 2 else pairs) for n in range(count)]
    others = [
        Pair(pair.sentence, luck.choice(pairs).topic, False, WEAK)
        for pair in chosen
        if luck.random() < AGAIN
    ]
    quiet = [Pair(luck.choice(plain), luck.choice(pairs).topic, False, PLAIN) for _ in chosen[::2]]
    made: list[Pair] = []
    for pair in [*chosen, *others, *quiet]:
        form = "{}" if pair.topic.startswith("no ") else luck.choice(FORMS)
        made.append(Pair(pair.sentence, form.format(pair.topic), pair.touches, pair.weight))
    return made
