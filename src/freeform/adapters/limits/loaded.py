"""The reader of limits in memory: word pieces, the model, and the pairs that sieve for it."""

from collections.abc import Sequence

import numpy as np

from freeform.adapters.encoder.headed import headed_runner, side_by_side
from freeform.adapters.encoder.protobuf import notes
from freeform.adapters.encoder.table import Floats
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.adapters.limits.graph import row_of, with_words
from freeform.adapters.limits.touching import TouchedTopics, shipped_pairs
from freeform.language.meaning.sense import Vector

_BATCH = 16
"""Pairs that are read together: those of one length."""
Pair = tuple[str, str]


class LoadedLimits:
    """Made from its model file and the ear's, which lends the words; a damaged one raises what its
    reading raises."""

    def __init__(self, model: bytes, ear: bytes, *, numpy_only: bool = False) -> None:
        self._words = WordPiece(notes(ear)["vocabulary"].split("\n"))
        self._run = headed_runner(with_words(model, ear), numpy_only=numpy_only)
        self._sieve = TouchedTopics(shipped_pairs())

    def touches(
        self, sentences: Sequence[str], topics: Sequence[str], meant: Sequence[Vector]
    ) -> list[list[float]]:
        """Every sentence beside every topic: by written pairs they are like, and where that leaves
        it open, by both read together. `meant` are the vectors of both, in that order."""
        rows = self._sieve.rows(meant[: len(sentences)], meant[len(sentences) :])
        chances = self._sieve.chances(rows)
        places = np.argwhere(chances >= self._sieve.unsure)
        if len(places):
            at = (places[:, 0], places[:, 1])
            heard = self.scores([(sentences[row], topics[column]) for row, column in places])
            chances[at] = self._sieve.joined(rows[at], heard)
        told: list[list[float]] = chances.tolist()
        return told

    def scores(self, pairs: Sequence[Pair]) -> Floats:
        """What the model says of every pair of sentence and topic."""
        words, found = self._words, np.zeros(len(pairs), dtype=np.float32)
        marks = (words.start, words.end)
        made = [row_of(marks, self._pieces(one), self._pieces(other)) for one, other in pairs]
        order = sorted(range(len(made)), key=lambda at: len(made[at][0]))
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            found[some] = self._scored([made[at] for at in some])
        return found

    def _pieces(self, text: str) -> list[int]:
        return [piece.number for piece in self._words.pieces(text, signs_apart=True)]

    def _scored(self, made: Sequence[tuple[list[int], list[int]]]) -> Floats:
        scores = self._run(*side_by_side(made, self._words.pad))[1]
        return np.asarray(scores[:, 0], dtype=np.float32)
