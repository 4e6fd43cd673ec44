"""A forged story is heard like any other: whom words go to, where people are, what is asked."""

from importlib.resources import files
from pathlib import Path

import pytest

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Outcome
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings
from tests.content.test_heard_at_the_table import heard, say

# Forged from `first day at a new boarding school and my roommate swears she's been there since 1962`.
SCENARIO_FOLDER = files("freeform.evals.suites.hearing") / "blind"
FILE = SCENARIO_FOLDER / "2026-11-16-fifth" / "boarding_school.yaml"
SCENARIO = load_scenario(str(FILE))
TELLS, OTHER = "clover_sharma", "yusuf_locke"


@pytest.fixture
async def hall(tmp_path: Path) -> Table:
    """After a look round, in which another than the one who spoke to us is told of last."""
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(SCENARIO, "a", 3, Answers(), table)
    await take_turn(Say(campaign="a", text="Look around"), table)
    return table


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("What makes you so sure?", TELLS),
        ("Farah was with me, Miss Sharma. The whole night.", TELLS),
        ("miss what did Farah and the bursar quarrel about", TELLS),
        ("Yusuf, what do you say?", OTHER),
    ],
)
async def test_who_made_the_speech_is_spoken_to_whoever_coughed_since(
    text: str, whom: str, hall: Table
) -> None:
    assert {target for _, target in heard(await say(hall, text))} == {whom}


@pytest.mark.parametrize("text", ["I go and find Farah", "go see farah"])
async def test_one_goes_to_who_the_opening_says_is_elsewhere(text: str, hall: Table) -> None:
    found = await say(hall, text)
    assert not found.validator.blocked_actions
    assert not found.clarification_question
    assert (await hall.store.get_state("a")).scene.location_id == "the_boundary_wall"


async def test_being_asked_to_help_is_not_helping(hall: Table) -> None:
    asked = await say(hall, "ask yusuf to be my friend and help me")
    assert [action for action, _ in heard(asked)] in (["ask"], ["persuade"])


async def test_what_is_known_of_someone_is_said_where_no_rule_and_nothing_seen_answers(
    hall: Table,
) -> None:
    told = (await say(hall, "OOC wait is Farah a ghost or a girl?")).final_text
    assert "roommate" in told
    assert "rule" not in told


async def test_two_questions_in_one_breath_are_both_answered(hall: Table) -> None:
    result = await say(hall, "Who are you and what do you want from me?")
    assert "Housemistress" in result.final_text
    answers = [event.details["kind"] for event in result.engine_events if event.type == "spoke"]
    assert answers == ["self", "want"]


async def test_what_one_carries_is_told_beside_a_search(hall: Table) -> None:
    told = (await say(hall, "check my pockets then go find my brother")).final_text
    assert "school map" in told
    assert "the go find" not in told


async def test_what_one_knows_is_what_one_learnt_and_not_what_one_did(hall: Table) -> None:
    await say(hall, "I write my name in the dust")
    for text in ("what do i know so far", "who is who?", "what should I do next?"):
        told = (await say(hall, text)).final_text
        assert "Who struck down Beatrix Quigley" in told, text
        assert "You did this" not in told
    assert "Farah Adeyemi is your roommate" in (await say(hall, "what have i learned?")).final_text


async def test_what_one_did_is_told_when_one_asks_for_it(hall: Table) -> None:
    await say(hall, "I write my name in the dust")
    told = (await say(hall, "what have I done here so far?")).final_text
    assert "name" in told
    assert "Who struck down" not in told


async def test_who_someone_is_is_answered_with_who_they_are(tmp_path: Path) -> None:
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("drowned_bell"), "a", 3, Answers(), table)
    told = (await say(table, "who are you?")).final_text
    assert "Obed Crake" in told
    assert "Never so many" not in told


async def test_what_is_sought_by_its_use_is_not_said_back_in_the_players_mouth(
    tmp_path: Path,
) -> None:
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("drowned_bell"), "a", 3, Answers(), table)
    told = (await say(table, "I reach for the nearest thing I could use as a weapon")).final_text
    assert "I could use" not in told
    assert "sounding pole" in told


STATION = SCENARIO_FOLDER / "2026-11-17-twelfth" / "arctic.yaml"


@pytest.mark.parametrize("text", ["eat soup", "hide under the table", "I flip the table"])
async def test_what_the_opening_puts_before_you_is_there(tmp_path: Path, text: str) -> None:
    """`A table laid for seven, the soup still warm`: things of the premise without a place of their own."""
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario(str(STATION)), "a", 3, Answers(), table)
    result = await take_turn(Say(campaign="a", text=text), table)
    assert not result.validator.blocked_actions


@pytest.mark.parametrize(
    "text", ["Not the warehouse yet. I'd rather look at the old marks first", "Not the warehouse."]
)
async def test_where_one_says_one_does_not_go_one_does_not_go(tmp_path: Path, text: str) -> None:
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario(str(STATION)), "a", 3, Answers(), table)
    result = await take_turn(Say(campaign="a", text=text), table)
    assert "move" not in {action.action for action in result.validator.allowed_actions}


async def test_what_is_done_to_what_the_story_turns_on_is_told_as_it_was_said(
    tmp_path: Path,
) -> None:
    story = load_scenario(str(SCENARIO_FOLDER / "2026-11-18-fifteenth" / "goose.yaml"))
    found = "What you had not seen, until you stood just here, is the two pens."
    deeds = [
        deed.model_copy(update={"whatever": True, "outcomes": {"success": Outcome(text=[found])}})
        if deed.id in ("a_handle_cause_use", "a_handle_cause_improvise")
        else deed
        for deed in story.affordances
    ]
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    for name, text, told in (
        ("a", "eat the nearest bean", "You eat the nearest Bean. What you had not seen"),
        ("b", "I take the bean", "What you had not seen"),
    ):
        await begin(story.model_copy(update={"affordances": deeds}), name, 3, Answers(), table)
        done = await take_turn(Say(campaign=name, text=text), table)
        assert done.final_text.startswith(told)
