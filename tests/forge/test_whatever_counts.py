"""What counts in a bout and a farce, what is a spot and what a place, and what bold deeds leave."""

from pathlib import Path

from freeform.services.campaigns import game_state
from freeform.services.house import House, opened_house
from freeform.services.play import say_of, take_turn
from freeform.services.scenario.forging import ForgeOrder, begin_forged
from tests.forge.test_play import offline

DUEL = "I fence a duel against my rival in the arena"
FARCE = "A farce: my sister and I have one hour before the bishop comes, and the goat has eaten it"
HOME = "My father and I fell out ten years ago; I have come home to the kitchen to make peace"
SPOTS = ("the sofa", "the back wall", "the corner of the room", "the armchair", "the drawer")
PLACES = ("the garage", "the terrace", "the bus stop", "the phone box", "the edge of the forest")


async def deeds(house: House, campaign: str, text: str) -> list[str]:
    """The authored deeds that a turn comes to."""
    result = await take_turn(house, await say_of(house, campaign, text))
    return [act.affordance for act in result.validator.allowed_actions]


async def told(house: House, campaign: str, text: str) -> str:
    return (await take_turn(house, await say_of(house, campaign, text))).final_text


async def test_only_what_is_done_to_the_foe_counts(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=DUEL, seed=5), campaign="duel")
        assert await deeds(house, "duel", "I walk over to the corner") == [""]
        assert await deeds(house, "duel", "I throw sand in her face") == ["a_blow_improvise"]
        assert not any(await deeds(house, "duel", "I write my name on my own arm"))
        await begin_forged(house, ForgeOrder(premise=FARCE, seed=5), campaign="farce")
        assert not any(await deeds(house, "farce", "I punch my sister"))


async def test_a_garage_is_a_place_and_a_sofa_a_spot(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        grower = house.table.grower
        assert grower is not None
        assert [noun for noun in SPOTS if not grower.is_spot(f"I go to {noun}")] == []
        assert [noun for noun in PLACES if grower.is_spot(f"I go to {noun}")] == []


async def test_a_barricade_comes_down_when_one_goes(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=HOME, seed=5), campaign="c")
        await told(house, "c", "I barricade the door with the table")
        state = await game_state(house, "c")
        here = state.scene.location_id
        assert state.value(here, "barricaded") is True
        gone = await told(house, "c", "go to the garage")
        state = await game_state(house, "c")
        assert state.scene.location_id != here and not state.value(here, "barricaded")
        assert "You take down what you had put before the way out" in gone


async def test_what_is_told_to_somebody_is_heard_as_said_to_them(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await begin_forged(house, ForgeOrder(premise=HOME, seed=5), campaign="c")
        heard = await deeds(house, "c", "I tell my father I have missed him")
        assert heard == ["a_missed_talk"]
        assert (await told(house, "c", "I kneel down before my father")).startswith("You kneel")
