"""What all have written together is one turn: one resolution, one telling that weaves it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Ending
from freeform.engine.campaign.apart import place_of
from freeform.engine.log import Resolved
from freeform.services.campaigns import begin_campaign, read_story
from freeform.services.house import House, opened_house
from freeform.services.play import retry_turn, take_turn, undo
from freeform.services.table import acting, invites, people
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.services.table.sight import house_of
from freeform.settings import Settings


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna and Ben write together."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        code = await invites.invite(made, "a", "p1", InviteWish())
        await invites.join(made, JoinWish(code=code.written(), name="Ben"))
        await acting.set_turn_mode(made, "a", "p1", "together")
        yield made


async def test_one_turn_tells_what_all_did_each_by_name_and_is_played_once(house: House) -> None:
    table = await people.get_table(house, "a")
    anna, ben = (table.seat_of(id).actor for id in ("p1", "p2"))  # type: ignore[union-attr]
    await acting.hand_in(house, "a", "p2", "I search the jukebox", turn_id="t2")
    assert await acting.next_say(house, "a") is None
    await acting.hand_in(house, "a", "p1", "We all go to Kettle Row", turn_id="t1")
    say = await acting.next_say(house, "a")
    assert say and acting.turn_ids(say) == ["t2", "t1"]  # nobody acts in a place that was left
    told = await take_turn(house, say)
    again = await take_turn(house, say)
    assert (
        (again.turn_no, again.final_text) == (told.turn_no, told.final_text) == (1, told.final_text)
    )
    assert told.actor == f"{ben.name} and {anna.name}"
    opening = told.final_text.split("\n\n")[0]
    assert opening == f"{ben.name} means to search the jukebox and {anna.name} to go to Kettle Row."
    assert "ceramic fuse" in told.final_text and "A street with a ceiling" in told.final_text
    state = await house.table.store.get_state("a")
    assert state.name(state.scene.location_id) == "Kettle Row"
    now = await acting.mark_played(house, "a", acting.turn_ids(say))
    assert (now.waiting, now.round, now.played) == ([], 2, ["t2", "t1"])


async def test_who_lets_the_game_master_go_on_does_nothing_alone_or_among_others(
    house: House,
) -> None:
    await acting.hand_in(house, "a", "p1", "", mode="go", turn_id="t1")
    await acting.hand_in(house, "a", "p2", "I search the jukebox", turn_id="t2")
    say = await acting.next_say(house, "a")
    assert say and [(part.turn_id, part.goes_on) for part in say.parts] == [
        ("t1", True),
        ("t2", False),
    ]
    await acting.mark_played(house, "a", acting.turn_ids(say))
    await acting.set_turn_mode(house, "a", "p1", "free")
    await acting.hand_in(house, "a", "p1", "", mode="go", turn_id="t3")
    say = await acting.next_say(house, "a")
    assert say and say.goes_on


async def test_each_has_dice_of_its_own_and_all_is_taken_back_or_tried_again_at_once(
    house: House,
) -> None:
    await acting.hand_in(house, "a", "p1", "I pick the lock of the office door", turn_id="t1")
    await acting.hand_in(house, "a", "p2", "I threaten Viktor", turn_id="t2")
    say = await acting.next_say(house, "a")
    assert say
    told = await take_turn(house, say)
    assert len(told.rolls) == 2 and told.rolls[0].text != told.rolls[1].text
    retried = await retry_turn(house, "a")
    (logged,) = [
        row.entry for row in await house.table.store.tail("a", 1) if isinstance(row.entry, Resolved)
    ]
    assert retried.take == 2 and [part.turn_id for part in logged.parts] == ["t1", "t2"]
    await undo(house, "a")
    assert (await house.table.store.head("a")).turn_no == 0


async def test_what_ends_the_story_comes_last_and_the_others_act_before_it(house: House) -> None:
    found = {"id": "found", "title": "Found", "when": [{"known": "f_hoist"}], "text": "It is over."}
    story = load_scenario("dead_drop")
    ending = story.model_copy(update={"endings": [Ending.model_validate(found)]})
    await begin_campaign(house, ending, campaign="b", seed=7)
    await people.open_table(house, "b", "Anna")
    code = await invites.invite(house, "b", "p1", InviteWish())
    await invites.join(house, JoinWish(code=code.written(), name="Ben"))
    await acting.set_turn_mode(house, "b", "p1", "together")
    await acting.hand_in(house, "b", "p1", "I search the jukebox", turn_id="t1")
    await acting.hand_in(house, "b", "p2", "I ask Viktor about Jin", turn_id="t2")
    say = await acting.next_say(house, "b")
    assert say and acting.turn_ids(say) == ["t1", "t2"]
    await take_turn(house, say)
    (logged,) = [
        row.entry for row in await house.table.store.tail("b", 1) if isinstance(row.entry, Resolved)
    ]
    assert [part.turn_id for part in logged.parts] == ["t2", "t1"]
    types = [event.type for event in logged.engine_events]
    assert types.count("ending") == 1 and "takes_part" not in types[types.index("ending") :]
    assert "epilogue" not in types


@pytest.mark.parametrize(
    "words",
    [
        ("I look around", "I wait for twenty minutes"),
        ("I wait for twenty minutes", "I look around"),
        ("I wait for twenty minutes", "I wait for twenty minutes"),
    ],
)
async def test_what_all_do_at_once_takes_as_long_as_the_longest_of_it(
    house: House, words: tuple[str, str]
) -> None:
    store = house.table.store
    before = (await store.get_state("a")).scene.time
    for person, text in zip(("p1", "p2"), words, strict=True):
        await acting.hand_in(house, "a", person, text)
    say = await acting.next_say(house, "a")
    assert say and len(say.parts) == 2
    await take_turn(house, say)
    after = (await store.get_state("a")).scene.time
    assert (after["day"], after["minute"] - before["minute"]) == (before["day"], 20)
    assert (await store.rebuild("a")).document() == (await store.get_state("a")).document()


@pytest.mark.parametrize("leaver", ["p1", "p2"])
async def test_whose_deed_leads_elsewhere_has_a_turn_alone_and_nobody_else_is_moved(
    tmp_path: Path, leaver: str
) -> None:
    """*I climb the weed rocks* is no word for going, and ends at the harbour."""
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as house:
        await begin_campaign(house, "drowned_bell", campaign="a", seed=7)
        await people.open_table(house, "a", "Anna")
        for name in ("Ben", "Cleo"):
            code = await invites.invite(house, "a", "p1", InviteWish())
            await invites.join(house, JoinWish(code=code.written(), name=name))
        await acting.set_turn_mode(house, "a", "p1", "together")
        words = {each: "I look around" for each in ("p1", "p2", "p3")}
        words[leaver] = "I climb the weed rocks"
        for person, text in words.items():
            await acting.hand_in(house, "a", person, text, turn_id=f"t-{person}")
        told: list[list[str]] = []
        while say := await acting.next_say(house, "a"):
            await take_turn(house, say)
            told.append(await acting.told_ids(house, say))
            await acting.mark_played(house, "a", told[-1])
        others = [f"t-{each}" for each in words if each != leaver]
        assert sorted(told) == sorted([[f"t-{leaver}"], others])
        state, table = await house.table.store.get_state("a"), await people.get_table(house, "a")
        places = {each: place_of(table.seat_of(each).id, state) for each in words}  # type: ignore[union-attr]
        assert len({places[each] for each in words if each != leaver}) == 1
        assert places[leaver] not in {places[each] for each in words if each != leaver}
        assert table.waiting == [] and table.round == 2
        for each in words:
            seen = await read_story(await house_of(house, "a", each), "a")
            ids = [part.turn_id for turn in seen.turns for part in turn.parts or [turn]]
            assert f"t-{each}" in ids and (each == leaver) == (f"t-{leaver}" in ids)
