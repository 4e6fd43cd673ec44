"""What every StateStore promises: one suite, run on each way of having one."""

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from freeform.adapters.memory.store import InMemoryCampaigns
from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.postgres.shelf import PostgresShelf
from freeform.adapters.postgres.store import PostgresStore
from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.engine.log import LogPosition, Narrated, Resolved
from freeform.engine.ports import StateStore
from freeform.engine.rules.change import fold
from freeform.engine.world.model import (
    ClockDelta,
    FactUpdate,
    InventoryChange,
    StateDiff,
)
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    StoryClock,
    Summary,
)
from tests.story import begun, changed, narrated, resolved, turn


class ColdEachCall:
    """A store as a new process sees it, every single time."""

    def __init__(self, home: Path, clock: HandClock) -> None:
        self._home, self._clock = home, clock

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            shelf = CampaignShelf(self._home)
            try:
                return await getattr(SqliteStore(shelf, self._clock), name)(*args, **kwargs)
            finally:
                shelf.close()

        return call


class TwoProcesses:
    """Two stores taking turns: what one wrote the other must see, whatever it remembers."""

    def __init__(self, open_shelf: Callable[[], Any], store: Any, clock: HandClock) -> None:
        self._shelves = [open_shelf(), open_shelf()]
        self._stores = [store(shelf, clock) for shelf in self._shelves]

    def __getattr__(self, name: str) -> Any:
        self._stores.reverse()
        return getattr(self._stores[0], name)

    def close(self) -> None:
        for shelf in self._shelves:
            shelf.close()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


WAYS = [
    "sqlite",
    "sqlite cold each call",
    "sqlite in two processes",
    "memory",
    "postgres in two processes",
]


@pytest.fixture(params=WAYS)
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> Iterator[StateStore]:
    match request.param:
        case "postgres in two processes":
            url = request.getfixturevalue("postgres")
            two = TwoProcesses(lambda: PostgresShelf(PostgresLinks(url)), PostgresStore, clock)
            yield cast(StateStore, two)
            two.close()
        case "memory":
            yield InMemoryCampaigns(clock)
        case "sqlite":
            shelf = CampaignShelf(tmp_path)
            yield SqliteStore(shelf, clock)
            shelf.close()
        case "sqlite cold each call":
            yield cast(StateStore, ColdEachCall(tmp_path, clock))
        case _:
            two = TwoProcesses(lambda: CampaignShelf(tmp_path), SqliteStore, clock)
            yield cast(StateStore, two)
            two.close()


async def play(store: StateStore, turns: int, campaign: str = "c") -> LogPosition:
    """That many more turns."""
    head = await store.head(campaign)
    for number in range(head.turn_no + 1, head.turn_no + turns + 1):
        head = await store.append(
            campaign, turn(number, turn_id=f"t{number}_{head.entry}"), after=head
        )
    return head


async def folded(store: StateStore, campaign: str = "c") -> GameState:
    """The state as the log alone tells it."""
    head = await store.head(campaign)
    return fold(campaign, head.branch, [logged.entry for logged in await store.read(campaign)])


def text(state: GameState) -> str:
    return json.dumps(state.document())


async def test_a_new_campaign_holds_what_it_began_with(store: StateStore) -> None:
    at = await store.create("c", begun())
    assert at == LogPosition(branch="main", entry=1, turn_no=0)
    assert await store.head("c") == at
    assert await store.begun("c") == begun()
    state = await store.get_state("c")
    assert state.name("player") == "Mira"
    assert state.scene.location_id == "cellar"
    assert text(state) == text(await folded(store))
    assert await store.recent("c", 3) == []


async def test_the_authored_conditions_read_back_with_their_one_key(store: StateStore) -> None:
    await store.create("c", begun())
    (way,) = (await store.begun("c")).scenario.places["cellar"].exits
    assert way.when[0].model_fields_set == {"has"}


async def test_a_name_can_be_taken_only_once(store: StateStore) -> None:
    await store.create("c", begun())
    with pytest.raises(Conflict, match="already is a campaign 'c'"):
        await store.create("c", begun(seed=8))
    assert (await store.begun("c")).seed == 7


async def test_an_unknown_campaign_is_named_with_those_that_exist(store: StateStore) -> None:
    await store.create("cellar_1", begun())
    for ask in (
        store.head,
        store.begun,
        store.get_state,
        store.read,
        store.branches,
        store.redo_entry,
    ):
        with pytest.raises(NotFound, match="no campaign 'nope'; there are: cellar_1"):
            await ask("nope")


async def test_campaigns_are_listed_last_played_first(store: StateStore, clock: HandClock) -> None:
    for name in ("a", "b", "c"):
        await store.create(name, begun())
        clock.advance(60)
    await play(store, 2, "a")
    rows = await store.campaigns()
    assert [(row.id, row.current_turn, row.scenario, row.problem) for row in rows] == [
        ("a", 2, "cellar", ""),
        ("c", 0, "cellar", ""),
        ("b", 0, "cellar", ""),
    ]


async def test_a_turn_changes_the_state_and_counts(store: StateStore) -> None:
    at = await store.create("c", begun())
    at = await store.append("c", [resolved(1)], after=at)
    assert at.turn_no == 1
    at = await store.append("c", [narrated(1)], after=at)
    state = await store.get_state("c")
    assert (state.turn_no, state.clocks["heat"].value, state.inventory["player", "coin"].qty) == (
        1,
        1,
        4,
    )
    assert state.facts_of("lamp")[-1].id == "note_1"
    assert text(state) == text(await folded(store))


async def test_a_change_between_turns_does_not_count_as_a_turn(store: StateStore) -> None:
    await store.create("c", begun())
    at = await play(store, 2)
    at = await store.append(
        "c", [changed(diff=StateDiff(clocks=[ClockDelta(id="heat", delta=5)]))], after=at
    )
    assert at.turn_no == 2
    state = await store.get_state("c")
    assert (state.turn_no, state.clocks["heat"].value) == (2, 5)


async def test_the_slower_writer_is_told_and_writes_nothing(store: StateStore) -> None:
    seen = await store.create("c", begun())
    await store.append("c", turn(1), after=seen)
    before = text(await store.get_state("c"))
    with pytest.raises(Conflict, match="at turn 1 of branch 'main', not at turn 0"):
        await store.append("c", turn(1, turn_id="rival"), after=seen)
    assert text(await store.get_state("c")) == before
    assert await store.find_turn("c", "rival") == []


async def test_a_batch_is_written_whole_or_not_at_all(store: StateStore) -> None:
    at = await store.create("c", begun())
    before = text(await store.get_state("c"))
    wrong = StateDiff(facts_update=[FactUpdate(id="nowhere", object={})])
    with pytest.raises(NotFound, match="nowhere"):
        await store.append("c", [resolved(1), narrated(1, wrong)], after=at)
    assert await store.head("c") == at
    assert text(await store.get_state("c")) == before
    assert len(await store.read("c")) == 1
    await store.append("c", turn(1), after=at)


async def test_a_turn_out_of_order_is_refused(store: StateStore) -> None:
    at = await store.create("c", begun())
    with pytest.raises(Conflict, match="turn 3 cannot follow turn 0"):
        await store.append("c", [resolved(3)], after=at)
    with pytest.raises(Conflict, match="no facts to follow"):
        await store.append("c", [narrated(1)], after=at)
    at = await store.append("c", [resolved(1)], after=at)
    with pytest.raises(Conflict, match="no facts to follow"):
        await store.append("c", [narrated(1, turn_id="another")], after=at)
    with pytest.raises(Conflict, match="begins only once"):
        await store.append("c", [begun()], after=at)


@pytest.mark.parametrize(
    "odd",
    [
        StateDiff(entities_add=[Entity(id="x", type="item", name="x", attrs={"name": "\ud800"})]),
        StateDiff(facts_add=[Fact(id="x", subject_id="x", predicate="p", confidence=float("nan"))]),
        StateDiff(clocks_add=[StoryClock(id="x", name="x", max=2**70)]),
    ],
    ids=["half a character", "no number", "too large a number"],
)
async def test_what_cannot_be_read_back_is_refused_whole(store: StateStore, odd: StateDiff) -> None:
    at = await store.create("c", begun())
    with pytest.raises(UserError, match=r"cannot be kept|too large to keep"):
        await store.append("c", [resolved(1, odd)], after=at)
    assert await store.head("c") == at
    assert "x" not in (await store.get_state("c")).clocks
    await store.append("c", turn(1), after=at)


async def test_appending_nothing_changes_nothing(store: StateStore) -> None:
    at = await store.create("c", begun())
    assert await store.append("c", [], after=at) == at


async def test_the_past_is_the_state_as_it_was_then(store: StateStore) -> None:
    await store.create("c", begun())
    then = []
    for _ in range(4):
        then.append(text(await store.get_state("c")))
        await play(store, 1)
    for turn_no, was in enumerate(then):
        assert text(await store.get_state("c", turn_no)) == was
    with pytest.raises(NotFound, match="it has turns 0 to 4"):
        await store.get_state("c", 5)
    with pytest.raises(NotFound, match="no turn -1"):
        await store.get_state("c", -1)


async def test_the_log_reads_by_turns(store: StateStore) -> None:
    at = await store.create("c", begun())
    at = await play(store, 3)
    await store.append("c", [changed()], after=at)
    kinds = [(logged.turn_no, logged.entry.kind) for logged in await store.read("c", 2)]
    assert kinds == [
        (2, "resolved"),
        (2, "narrated"),
        (3, "resolved"),
        (3, "narrated"),
        (3, "changed"),
    ]
    assert [logged.entry.kind for logged in await store.read("c", 0, 0)] == ["begun"]
    assert [logged.turn_no for logged in await store.read("c", 1, 2)] == [1, 1, 2, 2]
    assert await store.tail("c", 2) == await store.read("c", 2)
    assert await store.tail("c", 0) == []
    assert await store.tail("c", 99) == await store.read("c")
    ids = [logged.id for logged in await store.read("c")]
    assert [logged.parent for logged in await store.read("c")] == [None, *ids[:-1]]


async def test_a_turn_is_found_by_its_id_as_far_as_it_came(store: StateStore) -> None:
    at = await store.create("c", begun())
    assert await store.find_turn("c", "turn_1") == []
    at = await store.append("c", [resolved(1)], after=at)
    assert [type(logged.entry) for logged in await store.find_turn("c", "turn_1")] == [Resolved]
    await store.append("c", [narrated(1)], after=at)
    assert [type(logged.entry) for logged in await store.find_turn("c", "turn_1")] == [
        Resolved,
        Narrated,
    ]


async def test_a_turn_that_was_undone_is_not_found(store: StateStore) -> None:
    start = await store.create("c", begun())
    at = await store.append("c", turn(1), after=start)
    await store.move("c", start.entry, after=at)
    assert await store.find_turn("c", "turn_1") == []


async def test_moving_takes_the_whole_state_along(store: StateStore) -> None:
    start = await store.create("c", begun())
    first = text(await store.get_state("c"))
    at = await play(store, 3)
    last = text(await store.get_state("c"))
    back = await store.move("c", start.entry, after=at)
    assert back == start
    assert text(await store.get_state("c")) == first
    assert await store.move("c", at.entry, after=back) == at
    assert text(await store.get_state("c")) == last


async def test_moving_from_where_one_no_longer_is_is_a_conflict(store: StateStore) -> None:
    start = await store.create("c", begun())
    await play(store, 1)
    with pytest.raises(Conflict):
        await store.move("c", start.entry, after=start)
    with pytest.raises(NotFound, match="no entry 99"):
        await store.move("c", 99, after=await store.head("c"))


async def test_the_way_forward_is_remembered_until_something_is_played(store: StateStore) -> None:
    start = await store.create("c", begun())
    one = await play(store, 1)
    three = await play(store, 2)
    back = await store.move("c", one.entry, after=three, redo=True)
    assert await store.redo_entry("c") == three.entry
    assert [logged.turn_no for logged in await store.ahead("c", 1)] == [2, 2]
    further = await store.move("c", start.entry, after=back, redo=True)
    assert await store.redo_entry("c") == three.entry
    assert len(await store.ahead("c", 99)) == 6
    again = await store.move("c", three.entry, after=further, redo=True)
    assert await store.redo_entry("c") is None
    back = await store.move("c", one.entry, after=again, redo=True)
    await play(store, 1)
    assert await store.redo_entry("c") is None
    assert await store.ahead("c", 1) == []


async def test_takes_share_their_past(store: StateStore) -> None:
    await store.create("c", begun())
    one = await play(store, 1)
    two = await store.append("c", turn(2, turn_id="a"), after=one)
    back = await store.move("c", one.entry, after=two)
    assert [
        t.entry.turn_id for t in await store.takes("c", 2) if isinstance(t.entry, Resolved)
    ] == ["a"]
    back = await store.append("c", [changed()], after=back)
    await store.append("c", turn(2, turn_id="b", take=2), after=back)
    takes = [t.entry for t in await store.takes("c", 2)]
    assert await store.count_takes("c", 1, 2) == {n: len(await store.takes("c", n)) for n in (1, 2)}
    assert [(t.turn_id, t.take) for t in takes if isinstance(t, Resolved)] == [("a", 1), ("b", 2)]
    at = await store.move("c", 1, after=await store.head("c"))
    at = await store.append("c", turn(1, turn_id="other"), after=at)
    assert await store.takes("c", 2) == []
    assert len(await store.takes("c", 1)) == 2
    assert await store.count_takes("c", 0, 9) == {1: 2}
    with pytest.raises(NotFound, match="no turn 3"):
        await store.takes("c", 3)


async def test_what_follows_an_entry_is_found_on_every_branch(store: StateStore) -> None:
    start = await store.create("c", begun())
    at = await store.append("c", turn(1), after=start)
    back = await store.move("c", start.entry, after=at)
    await store.append("c", turn(1, turn_id="b"), after=back)
    found = [f.entry for f in await store.following("c", start.entry)]
    assert [f.turn_id for f in found if isinstance(f, Resolved)] == ["turn_1", "b"]


async def test_branches_grow_apart(store: StateStore) -> None:
    await store.create("c", begun())
    at = await play(store, 3)
    main = text(await store.get_state("c"))
    at = await store.branch("c", "what if", 1, after=at)
    assert at == LogPosition(branch="what if", entry=3, turn_no=1)
    await play(store, 1)
    state = await store.get_state("c")
    assert (state.branch, state.turn_no) == ("what if", 2)
    assert text(state) == text(await folded(store))
    assert [b.model_dump() for b in await store.branches("c")] == [
        {"name": "main", "from_turn": 0, "turn_no": 3, "active": False},
        {"name": "what if", "from_turn": 1, "turn_no": 2, "active": True},
    ]
    await store.switch("c", "main")
    assert text(await store.get_state("c")) == main
    assert (await store.campaigns())[0].current_turn == 3


async def test_a_branch_needs_a_free_name_and_a_turn_that_was_played(store: StateStore) -> None:
    at = await store.create("c", begun())
    with pytest.raises(Conflict, match="already is a branch 'main'"):
        await store.branch("c", "main", 0, after=at)
    with pytest.raises(NotFound, match="no turn 1"):
        await store.branch("c", "b", 1, after=at)
    with pytest.raises(NotFound, match="there are: main"):
        await store.switch("c", "b")
    assert await store.switch("c", "main") == at


async def test_a_writer_who_saw_another_branch_is_told(store: StateStore) -> None:
    at = await store.create("c", begun())
    await store.branch("c", "b", 0, after=at)
    with pytest.raises(Conflict, match="of branch 'b', not at turn 0 of 'main'"):
        await store.append("c", turn(1), after=at)


async def test_the_newest_summary_of_a_thing_is_found(store: StateStore) -> None:
    at = await store.create("c", begun())
    first = Summary(id="s1", scope="scene", scope_id="cellar", text="Dark.", turn_no_range="1-1")
    second = Summary(id="s2", scope="scene", scope_id="cellar", text="Lit.", turn_no_range="2-2")
    at = await store.append("c", [changed(diff=StateDiff(summaries_add=[first]))], after=at)
    await store.append("c", [changed(diff=StateDiff(summaries_add=[second]))], after=at)
    assert await store.get_summary("c", "scene", "cellar") == second
    assert await store.get_summary("c", "scene", "yard") is None


async def test_a_state_in_hand_stays_as_it_was(store: StateStore) -> None:
    await store.create("c", begun())
    state = await store.get_state("c")
    before = text(state)
    await play(store, 2)
    assert text(state) == before


async def test_rebuilding_gives_the_same_state(store: StateStore) -> None:
    await store.create("c", begun())
    at = await play(store, 3)
    gone = StateDiff(
        inventory_changes=[InventoryChange(owner_id="player", item_id="coin", delta=-99)]
    )
    await store.append("c", [changed(diff=gone)], after=at)
    before = text(await store.get_state("c"))
    assert text(await store.rebuild("c")) == before
    assert text(await store.get_state("c")) == before
