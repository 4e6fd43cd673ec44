"""The interpreter's knowledge of English, read once from `lexicon.yaml`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

Phrase = tuple[str, ...]
Phrases = Mapping[str, Sequence[Phrase]]
"""By their first word, so that few are looked at."""


def phrases(*given: Phrase) -> Phrases:
    """Those, ready to be looked for; of two that begin with the same word, the one given first is
    found."""
    found: dict[str, list[Phrase]] = {}
    for phrase in given:
        found.setdefault(phrase[0], []).append(phrase)
    return found


@dataclass(frozen=True)
class Lexicon:
    """Word lists by use. Phrases are tuples of words, longest first, so the first that fits is the
    best."""

    wants: dict[str, str]
    social: frozenset[str]
    more_verbs: dict[str, list[str]]
    noun_verbs: frozenset[str]
    irregular: dict[str, list[str]]
    particles: frozenset[str]
    contractions: dict[str, list[str]]
    fillers: Phrases
    requests: Phrases
    know_questions: Phrases
    reasons: Phrases
    greetings: frozenset[str]
    refreshments: frozenset[str]
    question_words: frozenset[str]
    question_starts: frozenset[str]
    search_spots: frozenset[str]
    topic_marks: frozenset[str]
    prepositions: frozenset[str]
    determiners: frozenset[str]
    definite: frozenset[str]
    person_pronouns: frozenset[str]
    thing_pronouns: frozenset[str]
    place_pronouns: frozenset[str]
    generic_people: dict[str, str]
    titles: dict[str, str]
    """What strangers are called to their face, and the pronoun they go by."""
    manner: frozenset[str]
    antonyms: dict[str, frozenset[str]]
    kin: frozenset[str]
    times: frozenset[str]
    risks: dict[str, list[str]]
    risk_words: dict[str, frozenset[str]]
    hostile: frozenset[str]
    numbers: dict[str, float]
    units: dict[str, int]
    abbreviations: frozenset[str]
    common: frozenset[str]
    everyday: frozenset[str]

    @property
    def pronouns(self) -> frozenset[str]:
        """Every word that stands for something named elsewhere."""
        return self.person_pronouns | self.thing_pronouns | self.place_pronouns


@cache
def lexicon() -> Lexicon:
    """The word lists, read once."""
    text = (files("freeform.offline") / "interpreter" / "lexicon.yaml").read_text(encoding="utf-8")
    loader = getattr(
        yaml, "CBaseLoader", yaml.BaseLoader
    )  # strings only: `on` and `no` are words here
    raw: dict[str, Any] = yaml.load(text, Loader=loader)
    said: dict[str, Any] = {
        name: phrases(*sorted((tuple(words) for words in raw[name]), key=len, reverse=True))
        for name in ("fillers", "requests", "know_questions", "reasons")
    }
    sets: dict[str, Any] = {
        name: frozenset(raw[name])
        for name in (
            "social", "noun_verbs", "particles", "greetings", "question_words", "question_starts", "search_spots",
            "topic_marks", "prepositions", "determiners", "definite", "manner", "kin", "times", "hostile",
            "abbreviations", "common", "everyday", "refreshments",
        )
    }  # fmt: skip
    return Lexicon(
        wants={action: kind for kind, actions in raw["wants"].items() for action in actions},
        more_verbs=raw["more_verbs"],
        generic_people=raw["generic_people"],
        titles=raw["titles"],
        irregular=raw["irregular"],
        contractions=raw["contractions"],
        person_pronouns=frozenset(raw["pronouns"]["person"]),
        thing_pronouns=frozenset(raw["pronouns"]["thing"]),
        place_pronouns=frozenset(raw["pronouns"]["place"]),
        antonyms=_antonyms(raw["states"]),
        risks=raw["risks"],
        risk_words={flag: frozenset(words) for flag, words in raw["risk_words"].items()},
        numbers={word: float(count) for word, count in raw["numbers"].items()},
        units={word: int(minutes) for word, minutes in raw["units"].items()},
        **said,
        **sets,
    )


def _antonyms(states: list[list[list[str]]]) -> dict[str, frozenset[str]]:
    """Each state word with the words that cannot be true beside it."""
    opposed: dict[str, frozenset[str]] = {}
    for one, other in states:
        for words, against in ((one, other), (other, one)):
            for word in words:
                opposed[word] = opposed.get(word, frozenset()) | frozenset(against)
    return opposed
