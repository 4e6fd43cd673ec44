"""A study of parties, as numbers: runs of two arms paired by scenario and seed, the mean difference
with its interval, a test by flipping signs, p-values corrected for having looked often. Pure."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from pydantic import Field

from freeform.core.chance import Chance
from freeform.core.record import Record

RESAMPLES, FLIPS, EXACT = 2_000, 10_000, 12
"""Draws of a bootstrap; random sign flips; so many pairs and fewer are flipped in every way."""
LEVEL = 0.95
Row = Mapping[str, Any]


class Comparison(Record):
    """One measure of one arm against the baseline."""

    measure: str
    arm: str
    pairs: int
    baseline: float
    value: float
    difference: float
    low: float
    high: float
    """Between these the mean difference lies, 19 times of 20."""
    p: float
    p_corrected: float = 1.0
    """By Holm's method, over every comparison of the study."""
    significant: bool = False


class ArmSummary(Record):
    """What one arm came to on one measure."""

    arm: str
    measure: str
    runs: int
    mean: float
    low: float
    high: float


class StudyResult(Record):
    """Everything a report needs."""

    comparisons: list[Comparison] = Field(default_factory=list)
    arms: list[ArmSummary] = Field(default_factory=list)


def compare_arms(
    rows: Sequence[Row], factor: str, baseline: str, measures: Sequence[str], seed: int = 1
) -> StudyResult:
    """Each arm of the factor against the baseline, measure by measure."""
    arms = list(dict.fromkeys(str(row[factor]) for row in rows))
    found, summaries = [], []
    for measure in measures:
        chance = Chance(seed, "study", measure)
        for arm in arms:
            values = [_number(row[measure]) for row in rows if str(row[factor]) == arm]
            low, high = interval(values, chance.at(arm, "arm"))
            summaries.append(
                ArmSummary(
                    arm=arm,
                    measure=measure,
                    runs=len(values),
                    mean=_mean(values),
                    low=low,
                    high=high,
                )
            )
            if arm != baseline:
                pairs = paired(rows, factor, (baseline, arm), measure)
                found.append(_compared(measure, arm, pairs, chance.at(arm)))
    return StudyResult(comparisons=corrected(found), arms=summaries)


def paired(
    rows: Sequence[Row], factor: str, arms: tuple[str, str], measure: str
) -> list[tuple[float, float]]:
    """Values of two arms from runs that are alike in all but the factor."""
    by_run: dict[tuple[str, ...], dict[str, float]] = {}
    for row in rows:
        alike = tuple(str(row.get(name, "")) for name in FACTORS if name != factor)
        by_run.setdefault(alike, {})[str(row[factor])] = _number(row[measure])
    first, second = arms
    both = [run for run in by_run.values() if first in run and second in run]
    return [(run[first], run[second]) for run in both]


FACTORS = ("scenario", "policy", "players", "strength", "seed", "model", "law", "traits")


def _compared(
    measure: str, arm: str, pairs: Sequence[tuple[float, float]], chance: Chance
) -> Comparison:
    differences = [second - first for first, second in pairs]
    low, high = interval(differences, chance.at("interval"))
    return Comparison(
        measure=measure,
        arm=arm,
        pairs=len(pairs),
        baseline=_mean([first for first, _ in pairs]),
        value=_mean([second for _, second in pairs]),
        difference=_mean(differences),
        low=low,
        high=high,
        p=sign_flip_test(differences, chance.at("flips")),
    )


def interval(values: Sequence[float], chance: Chance) -> tuple[float, float]:
    """Where the mean lies by resampling; a point for fewer than two values."""
    if len(values) < 2:
        return _mean(values), _mean(values)
    count = len(values)
    means = []
    for draw in range(RESAMPLES):
        dice = chance.at(draw)
        means.append(_mean([values[int(dice.fraction() * count)] for _ in values]))
    means.sort()
    cut = int((1 - LEVEL) / 2 * RESAMPLES)
    return means[cut], means[-cut - 1]


def sign_flip_test(differences: Sequence[float], chance: Chance) -> float:
    """How often the mean difference would be as large if which arm is which meant nothing."""
    real = [value for value in differences if value]
    if not real:
        return 1.0
    seen = abs(sum(real))
    if len(real) <= EXACT:
        flips = list(product((1, -1), repeat=len(real)))
        as_large = sum(_flipped(real, signs) >= seen - 1e-12 for signs in flips)
        return round(as_large / len(flips), 6)
    as_large = 1
    for draw in range(FLIPS):
        dice = chance.at(draw)
        signs = [1 if dice.fraction() < 0.5 else -1 for _ in real]
        as_large += _flipped(real, signs) >= seen - 1e-12
    return round(as_large / (FLIPS + 1), 6)


def _flipped(values: Sequence[float], signs: Sequence[int]) -> float:
    return abs(sum(value * sign for value, sign in zip(values, signs, strict=True)))


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """With Holm's correction: the smallest p-value times all, the next times one fewer, none
    smaller than the one before."""
    order = sorted(range(len(comparisons)), key=lambda n: comparisons[n].p)
    values = [1.0] * len(comparisons)
    least = 0.0
    for rank, n in enumerate(order):
        least = max(least, min(1.0, comparisons[n].p * (len(order) - rank)))
        values[n] = round(least, 6)
    return [
        one.model_copy(update={"p_corrected": p, "significant": p < 1 - LEVEL})
        for one, p in zip(comparisons, values, strict=True)
    ]


def _number(value: Any) -> float:
    return float(value or 0)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 6) if values else 0.0
