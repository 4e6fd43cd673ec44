"""What turn of events a premise tells, by how near its sentences are to ways of telling each."""

import re
from collections.abc import Sequence
from functools import cache

from freeform.language.ear import TextNearness
from freeform.language.tables import cues

_SHORTEST = 3
"""So many spaces has a sentence that tells something."""
_NEAREST = 2
"""How many ways of telling a turn are looked at."""

_USUAL = 0.5
"""How much of what is usual is taken off."""


@cache
def turn_glosses() -> tuple[tuple[str, str], ...]:
    """Every way of telling a turn, after the story that is told of it."""
    told = cues("turns")["glosses"]
    return tuple((turn, gloss) for turn, glosses in told.items() for gloss in glosses)


def told_apart(premise: str) -> list[str]:
    """The premise, and each of its sentences that is long enough to tell something."""
    parts = re.split(r"(?<=[.!?;:])\s+", premise)
    return list(dict.fromkeys([premise, *(part for part in parts if part.count(" ") >= _SHORTEST)]))


def turns_in(texts: Sequence[str], near: TextNearness) -> dict[str, float]:
    """How near a premise is to each turn of events, beside what is usual; {} where nothing can
    tell. `texts` are the
    premise and its sentences: a turn may be told in one of them."""
    glosses = tuple(gloss for _, gloss in turn_glosses())
    found: dict[str, float] = {}
    for text in texts:
        for turn, score in _by_turn(near(text, glosses)).items():
            found[turn] = max(found.get(turn, -1.0), score)
    return found


def _by_turn(scores: Sequence[float]) -> dict[str, float]:
    rows: dict[str, list[float]] = {}
    for (turn, _), score in zip(turn_glosses(), scores, strict=False):
        rows.setdefault(turn, []).append(score)
    usual = {turn: float(mean) for turn, mean in cues("turns")["usual"].items()}
    middle = sum(usual.values()) / len(usual)
    return {
        turn: sum(sorted(near)[-_NEAREST:]) / _NEAREST - _USUAL * (usual[turn] - middle)
        for turn, near in rows.items()
    }
