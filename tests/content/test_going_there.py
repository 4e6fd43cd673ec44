"""Going goes as far as ways are open, and what was to be done there is done or kept; heard by the ear that comes with
the program."""

from pathlib import Path

from tests.content.test_heard_at_the_table import heard, say, table_of

NIGHT_MARKET, PAO = "neo_seattle:night_market", "neo_seattle:auntie_pao"


async def test_one_walks_towards_a_place_and_keeps_what_was_to_be_said(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    first = await say(table, "I go to the Night Market and ask Auntie Pao about Jin")
    assert ("move", NIGHT_MARKET) in heard(first)
    assert (await table.store.get_state("a")).scene.location_id == "neo_seattle:kettle_row"
    assert "Ask Auntie Pao about Jin" not in first.suggested_actions
    there = await say(table, "go to the night market")
    assert there.suggested_actions[0] == "Ask Auntie Pao about Jin"
    assert heard(await say(table, "1")) == [("ask", PAO)]
    assert not (await table.store.get_state("a")).value("campaign", "unsaid")


async def test_who_unlocks_a_door_and_goes_in_is_inside(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    await say(table, "I unlock the office door with my lockpicks and go in")
    assert (await table.store.get_state("a")).scene.location_id == "dead_drop:office"


async def test_one_comes_as_far_as_the_door_that_is_shut_and_is_told_so(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path, "go to kettle row")
    came = await say(table, "I walk to Viktor's office and search his desk")
    assert (await table.store.get_state("a")).scene.location_id == "neo_seattle:neon_dragon"
    assert "The office door is locked" in came.final_text
