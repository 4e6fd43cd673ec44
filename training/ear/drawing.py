"""The batches of an epoch: examples in a new order, changed a little, with pairs among them."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from augment import joined, names_of, renamed, slipped
from batches import Row, outcome_row, pair_row, premise_row, row_of, side_by_side
from corpus import Example
from mentions import some_of
from outcomes import Outcome, retyped
from pairs import Moment, Pair, asked, drawn
from premises import Premise, retold

from freeform.adapters.encoder.wordpiece import WordPiece

SIZE = 32
JOINED, RENAMED = 0.25, 0.3
"""How often two inputs are made one, and how often names are changed."""
PAIRS, ASKED = 0.35, 1.0
"""How often each pair, and each question, is seen for each time that each input is."""
PREMISES = 2.0
"""The same of premises: there are few."""
OUTCOMES = 1.0
"""The same of outcomes."""


@dataclass
class Drawing:
    """What the batches are drawn from."""

    examples: Sequence[Example]
    pairs: Sequence[Pair]
    moments: Sequence[Moment]
    premises: Sequence[Premise]
    outcomes: Sequence[Outcome]
    words: WordPiece
    seed: int

    @property
    def steps(self) -> int:
        """Batches in an epoch."""
        return math.ceil(len(self.examples) / SIZE)

    @cached_property
    def plain(self) -> list[str]:
        """Sentences of play that nobody wrote for a topic: what was typed, and told before."""
        return sorted({text for one in self.examples for text in (one.text, one.before) if text})

    def epoch(self, number: int) -> list[dict[str, np.ndarray]]:
        """The batches of an epoch; the same for the same seed and number."""
        luck = random.Random(1000 * self.seed + number)
        names = names_of(self.examples)
        order = luck.sample(list(self.examples), len(self.examples))
        batches = []
        for first in range(0, len(order), SIZE):
            rows = [self._changed(one, names, luck) for one in order[first : first + SIZE]]
            rows += [*self._pairs(luck), *self._premises(luck), *self._outcomes(luck)]
            batches.append(side_by_side(rows))
        return batches

    def _changed(self, example: Example, names: dict[str, list[str]], luck: random.Random) -> Row:
        if luck.random() < JOINED:
            example = joined(example, luck.choice(self.examples), luck) or example
        if luck.random() < RENAMED:
            example = renamed(example, names, luck)
        example = slipped(example, luck)
        return row_of(example, self.words, some_of(example.named, luck), luck)

    def _pairs(self, luck: random.Random) -> list[Row]:
        pairs: list[Pair] = []
        if self.pairs:
            count = round(len(self.pairs) * PAIRS / self.steps + luck.random() - 0.5)
            pairs += drawn(self.pairs, self.plain, count, luck)
        if self.moments:
            questions = sum(len(moment.questions) for moment in self.moments)
            count = round(questions * ASKED / self.steps + luck.random() - 0.5)
            pairs += asked(self.moments, count, luck)
        return [pair_row(self.words, pair, luck) for pair in pairs]

    def _premises(self, luck: random.Random) -> list[Row]:
        if not self.premises:
            return []
        count = round(len(self.premises) * PREMISES / self.steps + luck.random() - 0.5)
        chosen = [retold(luck.choice(self.premises), luck) for _ in range(count)]
        return [premise_row(self.words, premise, luck) for premise in chosen]

    def _outcomes(self, luck: random.Random) -> list[Row]:
        if not self.outcomes:
            return []
        count = round(len(self.outcomes) * OUTCOMES / self.steps + luck.random() - 0.5)
        chosen = [retyped(luck.choice(self.outcomes), luck) for _ in range(count)]
        return [outcome_row(self.words, outcome, luck) for outcome in chosen]
