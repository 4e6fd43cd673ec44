"""What kind of saying a text is, by the examples it is most like: a prior, never a verdict."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from math import fsum, log
from typing import NamedTuple

from freeform.core.text import plain_form
from freeform.language.inflection import lemma
from freeform.language.tables import cues
from freeform.language.words import words

_WORD = re.compile(r"[a-z0-9']+")
SLOT = "_"
"""Stands for whatever is spoken of: `who is _`."""
_PAIR = 0.5
"""What two words side by side count, beside a word alone."""
_SLIP = 1e-6
"""More than adding up in another order can change a likeness by."""


class Kindred(NamedTuple):
    """The kind of example a text is most like, how much, from 0 to 1, and that example's words."""

    kind: str
    likeness: float
    words: frozenset[str] = frozenset()


NO_KIN = Kindred("", 0.0)


class _Row(NamedTuple):
    """An example: its kind, its words and pairs of words, and what they weigh together."""

    kind: str
    parts: frozenset[str]
    weight: float


class Examples:
    """Sayings of several kinds, made ready to be compared with."""

    def __init__(self, by_kind: Mapping[str, Iterable[str]]) -> None:
        told = [(kind, _forms(text)) for kind, texts in by_kind.items() for text in texts]
        self._known: set[str] = {SLOT}
        seen: Counter[str] = Counter()
        for _, forms in told:
            self._known.update(forms)
            seen.update(_parts(forms))
        self._worth = {part: log(1 + len(told) / times) for part, times in seen.items()}
        self._most = log(1 + len(told))
        self._rows: list[_Row] = []
        for kind, forms in told:
            parts = _parts(forms)
            self._rows.append(_Row(kind, parts, fsum(map(self._weigh, parts))))
        self._having: defaultdict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self._rows):
            for part in row.parts:
                self._having[part].append(number)
        self._best = lru_cache(maxsize=512)(self._nearest)

    def best(self, text: str) -> Kindred:
        """The kind it is most like."""
        return self._best(text)

    def _nearest(self, text: str) -> Kindred:
        # Sets have no order, and `fsum` needs none: the same words weigh the same on every machine.
        # Only of rows that may be the best is it asked.
        said = _parts(self._masked(_forms(text)))
        weight = fsum(map(self._weigh, said))
        best = NO_KIN
        for number, about in self._shared(said):
            row = self._rows[number]
            if 2 * about / (weight + row.weight) < best.likeness - _SLIP:
                continue
            shared = fsum(map(self._weigh, said & row.parts))
            likeness = round(2 * shared / (weight + row.weight), 6)
            if likeness > best.likeness:
                best = Kindred(row.kind, likeness, row.parts)
        return best

    def _shared(self, said: frozenset[str]) -> list[tuple[int, float]]:
        """The rows that have any of these parts, in their order, and about what those weigh."""
        about: defaultdict[int, float] = defaultdict(float)
        for part in said:
            worth = self._weigh(part)
            for number in self._having.get(part, ()):
                about[number] += worth
        return sorted(about.items())

    def _masked(self, forms: list[str]) -> list[str]:
        """Words that no example has are what is spoken of; a run of them is one slot."""
        masked: list[str] = []
        for form in forms:
            known = form if form in self._known else SLOT
            if known != SLOT or masked[-1:] != [SLOT]:
                masked.append(known)
        return masked

    def _weigh(self, part: str) -> float:
        worth = self._worth.get(part, self._most)
        return worth * _PAIR if " " in part else worth


def in_full(text: str) -> str:
    """A text with its short forms written out: `what's`, `im`, `don't`."""
    written_out = cues("questions")["in_full"]
    return _WORD.sub(lambda word: written_out.get(word[0], word[0]), plain_form(text))


def _forms(text: str) -> list[str]:
    """Every word as what its forms share, small words too, and short forms in full."""
    forms: list[str] = []
    for number, part in enumerate(in_full(text).split(SLOT)):
        if number:
            forms.append(SLOT)
        forms += [lemma(word) for word in words(part)]
    return forms


def _parts(forms: list[str]) -> frozenset[str]:
    """Words, and pairs of words side by side; the ends count as words."""
    framed = ["^", *forms, "$"]
    pairs = (f"{one} {two}" for one, two in pairwise(framed))
    return frozenset([*forms, *pairs])


@cache
def examples(table: str) -> Examples:
    """The examples of a table in `cues/`, under its key `examples`."""
    return Examples(cues(table)["examples"])


@cache
def example_texts(table: str) -> tuple[tuple[str, str], ...]:
    """The same examples as they were written, each after its kind."""
    by_kind = cues(table)["examples"]
    return tuple((kind, text) for kind, texts in by_kind.items() for text in texts)
