"""READ THIS FIRST for rules asked in everyday words. Which parts of the rules a question means that
does not say their names, and how likely the best of them answers it.

Shared words, words near in meaning, and the nearness of whole texts are weighed as was learnt
(`models/passages_meant.json`). Entries without fields are always looked at: they are what a
rulebook tells in prose. Of the others only those that the question names.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.language.ear import TextNearness, WordNearness
from freeform.language.inflection import lemma
from freeform.language.meaning.passages import learnt
from freeform.language.words import words

FEATURES = ("said", "near", "titled", "title", "text", "named")
"""How much of a question stands in a part; with words near in meaning; in its title; how near its
title and its text are; whether the question names it."""
NEAR_FROM, NEAR_WORTH = 0.3, 0.9
"""From that nearness on a word counts in the place of another; and what it counts at most."""
MOST_TEXT = 1200
"""Letters of a part that its nearness is told by."""
MOST_NAMED = 24
"""Parts of named entries that are looked at."""
_NO_FIELDS = frozenset({"editions", "source", "sources"})


@dataclass(frozen=True)
class AskedRule:
    """A question as it is held against the rules: its words, lemma and spelling, and entries that
    it names."""

    text: str
    words: Sequence[tuple[str, str]]
    named: Sequence[RulebookRow] = ()


class RulePlace(NamedTuple):
    """A part of an entry."""

    row: RulebookRow
    at: int


class MeantRule(NamedTuple):
    """A part of an entry with its worth and what that was made of."""

    place: RulePlace
    worth: float
    features: tuple[float, ...]


class RuleMeaning:
    """The prose of some rulebooks, ready to be asked."""

    def __init__(self, rows: Sequence[RulebookRow]) -> None:
        prose = [row for row in rows if not set(row.data) - _NO_FIELDS]
        self._prose = _IndexedParts(_places(prose))
        self._spelled = _spellings(self._prose.places)
        self._keys = tuple(self._spelled)
        self._forms = tuple(self._spelled.values())

    def ranked(
        self, asked: AskedRule, near: WordNearness, near_texts: TextNearness
    ) -> list[MeantRule]:
        """The parts, best first; none where nothing can tell what texts mean."""
        weights = [self._weight(key) for key, _ in asked.words]
        likenesses = [self._like(key, form, near) for key, form in asked.words]
        seen = {id(place.row) for place in self._prose.places}
        fresh = [row for row in asked.named if id(row) not in seen]
        named = _IndexedParts(_places(fresh[:MOST_NAMED]))
        found = list[MeantRule]()
        for index in (self._prose, named):
            features = index.features(asked.text, weights, likenesses, near_texts)
            for place, told in zip(index.places, features, strict=False):
                extra = float(index is named)
                row = (*told, extra)
                found.append(MeantRule(place, learnt("rules").worth(FEATURES, row), row))
        return sorted(found, key=lambda meant: -meant.worth)

    def _weight(self, key: str) -> float:
        """Rare words tell more; one that stands nowhere tells most."""
        count = len(self._prose.places)
        return math.log(1 + (count + 1) / (1 + len(self._prose.holding.get(key, ()))))

    def _like(self, key: str, form: str, near: WordNearness) -> dict[str, float]:
        """The lemmas that may stand for a word, and what each counts."""
        told = near(form, self._forms)
        like = {
            other: nearness * NEAR_WORTH
            for other, nearness in zip(self._keys, told, strict=True)
            if nearness > NEAR_FROM
        }
        like[key] = 1.0
        return like


def sureness(ranked: Sequence[MeantRule]) -> float:
    """How likely the best part answers, from 0 to 1."""
    if not ranked:
        return 0.0
    best = ranked[0]
    name = best.place.row.name
    following = next((each.worth for each in ranked if each.place.row.name != name), 0.0)
    said, near = best.features[:2]
    return learnt("rules").chance(best.worth, best.worth - following, near, said)


def _only_said(like: dict[str, float]) -> dict[str, float]:
    """Without words that are only near."""
    return {key: worth for key, worth in like.items() if worth == 1.0}


def _places(rows: Iterable[RulebookRow]) -> list[RulePlace]:
    found = []
    for row in rows:
        found += [RulePlace(row, at) for at, part in enumerate(row.parts) if part.text.strip()]
    return found


def _title(place: RulePlace) -> str:
    """What a part is called."""
    row = place.row
    return row.parts[place.at].path.split(" > ")[-1] if place.at else row.name


def _headed(place: RulePlace) -> str:
    return f"{place.row.name} {place.row.parts[place.at].path}"


def _spellings(places: Sequence[RulePlace]) -> dict[str, str]:
    """Each lemma as some part writes it."""
    found: dict[str, str] = {}
    for place in places:
        for word in words(f"{_headed(place)} {place.row.parts[place.at].text}"):
            found.setdefault(lemma(word), word)
    return found


class _IndexedParts:
    """Parts by the lemmas in them and in their titles."""

    def __init__(self, places: Sequence[RulePlace]) -> None:
        self.places = list(places)
        self.holding: dict[str, list[int]] = {}
        self.heading: dict[str, list[int]] = {}
        for at, place in enumerate(self.places):
            heading = Counter(map(lemma, words(_headed(place))))
            whole = heading + Counter(map(lemma, words(place.row.parts[place.at].text)))
            for key in whole:
                self.holding.setdefault(key, []).append(at)
            for key in heading:
                self.heading.setdefault(key, []).append(at)
        self.titles = tuple(map(_title, self.places))
        self.texts = tuple(
            f"{title}. {place.row.parts[place.at].text[:MOST_TEXT]}"
            for title, place in zip(self.titles, self.places, strict=True)
        )

    def features(
        self,
        question: str,
        weights: Sequence[float],
        likenesses: Sequence[dict[str, float]],
        near_texts: TextNearness,
    ) -> list[tuple[float, ...]]:
        """All features but the last, for each part; none where texts cannot be compared."""
        if not self.places:
            return []
        titles = near_texts(question, self.titles)
        if not titles:
            return []
        texts = near_texts(question, self.texts)
        exact = [_only_said(like) for like in likenesses]
        said = self._shares(self.holding, weights, exact)
        near = self._shares(self.holding, weights, likenesses)
        titled = self._shares(self.heading, weights, likenesses)
        return list(zip(said, near, titled, titles, texts, strict=True))

    def _shares(
        self,
        places: dict[str, list[int]],
        weights: Sequence[float],
        likenesses: Sequence[dict[str, float]],
    ) -> list[float]:
        """How much of the question each part has, by weight."""
        have, total = [0.0] * len(self.places), math.fsum(weights) or 1.0
        for weight, like in zip(weights, likenesses, strict=True):
            best: dict[int, float] = {}
            for key, worth in like.items():
                for at in places.get(key, ()):
                    best[at] = max(best.get(at, 0.0), worth)
            for at, worth in best.items():
                have[at] += weight * worth / total
        return have
