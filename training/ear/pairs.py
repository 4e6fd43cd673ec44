"""The pairs of sentence and topic, and pairs made from them."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WEAK = 0.3
"""How much a pair counts that nobody wrote: the sentence may touch that topic as well."""
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
    """A sentence, a topic, and whether the one touches the other."""

    sentence: str
    topic: str
    touches: bool
    weight: float = 1.0


def read_pairs(file: Path) -> list[Pair]:
    """Every pair of the file."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Pair(row["sentence"], row["topic"], row["touches"]) for row in rows]


def drawn(
    pairs: Sequence[Pair], plain: Sequence[str], count: int, luck: random.Random
) -> list[Pair]:
    """So many pairs, most of their sentences again with another topic, and plain sentences of play.

    Plain ones touch nothing: without them whatever is not like the pairs seems to touch a little.
    """
    chosen = [luck.choice(pairs) for _ in range(count)]
    others = [
        Pair(pair.sentence, luck.choice(pairs).topic, False, WEAK)
        for pair in chosen
        if luck.random() < 0.7
    ]
    quiet = [Pair(luck.choice(plain), luck.choice(pairs).topic, False, PLAIN) for _ in chosen]
    made: list[Pair] = []
    for pair in [*chosen, *others, *quiet]:
        form = "{}" if pair.topic.startswith("no ") else luck.choice(FORMS)
        made.append(Pair(pair.sentence, form.format(pair.topic), pair.touches, pair.weight))
    return made
