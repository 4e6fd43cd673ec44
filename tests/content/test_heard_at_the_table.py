"""Whom words go to, what needs dice and what is claimed; heard by the ear that comes with the
program."""

import re
from pathlib import Path

import pytest

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.settings import Settings


async def table_of(scenario: str, home: Path, *before: str) -> Table:
    table = wiring.headless(Settings.model_validate({"home": home, "model": "offline"}))
    await begin(load_scenario(scenario), "a", 3, Answers(), table)
    for text in before:
        await take_turn(Say(campaign="a", text=text), table)
    return table


async def say(table: Table, text: str) -> TurnResult:
    return await take_turn(Say(campaign="a", text=text), table)


def heard(result: TurnResult) -> list[tuple[str, str]]:
    return [(one.action, one.target_id) for one in result.interpreter.proposed_actions]


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("Thank you very much for opening the gate.", "saltmarch:dame_hild"),
        ("ask for bread", "saltmarch:dame_hild"),
        ("I ask Obed how he feels", "saltmarch:obed_crake"),
    ],
)
async def test_words_with_no_name_go_to_who_spoke_last(
    text: str, whom: str, tmp_path: Path
) -> None:
    setup = ("help Obed free his foot", "shout at the gate to be let in")
    gate = await table_of("drowned_bell", tmp_path, *setup)
    assert {target for _, target in heard(await say(gate, text))} == {whom}


async def test_who_are_you_is_asked_of_who_is_there(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    assert heard(await say(bar, "who are you?")) == [("ask", "neo_seattle:viktor")]
    assert heard(await say(bar, "are you an AI?")) == [("ooc", "")]


async def test_what_is_made_of_things_at_hand_needs_no_dice(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    made = await say(bar, "I fold a paper boat out of a napkin")
    assert (made.rolls, made.validator.blocked_actions) == ([], [])


async def test_a_weapon_must_be_there_and_a_manner_need_not(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    shot = await say(bar, "I shoot Viktor with my gun")
    assert shot.validator.blocked_actions[0].reason.startswith("You have no gun")
    looked = await say(bar, "I look at the side door with the patience of a saint")
    assert not looked.validator.blocked_actions


async def test_how_long_there_is_is_told_by_the_hour_and_the_clock(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    told = (await say(bar, "how much time do I have left?")).final_text
    assert "It is 21:30" in told
    assert re.search(r": \d+ of \d+\.", told)


@pytest.mark.parametrize(
    ("text", "action", "whom"),
    [
        ("Wren leans across the bar and asks Viktor who drank with Jin", "ask", "viktor"),
        ('"Dutch," said Wren, "who sat in the booth?"', "ask", "dutch"),
        ('"dutch what did u see on monday"', "talk", "dutch"),
    ],
)
async def test_a_turn_told_as_a_story_is_the_heros(
    text: str, action: str, whom: str, tmp_path: Path
) -> None:
    table = await table_of("dead_drop", tmp_path)
    result = await say(table, text)
    assert (action, f"neo_seattle:{whom}") in heard(result)
    assert "Wren" not in result.interpreter.proposed_actions[-1].details


async def test_a_look_is_never_refused_and_gives_no_name_away(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    for text in ("look at the woman in the grey coat", "look at the harbour", "look at Sabine"):
        result = await say(table, text)
        assert result.validator.blocked_actions == [], text
        assert "Chen" not in result.final_text, text


async def test_someone_left_elsewhere_is_gone_to_or_asked_about(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path, "Go to Kettle Row")
    asked = await say(table, "ask Dutch what he saw on Monday")
    assert asked.validator.clarification_question.endswith(
        "Go to the Neon Dragon and try it there?"
    )
    gone = await say(table, "go back and ask Dutch what he saw on Monday")
    assert [one.action for one in gone.validator.allowed_actions] == ["move", "ask"]


async def test_a_question_is_answered_by_what_it_means(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path, "Go to Kettle Row")
    where = await say(table, "where did dutch go again?")
    assert "the Neon Dragon" in where.final_text
    assert "You carry" not in (await say(table, "what is my mother called?")).final_text


@pytest.mark.parametrize(
    "text", ["I draw my sword and attack Tooth", "draw my sword and attack the goblin"]
)
async def test_who_draws_and_strikes_does_both(text: str, tmp_path: Path) -> None:
    result = await say(await table_of("tithe_door", tmp_path), text)
    assert [one.action for one in result.interpreter.proposed_actions] == ["use", "attack"]


async def test_a_thing_put_away_hides_nobody(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    put = await say(bar, "I tuck the napkin in my pocket")
    assert (put.rolls, put.validator.blocked_actions) == ([], [])
    assert "You tuck the napkin in your pocket." in put.final_text


async def test_one_who_is_only_likened_to_is_not_missed(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    done = await say(bar, "I knock a glass over like a fixer who has had enough")
    assert done.validator.blocked_actions == []


async def test_beside_quoted_words_nothing_else_is_said(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    text = 'I pull my stool over to where Dutch is sitting. "Evening," I say.'
    spoken = [one for one in (await say(bar, text)).interpreter.proposed_actions if one.details]
    assert [one.details for one in spoken if one.action == "talk"] == ["Evening"]


async def test_wait_before_a_question_lets_no_time_pass(tmp_path: Path) -> None:
    bar = await table_of("dead_drop", tmp_path)
    assert heard(await say(bar, "wait who is jin again")) == [("recall", "neo_seattle:jin")]
