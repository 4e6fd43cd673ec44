"""The reader's layers in memory with a head of their own, `name_kinds.npz`: scores of names."""

import re
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from freeform.adapters.encoder.headed import HeadedRunner, NumpyHeaded, OnnxHeaded, build
from freeform.adapters.encoder.protobuf import constants, notes
from freeform.adapters.encoder.table import Floats, Table, restore
from freeform.adapters.encoder.wordpiece import PlacedPiece, WordPiece
from freeform.adapters.reader.rows import ReaderRow, row_of
from freeform.language.meaning.names import NAME_KINDS

QUESTION = "Is it a person, a place or a group?"
"""Stands beside every sentence, as questions do where the layers were trained."""
_BATCH = 16
_WEIGHTS = re.compile(r".*\.[wb]|words|places|kinds")
Head = tuple[Floats, Floats]


def shipped_head() -> Head:
    """The weights that come with the program."""
    file = Path(str(files("freeform") / "models" / "name_kinds.npz"))
    with np.load(file, allow_pickle=False) as kept:
        return kept["w"].astype(np.float32), kept["b"].astype(np.float32)


class NameScores:
    """The layers of a reader's file with another head for each token; a damaged file raises what
    its reading raises."""

    def __init__(self, model: bytes, head: Head, *, numpy_only: bool = False) -> None:
        self.words = WordPiece(notes(model)["vocabulary"].split("\n"))
        kept = restore(constants(model))
        table = {name: values for name, values in kept.items() if _WEIGHTS.fullmatch(name)}
        table |= {"token.w": head[0], "token.b": head[1]}
        self._run = _runner(table, numpy_only=numpy_only)

    def kinds(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, dict[str, float]]:
        """How likely each kind is, by the mean of what every place where a name stands says."""
        found: dict[str, dict[str, float]] = {}
        for name, rows in self.of_names(names, sentences).items():
            mean = np.mean(rows, axis=0)
            chances = np.exp(mean - mean.max())
            found[name] = dict(zip(NAME_KINDS, (chances / chances.sum()).tolist(), strict=True))
        return found

    def of_names(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, list[Floats]]:
        """For each name the scores of every sentence it stands in: the mean of its pieces."""
        found: dict[str, list[Floats]] = {}
        for sentence, (scores, pieces) in zip(sentences, self._scored(sentences), strict=True):
            for name in names:
                inside = _pieces_of(name, sentence, pieces)
                if inside:
                    found.setdefault(name, []).append(scores[inside].mean(axis=0))
        return found

    def _scored(self, sentences: Sequence[str]) -> list[tuple[Floats, list[PlacedPiece]]]:
        """The scores of each sentence's pieces; those of one length are looked at together."""
        asked = _numbers(self.words.pieces(QUESTION))
        marks = (self.words.start, self.words.end)
        pieces = [self.words.pieces(sentence) for sentence in sentences]
        rows = [row_of(marks, asked, [], _numbers(own)) for own in pieces]
        nothing = np.zeros((0, 0), dtype=np.float32)
        found: list[tuple[Floats, list[PlacedPiece]]] = [(nothing, [])] * len(rows)
        order = sorted(range(len(rows)), key=lambda at: len(rows[at].ids))
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            scores = self._batch([rows[at] for at in some])
            for n, at in enumerate(some):
                own = rows[at]
                told = pieces[at][: own.end - own.first]
                found[at] = (scores[n, own.first : own.end], told)
        return found

    def _batch(self, rows: Sequence[ReaderRow]) -> Floats:
        shape = (len(rows), max(len(row.ids) for row in rows))
        ids = np.full(shape, self.words.pad, dtype=np.int64)
        kinds = np.zeros(shape, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.float32)
        for n, row in enumerate(rows):
            ids[n, : len(row.ids)] = row.ids
            kinds[n, : len(row.ids)] = row.kinds
            mask[n, : len(row.ids)] = 1
        return self._run(ids, kinds, mask)[0]


def _runner(table: Table, *, numpy_only: bool) -> HeadedRunner:
    if not numpy_only and find_spec("onnxruntime") is not None:
        try:
            heads = (table["token.w"].shape[1], table["text.w"].shape[1])
            return OnnxHeaded(build("name_kinds", table, heads, {}))
        except ImportError:
            # Installed, but without a library of the system that it needs.
            pass
    return NumpyHeaded(table)


def _numbers(pieces: Sequence[PlacedPiece]) -> list[int]:
    return [piece.number for piece in pieces]


def _pieces_of(name: str, sentence: str, pieces: Sequence[PlacedPiece]) -> list[int]:
    """Which pieces of a sentence a name is made of, where it first stands."""
    at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)
    if at is None:
        return []
    return [n for n, p in enumerate(pieces) if p.start < at.end() and p.end > at.start()]
