"""From scores to what a premise says: what its nouns name, its kind of story, its setting."""

from collections.abc import Sequence

import numpy as np

from freeform.adapters.ear.decode import Numbers, log_softmax
from freeform.adapters.ear.graph import PER_TEXT, PER_TOKEN
from freeform.adapters.ear.spans import runs_in
from freeform.language.meaning.premise import (
    PREMISE_LABELS,
    STORY_GENRES,
    STORY_SHAPES,
    PremiseHeard,
    PremiseSpan,
)

_TAGS = slice(sum(PER_TOKEN[:4]), sum(PER_TOKEN[:5]))
_SHAPES = slice(sum(PER_TEXT[:2]), sum(PER_TEXT[:3]))
_GENRES = slice(sum(PER_TEXT[:3]), sum(PER_TEXT[:4]))


def premise_in(tokens: Numbers, text: Numbers, places: Sequence[tuple[int, int]]) -> PremiseHeard:
    """What was read in a premise whose words stand at these places, one row of scores each."""
    return PremiseHeard(
        spans=tuple(_spans(log_softmax(tokens[:, _TAGS].astype(np.float64)), places)),
        shapes=_likely(STORY_SHAPES, text[_SHAPES]),
        genres=_likely(STORY_GENRES, text[_GENRES]),
    )


def _spans(tags: Numbers, places: Sequence[tuple[int, int]]) -> list[PremiseSpan]:
    found: list[PremiseSpan] = []
    for run in runs_in(tags):
        of_label = slice(1 + 2 * run.role, 3 + 2 * run.role)
        sure = float(np.exp(tags[run.first : run.last, of_label]).sum(axis=1).mean())
        start, end = places[run.first][0], places[run.last - 1][1]
        found.append(PremiseSpan(PREMISE_LABELS[run.role], start, end, sure))
    return found


def _likely(names: Sequence[str], scores: Numbers) -> dict[str, float]:
    chances = np.exp(log_softmax(scores.astype(np.float64)))
    return {name: float(chance) for name, chance in zip(names, chances, strict=True)}
