"""The vectors of one group's facts as one matrix in memory, in the order the facts were learnt."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class MemoryVectors:
    """Fact numbers, their sessions and vectors, row by row."""

    def __init__(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Rows of (fact number, session, vector)."""
        held = list(rows)
        self._fact = np.array([row[0] for row in held], dtype=np.int64)
        session = np.array([row[1] for row in held], dtype=np.int64)
        self._same = (session[1:] == session[:-1]).astype(np.float32)
        joined = b"".join(row[2] for row in held)
        self._vector: NDArray[np.float32] = np.frombuffer(joined, dtype="<f4").reshape(len(held), -1 if held else 0)

    def __len__(self) -> int:
        return len(self._fact)

    def scores(self, vector: bytes, beside: float) -> NDArray[np.float32]:
        """Each fact's cosine; `beside` is the share that neighbours in the session lend."""
        asked = np.frombuffer(vector, dtype="<f4")
        if not len(self) or len(asked) != self._vector.shape[1]:
            return np.zeros(0, dtype=np.float32)
        # On one core, unlike `@`: threads that wait for each other cost more than they save on a busy machine.
        cosine = np.einsum("ij,j->i", self._vector, asked).astype(np.float32)
        score = cosine
        if beside:
            score = cosine.copy()
            score[1:] += beside * cosine[:-1] * self._same
            score[:-1] += beside * cosine[1:] * self._same
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
        return list(zip(self._fact[order].tolist(), scores[order].tolist(), strict=True))
