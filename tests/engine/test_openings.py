"""What is offered changes from turn to turn, though nobody takes it up."""

from pathlib import Path

from freeform.services.campaigns import begin_campaign
from freeform.services.house import opened_house
from freeform.services.play import say_of, take_turn
from freeform.settings import Settings


async def test_no_sight_is_offered_all_evening(tmp_path: Path) -> None:
    offered = []
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        await begin_campaign(house, "dead_drop", campaign="a", seed=32)
        for text in ("hum a tune", "hum another tune", "hum the first tune again"):
            told = await take_turn(house, await say_of(house, "a", text))
            offered.append([idea for idea in told.suggested_actions if idea.startswith("Look at")])
    assert all(offered)
    assert len({ideas[0] for ideas in offered}) > 1
