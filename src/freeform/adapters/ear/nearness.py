"""How near two words are in meaning, by the table of words that the ear begins with."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from freeform.adapters.encoder.protobuf import constants, notes
from freeform.adapters.encoder.table import Floats, restore

EVERY = 8
"""Every so many words tell where the middle of all words lies."""
COMMON = 3
"""Directions that all words share and that tell nothing of one: they are taken out."""


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
        table = self._table
        told = [0.0] * len(among)
        places = [at for at, other in enumerate(among) if other in table.rows]
        if word not in table.rows or not places:
            return told
        rows = [table.rows[word], *(table.rows[among[at]] for at in places)]
        points = table.words[rows] - table.middle
        points = points - points @ table.shared @ table.shared.T
        points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
        for at, likeness in zip(places, points[1:] @ points[0], strict=True):
            told[at] = float(likeness)
        return told

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
