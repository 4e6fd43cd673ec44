"""The world has no edge: who plainly goes off the map comes to a place that is part of the log."""

from pathlib import Path

import pytest

from freeform.engine.authored.growth import GrownPart, with_parts
from freeform.engine.authored.library import load_scenario
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER
from freeform.evals.replay import replay
from freeform.evals.suites.hearing.suite import BLIND
from freeform.services.campaigns import begin_campaign, game_state, map_view, why
from freeform.services.house import House, opened_house
from freeform.services.play import redo, say_of, take_turn, undo
from freeform.services.scenario.forging import ForgeOrder, begin_forged
from freeform.wiring import bench
from tests.forge.test_play import offline

TWIN = "a lighthouse keeper's twin has come back from the sea"
NO_GOING = [
    "I think about leaving the village",
    "we should leave the village",
    "I'd like to go to London some day",
    "Could I leave this village by boat?",
    "I don't go to the church",
    '"We should go to the city," I tell Aldous',
    "I ask Aldous the way to the church",
    "let's talk about the town",
    "I walk over to the window",
    "I walk around the room",
    "I go to the moon",
    "can we go to the police?",
    "I would go to the police if I trusted them",
    "I leave the Capstan",
    "I leave tomorrow for the next town",
    "let's go to the lighthouse",
]


async def say(house: House, campaign: str, text: str) -> TurnResult:
    return await take_turn(house, await say_of(house, campaign, text))


async def grown(house: House, campaign: str) -> list[str]:
    return (await game_state(house, campaign)).value("campaign", "grown") or []


async def test_who_goes_off_the_map_comes_somewhere_and_back(tmp_path: Path) -> None:
    settings = offline(tmp_path)
    async with opened_house(settings) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        went = await say(house, "a", "I leave the village and follow the road north")
        there = "beyond:the_road_north"
        assert "road north" in went.final_text.lower()
        state = await game_state(house, "a")
        assert state.scene.location_id == there
        (carter,) = [id for id in state.scene.present_entity_ids if id != PLAYER]
        assert state.name(carter) in went.final_text
        history = await why(house, "a", carter)
        assert history["chain"][0]["turn_no"] == 1

        heard = await say(house, "a", "ask about the news")
        assert any(thread.title in heard.final_text for thread in state.threads.values())
        told = await say(house, "a", "ask about Osric")
        learnt = [e for e in told.engine_events if e.type == "fact_learned"]
        assert learnt and learnt[0].details["fact_id"] in {
            fact.id for fact in state.facts.values() if fact.visibility == "hidden"
        }
        await say(house, "a", "go back to the Capstan")
        again = await say(house, "a", "I go to the road north")
        assert [e.type for e in again.engine_events if e.type == "world_grew"] == []
        shape = await map_view(house, "a")
        assert there in {place.id for place in shape.places if place.visited}

        before = (await game_state(house, "a")).document()
        await undo(house, "a", 5)
        assert await grown(house, "a") == []
        for _ in range(5):
            await redo(house, "a")
        after = await game_state(house, "a")
        assert after.document() == before
        assert (await house.table.store.rebuild("a")).document() == before
        report = await replay("a", house.table, bench(settings))
        assert [turn.turn_no for turn in report.turns if not turn.same] == []


async def test_what_is_on_the_map_and_what_is_only_said_adds_nothing(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        added = []
        for text in NO_GOING:
            await say(house, "a", text)
            added += [text] if await grown(house, "a") else []
            await undo(house, "a", 1)
        assert added == []
        await begin_campaign(house, "drowned_bell", campaign="b", seed=1)
        refused = await say(house, "b", "I go to the hospital")
        assert refused.validator.blocked_actions and not await grown(house, "b")


async def test_a_part_of_where_one_is_is_no_other_place(tmp_path: Path) -> None:
    story = BLIND / "2026-11-18-thirteenth" / "library.yaml"
    async with opened_house(offline(tmp_path)) as house:
        await begin_campaign(house, load_scenario(str(story)), campaign="a", seed=3)
        for text in ("I go to the church", "I cross the yard"):
            await say(house, "a", text)
            assert bool(await grown(house, "a")) == ("church" in text)
            await undo(house, "a", 1)


async def test_whoever_is_spoken_of_is_no_place_to_go_to(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        state = await house.table.store.get_state("a")
        people = [entity for entity in state.entities.values() if entity.type == "npc"]
        for person in people[:3]:
            text = (
                "Please, I do not understand: this 'for it', what is the 'it'? I ask to game master"
            )
            await say(house, "a", f"{text}, not to {person.name.split()[0]}.")
            assert not await grown(house, "a")
            await undo(house, "a", 1)


@pytest.mark.parametrize(
    ("premise", "said"),
    [
        ("raiders surround the fort and the walls will not hold", "I leave for the next town"),
        ("the prisoners are locked in and the jail is sinking", "I walk to the village"),
    ],
)
async def test_nobody_walks_out_of_a_siege(tmp_path: Path, premise: str, said: str) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=premise, seed=2), campaign="a")
        kept = await say(house, "a", said)
        scenario = (await house.table.store.begun("a")).scenario
        assert scenario.beyond and scenario.beyond.blocked in kept.final_text
        assert not await grown(house, "a")
        assert kept.validator.blocked_actions[0].because


async def test_somebody_out_there_has_an_errand_that_can_be_run(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        await say(house, "a", "I leave the village and follow the road north")
        asked = await say(house, "a", "ask about a favour")
        assert "told" in {event.type for event in asked.engine_events}
        state = await game_state(house, "a")
        (thread,) = [t for t in state.threads.values() if "errand" in t.tags]
        assert thread.status == "active"
        (parcel,) = [h.item_id for h in state.held(PLAYER) if h.item_id.startswith("beyond:")]
        whom = next(id for id in thread.related_entity_ids if not id.startswith("beyond:"))
        for where in ("the Capstan", state.name(state.where(whom))):
            await say(house, "a", f"go to {where}")
        given = await say(house, "a", f"give the {state.name(parcel)[4:]} to {state.name(whom)}")
        state = await game_state(house, "a")
        assert state.threads[thread.id].status == "resolved", given.final_text
        assert state.held(whom)[-1].item_id == parcel


def test_deeds_that_were_added_are_among_the_deeds_whatever_was_asked_before() -> None:
    scenario = load_scenario("dead_drop")
    first = scenario.affordances[0]
    assert "more" not in scenario.deeds
    assert scenario.deeds_at
    part = GrownPart(affordances=[first.model_copy(update={"id": "more", "at": "elsewhere"})])
    grown = with_parts(scenario, [part])
    assert grown.deeds["more"].at == "elsewhere"
    assert [deed.id for deed in grown.deeds_at["elsewhere"]] == ["more"]
    assert "more" not in scenario.deeds


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("I hitch a ride to Ashford", "beyond:ashford"),
        ("I row across the lake", "beyond:the_lake"),
        ("I sneak off to the cemetery", "beyond:the_cemetery"),
    ],
)
async def test_a_going_that_was_heard_as_something_else_goes_where_its_words_go(
    tmp_path: Path, said: str, place: str
) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        await say(house, "a", said)
        assert (await game_state(house, "a")).scene.location_id == place


@pytest.mark.parametrize(
    "said", ["I go to the window", "I step up to the counter", "go over to the ladder", "I walk towards the far end"]
)  # fmt: skip
async def test_who_goes_to_a_window_stays_where_they_are(tmp_path: Path, said: str) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        before = await game_state(house, "a")
        told = await say(house, "a", said)
        after = await game_state(house, "a")
        assert after.scene.location_id == before.scene.location_id
        assert set(after.entities) == set(before.entities)
        assert not told.validator.clarification_question
        assert not told.validator.blocked_actions


async def test_one_goes_and_has_a_word_with_who_is_there_in_one_breath(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=TWIN, seed=1), campaign="a")
        went = await say(house, "a", "I go to the church and ask the priest about the news")
        state = await game_state(house, "a")
        assert state.scene.location_id == "beyond:the_church"
        (priest,) = [id for id in state.scene.present_entity_ids if id != PLAYER]
        assert state.entities[priest].attrs["role"] == "priest"
        assert any(thread.title in went.final_text for thread in state.threads.values())


async def test_no_road_leads_from_a_space_station_and_nobody_there_speaks_like_the_crew(
    tmp_path: Path,
) -> None:
    async with opened_house(offline(tmp_path)) as house:
        order = ForgeOrder(premise="a starship's reactor sings", genre="deep space", seed=1)
        begun = await begin_forged(house, order, campaign="a")
        crew = load_scenario(begun.scenario, house.settings.home).people.values()
        await say(house, "a", "I follow the road north")
        state = await game_state(house, "a")
        assert state.name(state.scene.location_id) == "The long service way"
        (met,) = [id for id in state.scene.present_entity_ids if id != PLAYER]
        part = GrownPart.model_validate(state.value(state.scene.location_id, "authored"))
        assert part.people[met].disposition not in {one.disposition for one in crew}
