"""What a free deed was told to make, buy or take is there next turn, and can be used."""

from importlib.resources import files
from pathlib import Path

import pytest

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.settings import Settings
from tests.content.test_heard_at_the_table import heard, say

# Forged from a premise about a station in the ice; Diego and Catalina are there.
BLIND = files("freeform.evals.suites.hearing") / "blind"
SCENARIO = load_scenario(str(BLIND / "2026-11-17-twelfth" / "arctic.yaml"))

PAIRS = [
    ("make a torch from a chair leg and some cloth", "give the torch to Diego", "torch"),
    ("I fold a paper boat out of a napkin", "put the paper boat on the floor", "paper boat"),
    ("I write a note saying BE BACK SOON", "read the note", "note"),
    ("draw a map of the station", "look at the map", "map"),
    ("I carve a whistle from a stick", "I blow the whistle", "whistle"),
    ("make a sign that says KEEP OUT", "hang the sign on the wall", "sign"),
    ("Out of a bit of wire I make a little hook", "I use the hook", "hook"),
    ("brew some tea", "drink the tea", "tea"),
    ("I build a barricade from the chairs", "look at the barricade", "barricade"),
    ("buy a blanket from Diego", "give the blanket to Catalina", "blanket"),
]


@pytest.fixture
async def station(tmp_path: Path) -> Table:
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(SCENARIO, "a", 3, Answers(), table)
    return table


@pytest.mark.parametrize(("makes", "uses", "name"), PAIRS)
async def test_what_the_prose_showed_can_be_used_next_turn(
    makes: str, uses: str, name: str, station: Table
) -> None:
    made = await say(station, makes)
    assert [new.name.split()[-1] for new in made.state_diff.entities_add] == name.split()[-1:]
    used = await say(station, uses)
    assert not used.validator.blocked_actions
    (new,) = made.state_diff.entities_add
    assert new.id in {target for _, target in heard(used)} | {
        part for act in used.interpreter.proposed_actions for part in act.details.split()
    }


async def test_what_serves_as_a_weapon_is_not_simply_about(station: Table) -> None:
    asked = await say(station, "take a gun")
    assert [refused.reason for refused in asked.validator.blocked_actions]
    assert not asked.state_diff.entities_add


async def test_what_is_done_before_a_going_is_done_and_one_goes(station: Table) -> None:
    gone = await say(station, "I order a coffee and go to the edge of the ice")
    assert [action for action, _ in heard(gone)] == ["improvise", "move"]
    assert [new.name for new in gone.state_diff.entities_add] == ["coffee"]


@pytest.mark.parametrize("text", ["I build a bomb", "I make a gun", "I make a key for the door"])
async def test_gear_is_not_made_of_nothing(text: str, station: Table) -> None:
    tried = await say(station, text)
    assert tried.validator.blocked_actions and not tried.state_diff.entities_add


async def test_gear_is_made_of_something_with_dice(station: Table) -> None:
    assert (await say(station, "make a spear from a broomstick")).rolls


async def test_a_seller_has_small_things_and_no_helicopter(station: Table) -> None:
    assert (await say(station, "I buy a beer")).state_diff.entities_add
    assert not (await say(station, "I buy a helicopter")).state_diff.entities_add


async def test_what_was_built_can_be_taken_up(station: Table) -> None:
    (built,) = (await say(station, "I build a kite")).state_diff.entities_add
    await say(station, "I take the kite")
    assert ("player", built.id) in (await station.store.get_state("a")).inventory


async def test_a_second_tip_is_taken_and_changes_nobodys_mind(station: Table) -> None:
    first, second = [await say(station, "I tip Diego") for _ in range(2)]
    assert "tip" in second.final_text
    assert first.state_diff != second.state_diff and not second.validator.blocked_actions


async def test_another_question_undoes_no_deed(station: Table) -> None:
    wrote = await say(station, "I write a note or a letter to Diego, does he answer?")
    assert [new.name for new in wrote.state_diff.entities_add] == ["note"]


async def test_money_leaves_something_behind(station: Table) -> None:
    paid = await say(station, "give Diego ten coins")
    bribed = await say(station, "I bribe Catalina with five coins to look away")
    texts = [fact.object.get("text", "") for fact in paid.state_diff.facts_add]
    assert "You paid Diego Teach ten coins." in texts
    assert bribed.rolls


@pytest.mark.parametrize(
    "text",
    [
        "Maybe go to the edge of the ice? Or stay here?",
        "perhaps I take the old marks down?",
        "go to the edge of the ice or wait?",
    ],
)
async def test_a_musing_costs_nothing(text: str, station: Table) -> None:
    before = (await station.store.get_state("a")).scene
    await say(station, text)
    after = (await station.store.get_state("a")).scene
    assert (after.location_id, after.time) == (before.location_id, before.time)


async def test_what_follows_a_denial_is_done(station: Table) -> None:
    asked = await say(station, "I'm not going anywhere. I look at the old marks")
    assert [action for action, _ in heard(asked)] == ["look"]


async def test_who_crouches_is_not_hiding(station: Table) -> None:
    crouched = await say(station, "I crouch in front of the stove with the torch")
    hidden = await say(station, "I crawl under the bench so that nobody notices me")
    assert not crouched.rolls
    assert hidden.rolls
