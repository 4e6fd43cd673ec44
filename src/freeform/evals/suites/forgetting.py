"""The suite `forgetting`: how many details agents really lose, against what people lose; and one
person's real log.

HUMAN is the share of details (in percent) that real people fail to recall, learnt once and never
rehearsed, by the percentile of the person and the days since: quantiles over 9,999 fits of FSRS-6
(see docs/memory.md). The agents run at strength 1, which is defined as the human curve.
"""

import csv
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

from freeform.core.errors import BadFile
from freeform.evals.report import SuiteReport, mean
from freeform.players.memory.forgetting import (
    PEOPLE,
    Trace,
    after_review,
    first_difficulty,
    person,
    retrievability,
)
from freeform.players.memory.model import Belief, MemoryFact, Mind, Slot
from freeform.players.memory.recall import recall

DELAYS = (7, 30, 90, 180)
HUMAN = {
    5: (45.7, 64.0, 75.5, 81.2),
    25: (26.1, 43.0, 55.4, 62.4),
    50: (16.5, 31.0, 41.6, 47.9),
    75: (8.7, 20.4, 30.2, 36.0),
    83: (6.2, 16.2, 25.6, 31.5),
    90: (3.7, 11.2, 20.2, 26.5),
    95: (2.0, 6.9, 14.7, 21.0),
}
FACTS = 10_000
FIRST_STABILITY = {1: 0.22, 2: 1.05, 3: 3.1, 4: 13.5}
"""Median first stability of people by grade, in days; a person's own is this times their ratio to
the median."""


def run_forgetting(data: Path | None, facts: int = FACTS, seed: int = 8) -> SuiteReport:
    """Every percentile at every delay, over that many facts each; the real log too, where it lies
    in the data."""
    cases: list[dict[str, Any]] = []
    non_monotone = 0
    for percentile, human in HUMAN.items():
        mind = Mind(agent=f"p{percentile}", percentile=percentile, strength=1.0, seed=seed)
        lost = [0] * len(DELAYS)
        for n in range(facts):
            beliefs = [recall(mind, detail(n), day) for day in DELAYS]
            lost = [
                count + (not belief.correct) for count, belief in zip(lost, beliefs, strict=True)
            ]
            non_monotone += not only_worse(beliefs)
        for day, count, wanted in zip(DELAYS, lost, human, strict=True):
            realised = round(100 * count / facts, 2)
            error = round(realised - wanted, 2)
            cases.append(
                {
                    "percentile": percentile,
                    "days": day,
                    "human": wanted,
                    "realised": realised,
                    "error": error,
                }
            )
    worst = max(abs(case["error"]) for case in cases)
    log_file = data / "fsrs" / "review_log.csv" if data else None
    real = real_log(log_file) if log_file and log_file.is_file() else {}
    return SuiteReport(
        suite="forgetting",
        n=facts * len(HUMAN),
        metrics={
            "max_error_points": worst,
            "non_monotone": non_monotone,
            **({"real_log": real} if real else {}),
        },
        cases=cases,
        notes=[]
        if real
        else ["the log of a real person is not there: fsrs/review_log.csv in the data folder"],
    )


def detail(n: int) -> MemoryFact:
    """A plain fact of middling importance with one detail to lose."""
    return MemoryFact(
        id=f"detail_{n}",
        group="campaign_main",
        subject=f"guest_{n}",
        predicate="is_called",
        value="Marrow",
        text="The guest is called Marrow.",
        slots=(Slot(name="who", kind="name", text="Marrow"),),
        valid_at=0.0,
        created_at=0.0,
    )


def only_worse(beliefs: Sequence[Belief]) -> bool:
    """Whether a memory, asked on later and later days, never got better and never became another
    error."""
    for earlier, later in pairwise(beliefs):
        for before, after in zip(earlier.audit, later.audit, strict=True):
            same_error = before.error in (None, after.error) and before.neighbour in (
                "",
                after.neighbour,
            )
            same_words = before.level != after.level or before.believed == after.believed
            if after.level < before.level or not same_error or not same_words:
                return False
    return True


class Review(NamedTuple):
    """One look at a card: which, how well it went (1 to 4), and the day as a number."""

    card: str
    grade: int
    day: float


def real_log(path: Path) -> dict[str, Any]:
    """Predictions for a real person's reviews, a day or more apart. The first half of the cards (by
    id) finds the person's percentile, the second half is predicted."""
    reviews = read_reviews(path)
    cards = sorted({review.card for review in reviews})
    fit, held = set(cards[: len(cards) // 2]), set(cards[len(cards) // 2 :])
    tried = {p: _log_loss(predicted(reviews, p, fit)) for p in range(5, 96, 5)}
    best = min(tried, key=lambda p: (tried[p], p))
    seen = [recalled for _, _, recalled in predicted(reviews, 50, fit)]
    base = sum(seen) / len(seen)
    rows, plain = predicted(reviews, best, held), predicted(reviews, 50, held)
    return {
        "reviews": len(rows),
        "percentile": best,
        "observed": mean(recalled for _, _, recalled in rows),
        "predicted": mean(power for power, _, _ in rows),
        "predicted_median_person": mean(power for power, _, _ in plain),
        "predicted_exponential": mean(flat for _, flat, _ in rows),
        "log_loss": round(_log_loss(rows), 4),
        "log_loss_median_person": round(_log_loss(plain), 4),
        "log_loss_exponential": round(
            _log_loss([(flat, flat, recalled) for _, flat, recalled in rows]), 4
        ),
        "log_loss_constant": round(
            _log_loss([(base, base, recalled) for _, _, recalled in rows]), 4
        ),
    }


def read_reviews(path: Path) -> list[Review]:
    """The log, oldest first."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [
                Review(row["card_id"], int(row["review_rating"]), _day(row["review_time"]))
                for row in csv.DictReader(file)
            ]
    except (KeyError, ValueError) as wrong:
        raise BadFile(
            str(path), f"is no review log with card_id, review_rating, review_time ({wrong})"
        ) from None
    return sorted(rows, key=lambda review: review.day)


def predicted(
    reviews: Sequence[Review], percentile: float, cards: set[str]
) -> list[tuple[float, float, bool]]:
    """For each later look at a card a day or more after the last: (power curve, exponential, was it
    recalled)."""
    stability, decay = person(percentile)
    ratio = stability / PEOPLE[50][0]
    held: dict[str, tuple[Trace, float]] = {}
    rows = []
    for card, grade, day in reviews:
        if card not in cards:
            continue
        if card not in held:
            held[card] = (Trace(FIRST_STABILITY[grade] * ratio, first_difficulty(grade)), day)
            continue
        trace, last = held[card]
        if day - last >= 1:
            same_s = exp(log(0.9) * (day - last) / trace.stability)
            rows.append((retrievability(day - last, trace.stability, decay), same_s, grade > 1))
        held[card] = (after_review(trace, grade, day - last, decay), day)
    return rows


def _log_loss(rows: Sequence[tuple[float, float, bool]]) -> float:
    clear = [(min(max(p, 1e-4), 1 - 1e-4), recalled) for p, _, recalled in rows]
    return -sum(log(p) if recalled else log(1 - p) for p, recalled in clear) / max(1, len(clear))


def _day(text: str) -> float:
    return datetime.fromisoformat(text).timestamp() / 86400
