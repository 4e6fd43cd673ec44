"""Rows as an epoch has them: each question beside a stretch that answers it, and beside one that does not."""

import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from freeform.adapters.reader.graph import PASSAGE
from freeform.adapters.reader.rows import row_of

GROUPS, BESIDE = 40, 5
"""Questions a batch; rows beside the first of each that do not answer it."""
PARTS = 16
"""An epoch is drawn in so many parts, each by a process of its own."""
LONGEST_STRETCH = 5
"""Sentences that a passage is cut to."""
OURS, PUBLIC = 5, 0.6
"""How often our own questions are drawn in an epoch; and which share of the public ones is."""
PLACELESS = 0.3
"""How often the place is left out."""


@dataclass
class Row:
    """Numbers of word pieces with their kinds, and the answers' first and last pieces among them."""

    ids: list[int]
    kinds: list[int]
    spans: list[tuple[int, int]]


class Texts:
    """What `prepare.py` made, cut into lists."""

    def __init__(self, file: Path) -> None:
        held = np.load(file)
        self.passages, self.breaks, self.places, self.questions, self.near, self.either = (
            _cut(held[name], held[f"{name}_at"])
            for name in ("passages", "breaks", "places", "questions", "near", "either")
        )
        self.own = held["own"].tolist()
        self.groups = held["groups"].tolist()
        self.group_of = held["group_of"].tolist()
        self.spans: list[dict[int, list[tuple[int, int]]]] = [{} for _ in self.questions]
        for question, passage, first, last in held["spans"].tolist():
            self.spans[question].setdefault(passage, []).append((first, last))

    def is_ours(self, question: int) -> bool:
        """Whether a question is of our own tables."""
        return bool(self.groups[self.group_of[question]].startswith("ours/"))


def _cut(values: np.ndarray, starts: np.ndarray) -> list[list[int]]:
    numbers = values.tolist()
    return [numbers[a:b] for a, b in pairwise(starts)]


class Drawing:
    """Draws the rows of an epoch; the same for the same number."""

    def __init__(self, texts: Texts, marks: tuple[int, int], chosen: list[int]) -> None:
        self.texts, self.marks, self.chosen = texts, marks, chosen
        self.ours = [n for n in chosen if texts.is_ours(n)]
        self.public = [n for n in chosen if not texts.is_ours(n)]
        self.size = OURS * len(self.ours) + round(PUBLIC * len(self.public))

    @property
    def steps(self) -> int:
        """Batches of an epoch."""
        sizes = (len(range(part, self.size, PARTS)) for part in range(PARTS))
        return sum((size + GROUPS - 1) // GROUPS for size in sizes)

    def part(self, number: int) -> list[dict[str, np.ndarray]]:
        """The batches of a part; the next epoch begins after `PARTS` of them."""
        epoch, part = divmod(number, PARTS)
        luck = random.Random(epoch)
        drawn = self.ours * OURS + luck.sample(self.public, round(PUBLIC * len(self.public)))
        luck.shuffle(drawn)
        luck = random.Random(number)
        groups = [self._group(question, luck) for question in drawn[part::PARTS]]
        # Groups of like length lie together, so that little is padded.
        groups.sort(key=_longest)
        batches = []
        for first in range(0, len(groups), GROUPS):
            rows = [row for group in groups[first : first + GROUPS] for row in group]
            batches.append(side_by_side(rows))
        luck.shuffle(batches)
        return batches

    def _group(self, question: int, luck: random.Random) -> list[Row]:
        """One that answers, where there is one, and others that do not."""
        first = self._answering(question, luck) or self._beside(question, luck)
        return [first, *(self._beside(question, luck) for _ in range(BESIDE))]

    def _answering(self, question: int, luck: random.Random) -> Row | None:
        """A stretch of a passage that answers it."""
        found = self.texts.spans[question]
        if not found:
            return None
        passage = luck.choice(list(found))
        spans = found[passage]
        first, last = self._stretch(passage, luck, luck.choice(spans))
        kept = [(a - first, b - first) for a, b in spans if a >= first and b < last]
        return self.row(question, passage, (first, last), kept, luck)

    def _beside(self, question: int, luck: random.Random) -> Row:
        """A stretch that does not: of the same passage without the answer, of one near it, of any."""
        own, found = self.texts.own[question], self.texts.spans[question]
        if own >= 0 and not found:
            return self.row(question, own, self._stretch(own, luck, None), [], luck)
        if own >= 0 and luck.random() < 0.5:
            first, last = self._stretch(own, luck, None)
            if all(b < first or a >= last for a, b in found[own]):
                return self.row(question, own, (first, last), [], luck)
        near = [p for p in self.texts.near[question] if p not in found]
        passage = luck.choice(near) if near else luck.randrange(len(self.texts.passages))
        if passage in found:
            passage = (passage + 1) % len(self.texts.passages)
        return self.row(question, passage, self._stretch(passage, luck, None), [], luck)

    def _stretch(
        self, passage: int, luck: random.Random, around: tuple[int, int] | None
    ) -> tuple[int, int]:
        """Some sentences next to each other, around an answer where there is one."""
        edges = [0, *self.texts.breaks[passage], len(self.texts.passages[passage])]
        count = len(edges) - 1
        if count <= 3 and luck.random() < 0.6:
            return 0, edges[-1]
        size = luck.randint(1, LONGEST_STRETCH)
        if around is None:
            first = luck.randrange(count)
            return edges[first], edges[min(count, first + size)]
        at = max(n for n in range(count) if edges[n] <= around[0])
        until = min(n for n in range(1, count + 1) if edges[n] > around[1])
        first = max(0, at - luck.randint(0, size - 1))
        return edges[first], edges[max(until, min(count, first + size))]

    def row(
        self,
        question: int,
        passage: int,
        stretch: tuple[int, int],
        spans: list[tuple[int, int]],
        luck: random.Random | None = None,
    ) -> Row:
        """Question, place and stretch as one row, with the answers' places in it."""
        placeless = luck is not None and luck.random() < PLACELESS
        place = [] if placeless else self.texts.places[passage]
        told = self.texts.passages[passage][slice(*stretch)]
        made = row_of(self.marks, self.texts.questions[question], place, told)
        kept = [(a + made.first, b + made.first) for a, b in spans]
        return Row(made.ids, made.kinds, [span for span in kept if span[1] < made.end])


def _longest(group: list[Row]) -> int:
    return max(len(row.ids) for row in group)


def side_by_side(rows: list[Row]) -> dict[str, np.ndarray]:
    """Rows as arrays, the shorter ones padded."""
    longest = max(len(row.ids) for row in rows)
    shape = (len(rows), longest)
    made = {"ids": np.zeros(shape, np.int16), "kinds": np.zeros(shape, np.int8)}
    made["mask"], made["told"] = np.zeros(shape, bool), np.zeros(shape, bool)
    for name in ("begins", "ends", "inside"):
        made[name] = np.zeros(shape, np.int8)
    made["answers"] = np.array([bool(row.spans) for row in rows], np.float32)
    for n, row in enumerate(rows):
        size = len(row.ids)
        made["ids"][n, :size], made["kinds"][n, :size] = row.ids, row.kinds
        made["mask"][n, :size] = True
        told = np.array(row.kinds) == PASSAGE
        told[-1] = False
        made["told"][n, :size] = told
        for first, last in row.spans:
            made["begins"][n, first] = made["ends"][n, last] = 1
            made["inside"][n, first : last + 1] = 1
    return made
