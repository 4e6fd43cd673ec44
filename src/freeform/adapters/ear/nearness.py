"""How near two words are in meaning, by the table of words that the ear begins with; and two texts,
by their sense."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from freeform.adapters.encoder.protobuf import constants, notes
from freeform.adapters.encoder.table import Floats, restore
from freeform.language.meaning.sense import Sense

EVERY = 8
"""Every so many words tell where the middle of all words lies."""
COMMON = 3
"""Directions that all words share and that tell nothing of one: they are taken out."""
KEPT = 16
"""Vocabularies and shelves of texts that are remembered as points."""
ASKED = 128
"""Words that are remembered with how near a vocabulary is, and questions as points."""


class _Table(NamedTuple):
    rows: dict[str, int]
    words: Floats
    middle: Floats
    shared: Floats


class EarWords:
    """The words that stand whole in the ear's vocabulary, as points. Loads at the first look."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def near(self, word: str, among: Sequence[str]) -> list[float]:
        """How near each of these is, from -1 to 1; 0 where one of the two is not known."""
        if word not in self._table.rows or not among:
            return [0.0] * len(among)
        return [*self._likeness(word, tuple(among))]

    @cached_property
    def _likeness(self) -> Callable[[str, tuple[str, ...]], list[float]]:
        """A question is held several times against the same words."""
        return lru_cache(maxsize=ASKED)(self._likeness_of)

    def _likeness_of(self, word: str, among: tuple[str, ...]) -> list[float]:
        likeness: list[float] = (self._kept(among) @ self._points((word,))[0]).tolist()
        return likeness

    @cached_property
    def _kept(self) -> Callable[[tuple[str, ...]], Floats]:
        """The points of vocabularies that come again."""
        return lru_cache(maxsize=KEPT)(self._points)

    def _points(self, words: tuple[str, ...]) -> Floats:
        """Words as points of length 1; one that is not known as nothing."""
        table = self._table
        known = [table.rows.get(word, -1) for word in words]
        points = table.words[[max(0, row) for row in known]] - table.middle
        points = points - points @ table.shared @ table.shared.T
        points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
        points[[row < 0 for row in known]] = 0.0
        return np.asarray(points)

    @cached_property
    def _table(self) -> _Table:
        try:
            model = self._file.read_bytes()
        except OSError:  # Without the model no two words are near.
            nothing = np.zeros((1, 1), dtype=np.float32)
            return _Table({}, nothing, nothing[0], nothing)
        stored = constants(model)
        words = restore({name: stored[name] for name in ("words", "words.scale")})["words"]
        vocabulary = notes(model)["vocabulary"].split("\n")
        some = words[::EVERY]
        middle = some.mean(0)
        _, directions = np.linalg.eigh((some - middle).T @ (some - middle))
        rows = {word: at for at, word in enumerate(vocabulary) if word.isalpha()}
        return _Table(rows, words, middle, directions[:, -COMMON:])


class NearTexts:
    """How near texts are by their sense; the texts of a shelf are remembered."""

    def __init__(self, sense: Sense) -> None:
        self._sense = sense
        self._kept = lru_cache(maxsize=KEPT)(self._points)
        self._asked = lru_cache(maxsize=ASKED)(self._points)

    def near(self, text: str, among: tuple[str, ...]) -> list[float]:
        """How near each of these is, from -1 to 1; nothing where no model is at hand."""
        own = self._asked((text,))
        points = self._kept(among)
        if not len(own) or not len(points):
            return []
        likeness: list[float] = (points @ own[0]).tolist()
        return likeness

    def _points(self, texts: tuple[str, ...]) -> Floats:
        return np.asarray(self._sense.vectors(list(texts)), dtype=np.float32)
