"""Choosing the words of a piece that answer a question: sentences, kept literal and in their
order."""

import re
from collections.abc import Iterable

from freeform.assistant.entities.fold import tokens
from freeform.language.inflection import lemma
from freeform.language.words import lemmas

_NEXT = r"\s+(?=[\"'“(\[*_A-Z0-9+-])"
_BREAK = re.compile(
    rf"(?<=[.!?]){_NEXT}|(?<=[.!?][\"'”’)\]*_]){_NEXT}|(?<=[.!?]\*\*){_NEXT}|\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+[.)]\s))"
)


def key_words(text: str) -> set[str]:
    """The stems of the words that carry a question."""
    return set(lemmas(text, "request"))


def sentences_of(text: str) -> list[str]:
    """The sentences and list lines of a piece, literally as they stand in it."""
    return [part.strip() for part in _BREAK.split(text) if part and part.strip(" \n#-*|>")]


_RUNS_ON = re.compile(r"(?<=[a-z\d)\"'’”][.!?])\s+|(?<=;)\s+|\n+")
_COMMA = re.compile(r"(?<=,)\s+")


def short_parts(text: str, most: int) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end. One of more than so many words is cut where
    another begins with a small letter, as people write in a hurry, then at commas."""
    found, at = list[tuple[int, int]](), 0
    for part in sentences_of(text):
        begin = text.index(part, at)
        at = begin + len(part)
        for start, end in _cut(text, (begin, at), _RUNS_ON, most):
            found += _cut(text, (start, end), _COMMA, most)
    return found


def _cut(
    text: str, place: tuple[int, int], border: re.Pattern[str], most: int
) -> list[tuple[int, int]]:
    """A stretch as parts between borders, as many together as have so many words."""
    start, end = place
    if len(text[start:end].split()) <= most:
        return [place]
    found, first, last = list[tuple[int, int]](), start, start
    for hit in [*border.finditer(text, start, end), None]:
        stop = hit.start() if hit else end
        if last > first and len(text[first:stop].split()) > most:
            found.append((first, last))
            first = _after(text, last)
        last = stop
    return [*found, (first, end)]


def _after(text: str, place: int) -> int:
    """Where the next word begins."""
    return place + len(text[place:]) - len(text[place:].lstrip())


def choose(
    text: str, wanted: set[str], *, names: Iterable[str] = (), most: int = 4, words: int = 110
) -> list[str]:
    """The sentences that share most with the wanted words, in the order of the text; the first ones
    if none does."""
    parts = sentences_of(text)
    if sum(len(part.split()) for part in parts) <= words and len(parts) <= most + 2:
        return parts
    asked = [{lemma(word) for word in tokens(name)} for name in names]
    scored: list[tuple[float, int]] = []
    for at, part in enumerate(parts):
        stems = {lemma(word) for word in tokens(part)}
        named = sum(2.0 for name in asked if name and name <= stems)
        scored.append(
            (len(stems & wanted) / (1 + len(stems) / 40) + named + (0.6 if at == 0 else 0.0), -at)
        )
    kept: list[int] = []
    room = words
    for _, at in sorted(scored, reverse=True):
        length = len(parts[-at].split())
        if len(kept) == most or (kept and length > room):
            continue
        kept.append(-at)
        room -= length
    return [parts[at] for at in sorted(kept)]


def beginning(text: str, words: int) -> list[str]:
    """The first sentences, as many as fit."""
    kept: list[str] = []
    for part in sentences_of(text):
        words -= len(part.split())
        if kept and words < 0:
            break
        kept.append(part)
    return kept


def quote_of(text: str, wanted: set[str], names: Iterable[str] = (), most: int = 280) -> str:
    """The one sentence that answers best, cut at a word when it is long: always literally in the
    text."""
    best = choose(text, wanted, names=names, most=1, words=60)
    found = (
        (best[0] if len(best) == 1 else max(best, key=lambda part: _worth(part, wanted)))
        if best
        else text.strip()
    )
    if len(found) <= most:
        return found
    cut = found[:most]
    return cut[: cut.rfind(" ")] if " " in cut else cut


def _worth(part: str, wanted: set[str]) -> int:
    return len({lemma(word) for word in tokens(part)} & wanted)
