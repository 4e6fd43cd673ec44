"""What is due at a table, by whichever door it is played, and turns that are taken back there."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from freeform.apps.discord.open import open_room
from freeform.apps.discord.seated import TableSide
from freeform.core.errors import UserError
from freeform.engine.turn import Say
from freeform.services.campaigns import begin_campaign, read_story
from freeform.services.house import House, opened_house
from freeform.services.play import OwnTurns, undo, use_x_card
from freeform.services.table import acting, invites, people
from freeform.services.table.due import play_due
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.settings import Settings
from tests.apps.discord.rooms import command


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna and Ben, in rounds."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        code = await invites.invite(made, "a", "p1", InviteWish())
        await invites.join(made, JoinWish(code=code.written(), name="Ben"))
        await acting.set_turn_mode(made, "a", "p1", "rounds")
        yield made


class Faulty(OwnTurns):
    """Plays every turn but those that name the cellar."""

    async def play(self, say: Say) -> None:
        if "cellar" in say.text:
            raise UserError("the cellar cannot be told")
        await super().play(say)


class Loud:
    """A wire that keeps what it is sent. Nobody else is at its end."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any], list[str]]] = []

    def send(self, kind: str, data: dict[str, Any], people: list[str]) -> None:
        self.sent.append((kind, data, people))


async def test_a_turn_that_fails_is_done_with_and_the_next_is_played(house: House) -> None:
    seated = open_room(house, TableSide(turns=Faulty(house))).seated
    first = await acting.hand_in(house, "a", "p1", "I go down to the cellar")
    await acting.hand_in(house, "a", "p2", "I look around")
    failed = await play_due(house, "a", seated)
    assert [str(failed[first.turn_id]), *failed] == ["the cellar cannot be told", first.turn_id]
    assert (await people.get_table(house, "a")).waiting == []
    assert [turn.player_input for turn in (await read_story(house, "a")).turns] == ["I look around"]


@pytest.mark.parametrize("take_back", [undo, use_x_card])
async def test_whose_turn_was_taken_back_may_act_again_in_that_round(
    house: House, take_back: Any
) -> None:
    seated = open_room(house).seated
    await acting.hand_in(house, "a", "p2", "I look around")
    await play_due(house, "a", seated)
    assert (await people.get_table(house, "a")).acted
    await take_back(house, "a")
    assert not (await people.get_table(house, "a")).acted
    await acting.hand_in(house, "a", "p2", "I wait")


async def test_whispers_and_dice_of_a_thread_come_to_the_open_pages_of_those_they_are_for(
    house: House,
) -> None:
    wire = Loud()
    room = open_room(house, TableSide(wire=wire))  # type: ignore[arg-type]
    code = await invites.way_back(house, "a", "p1", "p2")
    await room.run(command("join", id="1", link=code.written()))
    await room.run(command("whisper", id="2", to="Anna", text="meet me at dawn"))
    await room.run(command("roll", id="3", dice="2d6", secret="mine"))
    await room.run(command("roll", id="4", dice="3d6"))
    talk = [(data["line"], people) for kind, data, people in wire.sent if kind == "talk"]
    assert [people for _, people in talk] == [["p1", "p2"], ["p2"], []]
    assert talk[0][0]["text"] == "meet me at dawn" and talk[2][0]["rolls"][0]["expr"] == "3d6"
