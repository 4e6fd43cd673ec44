"""The learned ear, the check by topic, what answers a question and the reader: one of each in a
process."""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from freeform.adapters.ear.learned import LearnedEar, shipped_ear, shipped_words
from freeform.adapters.limits.learned import LearnedLimits, shipped_limits
from freeform.adapters.reader.learned import LearnedReader, shipped_reader
from freeform.adapters.reader.names import shipped_name_kinds
from freeform.language.ear import Ear, TextNearness, WordNearness, no_text_near, nothing_near
from freeform.language.meaning.answers import AnswerFinder, RememberedAnswers
from freeform.language.meaning.names import NameKinds
from freeform.language.meaning.premise import PremiseEar
from freeform.language.meaning.reading import Reader
from freeform.language.meaning.sense import RememberedSense
from freeform.language.meaning.topics import RememberedTopics, Topics


def ear() -> Ear:
    """Hears what a player typed. Loads at the first hearing; hears nothing where it cannot load."""
    return shipped_ear()


def premise_ear() -> PremiseEar:
    """Reads premises; the same model."""
    return shipped_ear()


@cache
def topics() -> Topics:
    """Whether a sentence touches a topic; what was said is remembered."""
    return RememberedTopics(shipped_limits())


@cache
def answers() -> AnswerFinder:
    """Whether a sentence answers a question; the same model, and what it said is remembered."""
    return RememberedAnswers(shipped_ear())


def near_words(word: str, among: Sequence[str]) -> Sequence[float]:
    """How near words are in meaning; reads the ear's table when it is first asked."""
    return _nearness()(word, among)


@cache
def _nearness() -> WordNearness:
    if find_spec("numpy") is None:
        return nothing_near
    return shipped_words().near


def near_texts(text: str, among: tuple[str, ...]) -> Sequence[float]:
    """How near texts are in meaning; loads what knows it when it is first asked."""
    return _text_nearness()(text, among)


@cache
def _text_nearness() -> TextNearness:
    if find_spec("numpy") is None:
        return no_text_near
    from freeform.adapters.ear.nearness import NearTexts

    return NearTexts(shipped_ear()).near


def reader() -> Reader:
    """Reads passages for answers. Loads at the first reading; reads nothing where it cannot."""
    return shipped_reader()


def name_kinds() -> NameKinds:
    """What names name; the reader's layers. Loads when it is first asked."""
    return shipped_name_kinds()


@cache
def sense() -> RememberedSense:
    """What questions mean; the same model, and what it said is remembered."""
    return RememberedSense(shipped_ear())


def topics_problem() -> str:
    """Why lines and veils are held by their words alone, with the fix; empty when they are not."""
    learned: LearnedLimits = shipped_limits()
    return learned.problem()


def ear_problem() -> str:
    """What keeps the ear from hearing, with the fix; empty when nothing does."""
    learned: LearnedEar = shipped_ear()
    return learned.problem()


def reader_problem() -> str:
    """What keeps the reader from reading, with the fix; empty when nothing does."""
    learned: LearnedReader = shipped_reader()
    return learned.problem()
