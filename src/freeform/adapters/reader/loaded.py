"""The reader in memory: word pieces, the model, and what turns its scores into answers."""

import json
import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.encoder.headed import headed_runner, side_by_side
from freeform.adapters.encoder.protobuf import graph_of, notes
from freeform.adapters.encoder.table import Floats
from freeform.adapters.encoder.wordpiece import PlacedPiece, WordPiece
from freeform.adapters.reader.rows import ReaderRow, row_of
from freeform.language.meaning.reading import PassageRead, PlacedText

_BATCH = 8
"""Passages that are read together: those of one length."""
_BEGINS, _ENDS, _INSIDE = range(3)
LONGEST_SPAN = 40
"""Word pieces of an answer."""
SURELY_INSIDE = 1.0
"""The mean score of pieces that are surely part of an answer."""


class LoadedReader:
    """Made from a model file; a damaged one raises what its reading raises."""

    def __init__(self, model: bytes, *, numpy_only: bool = False) -> None:
        kept = notes(model)
        if int(kept["crc32"]) != crc32(graph_of(model)):
            raise ValueError("the graph is not the one that was shipped")
        self._words = WordPiece(kept["vocabulary"].split("\n"))
        self._weight, self._more = json.loads(kept["tuning"])["answers"]
        self._run = headed_runner(model, numpy_only=numpy_only)

    def read(self, question: str, passages: Sequence[PlacedText]) -> list[PassageRead]:
        """Each passage beside the question."""
        asked = [piece.number for piece in self._words.pieces(question)]
        marks = (self._words.start, self._words.end)
        pieces = [self._words.pieces(passage.text) for passage in passages]
        rows = []
        for passage, own in zip(passages, pieces, strict=True):
            place = [piece.number for piece in self._words.pieces(passage.place)]
            rows.append(row_of(marks, asked, place, [piece.number for piece in own]))
        found: list[PassageRead] = [PassageRead(0.0, 0.0)] * len(rows)
        order = sorted(range(len(rows)), key=lambda at: len(rows[at].ids))
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            tokens, texts = self._scored([rows[at] for at in some])
            for n, at in enumerate(some):
                scores = tokens[n, rows[at].first : rows[at].end]
                spans = _spans(scores, pieces[at], passages[at].text)
                score = float(texts[n, 0])
                chance = 1 / (1 + float(np.exp(-self._weight * score - self._more)))
                found[at] = PassageRead(score, chance, spans)
        return found

    def _scored(self, rows: Sequence[ReaderRow]) -> tuple[Floats, Floats]:
        pairs = [(row.ids, row.kinds) for row in rows]
        return self._run(*side_by_side(pairs, self._words.pad))


def _spans(scores: Floats, pieces: Sequence[PlacedPiece], text: str) -> tuple[tuple[int, int], ...]:
    """The likeliest answer from its beginning to its end, and whatever else is surely part of one:
    the other things of a list."""
    if not len(scores):
        return ()
    first, last = _from_beginning_to_end(scores)
    found = [_words_at(pieces[first], pieces[last], text)]
    for run in _runs(scores[:, _INSIDE] > 0):
        if scores[run.start : run.stop, _INSIDE].mean() < SURELY_INSIDE:
            continue
        start, end = _words_at(pieces[run.start], pieces[run.stop - 1], text)
        if all(end <= before or start >= after for before, after in found):
            found.append((start, end))
    return tuple(span for span in sorted(found) if re.search(r"\w", text[slice(*span)]))


def _from_beginning_to_end(scores: Floats) -> tuple[int, int]:
    """The first and last piece of the likeliest answer that is not too long."""
    ends = np.full(len(scores) + LONGEST_SPAN - 1, -np.inf, dtype=scores.dtype)
    ends[: len(scores)] = scores[:, _ENDS]
    reach = np.lib.stride_tricks.sliding_window_view(ends, LONGEST_SPAN)
    first = int((scores[:, _BEGINS] + reach.max(axis=1)).argmax())
    return first, first + int(reach[first].argmax())


def _runs(marked: NDArray[np.bool_]) -> list[slice]:
    """Where marked pieces follow each other."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marked.astype(np.int8), [0]))))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _words_at(first: PlacedPiece, last: PlacedPiece, text: str) -> tuple[int, int]:
    """From the word of one piece to that of another."""
    return _whole_word(first.start, first.end, text)[0], _whole_word(last.start, last.end, text)[1]


def _whole_word(start: int, end: int, text: str) -> tuple[int, int]:
    """The word that a piece is of."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end
