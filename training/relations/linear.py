"""Regression over hashed features in plain numpy: one class at a time, squared costs."""

from collections.abc import Sequence

import numpy as np

from freeform.offline.lore.learned import LinearTable, hashed

STEPS, RATE, COST = 200, 0.05, 1.0
LEAST_SEEN = 2


class HashedRows:
    """Rows of features as buckets, ready to be taught with."""

    def __init__(self, rows: Sequence[Sequence[str]], buckets: int) -> None:
        self.buckets = buckets
        numbers = [np.array(hashed(row, buckets), dtype=np.int64) for row in rows]
        seen = np.bincount(np.concatenate(numbers), minlength=buckets)
        self.numbers = [row[seen[row] >= LEAST_SEEN] for row in numbers]

    def fitted(self, chosen: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, float]:
        """Weights by bucket and a bias that tell the chosen rows that are wanted from the rest."""
        some = [self.numbers[row] for row in chosen]
        column = np.concatenate(some)
        owner = np.repeat(np.arange(len(some)), [len(row) for row in some])
        used, column = np.unique(column, return_inverse=True)
        share = float(np.clip(wanted.mean(), 1e-3, 0.5))
        weights, bias = np.zeros(len(used)), np.log(share / (1 - share))
        mean, spread = np.zeros_like(weights), np.zeros_like(weights)
        for step in range(1, STEPS + 1):
            scores = np.bincount(owner, weights[column], len(some)) + bias
            wrong = 1 / (1 + np.exp(-scores)) - wanted
            slope = np.bincount(column, wrong[owner], len(used)) + COST * weights
            bias -= RATE * wrong.sum() / (1 + 0.25 * len(some) ** 0.5)
            mean = 0.9 * mean + 0.1 * slope
            spread = 0.99 * spread + 0.01 * slope**2
            rate = RATE * min(1.0, 2 * (1 - step / (STEPS + 1)))
            even = np.sqrt(spread / (1 - 0.99**step)) + 1e-6
            weights -= rate * (mean / (1 - 0.9**step)) / even
        whole = np.zeros(self.buckets, dtype=np.float32)
        whole[used] = weights
        return whole, float(bias)


def as_table(columns: Sequence[tuple[np.ndarray, float]]) -> LinearTable:
    """One table of the columns of all classes."""
    weights = np.stack([weights for weights, _ in columns], axis=1)
    return LinearTable(weights, np.array([bias for _, bias in columns], dtype=np.float32))
