"""`No wait, I meant …` takes the last turn back, `again` does it once more, and numbers pick
suggestions; heard by the ear that comes with the program."""

from pathlib import Path

import pytest

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.settings import Settings


@pytest.fixture
async def bar(tmp_path: Path) -> Table:
    table = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 3, Answers(), table)
    return table


async def say(table: Table, text: str, *, alone: bool = True) -> TurnResult:
    return await take_turn(Say(campaign="a", text=text, alone=alone), table)


def heard(result: TurnResult) -> list[tuple[str, str]]:
    return [(one.action, one.target_id) for one in result.interpreter.proposed_actions]


@pytest.mark.parametrize(
    ("first", "then", "meant"),
    [
        (
            "look at the jukebox",
            "no wait, I meant the side door",
            ("look", "dead_drop:laundry_door"),
        ),
        (
            "look at the jukebox",
            "wait, no, I meant ask Dutch about Jin",
            ("ask", "neo_seattle:dutch"),
        ),
        ("ask Dutch about Jin", "sorry, I meant Viktor", ("ask", "neo_seattle:viktor")),
    ],
)
async def test_what_was_meant_otherwise_takes_the_turns_place(
    bar: Table, first: str, then: str, meant: tuple[str, str]
) -> None:
    await say(bar, first)
    second = await say(bar, then)
    assert (second.turn_no, heard(second)) == (1, [meant])
    assert len(await bar.store.takes("a", 1)) == 2  # the first one is kept, `redo` leads to it


async def test_nobody_takes_back_what_another_did(bar: Table) -> None:
    await say(bar, "look at the jukebox")
    second = await say(bar, "no wait, I meant the side door", alone=False)
    assert second.turn_no == 2


async def test_a_second_thought_in_one_breath_is_what_counts(bar: Table) -> None:
    result = await say(bar, "I look at the jukebox, no wait, the side door")
    assert heard(result) == [("look", "dead_drop:laundry_door")]


async def test_again_is_what_was_typed_before(bar: Table) -> None:
    first = await say(bar, "ask Dutch about Monday")
    for words in ("again", "do that again", "one more time"):
        assert heard(await say(bar, words)) == heard(first)


async def test_numbers_pick_what_was_suggested(bar: Table) -> None:
    begun = await bar.store.begun("a")
    result = await say(bar, "I think number 1, please.")
    assert result.player_input == begun.suggested_actions[0]


async def test_second_thoughts_need_no_marks(bar: Table) -> None:
    result = await say(bar, "sneak out to kettle row no wait talk to dutch first")
    assert heard(result) == [("talk", "neo_seattle:dutch")]
    assert result.rolls == []


async def test_what_is_named_as_not_meant_is_not_done(bar: Table) -> None:
    result = await say(bar, "No, not the side door. I go out to Kettle Row.")
    assert heard(result) == [("move", "neo_seattle:kettle_row")]
