"""The vectors of one group's facts as one matrix in memory, in the order the facts were learnt."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class MemoryVectors:
    """Fact numbers, their sessions and vectors, row by row. New facts are added behind; the room
    grows by doubling."""

    def __init__(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Rows of (fact number, session, vector)."""
        self._count, self._width = 0, 0
        self._facts = np.zeros(0, dtype=np.int64)
        self._sessions = np.zeros(0, dtype=np.int64)
        self._vectors: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self.add(rows)

    def __len__(self) -> int:
        return self._count

    @property
    def last(self) -> int:
        """The newest fact's number; 0 when there is none."""
        return int(self._facts[self._count - 1]) if self._count else 0

    def add(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Rows behind the last one."""
        new = list(rows)
        if not new:
            return
        fresh = np.frombuffer(b"".join(row[2] for row in new), dtype="<f4").reshape(len(new), -1)
        start, end = self._count, self._count + len(new)
        if end > len(self._facts):
            room = max(end, 2 * start)
            facts, sessions = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
            vectors = np.zeros((room, fresh.shape[1]), dtype=np.float32)
            if start:
                facts[:start], sessions[:start] = self._facts[:start], self._sessions[:start]
                vectors[:start] = self._vectors[:start]
            self._facts, self._sessions, self._vectors = facts, sessions, vectors
        self._facts[start:end] = [row[0] for row in new]
        self._sessions[start:end] = [row[1] for row in new]
        self._vectors[start:end] = fresh
        self._count, self._width = end, fresh.shape[1]

    def scores(self, vector: bytes, beside: float) -> NDArray[np.float32]:
        """Each fact's cosine; `beside` is the share that neighbours in the session lend."""
        asked, n = np.frombuffer(vector, dtype="<f4"), self._count
        if not n or len(asked) != self._width:
            return np.zeros(0, dtype=np.float32)
        # On one core, unlike `@`: threads that wait for each other cost more than they save on a
        # busy machine.
        cosine = np.einsum("ij,j->i", self._vectors[:n], asked).astype(np.float32)
        score = cosine
        if beside:
            same = (self._sessions[1:n] == self._sessions[: n - 1]).astype(np.float32)
            score = cosine.copy()
            score[1:] += beside * cosine[:-1] * same
            score[:-1] += beside * cosine[1:] * same
        # The last bits of a float must decide nothing.
        rounded: NDArray[np.float32] = np.round(score, 5)
        return rounded

    def best(self, scores: NDArray[np.float32], most: int) -> list[tuple[int, float]]:
        """The best facts by these scores, best first; ties go to what was learnt first."""
        best = np.arange(len(scores))
        if most < len(scores):
            least = -np.partition(-scores, most - 1)[most - 1]
            best = np.flatnonzero(scores >= least)
        order = best[np.argsort(-scores[best], kind="stable")][:most]
        return list(zip(self._facts[order].tolist(), scores[order].tolist(), strict=True))
