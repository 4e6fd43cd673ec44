"""From scores to what was heard: where acts begin and end, and how likely each thing is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.ear.graph import PER_TEXT, PER_TOKEN
from freeform.adapters.ear.spans import spans_in
from freeform.adapters.ear.tuning import Tuning
from freeform.language.ear import FAMILIES, FLAGS, ROLES, HeardAct, HeardSpan, HeardText

Numbers: TypeAlias = NDArray[np.floating[Any]]
_OUTSIDE = len(FAMILIES)
_NEVER, _LEAST = -1e9, 1e-9
_APOSTROPHES = "'’"


@dataclass(frozen=True, slots=True)
class Stretch:
    """The tokens of an act, the last one not counted in."""

    first: int
    last: int


class Scores:
    """What the model said of a text, one row for each of its tokens."""

    def __init__(self, tokens: Numbers, text: Numbers) -> None:
        cuts = np.cumsum(PER_TOKEN)[:-1]
        begins, family, flags, tags, *_ = np.split(tokens.astype(np.float64), cuts, axis=-1)
        self.begins, self.family, self.flags, self.tags = begins[:, 0], family, flags, tags
        parts = np.split(text.astype(np.float64), np.cumsum(PER_TEXT)[:-1])
        self.text_family, self.text_flags = parts[:2]


def by_words(
    tokens: Numbers, places: Sequence[tuple[int, int]], text: str
) -> tuple[Numbers, list[tuple[int, int]]]:
    """One row for each word: nothing begins or ends inside of one. Beginnings and spans are what
    the first piece says, families and flags what the pieces say in the mean."""
    firsts = [at for at in range(len(places)) if not at or not _goes_on(places, at, text)]
    ends = [*firsts[1:], len(places)]
    rows = np.array(tokens[firsts], dtype=np.float64)
    kept = slice(PER_TOKEN[0], sum(PER_TOKEN[:3]))
    for row, (first, end) in enumerate(zip(firsts, ends, strict=True)):
        if end - first > 1:
            rows[row, kept] = tokens[first:end, kept].mean(axis=0)
    return rows, [(places[a][0], places[b - 1][1]) for a, b in zip(firsts, ends, strict=True)]


def _goes_on(places: Sequence[tuple[int, int]], at: int, text: str) -> bool:
    """Whether the piece is of the same word as the one before; an apostrophe inside joins."""
    start, before = places[at][0], places[at - 1][1]
    if start != before:
        return False
    around = text[max(0, start - 2) : start + 2]
    left, right = text[start - 1], text[start]
    if right in _APOSTROPHES:
        return left.isalnum() and around[-1].isalnum()
    if left in _APOSTROPHES:
        return right.isalnum() and around[0].isalnum()
    return left.isalnum() and right.isalnum()


def heard_in(scores: Scores, places: Sequence[tuple[int, int]], tuning: Tuning) -> HeardText:
    """What was heard in a text whose tokens stand at these places."""
    stretches = acts_in(scores, tuning)
    spans = _spans(scores, places, tuning)
    acts: list[HeardAct] = []
    family_scores: list[Numbers] = []
    flag_scores: list[Numbers] = []
    for number, stretch in enumerate(stretches):
        within = slice(stretch.first, stretch.last)
        family = family_score(scores, stretch, tuning)
        flag = flag_score(scores, stretch, tuning)
        family_scores.append(family)
        flag_scores.append(flag)
        until = len(places)
        if number + 1 < len(stretches):
            until = stretches[number + 1].first
        since = stretch.first if number else 0
        acts.append(
            HeardAct(
                start=places[within][0][0],
                end=places[within][-1][1],
                families=_named(FAMILIES, _softmax(family)),
                flags=_named(FLAGS, sigmoid(flag)),
                spans=tuple(span for at, span in spans if since <= at < until),
            )
        )
    by_act = log_softmax(np.array(family_scores))
    families = text_score(by_act, scores.text_family, tuning.text_family)
    flags = text_score(np.array(flag_scores), scores.text_flags, tuning.text_flag)
    return HeardText(
        acts=tuple(acts),
        families=_named(FAMILIES, sigmoid(families)),
        flags=_named(FLAGS, sigmoid(flags)),
    )


def acts_in(scores: Scores, tuning: Tuning) -> list[Stretch]:
    """The likeliest cut into acts, each of one family, with stretches outside every act between."""
    chosen, begun = _best_path(scores, tuning)
    stretches: list[Stretch] = []
    for at, state in enumerate(chosen):
        if state == _OUTSIDE:
            continue
        if begun[at] or not stretches:
            stretches.append(Stretch(at, at + 1))
        else:
            stretches[-1] = Stretch(stretches[-1].first, at + 1)
    return stretches or [Stretch(0, len(chosen))]


def _best_path(scores: Scores, tuning: Tuning) -> tuple[list[int], list[bool]]:
    """For each token its family, and whether an act begins there (Viterbi)."""
    begin = (-np.logaddexp(0, -(scores.begins + tuning.begin_bias))).tolist()
    go_on = (-np.logaddexp(0, scores.begins + tuning.begin_bias)).tolist()
    emit = tuning.token_weight * log_softmax(scores.family)
    best = np.full(_OUTSIDE + 1, _NEVER)
    best[_OUTSIDE] = 0.0
    tops: list[int] = []
    fresh: list[Numbers] = []
    for at, row in enumerate(emit):
        top = int(best.argmax())
        start = best[top] + begin[at]
        # What is outside of every act may follow anything, and begins nothing.
        best[_OUTSIDE] = best[top]
        best += go_on[at]
        outside = best[_OUTSIDE]
        fresh.append(best < start)
        best = np.maximum(best, start)
        best[_OUTSIDE] = outside
        best += row
        tops.append(top)
    return _walked_back(int(best.argmax()), tops, fresh)


def _walked_back(
    state: int, tops: Sequence[int], fresh: Sequence[Numbers]
) -> tuple[list[int], list[bool]]:
    """The row of states that ends in this one."""
    chosen: list[int] = []
    begun: list[bool] = []
    for at in range(len(tops) - 1, -1, -1):
        begins = state != _OUTSIDE and bool(fresh[at][state])
        chosen.append(state)
        begun.append(begins)
        if begins or state == _OUTSIDE:
            state = tops[at]
    return chosen[::-1], begun[::-1]


def family_score(scores: Scores, stretch: Stretch, tuning: Tuning) -> Numbers:
    """Both heads' scores for the families of an act: its tokens' in the mean, and the text's."""
    by_token, by_text = tuning.act_family
    tokens = log_softmax(scores.family[stretch.first : stretch.last, :_OUTSIDE])
    mean = np.log(np.exp(tokens).mean(axis=0) + _LEAST)
    return np.asarray(by_token * mean - by_text * np.logaddexp(0, -scores.text_family))


def flag_score(scores: Scores, stretch: Stretch, tuning: Tuning) -> Numbers:
    """Both heads' scores for the flags of an act."""
    by_token, by_text, more = tuning.act_flag
    tokens = scores.flags[stretch.first : stretch.last].mean(axis=0)
    return np.asarray(by_token * tokens + by_text * scores.text_flags + more)


def text_score(acts: Numbers, text: Numbers, weights: tuple[float, float, float]) -> Numbers:
    """How likely any act has it: the highest of the acts' scores, and the text's."""
    by_acts, by_text, more = weights
    return np.asarray(by_acts * acts.max(axis=0) + by_text * text + more)


def _spans(
    scores: Scores, places: Sequence[tuple[int, int]], tuning: Tuning
) -> list[tuple[int, HeardSpan]]:
    """Spans in order, each with the word it begins at."""
    weight, more = tuning.span
    tags = log_softmax(scores.tags)
    spans: list[tuple[int, HeardSpan]] = []
    for run in spans_in(tags):
        of_role = slice(1 + 2 * run.role, 3 + 2 * run.role)
        chance = np.exp(tags[run.first : run.last, of_role]).sum(axis=1).mean()
        chance = np.clip(chance, 1e-6, 1 - 1e-6)
        sure = float(sigmoid(weight * np.log(chance / (1 - chance)) + more))
        start, end = places[run.first][0], places[run.last - 1][1]
        spans.append((run.first, HeardSpan(ROLES[run.role], start, end, sure)))
    return spans


def _named(names: Sequence[str], values: Numbers) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def sigmoid(x: Numbers) -> Numbers:
    """Scores as probabilities."""
    return np.asarray(np.exp(-np.logaddexp(0, -x)))


def log_softmax(x: Numbers) -> Numbers:
    """Scores as logarithms of probabilities that add up to 1."""
    x = x - x.max(axis=-1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(axis=-1, keepdims=True)))


def _softmax(x: Numbers) -> Numbers:
    return np.asarray(np.exp(log_softmax(x)))
