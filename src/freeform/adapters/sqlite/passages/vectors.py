"""All vectors of an index as one matrix in memory: exact search, with any filter, by one
multiplication."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

AUDIENCES = {"all": 0, "player": 1, "gm": 2}


class VectorRows:
    """Chunk numbers, their documents, audiences and vectors, row by row. Gone rows are marked and
    packed later."""

    def __init__(self) -> None:
        self._size = 0
        self._chunk: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._document: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._audience: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        self._vector: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)

    def __len__(self) -> int:
        return self._size

    def add(self, rows: Iterable[tuple[int, int, str, bytes]]) -> None:
        """Rows of (chunk, document, audience, vector)."""
        new = list(rows)
        if not new:
            return
        width = len(new[0][3]) // 4
        last = self._size + len(new)
        if last > len(self._chunk) or width != self._vector.shape[1]:
            self._grow(max(last, len(self._chunk) * 3 // 2 if self._size else 0), width)
        span = slice(self._size, last)
        self._chunk[span] = [row[0] for row in new]
        self._document[span] = [row[1] for row in new]
        self._audience[span] = [AUDIENCES[row[2]] for row in new]
        joined = b"".join(row[3] for row in new)
        self._vector[span] = np.frombuffer(joined, dtype="<f4").reshape(len(new), width)
        self._size = last

    def _grow(self, size: int, width: int) -> None:
        def grown(old: NDArray[Any], *shape: int) -> NDArray[Any]:
            new = np.zeros((size, *shape), dtype=old.dtype)
            if self._size:
                new[: self._size] = old[: self._size]
            return new

        self._chunk, self._document = grown(self._chunk), grown(self._document)
        self._audience, self._vector = grown(self._audience), grown(self._vector, width)

    def drop(self, documents: Sequence[int]) -> None:
        """Forgets the rows of these documents."""
        if not self._size or not documents:
            return
        keep = np.flatnonzero(~np.isin(self._document[: self._size], documents))
        if len(keep) == self._size:
            return
        for name in ("_chunk", "_document", "_audience", "_vector"):
            array = getattr(self, name)
            array[: len(keep)] = array[keep]
        self._size = len(keep)

    def near(
        self,
        vector: bytes,
        documents: Sequence[int] | None,
        highest: int,
        owned: Sequence[int],
        most: int,
    ) -> list[tuple[int, float]]:
        """The best (chunk, cosine) among these documents (all, if None) that are for audiences up
        to `highest`."""
        asked = np.frombuffer(vector, dtype="<f4")
        if not self._size or len(asked) != self._vector.shape[1]:
            return []
        rows = self._allowed(documents, highest, owned)
        if rows is None:
            cosines = _cosines(self._vector[: self._size], asked)
        elif len(rows) > self._size // 4:
            cosines = _cosines(self._vector[: self._size], asked)[rows]
        else:
            cosines = _cosines(self._vector[rows], asked)
        # The last bits differ between one multiplication of all rows and one of a few; they must
        # decide nothing.
        cosines = np.round(cosines, 5)
        if len(cosines) > most:
            least = np.partition(cosines, len(cosines) - most)[len(cosines) - most]
            best = np.flatnonzero(cosines >= least)
        else:
            best = np.arange(len(cosines))
        chunks = self._chunk[: self._size] if rows is None else self._chunk[rows]
        return [(int(chunks[n]), float(cosines[n])) for n in best]

    def _allowed(
        self, documents: Sequence[int] | None, highest: int, owned: Sequence[int]
    ) -> NDArray[np.int64] | None:
        """The rows that count, or None for all."""
        audience = self._audience[: self._size]
        if documents is None and highest >= AUDIENCES["gm"]:
            return None
        mask = audience <= highest
        if owned:
            mask |= np.isin(self._chunk[: self._size], owned)
        if documents is not None:
            if not len(documents):
                return np.zeros(0, dtype=np.int64)
            rows = self._document[: self._size]
            table = np.zeros(int(max(rows.max(), max(documents))) + 1, dtype=bool)
            table[list(documents)] = True
            mask &= table[rows]
        return np.flatnonzero(mask)


def _cosines(vectors: NDArray[np.float32], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """On one core, unlike `@`: threads that wait for each other cost more than they save on a busy
    machine."""
    return np.asarray(np.einsum("ij,j->i", vectors, asked), dtype=np.float32)
