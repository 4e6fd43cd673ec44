"""Where someone stands to what was put forward, read from their words: one reader, in play and in
the evaluation.

The reader is a small linear model over words, pairs of words and what they stand under: a word in
the reach of a negation is another word ("agree", "not agree"). Its weights are learnt by
`training/stance/fit.py`; the card is `models/stance.md`.
"""

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from freeform.core.text import plain_form
from freeform.language.tables import cues
from freeform.language.words import word_class
from freeform.players.model import Stance

CLASSES = (Stance.AGREE, Stance.DISAGREE, Stance.NEUTRAL)
CLEAR = 0.6
"""A stance this likely is clear; below it nobody is taken to have said anything."""
CONDITIONAL = 0.6
"""How sure a yes is that hangs on something."""
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|[?!.,;]")
_BREAK = re.compile(r"(?<=[.!?])\s+|[:;,]\s+|\s+(?:since|because)\s+")
_CALLED = re.compile(r"[A-Z][\w'’-]+[.!]?")
_ENDS_REACH = frozenset("?!.,;")
_BESIDES = re.compile(r"[\"“][^\"”]*[\"”]")


@dataclass(frozen=True)
class Read:
    """A stance read from words."""

    stance: Stance
    confidence: float
    condition: str = ""


@lru_cache(maxsize=1)
def _weights() -> tuple[dict[str, tuple[float, float, float]], tuple[float, float, float]]:
    data = json.loads(files("freeform.models").joinpath("stance.json").read_text(encoding="utf-8"))
    rows = {name: (row[0], row[1], row[2]) for name, row in data["features"].items()}
    return rows, (data["bias"][0], data["bias"][1], data["bias"][2])


@lru_cache(maxsize=1)
def _negations() -> frozenset[str]:
    return frozenset(
        {*word_class("negations"), "dont", "doesnt", "cant", "wont", "isnt", "without"}
    )


@lru_cache(maxsize=1)
def _phrases() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = cues("stance")
    return _any_of(table["hedges"]), _any_of(table["conditions"]), _any_of(table["contrast"])


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, phrases), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b")


def features(text: str) -> list[str]:
    """What the reader sees of an utterance. Words of a quotation are somebody else's."""
    plain = plain_form(_BESIDES.sub(" ", text))
    found, before, reach = list[str](), "^", False
    hedge, condition, contrast = _phrases()
    for token in _TOKEN.findall(plain):
        if token in _ENDS_REACH or contrast.fullmatch(token):
            reach = False
        word = f"not_{token}" if reach and token.isalpha() else token
        found += [f"w:{word}", f"b:{before} {token}"]
        if before == "^":
            found.append(f"first:{token}")
        if token in _negations() or token.endswith("n't"):
            reach = True
        before = token
    found += [
        name
        for name, holds in (
            ("asks", plain.rstrip().endswith("?")),
            ("hedge", bool(hedge.search(plain))),
            ("if", bool(condition.search(plain))),
            ("short", plain.count(" ") < 3),
            ("long", plain.count(" ") > 12),
        )
        if holds
    ]
    return found


@lru_cache(maxsize=4_096)
def likely(text: str) -> tuple[float, float, float]:
    """How likely an utterance agrees, disagrees, or does neither."""
    weights, bias = _weights()
    scores = list(bias)
    for name in dict.fromkeys(features(text)):
        row = weights.get(name)
        if row:
            scores = [score + weight for score, weight in zip(scores, row, strict=True)]
    most = max(scores)
    parts = [math.exp(score - most) for score in scores]
    whole = sum(parts)
    return parts[0] / whole, parts[1] / whole, parts[2] / whole


def read_stance(text: str, proposal: str = "") -> Read:
    """One utterance: the first part of it that is clear. Whoever says the proposal itself over
    again, and nothing against it, is for it."""
    for part in _parts(text):
        chances = likely(part.strip())
        best = max(range(3), key=lambda n: chances[n])
        if CLASSES[best] is Stance.NEUTRAL or chances[best] < CLEAR:
            continue
        condition = condition_in(text) if CLASSES[best] is Stance.AGREE else ""
        if condition:
            return Read(Stance.AGREE, CONDITIONAL, condition)
        return Read(CLASSES[best], round(chances[best], 3))
    chances = likely(text)
    condition = condition_in(text)
    if condition and chances[0] > max(chances[1], 0.2):
        return Read(Stance.AGREE, CONDITIONAL, condition)
    names_it = bool(proposal) and plain_form(proposal) in plain_form(text)
    if names_it and chances[0] > chances[1] and not text.rstrip().endswith("?"):
        return Read(Stance.AGREE, round(1 - chances[1], 3))
    return Read(Stance.NEUTRAL, round(chances[2], 3))


def _parts(text: str) -> list[str]:
    """An utterance as it is taken in: clause by clause. A name by itself says nothing."""
    parts = [part for part in _BREAK.split(text) if part.strip() and not _is_name(part)]
    contrast = _phrases()[2]
    turned = [n for n, part in enumerate(parts) if contrast.match(plain_form(part))]
    # What comes after `but` is what is meant.
    return [*(parts[turned[-1] :] if turned else []), *parts] or [text]


def _is_name(part: str) -> bool:
    """One word with a capital that the reader does not know."""
    known = f"w:{plain_form(part).strip(' .!?')}" in _weights()[0]
    return bool(_CALLED.fullmatch(part)) and not known


def condition_in(text: str) -> str:
    """What a yes hangs on, in the speaker's words; '' for nothing."""
    found = _phrases()[1].search(plain_form(text))
    if not found:
        return ""
    rest = plain_form(text)[found.start() :]
    return re.split(r"[.!?]", rest)[0].strip(" ,")[:160]
