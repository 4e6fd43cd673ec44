"""The assistant's passes without a model: what is chosen, what is heard, and laws that hold for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.intentions import catalogue, intentions
from freeform.assistant.passes import AnswerInput, ExtractorInput, KnownName, SelectorInput
from freeform.core.chance import Chance
from freeform.evals.suites.routing.suite import questions, run_routing
from freeform.offline.assistant import answer, extractor, selector
from tests.assistant.conftest import gateway

DICE = Chance("0")


def chosen(question: str, *known: KnownName) -> list[tuple[str, str]]:
    asked = SelectorInput(question=question, known_names=list(known), intentions=catalogue())
    return [
        (n.tool, n.intention)
        for n in selector.respond(asked, DICE).tools_needed
        if n.confidence >= 0.7
    ]


def heard(question: str, *known: KnownName) -> list[str]:
    return [
        e.name
        for e in extractor.respond(
            ExtractorInput(question=question, known_names=list(known)), DICE
        ).entities
    ]


async def test_unseen_questions_are_sent_to_the_right_tools_and_intentions() -> None:
    report = await run_routing(gateway())
    assert report.metrics["tool_accuracy"] >= 0.9
    assert report.metrics["intention_accuracy"] >= 0.75


def test_the_labelled_set_covers_every_intention_in_both_halves() -> None:
    every = {f"{tool}/{name}" for tool, mine in intentions().items() for name in mine}
    for half in ("tune", "test"):
        assert {need for row in questions() if row.half == half for need in row.needs} == every
    assert len(questions()) >= 200


def test_no_question_of_the_labelled_set_was_trained_on() -> None:
    from importlib.resources import files

    trained = "\n".join(
        (files("freeform.offline.assistant") / name).read_text(encoding="utf-8").lower()
        for name in ("training_rules.yaml", "training_sheet_notes.yaml")
    )
    asked = [row.ask.lower().rstrip("?") for row in questions()]
    # The seed's own examples may be known to all.
    seeds = ("remind me who elara is", "how does grappling work")
    assert [ask for ask in asked if f'"{ask}' in trained and not ask.startswith(seeds)] == []


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        (
            "How do death saves work, and how many hit points do I have?",
            {"rulebook", "character_data"},
        ),
        ("Who is the baron and what quests are open?", {"session_notes"}),
        ("Compare the bard and the warlock", {"rulebook"}),
    ],
)
def test_each_half_of_a_question_is_heard(question: str, needs: set[str]) -> None:
    assert {tool for tool, _ in chosen(question)} == needs


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is Bartholomew Quux?", ["Bartholomew Quux"]),
        ("What did Lady Ysolde of the Fen promise us?", ["Lady Ysolde of the Fen"]),
        ('What does "the long dark" mean?', ["the long dark"]),
        ("Can you help me find my notes?", []),
        ("Compare Fireball and Lightning Bolt", ["Fireball", "Lightning Bolt"]),
    ],
)
def test_names_are_heard_although_no_source_knows_them(question: str, names: list[str]) -> None:
    assert heard(question) == names


def test_a_plain_word_that_is_also_a_name_is_meant_only_where_the_question_is_about_it() -> None:
    light = KnownName(text="light", name="Light", kinds={"rulebook": "spell"}, confidence=0.5)
    sure = extractor.respond(
        ExtractorInput(question="How long does the light spell last?", known_names=[light]), DICE
    )
    unsure = extractor.respond(
        ExtractorInput(question="Is there any light in the cellar?", known_names=[light]), DICE
    )
    assert sure.entities[0].confidence >= 0.6 > unsure.entities[0].confidence


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200))
def test_any_text_gives_a_valid_choice_names_that_stand_in_it_and_an_answer(text: str) -> None:
    asked = SelectorInput(question=text, intentions="")
    for need in selector.respond(asked, DICE).tools_needed:
        assert need.intention in intentions()[need.tool] and 0 <= need.confidence <= 1
    for name in heard(text):
        assert name in text
    assert answer.respond(AnswerInput(question=text), DICE).answer
