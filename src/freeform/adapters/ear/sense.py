"""What texts mean: a vector for each word piece, learnt so that texts of one meaning lie near each
other; and what a question is after, by those, its words, and the ear's last layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.encoder.headed import HeadedRunner
from freeform.adapters.encoder.table import WIDTH, Floats
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.meaning.sense import (
    ASKED_KINDS,
    SAID,
    TOLD_KINDS,
    Vector,
    asking_words,
)

FILE_NAME = "sense.npz"
PART_FILES = ("sayings.npz", "along.npz", "situation.npz")
_BATCH = 16


def shipped_weights() -> Path:
    """Where the weights lie in the program."""
    return Path(str(files("freeform") / "models" / FILE_NAME))


class LoadedSense:
    """Made from its weights, beside an ear that is in memory."""

    def __init__(self, words: WordPiece, run: HeadedRunner, weights: Path) -> None:
        self._words, self._run = words, run
        with np.load(weights, allow_pickle=False) as kept:
            self._layers = kept["layers"].astype(np.float32) * kept["layers.scale"]
            self._pieces = kept["pieces"].astype(np.float32) * kept["pieces.scale"]
            self._worth = kept["worth"].astype(np.float32)
            self._shift, self._layer_shift = kept["shift"], kept["layers.shift"]
            self._asked = _head(kept, "kinds", "words", ASKED_KINDS)
            self._told = _head(kept, "told", "told.words", TOLD_KINDS)
        self._parts: dict[str, KindHead] = {}
        for file in PART_FILES:
            with np.load(weights.with_name(file), allow_pickle=False) as kept:
                names = [name for name in kept.files if name.endswith(".kinds")]
                for part in (name.removesuffix(".kinds") for name in names):
                    self._parts[part] = _part(kept, part)

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """Each text as a vector of length 1."""
        means = piece_means(texts, self._words, self._pieces, self._worth) + self._shift
        return [tuple(row.tolist()) for row in unit(means)]

    def asked_for(self, question: str, vector: Vector) -> dict[str, float]:
        """How likely a question is of each kind."""
        return self._asked.chances(self.row(question, vector, self._asked.words))

    def told_as(self, saying: str, vector: Vector) -> dict[str, float]:
        """How likely what is told is of each kind."""
        return self._told.chances(self.row(saying, vector, self._told.words))

    def said_as(self, part: str, saying: str, vector: Vector) -> dict[str, float]:
        """How likely a saying comes to each thing of a part."""
        head = self._parts[part]
        return head.chances(self.row(saying, vector, head.words))

    def row(self, text: str, vector: Vector, known: Sequence[str]) -> Floats:
        """What a kind is told by: the text's vector, the ear's last layer, the words it has."""
        said = asking_words(text)
        heard = layer_means([text], self._words, self._run) @ self._layers + self._layer_shift
        words = (SAID * (word in said) for word in known)
        return np.array([*vector, *unit(heard)[0], *words])


@dataclass(frozen=True)
class KindHead:
    """A softmax over what a row says."""

    kinds: tuple[str, ...]
    words: list[str]
    weights: Floats
    more: Floats

    def chances(self, row: Floats) -> dict[str, float]:
        """How likely each kind is; they add up to 1."""
        scores = row @ self.weights + self.more
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        return {kind: round(float(one), 3) for kind, one in zip(self.kinds, chances, strict=True)}


def _head(kept: Mapping[str, Any], name: str, words: str, kinds: tuple[str, ...]) -> KindHead:
    known = [str(word) for word in kept[words]]
    return KindHead(kinds, known, kept[name].astype(np.float32), kept[f"{name}.more"])


def _part(kept: Mapping[str, Any], name: str) -> KindHead:
    return _head(kept, name, f"{name}.words", tuple(map(str, kept[f"{name}.kinds"])))


def unit(rows: Floats) -> Floats:
    """Each row with length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))


def numbers_of(text: str, words: WordPiece) -> list[int]:
    """The numbers of a text's pieces, as many as the ear takes."""
    return [piece.number for piece in words.pieces(text, signs_apart=True)][: LONGEST - 2]


def layer_means(texts: Sequence[str], words: WordPiece, run: HeadedRunner) -> Floats:
    """The mean of each text's tokens after the ear's layers (text, 384)."""
    made = np.zeros((len(texts), WIDTH), dtype=np.float32)
    pieces = [numbers_of(text, words) for text in texts]
    order = sorted(range(len(texts)), key=lambda number: len(pieces[number]))
    for first in range(0, len(order), _BATCH):
        some = order[first : first + _BATCH]
        rows = [[words.start, *pieces[number], words.end] for number in some]
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), words.pad, dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.float32)
        for row, numbers in enumerate(rows):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        made[some] = run.means(ids, np.zeros_like(ids), mask)
    return made


def piece_means(texts: Sequence[str], words: WordPiece, table: Floats, worth: Floats) -> Floats:
    """The mean of each text's pieces in a table, common ones counting less."""
    made = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
    for row, text in enumerate(texts):
        numbers = numbers_of(text, words)
        if numbers:
            weights = worth[numbers]
            made[row] = weights @ table[numbers] / weights.sum()
    return made
