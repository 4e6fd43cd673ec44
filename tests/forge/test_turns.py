"""A story is what happens in its premise; it comes to who waits, and it can be brought to an end."""

from pathlib import Path

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers
from freeform.forge.forge import forge_scenario, plot_of
from freeform.forge.model import ForgeMaterial, ForgeWish
from freeform.forge.premise.asides import without_asides
from freeform.forge.premise.middle import opponent_of
from freeform.forge.premise.read import read_premise
from freeform.forge.premise.teller import tells_of_others
from freeform.forge.prove.holds import missing
from freeform.forge.shapes.happens import clear_turn, likely_turn, with_the_turn
from freeform.forge.shapes.load import story_shapes
from freeform.language.meaning.premise import PremiseEar
from freeform.language.meaning.turns import turn_glosses
from freeform.services.campaigns import begin_campaign
from freeform.services.house import opened_house
from freeform.services.play import say_of, take_turn
from freeform.settings import Settings
from tests.forge.test_forge import PREMISES, SYSTEM, forged


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


@pytest.mark.parametrize(
    ("premise", "shape"),
    [
        ("Kidnappers have the organist and demand a ransom for her", "held"),
        ("The bank has come to collect the debt and takes the farm at noon", "claim"),
        ("We hide a runaway in the attic while soldiers search the houses for him", "hidden"),
        ("Two cousins claim the same inheritance, and both have the papers", "twofold"),
        ("The village votes tonight on whether the wood shall be felled", "vote"),
        ("A midwife is on trial, and the jury must decide whether she is guilty", "verdict"),
    ],
)
def test_a_premise_is_told_as_what_happens_in_it(ear: PremiseEar, premise: str, shape: str) -> None:
    plot = plot_of(ForgeWish(premise=premise, seed=2), ForgeMaterial(), ear)
    assert plot.shape.id == shape


def test_a_turn_is_told_where_it_is_plain_and_nothing_is_forced_where_none_is() -> None:
    assert clear_turn({"claim": 0.6, "held": 0.3}) == "claim"
    assert clear_turn({"claim": 0.6, "held": 0.59}) == ""
    assert clear_turn({"claim": 0.1, "held": 0.0}) == clear_turn({}) == ""
    assert likely_turn({"claim": 0.33, "held": 0.1}, has_own=False) == ["claim"]
    assert likely_turn({"claim": 0.33, "held": 0.1}, has_own=True) == []
    assert with_the_turn({"beast": 1.0, "shut": 1.0}, {"verdict": 0.6, "beast": 0.1}) == {
        "shut": 1.0
    }
    assert {turn for turn, _ in turn_glosses()} <= story_shapes().keys()


@pytest.mark.parametrize(
    ("premise", "story", "wishes", "without"),
    [
        ("a ferry that never lands, no ghosts please", "a ferry that never lands", 1, ("ghosts",)),
        ("a mill burns, no elves, make it funny", "a mill burns", 2, ("elves",)),
        ("no elves, no gore, for two players: a mill burns", "a mill burns", 3, ("elves", "gore")),
        ("for three players: a mill and a devil", "a mill and a devil", 1, ()),
        ("The king has lost his nose. Make it funny.", "The king has lost his nose.", 1, ()),
        ("a nun robs a train. like a western but quiet", "a nun robs a train.", 1, ()),
        ("a man with no name, no horse", "a man with no name, no horse", 0, ()),
        ("slow burn please", "slow burn please", 0, ()),
    ],
)
def test_what_is_said_beside_a_premise_is_a_wish(
    premise: str, story: str, wishes: int, without: tuple[str, ...]
) -> None:
    found = without_asides(premise)
    assert (found.story, len(found.wishes), found.without) == (story, wishes, without)


@pytest.mark.parametrize(
    ("premise", "absent"),
    [
        ("The bridge is gone, no boats", "boats"),
        ("No witnesses. Someone killed the mayor.", "witnesses"),
        ("No survivors: a ship drifts home empty.", "survivors"),
        ("A prison island, no guards", "guards"),
        ("The well is dry, no buckets. Make it funny.", "buckets"),
        ("for two players: no survivors, a ship drifts home", "survivors"),
        ("a ferry that never lands, no ghosts", "ghosts"),
    ],
)
def test_what_a_story_says_is_not_there_is_told_and_nobody_in_it(
    ear: PremiseEar, premise: str, absent: str
) -> None:
    found, read = without_asides(premise), read_premise(premise, ear)
    assert f"no {absent}" in found.story.lower()
    assert (found.without, found.absent) == ((), (absent,))
    assert absent not in found.present.lower()
    assert read.nouns and absent not in [noun.text for noun in read.nouns]


def test_a_sentence_that_begins_with_no_is_told_whole() -> None:
    found = without_asides("A mill in the fens. No child survives the winter. Make it funny.")
    assert (found.wishes, found.absent) == (("Make it funny",), ())
    assert "No child survives the winter" in found.present


def test_what_should_not_be_in_it_is_a_line_and_nobody_in_the_story(ear: PremiseEar) -> None:
    made = forged("the miller owes a debt to the sea, no spiders please", 1)
    assert "spiders" in made.scenario.calibration.lines
    assert "spider" not in made.scenario.opening


@pytest.mark.parametrize(
    ("said", "is_story"),
    [
        ("a lighthouse keeper finds a door in the sea", True),
        ("the last dragon runs a bakery in Lyon", True),
        ("I go to the bar and ask for the keeper", False),
        ("a beer for everyone in the house please", False),
        ("the man in the corner, who is he to you?", False),
    ],
)
def test_a_sentence_that_tells_of_others_may_be_a_premise(said: str, is_story: bool) -> None:
    assert tells_of_others(said) is is_story


def test_no_story_is_over_before_it_begins() -> None:
    scenario = forged(PREMISES["claim"], 1).scenario
    late = next(ending for ending in scenario.endings if ending.id == "late")
    over = scenario.model_copy(
        update={"endings": [late.model_copy(update={"when": late.when[1:]}), *scenario.endings]}
    )
    assert "the ending late holds from the first" in missing(over)


async def test_the_story_comes_to_who_only_waits_and_each_end_can_be_played(
    tmp_path: Path,
) -> None:
    scenario = forged(PREMISES["verdict"], 1).scenario
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        await begin_campaign(house, scenario, Answers(), campaign="idle", seed=3)
        told = []
        for _ in range(3):
            result = await take_turn(house, await say_of(house, "idle", "I wait"))
            told.append(result.final_text)
        step = str(scenario.clocks[0].triggers["2"]["text"])
        assert [step[:40] in text for text in told] == [False, False, True]
        ended = [await _played_to_its_end(house, scenario, id) for id in ("a_speak", "a_sway")]
        assert ended == ["cleared", "onevote"]


async def _played_to_its_end(house: object, scenario: Scenario, deed_id: str) -> str:
    """Begins with every secret known where the deed is done, and says what is offered."""
    data = scenario.model_dump(mode="json")
    for fact in data["facts"]:
        if fact["visibility"] == "hidden":
            fact["visibility"] = "known"
    deed = next(d for d in scenario.affordances if d.id.startswith(deed_id) and d.suggest)
    who = next((c.present for c in deed.when if c.present), "")
    at = {entity.id: entity.attrs.get("location") for entity in scenario.entities}
    data["start"] = {"location": deed.at or at[who]}
    there = Scenario.model_validate(data)
    await begin_campaign(house, there, campaign=deed_id, seed=1)
    for _ in range(4):
        result = await take_turn(house, await say_of(house, deed_id, deed.suggest))
        for ending in scenario.endings:
            if ending.text[:60] in result.final_text:
                return ending.id
    return ""


@pytest.mark.parametrize(
    ("premise", "not_told"),
    [
        ("My goat was murdered and the vicar is next", "farce"),
        ("I am a spy in costume among the guests", "farce"),
        ("The champion of the ring was found dead, and I was his trainer", "bout"),
        ("I have to find a match for my deaf daughter", "bout"),
        ("I love my wife, and somebody has kidnapped her", "between"),
        ("My wife has been taken by the fairies and I love her still", "between"),
    ],
)
def test_no_story_of_ones_own_is_forced_upon_another(
    ear: PremiseEar, premise: str, not_told: str
) -> None:
    plot = plot_of(ForgeWish(premise=premise, seed=2), ForgeMaterial(), ear)
    assert plot.shape.id != not_told


@pytest.mark.parametrize(
    ("premise", "foe"),
    [
        ("I have to fence a duel with my old friend Armand at dawn", "Armand"),
        ("tonight the crowd wants me against the girl I trained", "girl"),
        ("I must race my own brother to the pole while our mother keeps time", "brother"),
    ],
)
def test_whom_one_has_to_face_is_the_opponent(ear: PremiseEar, premise: str, foe: str) -> None:
    plot = plot_of(ForgeWish(premise=premise, seed=1), ForgeMaterial(), ear)
    assert (plot.shape.id, plot.figures["foe"].source) == ("bout", f"premise: {foe}")


def test_who_is_fought_for_or_with_is_no_opponent(ear: PremiseEar) -> None:
    for premise in (
        "I have to win the race for my sister",
        "I must win the dance contest with my brother",
    ):
        assert opponent_of(read_premise(premise, ear)) is None


def test_a_contest_that_is_named_has_its_tool(ear: PremiseEar) -> None:
    wish = ForgeWish(premise="I have to fence a duel with my old friend Armand at dawn", seed=1)
    made = forge_scenario(wish, SYSTEM, ear=ear).scenario
    assert all("sword" in hero.items for hero in made.heroes)
    assert made.heroes
