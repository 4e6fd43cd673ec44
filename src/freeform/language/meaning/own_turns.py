"""Whether a premise tells of the player's own contest, or of an evening between them and someone:
a line through vectors of texts (`training/premises/own_turns.py`)."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import fsum
from operator import mul
from typing import Any

PLAINLY_OWN, _NEARER, _MOST = 0.42, 0.1, 3.0
"""As how near a turn counts that is plainly told, and how much nearer what is told more plainly."""


def own_turns(vector: Sequence[float]) -> dict[str, float]:
    """The turns that a premise plainly tells, by how near they count; none for any other."""
    found = {}
    for turn, known in _known().items():
        score = fsum(map(mul, vector, known["line"])) + known["bias"]
        if score >= 0:
            found[turn] = PLAINLY_OWN + _NEARER * min(score, _MOST)
    return found


@cache
def _known() -> dict[str, Any]:
    text = (files("freeform.language.meaning") / "own_turns.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read
