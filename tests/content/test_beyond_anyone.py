"""What nobody could do, and what is not there, is refused kindly and costs nothing; what was told of can be taken.
Heard by the ear that comes with the program."""

from pathlib import Path

from freeform.engine.world.state import PLAYER
from tests.content.test_heard_at_the_table import say, table_of


async def test_what_nobody_could_do_is_refused_and_costs_nothing(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    before = (await table.store.get_state("a")).scene.time
    for text in (
        "I lift the whole house over my head",
        "I cast fireball at Viktor",
        "open the coffin",
    ):
        came = await say(table, text)
        assert came.validator.blocked_actions and not came.validator.allowed_actions, text
        assert came.rolls == []
    assert (await table.store.get_state("a")).scene.time == before
    for text in ("I blow out the candle", "I paint a smiley on the bar with spit"):
        assert not (await say(table, text)).validator.blocked_actions, text


async def test_what_the_place_tells_of_can_be_taken_and_goes_where_one_goes(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    await say(table, "I take the bowl of nuts")
    state = await table.store.get_state("a")
    held = [state.name(item) for owner, item in state.inventory if owner == PLAYER]
    assert any("nuts" in name for name in held), held


async def test_words_to_nobody_are_said_aloud_and_seen(tmp_path: Path) -> None:
    table = await table_of("dead_drop", tmp_path)
    said = await say(table, '"Well, that is just great," I say to nobody in particular')
    assert "call it to" not in said.final_text
    sung = await say(table, "I hum a lullaby")
    assert any(name in sung.final_text for name in ("Viktor", "Dutch"))
