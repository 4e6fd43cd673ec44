"""Joins ranked lists into one: reciprocal rank fusion, and what a hit lends to its neighbours."""

from collections.abc import Mapping, Sequence

STEEPNESS = 10
"""How slowly the worth of a rank falls: 1 / (STEEPNESS + rank)."""


def fuse(
    lists: Sequence[Sequence[str]],
    weights: Sequence[float] | None = None,
    steepness: float = STEEPNESS,
) -> dict[str, float]:
    """Each id's worth from 0 to 1, best first: 1 means first in every list. Ties go by id."""
    weights = weights or [1.0] * len(lists)
    full = sum(weights) / (steepness + 1)
    worth: dict[str, float] = {}
    for ids, weight in zip(lists, weights, strict=True):
        for rank, id in enumerate(ids, start=1):
            worth[id] = worth.get(id, 0.0) + weight / (steepness + rank)
    return ordered({id: value / full for id, value in worth.items()} if full else {})


def lend(
    worth: Mapping[str, float], beside: Mapping[str, Sequence[str]], share: float
) -> dict[str, float]:
    """Each neighbour of a hit is worth at least a share of that hit: what surrounds a good passage
    is read too.

    The better of the two counts, not their sum: adding would put a passage between two hits above
    both.
    """
    lent = dict(worth)
    for id, neighbours in beside.items():
        for other in neighbours:
            lent[other] = max(lent.get(other, 0.0), share * worth.get(id, 0.0))
    return ordered(lent)


def ordered(worth: Mapping[str, float]) -> dict[str, float]:
    """Best first, ties by id, rounded so that the last bits of a float decide nothing."""
    rounded = {id: round(value, 6) for id, value in worth.items()}
    return dict(sorted(rounded.items(), key=lambda item: (-item[1], item[0])))
