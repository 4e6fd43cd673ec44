"""People answer straight: where somebody is, a plain no, that they do not know and a lead that is
true; an accusation with proof is owned to, one without is held against who made it."""

from dataclasses import replace
from pathlib import Path

import pytest

from freeform.engine.minds.mind import AskedMind
from freeform.engine.minds.question import AskedOfSomeone, untagged
from freeform.engine.minds.reception import done_by
from freeform.retrieval.briefing import NpcBriefing
from freeform.services.house import House, opened_house
from freeform.services.play import say_of, take_turn
from freeform.services.scenario.forging import ForgeOrder, begin_forged
from freeform.settings import Settings
from freeform.wiring import sense
from tests.engine.cellar import table as cellar

WOLF = (
    "A wolf the size of a horse is killing the sheep of our valley, and my father, who was the "
    "hunter, is dead."
)


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("who took the ledger?", "who"),
        ("do you know where the ledger is?", "where"),
        ("and why did it happen?", "why"),
        ("did you take the ledger?", "did"),
        ("have you seen the ledger?", "seen"),
        ("have you heard of the ledger?", ""),
        ("about the ledger", ""),
        ("tell me about the ledger", ""),
    ],
)
def test_which_particular_a_question_asks_for(said: str, wants: str) -> None:
    state, rules = cellar()
    asked = AskedOfSomeone(said, "t:orla", state, replace(rules, sense=sense()))
    assert asked.wants == wants


def test_a_tag_makes_no_question_of_what_is_said() -> None:
    assert untagged("It was Finn who paid you. Wasn't it?") == "It was Finn who paid you."
    assert untagged("you took it, didn't you?") == "you took it."
    assert untagged("you took it didnt you?") == "you took it."
    for whole in (
        "was it you?",
        "Tell me who is he",
        "Tell me what is true",
        "Take the second door on the right.",
    ):
        assert untagged(whole) == whole
    assert untagged("Where is the ledger? Is it there?") == "Where is the ledger? Is it there?"


def test_who_is_accused_by_name_is_accused_and_not_apologised_to() -> None:
    state, rules = cellar()
    said = "I accuse Orla of the murder"
    asked = AskedOfSomeone(said, "t:orla", state, replace(rules, sense=sense()))
    assert done_by(AskedMind(asked, NpcBriefing())) == "accuse"


async def said(house: House, words: str) -> tuple[str, list[str]]:
    result = await take_turn(house, await say_of(house, "a", words))
    return result.final_text, [event.type for event in result.engine_events]


async def test_a_straight_question_an_accusation_and_a_wrong_one(tmp_path: Path) -> None:
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        begun = await begin_forged(house, ForgeOrder(premise=WOLF, seed=1), campaign="a")
        assert "wolf" in begun.opening
        told, _ = await said(house, "Where is Ned?")
        assert "bottom field" in told
        told, happened = await said(house, "Percy, did you hire me?")
        assert "did not" not in told
        assert "I did not see it" not in (await said(house, "How does the shutter move?"))[0]
        for harmless in ("Percy, you drank a lot, didn't you?", "Percy, did you write this list?"):
            assert "bond" not in (await said(house, harmless))[1]
        told, happened = await said(house, "Percy, you brought the wolf here, didn't you?")
        assert "bond" in happened and "outcome" not in happened
        await said(house, "go to the bottom field")
        await said(house, "look at the milk bucket")
        told, happened = await said(house, "Ned, you stole its young and you hid it. Isn't it?")
        assert {"faced", "told", "fact_learned"} <= {*happened}
        assert "what is to be done about it" in told
