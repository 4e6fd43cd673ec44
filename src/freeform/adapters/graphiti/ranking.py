"""Ranks the facts of one group by words and by vectors, in Python: a graph's full-text index weighs
all groups together, which would let one agent's memories show in another's scores."""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from freeform.language.inflection import lemma
from freeform.language.words import telling_words, words
from freeform.retrieval.ports import Vector

WINDOW, AROUND = 2, 0.5


def by_words(query: str, texts: Sequence[str], sessions: Sequence[int]) -> list[float]:
    """The BM25 score of each text; the words of its neighbours in the session count half."""
    wanted = {lemma(word) for word in telling_words(query) or words(query)}
    own = [_counted(text) for text in texts]
    spoken: dict[int, list[int]] = {}
    for n, session in enumerate(sessions):
        spoken.setdefault(session, []).append(n)
    held: list[dict[str, float]] = []
    lengths: list[float] = []
    for n, counted in enumerate(own):
        weights = {word: float(counted[word]) for word in wanted & counted.keys()}
        length = float(sum(counted.values()))
        beside = spoken[sessions[n]]
        at = bisect_left(beside, n)
        for other in beside[max(0, at - WINDOW) : at] + beside[at + 1 : at + 1 + WINDOW]:
            length += sum(own[other].values())
            for word in wanted & own[other].keys():
                weights[word] = weights.get(word, 0.0) + AROUND * own[other][word]
        held.append(weights)
        lengths.append(length)
    mean = sum(lengths) / max(1, len(own))
    scores = [0.0] * len(own)
    for word in sorted(wanted):
        rows = [n for n, weights in enumerate(held) if word in weights]
        rarity = math.log(1 + (len(own) - len(rows) + 0.5) / (len(rows) + 0.5))
        for n in rows:
            tf = held[n][word]
            long = 0.25 + 0.75 * lengths[n] / max(1.0, mean)
            scores[n] += rarity * tf * 2.2 / (tf + 1.2 * long)
    return scores


def _counted(text: str) -> Counter[str]:
    return Counter(lemma(word) for word in words(text))


def by_vector(
    asked: Vector, vectors: Sequence[Vector], sessions: Sequence[int], beside: float
) -> list[float]:
    """The cosine of each vector, with what its neighbours in the session lend."""
    query = array("f", asked)
    plain = [
        sum(a * b for a, b in zip(query, array("f", vector), strict=True)) for vector in vectors
    ]
    if not beside:
        return plain
    lent = list(plain)
    for n in range(len(plain) - 1):
        if sessions[n] == sessions[n + 1]:
            lent[n] += beside * plain[n + 1]
            lent[n + 1] += beside * plain[n]
    return lent
