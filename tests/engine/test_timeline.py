"""Undo, redo, branches and other takes, over a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.engine.campaign import timeline
from freeform.engine.log import Changed, LogPosition
from freeform.engine.world.model import ClockDelta, FactUpdate, StateDiff
from tests.story import begun, changed, resolved, turn


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    shelf = CampaignShelf(tmp_path)
    store = SqliteStore(shelf, HandClock())
    await store.create("c", begun())
    yield store
    shelf.close()


async def play(store: SqliteStore, *texts: str, take: int = 1) -> LogPosition:
    head = await store.head("c")
    for text in texts:
        entries = turn(head.turn_no + 1, turn_id=text, take=take, text=text)
        head = await store.append("c", entries, after=head)
    return head


async def told(store: SqliteStore) -> list[str]:
    return [e.entry.final_text for e in await store.read("c") if e.entry.kind == "narrated"]


async def test_undo_takes_turns_back_with_their_state(store: SqliteStore) -> None:
    await play(store, "one", "two", "three")
    at = await timeline.undo("c", 2, store)
    assert (at.turn_no, at.branch) == (1, "main")
    assert await told(store) == ["one"]
    assert "note_2" not in (await store.get_state("c")).facts


async def test_redo_goes_forward_turn_by_turn_until_nothing_is_left(store: SqliteStore) -> None:
    await play(store, "one", "two", "three")
    await timeline.undo("c", 1, store)
    await timeline.undo("c", 2, store)
    for number in (1, 2, 3):
        assert (await timeline.redo("c", store)).turn_no == number
    assert await told(store) == ["one", "two", "three"]
    with pytest.raises(UserError, match="nothing to redo"):
        await timeline.redo("c", store)


async def test_playing_on_after_undo_ends_redo(store: SqliteStore) -> None:
    await play(store, "one")
    await timeline.undo("c", 1, store)
    await play(store, "other")
    with pytest.raises(UserError, match="nothing to redo"):
        await timeline.redo("c", store)


@pytest.mark.parametrize(
    ("turns", "says"), [(0, "1 or more"), (-2, "1 or more"), (3, "played 2, so undo at most")]
)
async def test_undo_says_how_many_it_can_take_back(
    store: SqliteStore, turns: int, says: str
) -> None:
    await play(store, "one", "two")
    with pytest.raises(UserError, match=says):
        await timeline.undo("c", turns, store)
    assert await told(store) == ["one", "two"]


async def test_there_is_nothing_to_undo_redo_or_retry_before_the_first_turn(
    store: SqliteStore,
) -> None:
    with pytest.raises(UserError, match="nothing to undo"):
        await timeline.undo("c", 1, store)
    with pytest.raises(UserError, match="nothing to redo"):
        await timeline.redo("c", store)
    with pytest.raises(UserError, match="nothing to retry"):
        await timeline.rewind_last("c", store)


async def test_undo_removes_a_turn_whose_prose_is_pending(store: SqliteStore) -> None:
    head = await play(store, "one")
    await store.append("c", [resolved(2)], after=head)
    assert (await timeline.undo("c", 1, store)).turn_no == 1
    assert (await store.get_state("c")).turn_no == 1
    assert (await timeline.redo("c", store)).turn_no == 2
    assert [e.entry.kind for e in await store.find_turn("c", "turn_2")] == ["resolved"]


async def test_a_change_belongs_to_the_turn_it_follows(store: SqliteStore) -> None:
    head = await play(store, "one")
    more = StateDiff(clocks=[ClockDelta(id="heat", delta=3)])
    head = await store.append("c", [changed(diff=more)], after=head)
    await play(store, "two")
    await timeline.undo("c", 1, store)
    assert (await store.get_state("c")).clocks["heat"].value == 4
    await timeline.undo("c", 1, store)
    assert (await store.get_state("c")).clocks["heat"].value == 0
    await timeline.redo("c", store)
    assert (await store.get_state("c")).clocks["heat"].value == 4


async def test_what_was_said_for_safety_outlives_undo(store: SqliteStore) -> None:
    head = await play(store, "one")
    line = Changed(why="safety", details={"line": "drowning"})
    lost = changed("safety", StateDiff(facts_update=[FactUpdate(id="note_1", visibility="hidden")]))
    await store.append("c", [line, lost, changed()], after=head)
    at = await timeline.undo("c", 1, store)
    assert at.turn_no == 0
    assert [e.entry for e in await store.read("c")][1:] == [line]


async def test_a_branch_keeps_the_old_way(store: SqliteStore) -> None:
    await play(store, "one", "two")
    at = await timeline.branch("c", store, turn_no=1)
    assert (at.branch, at.turn_no) == ("branch-2", 1)
    await play(store, "else")
    assert (await timeline.branch("c", store)).branch == "branch-3"
    assert (await timeline.branch("c", store, name="what if")).branch == "what if"
    await timeline.switch("c", "main", store)
    assert await told(store) == ["one", "two"]
    assert [b.name for b in await timeline.branches("c", store) if b.active] == ["main"]


async def test_a_branch_that_cannot_be_is_refused(store: SqliteStore) -> None:
    await play(store, "one")
    with pytest.raises(UserError, match="choose one from 0 to 1"):
        await timeline.branch("c", store, turn_no=2)
    for name in ("", " x", "a\x00b", "x" * 65, "a\nb"):
        with pytest.raises(UserError, match="1 to 64 visible characters"):
            await timeline.branch("c", store, name=name)
    with pytest.raises(Conflict, match="choose another name"):
        await timeline.branch("c", store, name="main")
    with pytest.raises(NotFound, match="no branch 'nope' in 'c'; there are: main"):
        await timeline.switch("c", "nope", store)


async def test_retry_keeps_the_old_take_and_numbers_the_next(store: SqliteStore) -> None:
    await play(store, "one", "two")
    again = await timeline.rewind_last("c", store)
    assert (again.turn_no, again.take, again.player_input, again.position.turn_no) == (
        2,
        2,
        "I do thing 2",
        1,
    )
    await play(store, "two, differently", take=again.take)
    assert (await timeline.rewind_last("c", store)).take == 3
    await timeline.redo("c", store)
    assert await told(store) == ["one", "two, differently"]
    takes = await timeline.alternatives("c", 2, store)
    assert [(a.take, a.final_text, a.chosen) for a in takes] == [
        (1, "two", False),
        (2, "two, differently", True),
    ]


async def test_another_take_on_the_last_turn_is_chosen_in_place(store: SqliteStore) -> None:
    await play(store, "one", "two")
    again = await timeline.rewind_last("c", store)
    head = await play(store, "other", take=again.take)
    assert await timeline.choose("c", 2, 2, store) == head
    at = await timeline.choose("c", 2, 1, store)
    assert (at.branch, await told(store)) == ("main", ["one", "two"])
    await timeline.choose("c", 2, 2, store)
    assert await told(store) == ["one", "other"]
    with pytest.raises(UserError, match="turn 2 has no take 3; its takes are: 1, 2"):
        await timeline.choose("c", 2, 3, store)
    with pytest.raises(UserError, match="choose one from 1 to 2"):
        await timeline.alternatives("c", 9, store)


async def test_another_take_on_an_earlier_turn_makes_a_branch_and_loses_nothing(
    store: SqliteStore,
) -> None:
    await play(store, "one", "two")
    await timeline.undo("c", 2, store)
    await play(store, "uno", "due")
    assert [(a.take, a.chosen) for a in await timeline.alternatives("c", 1, store)] == [
        (1, False),
        (2, True),
    ]
    at = await timeline.choose("c", 1, 1, store)
    assert at.branch == "turn-1-take-1"
    assert await told(store) == ["one"]
    await timeline.redo("c", store)
    assert await told(store) == ["one", "two"]
    await timeline.switch("c", "main", store)
    assert await told(store) == ["uno", "due"]
