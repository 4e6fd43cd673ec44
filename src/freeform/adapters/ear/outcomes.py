"""From scores to what becomes of a deed: what is changed, and how likely each state is so."""

from collections.abc import Sequence

import numpy as np

from freeform.adapters.ear.decode import Numbers, log_softmax
from freeform.adapters.ear.graph import OUTCOME_CHOICES, PER_OUTCOME, PER_TEXT, PER_TOKEN
from freeform.language.meaning.outcome import OUTCOME_ROLES, STATES, OutcomeHeard, OutcomeSpan

_TAGS = slice(sum(PER_TOKEN[:5]), sum(PER_TOKEN[:6]))
_TEXT = slice(sum(PER_TEXT[:4]), sum(PER_TEXT[:5]))
_MOST_STATES = 8
_LEAST = 0.1
"""How likely a word must play a part to belong to a stretch that does."""
_BEGUN = 0.8
"""From here on a word begins a stretch of its own."""


def outcome_in(tokens: Numbers, text: Numbers, places: Sequence[tuple[int, int]]) -> OutcomeHeard:
    """What was read in a deed whose words stand at these places, one row of scores each."""
    parts = np.split(text[_TEXT].astype(np.float64), np.cumsum(PER_OUTCOME)[:-1])
    kinds, subjects, moods, risks = (
        _likely(names, scores) for names, scores in zip(OUTCOME_CHOICES, parts[1:], strict=True)
    )
    return OutcomeHeard(
        spans=tuple(_spans(np.exp(log_softmax(tokens[:, _TAGS].astype(np.float64))), places)),
        states=_likeliest(np.exp(log_softmax(parts[0]))),
        kinds=kinds,
        subjects=subjects,
        moods=moods,
        risks=risks,
    )


def _spans(chances: Numbers, places: Sequence[tuple[int, int]]) -> list[OutcomeSpan]:
    """Words in a row that may play a part, for each part: few words are sure of theirs, but the
    likeliest stretch of them is."""
    found: list[OutcomeSpan] = []
    for at, role in enumerate(OUTCOME_ROLES):
        begins, inside = chances[:, 1 + 2 * at], chances[:, 2 + 2 * at]
        for first, last in _runs(begins, inside):
            sure = float((begins + inside)[first:last].mean())
            found.append(OutcomeSpan(role, places[first][0], places[last - 1][1], sure))
    return found


def _runs(begins: Numbers, inside: Numbers) -> list[tuple[int, int]]:
    """Where such words stand, the last not counted in; one that rather begins parts two runs."""
    runs: list[tuple[int, int]] = []
    for at in range(len(begins)):
        if begins[at] + inside[at] < _LEAST:
            continue
        if runs and runs[-1][1] == at and begins[at] < max(inside[at], _BEGUN):
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


def _likeliest(chances: Numbers) -> dict[str, float]:
    order = np.argsort(-chances, kind="stable")[:_MOST_STATES]
    return {STATES[at]: float(chances[at]) for at in order}


def _likely(names: Sequence[str], scores: Numbers) -> dict[str, float]:
    chances = np.exp(log_softmax(scores))
    return {name: float(chance) for name, chance in zip(names, chances, strict=True)}
