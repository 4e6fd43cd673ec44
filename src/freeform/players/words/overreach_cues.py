"""The words of outcomes and attempts (`language/cues/overreach.yaml`), made into patterns once."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from freeform.language.tables import cues


class OverreachCues(NamedTuple):
    """Patterns and word lists that tell an outcome from an attempt; the file says what each is."""

    cut: re.Pattern[str]
    hopes: re.Pattern[str]
    frames: re.Pattern[str]
    sure: re.Pattern[str]
    manage: re.Pattern[str]
    dice: re.Pattern[str]
    result: re.Pattern[str]
    blows: re.Pattern[str]
    safe_objects: re.Pattern[str]
    landed: re.Pattern[str]
    others_deed: re.Pattern[str]
    their_deed: re.Pattern[str]
    own_means_deed: re.Pattern[str]
    openers: frozenset[str]
    results_in: frozenset[str]
    present: frozenset[str]
    past: dict[str, str]
    weak: frozenset[str]
    done: dict[str, str]
    states: frozenset[str]


def _any(pieces: Iterable[str]) -> str:
    return f"(?:{'|'.join(pieces)})"


def _whole(pieces: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b{_any(pieces)}\b", re.I)


@cache
def overreach_cues() -> OverreachCues:
    """The table, ready to be held against clauses."""
    table = cues("overreach")
    wins = [pair.split() for pair in table["wins"]]
    hopes, falls, means = _whole(table["hopes"]), _any(table["falls"]), _any(table["own_means"])
    return OverreachCues(
        cut=re.compile(
            rf"(\s*[;–—]\s*|\s*\.\.\.\s*|,?\s+{_any(table['cuts'])}\b\s*|,\s+)",
            re.I,
        ),
        hopes=hopes,
        frames=re.compile(
            rf"{hopes.pattern}|^(?:I|we)?\s*(?:\w+ly\s+)?{_any(table['frames'])}\w*\b|\blook(?:s|ing)? for\b",
            re.I,
        ),
        sure=_whole(table["sure"]),
        manage=re.compile(rf"\b{_any(table['manage'])}\s+(?:to|in|at)\s+", re.I),
        dice=_whole(table["dice"]),
        result=_whole(table["results"]),
        blows=_whole(table["blows"]),
        safe_objects=_whole(table["safe_objects"]),
        landed=re.compile("|".join(table["landed"]), re.I),
        others_deed=re.compile(
            r"^(?:the|a|an|his|her|their|its|every|both|all|another|that|this)?\s*(?:[\w'’-]+\s+){0,3}?"
            rf"{falls}\b",
            re.I,
        ),
        their_deed=re.compile(
            r"^(?:he|she|it|they|everyone|everybody|nobody|no one|all of them)\s+(?:\w+ly\s+)?"
            rf"{falls}\b",
            re.I,
        ),
        own_means_deed=re.compile(rf"(?:my {means})\s+(?:\w+ly\s+)?{falls}\b", re.I),
        openers=frozenset(table["openers"]),
        results_in=frozenset(table["results_in"]),
        present=frozenset(now for now, _ in wins),
        past={then: now for now, then in wins},
        weak=frozenset(table["weak"]),
        done=dict(table["done"]),
        states=frozenset(table["states"]),
    )
