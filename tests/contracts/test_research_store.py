"""Every store of research keeps it the same way: by item, in order, one worker at a time."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.adapters.redis.research import RedisResearch
from freeform.adapters.sqlite.research import SqliteResearch
from freeform.assistant.research.model import ItemResult, ResearchState, Step, ToolFinding
from freeform.assistant.research.ports import ResearchStore
from freeform.assistant.research.research import research, resume
from freeform.core.errors import Conflict, NotFound, Unavailable
from tests.assistant.research.desks import Larder, ports
from tests.players.conftest import RedisServer, redis_server

__all__ = ["redis_server"]


@pytest.fixture(params=["sqlite", "redis"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ResearchStore]:
    if request.param == "sqlite":
        near = SqliteResearch(tmp_path / "research.db")
        yield near
        near.close()
        return
    server: RedisServer = request.getfixturevalue("redis_server")
    far = RedisResearch(server.url, "w1")
    await far._redis.flushdb()
    yield far
    await far.aclose()


def begun(id: str = "r1") -> ResearchState:
    first = Step(
        stepId=1,
        description="List.",
        tool="rag_query",
        parameters={"query": "list"},
        output_key="d",
    )
    each = Step(stepId=2, description="Each.", tool="rag_query", parameters={"query": "{item}"}, depends_on=[1],
                iterate_over="d", output_key="e")  # fmt: skip
    return ResearchState(
        researchId=id, originalQuery="What?", plan=[first, each], at="2091-01-01T00:00:00+00:00"
    )


async def test_what_was_put_comes_back_with_every_item(store: ResearchStore) -> None:
    await store.create(begun())
    found = [ToolFinding(name="Éel", text="Éel warms.", fields={"effect": "warms"})]
    done = ItemResult(item="Éel: a | b", status="COMPLETED", found=found, tries=1, tokens=5)
    await store.put_item("r1", 2, done)
    await store.put_step("r1", 1, "COMPLETED")
    state = await store.load("r1")
    assert state.step(2).items == {"Éel: a | b": done}
    assert [step.status for step in state.plan] == ["COMPLETED", "PENDING"]
    assert state.spent == 5
    await store.put(state.model_copy(update={"status": "COMPLETED", "answer": "So."}))
    assert (await store.load("r1")).answer == "So."
    assert (await store.load("r1")).step(2).items == {"Éel: a | b": done}


async def test_items_of_a_step_that_was_planned_anew_are_forgotten(store: ResearchStore) -> None:
    await store.create(begun())
    await store.put_item("r1", 1, ItemResult(status="COMPLETED"))
    state = await store.load("r1")
    fresh = [step.model_copy(update={"items": {}}) for step in state.plan]
    await store.put(state.model_copy(update={"plan": fresh}))
    assert (await store.load("r1")).step(1).items == {}


async def test_an_id_is_taken_once_and_an_unknown_one_is_told(store: ResearchStore) -> None:
    await store.create(begun())
    with pytest.raises(Conflict, match="--resume"):
        await store.create(begun())
    with pytest.raises(NotFound, match="r1"):
        await store.load("r9")
    await store.create(begun("r2"))
    assert [row.researchId for row in await store.rows()] == ["r2", "r1"]


async def test_one_worker_holds_it_at_a_time(store: ResearchStore) -> None:
    await store.create(begun())
    async with store.claim("r1"):
        with pytest.raises(Conflict, match="worked on"):
            async with store.claim("r1"):
                pass
    async with store.claim("r1"):
        pass


async def test_a_whole_research_runs_on_redis_and_gives_the_same_answer(
    tmp_path: Path, redis_server: RedisServer
) -> None:
    near = await research("every dish with its effect", ports(tmp_path, Larder()))
    desk = ports(tmp_path / "b", Larder())
    far = RedisResearch(redis_server.url, "w")
    await far._redis.flushdb()
    object.__setattr__(desk, "store", far)
    done = await research("every dish with its effect", desk)
    assert (done.answer, done.missing) == (near.answer, near.missing)
    assert (await resume(done.researchId, desk)).answer == done.answer
    await far.aclose()


async def test_a_redis_that_is_gone_is_said_plainly() -> None:
    gone = RedisResearch("redis://127.0.0.1:1/0", "w")
    with pytest.raises(Unavailable, match="start it"):
        await gone.load("r1")
    await gone.aclose()
