"""What a premise says in so many words is what the evening asks, and when it is over."""

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.forge.forge import forge_scenario
from freeform.forge.model import ForgeWish
from freeform.forge.premise.clauses import clauses_of
from freeform.forge.premise.teller import PremiseTeller, teller_of
from freeform.language.meaning.premise import PremiseEar
from tests.forge.test_forge import SYSTEM


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


@pytest.mark.parametrize(
    ("premise", "aim"),
    [
        ("I am the engineer who has to tell her", "tell her"),
        ("I'm a ghost who must solve her own murder, alone", "solve your own murder"),
        ("we have to finish the boat before the flood", "finish the boat"),
        ("my brother wants to marry the baker", ""),
        (
            "I am a knight, but old one, who must bring back the sword to the lake because the king is dead",
            "bring back the sword to the lake",
        ),
        ("I have to be brave", ""),
        ("the moon is late again", ""),
    ],
)
def test_what_one_has_to_do_is_read_off_the_premise(premise: str, aim: str) -> None:
    assert clauses_of(premise, teller_of(premise, [])).aim == aim


def test_what_somebody_else_has_to_do_is_ones_own_where_one_plays_them() -> None:
    hero = PremiseTeller(hero="accountant")
    assert clauses_of("a goblin accountant has to audit a lich", hero).aim == "audit a lich"
    assert clauses_of("a goblin accountant has to save her", hero).aim == ""


@pytest.mark.parametrize(
    ("premise", "deadline"),
    [
        ("The exhumation is on Thursday.", "Thursday"),
        ("get home by 8", "eight o'clock"),
        ("a duel is arranged for dawn between us", "dawn"),
        ("empty the museum before the army arrives", "the hour when the army arrives"),
        ("the caravan leaves at dawn with or without me", "dawn"),
        ("says his brothers are coming at sundown and he is scared", "sundown"),
        ("the insurance man leaves on the 4 o'clock train", "the 4 o'clock train"),
        ("nobody told me. 6 hours til docking", "the docking"),
        ("tomorrow at 19:00 is the meeting", "19:00"),
        ("it took three days until somebody noticed the smell", ""),
        ("her name is on tomorrow's list", ""),
        ("we lived there before the war", ""),
        ("aged 9, 30 and 52", ""),
    ],
)
def test_when_it_is_over_is_read_off_the_premise(premise: str, deadline: str) -> None:
    assert clauses_of(premise, PremiseTeller()).deadline == deadline


def test_where_nothing_says_what_story_it_is_the_premise_is_the_question(ear: PremiseEar) -> None:
    premise = "I have to teach my aunt's parrot to sing before the lodger moves out"
    made = forge_scenario(ForgeWish(premise=premise, seed=1), SYSTEM, ear=ear)
    scenario = made.scenario
    assert made.shape == "hitch"
    assert scenario.threads[0].title.startswith("Can you teach your aunt's parrot to sing,")
    assert "the hour when the lodger moves out" in scenario.description


def test_what_would_be_lost_is_what_is_at_stake(ear: PremiseEar) -> None:
    wish = ForgeWish(premise="chess in the park, if we lose on Friday they pave it", seed=1)
    scenario = forge_scenario(wish, SYSTEM, ear=ear).scenario
    assert "If you lose on Friday they pave it." in scenario.description


@pytest.mark.parametrize(
    ("premise", "shape"),
    [("a heist but everyone is a cat", "heist"), ("the siege of a very small library", "siege")],
)
def test_a_premise_that_names_its_story_is_told_as_that(
    ear: PremiseEar, premise: str, shape: str
) -> None:
    shapes = {
        forge_scenario(ForgeWish(premise=premise, seed=seed), SYSTEM, ear=ear).shape
        for seed in (1, 2)
    }
    assert shapes == {shape}


def test_what_has_to_be_brought_somewhere_can_be_brought_there(ear: PremiseEar) -> None:
    premise = "I am an old knight who must bring back the sword to the lake"
    scenario = forge_scenario(ForgeWish(premise=premise, seed=4), SYSTEM, ear=ear).scenario
    deeds = [deed for deed in scenario.affordances if deed.id.startswith("a_errand_")]
    assert {deed.target for deed in deeds} == {"the_sword"}
    assert {deed.at for deed in deeds} == {"the_lake"} != {scenario.start.location}
    ending = next(ending for ending in scenario.endings if ending.id == "errand")
    assert "sword" in ending.text
    elsewhere = forge_scenario(ForgeWish(premise="I keep a lake", seed=4), SYSTEM, ear=ear)
    assert not [d for d in elsewhere.scenario.affordances if d.id.startswith("a_errand_")]
