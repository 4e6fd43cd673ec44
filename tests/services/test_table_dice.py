"""Dice together: all see them, a secret roll only those it is for, and one throw is for everyone."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, Forbidden, UserError
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.table import dice, invites, people
from freeform.services.table.dice import RollWish
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.settings import Settings


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna (p1), Ben who plays (p2), and Cleo who watches (p3)."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        made.table = replace(made.table, clock=HandClock())
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        for name, role in (("Ben", "player"), ("Cleo", "spectator")):
            wish = InviteWish.model_validate({"role": role})
            code = await invites.invite(made, "a", "p1", wish)
            await invites.join(made, JoinWish(code=code.written(), name=name))
        yield made


async def seen(house: House, person: str) -> list[str]:
    return [row.text for row in await dice.read_rolls(house, "a", person)]


async def test_a_roll_is_seen_by_all_and_a_secret_one_by_those_it_is_for(house: House) -> None:
    with pytest.raises(Conflict, match="nobody is the game master"):
        await dice.roll_at_table(house, "a", "p2", RollWish(expr="1d6", secret="gm"))
    open_ = await dice.roll_at_table(house, "a", "p2", RollWish(expr="2d6+1", why="luck"))
    assert [(roll.name, roll.expr) for roll in open_.rolls] == [("Ben", "2d6+1")]
    assert 3 <= open_.rolls[0].total <= 13
    await dice.roll_at_table(house, "a", "p2", RollWish(expr="1d6", why="mine", secret="mine"))
    await people.set_role(house, "a", "p1", "p1", "gm")
    await dice.roll_at_table(house, "a", "p2", RollWish(expr="1d6", why="hers", secret="gm"))
    assert await seen(house, "p2") == ["luck", "mine", "hers"]
    assert await seen(house, "p1") == ["luck", "hers"]
    assert await seen(house, "p3") == ["luck"]


async def test_one_throw_for_everyone_rolls_for_each_character(house: House) -> None:
    line = await dice.roll_at_table(house, "a", "p1", RollWish(expr="1d20", for_all=True))
    table = await people.get_table(house, "a")
    assert [roll.name for roll in line.rolls] == [seat.actor.name for seat in table.taken_seats()]
    for person, why in (("p2", "only the host"), ("p3", "you are watching")):
        with pytest.raises(Forbidden, match=why):
            await dice.roll_at_table(house, "a", person, RollWish(expr="1d20", for_all=True))
    with pytest.raises(UserError):
        await dice.roll_at_table(house, "a", "p1", RollWish(expr="two dice"))
