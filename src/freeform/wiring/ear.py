"""The learned ear and the check by topic, one of each for the whole process."""

from functools import cache

from freeform.adapters.ear.learned import LearnedEar, shipped_ear
from freeform.language.ear import Ear
from freeform.language.sense import RememberedSense
from freeform.language.topics import RememberedTopics, Topics


def ear() -> Ear:
    """Hears what a player typed. Loads at the first hearing; hears nothing where it cannot load."""
    return shipped_ear()


@cache
def topics() -> Topics:
    """Whether a sentence touches a topic; the same model, and what it said is remembered."""
    return RememberedTopics(shipped_ear())


@cache
def sense() -> RememberedSense:
    """What questions mean; the same model, and what it said is remembered."""
    return RememberedSense(shipped_ear())


def topics_problem() -> str:
    """Why lines and veils are held by their words alone, with the fix; empty when they are not."""
    learned: LearnedEar = shipped_ear()
    return learned.topics_problem()


def ear_problem() -> str:
    """What keeps the ear from hearing, with the fix; empty when nothing does."""
    learned: LearnedEar = shipped_ear()
    return learned.problem()
