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
