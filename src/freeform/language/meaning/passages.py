"""What was learnt of passages that answer a question: what each feature of one counts, and how
likely the best answers (`models/passages_meant.json`, with its card beside it)."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

TOLD = 0.5
"""From that chance on a passage is told as the answer. Left-out figures are on the card."""


@dataclass(frozen=True)
class LearntPassages:
    """The weights for the passages of one kind of source."""

    rank: dict[str, float]
    sure: dict[str, float]

    def worth(self, names: Sequence[str], features: Sequence[float]) -> float:
        """What a passage is worth by its features."""
        return math.fsum(self.rank[name] * one for name, one in zip(names, features, strict=True))

    def chance(self, best: float, margin: float, near: float, said: float) -> float:
        """How likely the best passage answers: by its worth, what it has before the next, and how
        much of the question it has, with words near in meaning and without."""
        signs = {"best": best, "margin": margin, "near": near, "said": said}
        total = self.sure["base"] + math.fsum(self.sure[name] * one for name, one in signs.items())
        return 1 / (1 + math.exp(-total))


@cache
def learnt(kind: str) -> LearntPassages:
    """What was learnt of `rules` or `notes`."""
    text = files("freeform.models").joinpath("passages_meant.json").read_text(encoding="utf-8")
    held = json.loads(text)[kind]
    return LearntPassages(held["rank"], held["sure"])
