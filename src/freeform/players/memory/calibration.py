"""Sure against right: Brier score and expected calibration error over beliefs. Pure."""

from collections.abc import Iterable

from freeform.players.memory.model import Belief, Bin, RecallFigures

BINS = 10


class Count:
    """Beliefs counted by error ('' for none) and by bin of confidence; what a store adds up."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], tuple[int, float, float]] = {}

    def add(self, error: str, confidence: float, times: int = 1) -> None:
        """One more belief; `times` -1 takes one away."""
        n, sure, squared = self.rows.get((error, bin_of(confidence)), (0, 0.0, 0.0))
        self.rows[error, bin_of(confidence)] = (
            n + times,
            sure + times * confidence,
            squared + times * (confidence - (0.0 if error else 1.0)) ** 2,
        )


def bin_of(confidence: float) -> int:
    """Which of the ten bins; the last holds 1 too."""
    return min(BINS - 1, int(confidence * BINS))


def figures(agent: str, rows: Iterable[tuple[str, int, int, float, float]]) -> RecallFigures:
    """From rows of (error or '', bin, how many, sum of confidence, sum of squared misses)."""
    by_type: dict[str, int] = {}
    bins: dict[int, tuple[int, int, float]] = {}
    n = right = 0
    sure = squared = 0.0
    for error, place, count, confidence, misses in rows:
        if not count:
            continue
        hits = 0 if error else count
        if error:
            by_type[error] = by_type.get(error, 0) + count
        had = bins.get(place, (0, 0, 0.0))
        bins[place] = (had[0] + count, had[1] + hits, had[2] + confidence)
        n, right, sure, squared = n + count, right + hits, sure + confidence, squared + misses
    if not n:
        return RecallFigures(agent=agent)
    return RecallFigures(
        agent=agent,
        recalled=n,
        right=right,
        by_type=dict(sorted(by_type.items(), key=lambda row: (-row[1], row[0]))),
        confidence=round(sure / n, 4),
        brier=round(squared / n, 4),
        ece=round(sum(abs(c - r) for _, r, c in bins.values()) / n, 4),
        bins=tuple(
            Bin(n=c, right=r, confidence=round(s / c, 4)) for _, (c, r, s) in sorted(bins.items())
        ),
    )


def figures_of(agent: str, beliefs: Iterable[Belief]) -> RecallFigures:
    """The same, of beliefs at hand."""
    return figures_of_rows(
        agent, [(belief.corruption_type or "", belief.confidence) for belief in beliefs]
    )


def figures_of_rows(agent: str, rows: Iterable[tuple[str, float]]) -> RecallFigures:
    """The same, of (error or '', confidence)."""
    count = Count()
    for error, confidence in rows:
        count.add(error, confidence)
    return figures(agent, [(error, place, *sums) for (error, place), sums in count.rows.items()])
