"""Heroes in different places: who gets up and comes back, whom a game master moves, an order."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.engine.campaign.apart import APART, TurnSight, apart_in, place_of
from freeform.engine.rules.change import apply
from freeform.engine.rules.fight.foes import OrderRow, order_in, with_next, without_order
from freeform.engine.rules.ledger import Ledger
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.services.archives import Format, campaign_file
from freeform.services.campaigns import begin_campaign, table_view, world_view
from freeform.services.gm import hand
from freeform.services.house import House, opened_house
from freeform.services.pictures.making import SCENE, PictureWish, make_picture
from freeform.services.pictures.seen import seen_pictures
from freeform.services.play import choose_take, list_takes, take_turn, undo
from freeform.services.table import acting, invites, people
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.services.table.sight import house_of, who_sees
from freeform.settings import Settings
from tests.apps.web.painter import Painter

CLINIC = "neo_seattle:sabines_clinic"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna's Wren stays at the bar, Ben's Ines has gone to Kettle Row."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        await _join(made)
        await act(made, "p2", "I go to Kettle Row")
        await act(made, "p1", "I look around")
        yield made


async def _join(house: House) -> str:
    code = await invites.invite(house, "a", "p1", InviteWish())
    return (await invites.join(house, JoinWish(code=code.written(), name="Ben"))).person


async def act(house: House, person: str, text: str) -> None:
    await acting.hand_in(house, "a", person, text)
    say = await acting.next_say(house, "a")
    assert say
    await take_turn(house, say)
    await acting.mark_played(house, "a", acting.turn_ids(say))


async def scene(house: House, person: str) -> str:
    return (await table_view(await house_of(house, "a", person), "a")).scene.name


async def test_who_comes_back_moves_nobody_and_all_read_their_own_turns(house: House) -> None:
    await people.leave(house, "a", "p2")
    await act(house, "p1", "I go to Kettle Row")
    await act(house, "p1", "I go to Sabine's clinic")
    ben = await _join(house)
    await act(house, ben, "I look around")
    await act(house, "p1", "I look around")
    assert await scene(house, "p1") == await scene(house, ben) == "Sabine's clinic"
    read = await (await house_of(house, "a", "p1")).table.store.recent("a", 9)
    assert [turn.turn_no for turn in read] == [2, 3, 4, 5, 6]


async def test_whom_a_game_master_moves_stays_there_and_the_others_where_they_are(
    house: House,
) -> None:
    await hand.lay_down(house, "a", "do", f"go: {CLINIC}")
    await act(house, "p2", "I look around")
    await act(house, "p1", "I look around")
    assert (await scene(house, "p1"), await scene(house, "p2")) == ("Sabine's clinic", "Kettle Row")


async def test_an_order_is_passed_on_and_given_up_wherever_the_fight_is(house: House) -> None:
    state = await house.table.store.get_state("a")
    parted = apart_in(state)
    assert parted
    place = place_of("ines_marchetti", state)
    rows = [OrderRow(id=id, name=id, total=9).model_dump() for id in ("ines_marchetti", "thug")]
    fight = {"foes": ["thug"], "order": rows, "next": "ines_marchetti"}
    page = Ledger(state)
    scenes = {place: {**parted.scenes[place], "fight": fight}}
    page.note(CAMPAIGN, APART, parted.model_copy(update={"scenes": scenes}).model_dump())
    passed = order_in(apply(page.state, with_next(page.state, "thug")))
    assert passed and passed.next == "thug"
    assert order_in(apply(page.state, without_order(page.state))) is None


async def test_what_nobody_here_saw_is_for_nobody_and_takes_have_one_number(house: House) -> None:
    table = await people.get_table(house, "a")
    heroes = table.heroes()
    alone = TurnSight(hero="gone", heroes=heroes, seen_by=["gone"])
    assert who_sees(table, alone) == frozenset()
    assert who_sees(table, alone.model_copy(update={"seen_by": []})) is None

    await act(house, "p2", "I look around")
    await undo(house, "a")
    await act(house, "p1", "I search the jukebox")
    of_anna = await list_takes(await house_of(house, "a", "p1"), "a", 3)
    assert [(each.take, each.player_input) for each in of_anna] == [(2, "I search the jukebox")]
    await choose_take(house, "a", 3, of_anna[0].take)
    assert (await house.table.store.head("a")).turn_no == 3


async def test_a_picture_that_a_game_master_has_drawn_shows_nobody_whom_they_do_not_know(
    house: House,
) -> None:
    eyes = {person: await house_of(house, "a", person) for person in ("p1", "p2")}
    views = {**eyes, "gm": house}
    known = {who: (await world_view(view, "a")).entities for who, view in views.items()}
    wren, ines, told = ({each.id for each in known[who]} for who in views)
    of_ines, of_wren = min((ines - wren) & told), min((wren - ines) & told)
    async with Painter() as painter:
        draws = {"image_door": "automatic1111", "image_url": painter.url}
        house = replace(house, settings=house.settings.model_copy(update=draws))
        drawn = [
            (await make_picture(house, "a", PictureWish(of=of))).id
            for of in (of_ines, of_wren, SCENE)
        ]
    shown = {who: {row.id for row in await seen_pictures(each, "a")} for who, each in views.items()}
    # The first belongs to a turn that Wren alone saw, and shows what Ines alone knows of.
    assert shown == {"p1": set(drawn[1:]), "p2": set(), "gm": set(drawn)}


async def test_a_page_to_share_is_what_one_hero_saw_whoever_makes_it(house: House) -> None:
    views = [house, *[await house_of(house, "a", person) for person in ("p1", "p2")]]
    pages = [(await campaign_file(view, "a", Format.share)).content.decode() for view in views]
    assert pages[0] == pages[1] and "I look around" in pages[0]
    assert "I go to Kettle Row" in pages[2] and "I go to Kettle Row" not in pages[0]
