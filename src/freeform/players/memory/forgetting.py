"""How memories fade: FSRS-6 with the memory of a real person, and the blend from perfect to human.

R(t) = (1 + f t / S) ** -d, with f = 0.9 ** (-1 / d) - 1, so that R(S) = 0.9. The formulas for S and
D are those of the open-spaced-repetition project (a test holds them against its library `fsrs`).
PEOPLE holds (S, d) fitted to the forgetting of 9,999 people for a detail learnt once: see
docs/memory.md for the figures and how well the fit holds.
"""

from functools import lru_cache
from math import exp, log
from statistics import NormalDist
from typing import NamedTuple

from freeform.players.memory.model import Kind, MemoryFact, Mind

WEIGHTS = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658,
)  # fmt: skip
"""The default parameters of FSRS-6, but the last (the decay), which is the person's own."""
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4

PEOPLE = {
    5: (0.527, 0.3378),
    25: (1.552, 0.2272),
    50: (3.183, 0.1650),
    75: (8.327, 0.1384),
    83: (13.29, 0.1335),
    90: (25.267, 0.1406),
    95: (49.377, 0.1582),
}
"""Percentile of people, worst memory first -> (stability in days, decay) of a detail learnt
once."""
_LOW, _HIGH = min(PEOPLE), max(PEOPLE)

KINDS: dict[Kind, tuple[float, int]] = {
    "gist": (6.0, EASY),
    "feeling": (3.0, EASY),
    "place": (1.6, GOOD),
    "name": (1.0, GOOD),
    "order": (0.9, HARD),
    "number": (0.8, HARD),
    "source": (0.5, AGAIN),
}
"""Kind of detail -> (factor on stability, how hard it is as an FSRS grade). A name is the detail
people were tested on; the order of the kinds is known from the study of memory, their distances are
ours."""

HARD_TO_GOOD, EASY_TO_GOOD = 1.05 / 3.1, 13.5 / 3.1
"""Median first stabilities of real people by grade, as a ratio to Good: importance 0 and importance
1."""
AROUSAL = 0.4
"""How much of the way to full importance the strongest feeling takes a fact."""


class Trace(NamedTuple):
    """How firmly a detail is held: stability in days, difficulty from 1 to 10."""

    stability: float
    difficulty: float


@lru_cache(maxsize=4096)
def person(percentile: float) -> tuple[float, float]:
    """(stability, decay) of that person, between the people of the table on the normal scale; the
    ends hold beyond."""
    at = min(max(percentile, _LOW), _HIGH)
    known = sorted(PEOPLE)
    low = max(p for p in known if p <= at)
    high = min(p for p in known if p >= at)
    if low == high:
        return PEOPLE[low]
    z = NormalDist().inv_cdf
    share = (z(at / 100) - z(low / 100)) / (z(high / 100) - z(low / 100))
    (s0, d0), (s1, d1) = PEOPLE[low], PEOPLE[high]
    return exp(log(s0) + share * (log(s1) - log(s0))), d0 + share * (d1 - d0)


def percentile_of(detail_oriented: float, base_decay_rate: float = 0.3) -> float:
    """A personality as a percentile of real people. 0.5 is the median, 0.9 the 83rd: where the
    design's own table of forgetting puts them at 90 days. A decay rate above 0.3 takes away, one
    below adds."""
    z = 2.4 * (detail_oriented - 0.5) - 2.0 * (base_decay_rate - 0.3)
    return min(95.0, max(5.0, 100 * NormalDist().cdf(z)))


def retrievability(days: float, stability: float, decay: float) -> float:
    """The share of such details that are still there after so many days."""
    if days <= 0:
        return 1.0
    return float((1 + (0.9 ** (-1 / decay) - 1) * days / stability) ** -decay)


def day_of(level: float, stability: float, decay: float) -> float:
    """After how many days retrievability has fallen to that level (above 0)."""
    return float(stability / (0.9 ** (-1 / decay) - 1) * (level ** (-1 / decay) - 1))


def first_trace(mind: Mind, fact: MemoryFact, kind: Kind) -> Trace:
    """A detail just lived through. Importance 0.5 without feeling is the plain curve of the
    person."""
    factor, grade = KINDS[kind]
    weight = fact.importance + (1 - fact.importance) * AROUSAL * abs(fact.feeling)
    ratio = HARD_TO_GOOD if weight < 0.5 else EASY_TO_GOOD
    stability = person(mind.percentile)[0] * factor * ratio ** (2 * abs(weight - 0.5))
    return Trace(_stable(stability), first_difficulty(grade))


def first_difficulty(grade: int) -> float:
    """Difficulty after the first grade."""
    return _difficult(WEIGHTS[4] - exp(WEIGHTS[5] * (grade - 1)) + 1)


def after_review(trace: Trace, grade: int, days: float, decay: float) -> Trace:
    """The trace after it was called up `days` later with that grade: the spacing effect, and
    lapses."""
    s, d = trace
    r = retrievability(days, s, decay)
    w = WEIGHTS
    if days < 1:
        gain = exp(w[17] * (grade - 3 + w[18])) * s ** -w[19]
        s = s * (max(gain, 1.0) if grade > AGAIN else gain)
    elif grade == AGAIN:
        long = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * exp((1 - r) * w[14])
        s = min(long, s / exp(w[17] * w[18]))
    else:
        extra = w[15] if grade == HARD else w[16] if grade == EASY else 1.0
        s = s * (1 + exp(w[8]) * (11 - d) * s ** -w[9] * (exp((1 - r) * w[10]) - 1) * extra)
    eased = d + (10 - d) * -w[6] * (grade - 3) / 9
    easiest = w[4] - exp(w[5] * (EASY - 1)) + 1
    return Trace(_stable(s), _difficult(w[7] * easiest + (1 - w[7]) * eased))


def blended(retrievable: float, strength: float) -> float:
    """Strength s: of the details a real person would have lost, the share s is lost. 0 is perfect,
    1 is human."""
    return 1.0 - strength * (1.0 - retrievable)


def seed_law(mind: Mind, fact: MemoryFact, days: float, rehearsals: int) -> float:
    """The original formula's chance that a memory is corrupted, as it stands in the design. It
    gives about 2 % where the table beside it says 25 %; it is kept for comparison (`law =
    "seed"`)."""
    time = 1 - exp(-max(0.0, days) / 365)
    personality = mind.base_decay_rate * (1 + (0.5 - mind.detail_oriented))
    rehearsed = max(0.0, 1 - 0.05 * rehearsals)
    return min(0.95, personality * time * (1.5 - fact.importance) * rehearsed * mind.strength)


def seed_law_day(mind: Mind, fact: MemoryFact, chance: float, rehearsals: int) -> float:
    """After how many days the original formula reaches that chance."""
    most = seed_law(mind, fact, 1e9, rehearsals)
    return -365 * log(1 - chance / most) if chance < most else float("inf")


def _stable(stability: float) -> float:
    return max(0.001, stability)


def _difficult(difficulty: float) -> float:
    return min(10.0, max(1.0, difficulty))
