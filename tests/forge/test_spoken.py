"""What people say of themselves gives nothing away, and is said as one says it."""

import re
from collections.abc import Iterator

import pytest

from freeform.forge.cast.voices import voice_shelf
from freeform.forge.forge import plot_of
from freeform.forge.model import ForgeMaterial, ForgeWish
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import StoryShape
from freeform.forge.shapes.seats import is_told
from tests.forge.test_forge import PREMISES, forged


def _is_kept(shape: StoryShape, role: str) -> bool:
    """Whether there is a secret about them, or one that they keep."""
    facts = [fact for truth in shape.truths for fact in truth.facts]
    keeps = [fact.keep.who for fact in facts if fact.keep]
    about = [fact.about for fact in facts]
    return role in keeps + about or is_told(role, [truth.clause for truth in shape.truths])


@pytest.mark.parametrize("shape", story_shapes().values(), ids=story_shapes())
def test_only_who_has_no_secret_has_words_for_what_they_want(shape: StoryShape) -> None:
    speaking = [id for id, role in shape.roles.items() if role.says_want]
    assert [id for id in speaking if _is_kept(shape, id)] == []
    assert [id for id in speaking if "{" in shape.roles[id].says_want] == []


@pytest.mark.parametrize("shape", ["mystery", "missing", "held", "rescue", "prowl", "guise"])
def test_nobody_with_a_secret_says_what_they_are_after(shape: str) -> None:
    premise = PREMISES[shape]
    plot = plot_of(ForgeWish(premise=premise, seed=1), ForgeMaterial(), None)
    people = forged(premise, 1).scenario.people
    kept = [f for f in plot.figures.values() if f.id in people and _is_kept(plot.shape, f.role)]
    assert kept
    for figure in kept:
        agenda = people[figure.id].agenda.rstrip(".").lower()
        said = " ".join(people[figure.id].heart["want"]).lower()
        assert said and agenda not in said


def test_a_manner_has_words_for_who_may_say_it_and_for_who_may_not() -> None:
    for voice in voice_shelf().voices:
        assert all(re.search(r"\{[Ww]ant\}", line) for line in voice.wants)
        assert not any(re.search(r"\{[Ww]ant\}", line) for line in voice.heart["want"])


def _quoted(shape: StoryShape) -> Iterator[tuple[str, str]]:
    """Who says what."""
    for fact in (fact for truth in shape.truths for fact in truth.facts):
        for saying in filter(None, (fact.tell, fact.keep)):
            yield from ((saying.who, line) for line in (*saying.says, *saying.deflects))
    for thing in shape.things.values():
        yield from ((thing.who, line) for line in thing.says)
        yield from thing.views.items()
    if shape.briefing:
        yield from ((shape.briefing.who, line) for line in shape.briefing.says)


@pytest.mark.parametrize("shape", story_shapes().values(), ids=story_shapes())
def test_nobody_speaks_of_themselves_as_of_another(shape: StoryShape) -> None:
    wrong = [
        line
        for who, line in _quoted(shape)
        if re.search(rf"\{{{who}\.(?:he|him|his)\}}", line, re.IGNORECASE)
    ]
    assert wrong == []
    told = str(shape.model_dump())
    assert re.findall(r"\{\w+\.his\}(?=[?.,;!\"]| (?:is|was|has)\b).{20}", told) == []
