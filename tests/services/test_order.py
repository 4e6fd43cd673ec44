"""Initiative at a table of several: all throw in the open, act in that order, and go on as before."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.core.errors import Conflict
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.log import Changed
from freeform.engine.rules.fight.foes import OrderRow, TurnOrder
from freeform.engine.world.model import TurnResult
from freeform.players.companion.whose import next_to_act
from freeform.players.party.persona import bundled_personas
from freeform.players.people import order
from freeform.players.people.model import Companion, SharedTable, TablePerson, TableSeat
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.play import redo, take_turn, undo
from freeform.services.table import acting, invites, people
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.services.table.seats import NewHero
from freeform.settings import Settings
from tests.engine.fights.bridge import bridge


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna's Kit and Ben's Sparrow on a bridge with a goblin, in rounds."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        await begin_campaign(made, bridge(), campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        code = await invites.invite(made, "a", "p1", InviteWish())
        wish = JoinWish(code=code.written(), name="Ben", hero=NewHero(name="Sparrow"))
        await invites.join(made, wish)
        await acting.set_turn_mode(made, "a", "p1", "rounds")
        yield made


async def act(house: House, person: str, text: str) -> TurnResult:
    await acting.hand_in(house, "a", person, text)
    say = await acting.next_say(house, "a")
    assert say
    told = await take_turn(house, say)
    await acting.mark_played(house, "a", acting.turn_ids(say))
    return told


async def test_a_fight_is_fought_in_the_order_that_all_throw_and_gives_back_the_mode(
    house: House,
) -> None:
    told = await act(house, "p1", "I attack Snag")
    thrown = [roll for roll in told.rolls if roll.kind == "initiative"]
    assert [roll.text.split(":")[0] for roll in thrown] == ["Kit", "Sparrow", "Snag"]
    assert all(roll.parts for roll in thrown)
    table = await people.get_table(house, "a")
    totals = {row.name: row.total for row in table.order}
    assert totals == {roll.text.split(":")[0]: roll.total for roll in thrown}
    assert [row.total for row in table.order] == sorted(totals.values(), reverse=True)
    assert (table.mode, table.next) == ("initiative", "sparrow")
    with pytest.raises(Conflict, match="waiting for Sparrow"):
        await acting.hand_in(house, "a", "p1", "I attack Snag")

    await undo(house, "a")
    assert (await people.get_table(house, "a")).mode == "rounds"
    await redo(house, "a")
    table = await acting.follow_order(house, "a")
    assert (table.mode, table.next) == ("initiative", "sparrow")

    await acting.go_on(house, "a", "p1")
    table = await acting.follow_order(house, "a")
    assert table.next == "kit"
    told = [row.entry for row in await house.table.store.tail("a", 1)]
    passes = [each for each in told if isinstance(each, Changed) and "passed" in each.details]
    assert [each.details["passed"] for each in passes] == ["sparrow"]
    for person in ("p1", "p2") * 6:
        table = await people.get_table(house, "a")
        if table.mode != "initiative":
            break
        seat = table.seat_of(person)
        if seat and table.next == seat.id:
            await act(house, person, "I attack Snag")
    table = await people.get_table(house, "a")
    assert (table.mode, table.order) == ("rounds", [])


async def test_the_host_has_all_throw_without_a_fight_and_it_is_in_the_log(house: House) -> None:
    table = await acting.set_turn_mode(house, "a", "p1", "initiative")
    assert {row.name for row in table.order} == {"Kit", "Sparrow"}
    (entry,) = [
        row.entry for row in await house.table.store.read("a") if isinstance(row.entry, Changed)
    ]
    assert len(entry.details["rolls"]) == 2 and "initiative 1d20" in entry.details["rolls"][0]
    first = table.seat(table.next)
    await act(house, first.person, "I look around")
    table = await people.get_table(house, "a")
    assert table.next != first.id
    assert (await acting.set_turn_mode(house, "a", "p1", "free")).order == []
    assert (await acting.follow_order(house, "a")).mode == "free"


async def test_where_the_rules_have_no_initiative_it_is_refused_with_a_way_out(
    house: House,
) -> None:
    await begin_campaign(house, "dead_drop", campaign="b", seed=7)
    await people.open_table(house, "b", "Anna")
    with pytest.raises(Conflict, match="take rounds, together or called"):
        await acting.set_turn_mode(house, "b", "p1", "initiative")


def test_an_ai_player_that_does_nothing_is_asked_once_until_people_have_acted() -> None:
    people_here = [TablePerson(id=f"p{n}", name=f"P{n}", role="player") for n in (1, 2)]
    persona = next(iter(bundled_personas().values()))
    people_here[1] = people_here[1].model_copy(update={"companion": Companion(persona=persona)})
    seats = [
        TableSeat(id=name, actor=Actor(id=name, name=name.title()), person=person)
        for name, person in (("ann", "p1"), ("bob", "p2"))
    ]
    table = SharedTable(campaign="c", host="p1", people=people_here, seats=seats)
    rows = [OrderRow(id=id, name=id, total=9) for id in ("bob", "ann")]
    table = order.followed(table, TurnOrder(rows=rows, next="bob"))
    first = next_to_act(table)
    assert first and first.seat.id == "bob"
    table = order.passed(table, first.seat)
    assert table.next == "ann" and next_to_act(table) is None

    elsewhere = order.followed(table, TurnOrder(rows=rows[:1], next="bob"))
    elsewhere = order.passed(elsewhere, first.seat)  # Ann is in no fight: nobody else is next
    assert next_to_act(elsewhere) is None
