"""A law: the tables, the fold of the log and the remembered state are one state, byte for byte."""

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.clock import HandClock
from freeform.engine.rules.change import apply, fold, index
from freeform.engine.world.model import (
    ClockDelta,
    EntityUpdate,
    FactUpdate,
    InventoryChange,
    RelationshipChange,
    SceneUpdate,
    StateDiff,
    ThreadUpdate,
)
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    Holding,
    Relationship,
    StoryClock,
    Summary,
    Thread,
)
from tests.story import begun, changed, narrated, resolved

TABLES = ("entities", "facts", "threads", "clocks", "inventory", "relationships", "summaries")
ids = st.sampled_from(["a", "b", "ä", "player", "x:y#z"])
words = st.text(st.characters(codec="utf-8"), max_size=6)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=3),
    max_leaves=4,
)
data = st.dictionaries(words, values, max_size=3)
tags = st.lists(words, max_size=2)
small = st.integers(-4, 4)
origins = st.sampled_from(["pack", "campaign", "world"])
sights = st.sampled_from(["known", "hidden", "engine"])


def few(record: Any, **fields: Any) -> Any:
    return st.lists(st.builds(record, **fields), max_size=3)


diffs = st.builds(
    StateDiff,
    entities_add=few(Entity, id=ids, type=words, name=words, attrs=data, tags=tags, origin=origins),
    entities_update=few(EntityUpdate, id=ids, name=st.none() | words, attrs=data, tags=st.none() | tags),
    facts_add=few(
        Fact, id=ids, subject_id=ids, predicate=words, object=data, visibility=sights,
        confidence=st.floats(0, 1), discovered_turn=st.none() | st.integers(0, 9),
    ),
    facts_update=few(FactUpdate, id=ids, object=st.none() | data, visibility=st.none() | sights),
    threads_add=few(Thread, id=ids, title=words, stakes=data, related_entity_ids=tags),
    threads_update=few(ThreadUpdate, id=ids, status=st.none() | words, stakes=data),
    clocks_add=few(StoryClock, id=ids, name=words, value=st.integers(0, 6), triggers=data),
    clocks=few(ClockDelta, id=ids, delta=small),
    inventory_add=few(Holding, owner_id=ids, item_id=ids, qty=st.integers(0, 3), flags=data),
    inventory_changes=few(InventoryChange, owner_id=ids, item_id=ids, delta=small, flags=st.none() | data),
    relationships_add=few(Relationship, a_id=ids, b_id=ids, rel_type=ids, notes=data),
    relationships_update=few(RelationshipChange, a_id=ids, b_id=ids, rel_type=ids, delta=small, notes=data),
    summaries_add=few(Summary, id=ids, scope=words, scope_id=words, text=words, turn_no_range=words),
    scene_update=st.none()
    | st.builds(SceneUpdate, id=st.none() | ids, location_id=st.none() | ids, time=st.none() | data),
)  # fmt: skip
moves = st.one_of(
    st.tuples(st.just("turn"), diffs, diffs),
    st.tuples(st.just("change"), diffs),
    st.tuples(st.just("go"), st.integers(0, 30)),
    st.tuples(st.just("branch"), st.integers(0, 30)),
    st.tuples(st.just("switch"), st.integers(0, 30)),
)


def possible(state: GameState, diff: StateDiff) -> StateDiff:
    """The diff without updates of things that are not there."""
    there = apply(state, diff.model_copy(update={name: [] for name in UPDATES}))
    kept = {
        name: [u for u in getattr(diff, name) if u.id in getattr(there, t)]
        for name, t in UPDATES.items()
    }
    return diff.model_copy(update=kept)


UPDATES = {
    "entities_update": "entities",
    "facts_update": "facts",
    "threads_update": "threads",
    "clocks": "clocks",
}


def exactly(state: GameState) -> tuple[Any, ...]:
    """Everything one could tell two states apart by, the order of rows and keys included."""
    order = [list(getattr(state, table)) for table in TABLES]
    lookup = {subject: ids for subject, ids in state.by_subject.items() if ids}
    return json.dumps(state.document()), order, lookup


async def run(home: Path, first: StateDiff, steps: list[tuple[Any, ...]]) -> None:
    warm, clock = CampaignShelf(home), HandClock()
    store = SqliteStore(warm, clock)
    await store.create("c", begun(possible(GameState(campaign_id="c"), first)))
    try:
        await agree(store, home)
        for step in steps:
            await take(store, step)
            await agree(store, home)
    finally:
        warm.close()


async def take(store: SqliteStore, step: tuple[Any, ...]) -> None:
    head, state = await store.head("c"), await store.get_state("c")
    match step:
        case ("turn", facts, prose):
            facts = possible(state, facts)
            prose = possible(apply(state, facts), prose)
            number = head.turn_no + 1
            await store.append("c", [resolved(number, facts), narrated(number, prose)], after=head)
        case ("change", diff):
            await store.append("c", [changed(diff=possible(state, diff))], after=head)
        case ("go", number):
            logged = await store.read("c")
            await store.move(
                "c", logged[number % len(logged)].id, after=head, redo=bool(number % 2)
            )
        case ("branch", number):
            name = f"b{len(await store.branches('c'))}"
            await store.branch("c", name, number % (head.turn_no + 1), after=head)
        case ("switch", number):
            names = [branch.name for branch in await store.branches("c")]
            await store.switch("c", names[number % len(names)])


async def agree(store: SqliteStore, home: Path) -> None:
    cold_shelf = CampaignShelf(home)
    fresh = SqliteStore(cold_shelf, HandClock())
    cold = await fresh.get_state("c")
    assert await fresh.recent("c", 3) == await store.recent("c", 3)
    entries = [logged.entry for logged in await store.read("c")]
    cold_shelf.close()
    told = fold("c", cold.branch, entries)
    warm = await store.get_state("c")
    assert exactly(cold) == exactly(told) == exactly(warm) == exactly(index(warm))


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


# Not shrunk: each example opens files, and a failing one is small enough to read.
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=SLOW,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(first=diffs, steps=st.lists(moves, max_size=6))
def test_tables_fold_and_memory_are_one_state(
    first: StateDiff, steps: list[tuple[Any, ...]]
) -> None:
    with TemporaryDirectory() as home:
        asyncio.run(run(Path(home), first, steps))
