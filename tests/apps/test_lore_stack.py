"""The lore servers as processes: SurrealDB behind MCP, RabbitMQ between the agents, both restarted in mid-run."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from freeform.adapters.mcp.caller import McpCaller
from freeform.adapters.mcp.lore import McpCrawler, McpLore, McpSearch
from freeform.adapters.rabbit.bus import RabbitBus
from freeform.apps.lore_mcp.serve import check_door, make_app, new_server
from freeform.apps.lore_mcp.tools import add_crawler, add_search, add_storage
from freeform.core.errors import NotFound, Unavailable, UserError
from freeform.lore.daemon.run import run_researcher, run_validator
from freeform.lore.judge.rows import timeless
from freeform.lore.messages import QUEUES, VALIDATOR
from freeform.lore.ports import LoreStore, SearchHit, WebPage
from tests.contracts.lore_cases import GAME as NAEV
from tests.contracts.lore_cases import commit, page
from tests.lore.emberfall import GAME, ports_on, run
from tests.lore_served import served
from tests.patience import PATIENCE
from tests.rabbit_server import RabbitServer, free_port

ROOT = Path(__file__).parents[2]


class Storage:
    """`lore mcp storage` on embedded SurrealDB, as a process that can be killed."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        self._environ = {**os.environ, "FREEFORM_HOME": str(home), "FREEFORM_LORE_STORE": "surreal"}
        self._child: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "freeform",
            "lore",
            "mcp",
            "storage",
            "--port",
            str(self.port),
        ]
        self._child = subprocess.Popen(
            command, env=self._environ, stderr=subprocess.DEVNULL, cwd=ROOT
        )
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            assert self._child.poll() is None, "the Storage server ended"
            try:
                if (
                    httpx.get(f"http://127.0.0.1:{self.port}/healthz", timeout=10).status_code
                    == 200
                ):
                    return
            except httpx.HTTPError:
                signal.sigtimedwait([], 0.1)
        raise AssertionError("the Storage server did not start")

    def second(self) -> "subprocess.CompletedProcess[str]":
        """Another server on the same home."""
        command = [
            sys.executable,
            "-m",
            "freeform",
            "lore",
            "mcp",
            "storage",
            "--port",
            str(free_port()),
        ]
        return subprocess.run(
            command, env=self._environ, capture_output=True, text=True, cwd=ROOT, check=False
        )

    def kill(self) -> None:
        if self._child:
            self._child.kill()
            self._child.wait()
            self._child = None


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    made = Storage(tmp_path / "home")
    yield made
    made.kill()


async def _world(store: LoreStore) -> dict[str, Any]:
    graph = await store.graph(GAME)
    claims = [claim.model_dump(mode="json") for claim in await store.claims(GAME)]
    steps = [(step.agent, step.zone_name, step.name) for step in await store.steps_done(GAME)]
    nodes = [timeless(node.model_dump(mode="json")) for node in graph.nodes]
    return {
        "nodes": nodes,
        "edges": graph.edges,
        "claims": timeless(claims),
        "steps": sorted(steps),
    }


async def test_killing_storage_and_restarting_the_broker_changes_nothing_in_the_world(
    rabbit: RabbitServer, storage: Storage, tmp_path: Path
) -> None:
    alone = ports_on(tmp_path / "alone.db")
    await run(alone, ["Ashmoor"])
    wanted = await _world(alone.store)
    await alone.store.close()

    second = await asyncio.to_thread(storage.second)
    assert (
        second.returncode == 1
        and "belongs to process" in second.stderr
        and "Traceback" not in second.stderr
    )

    trouble: dict[int, Callable[[], None]] = {
        3: storage.kill,
        9: lambda: rabbit.stop(signal.SIGKILL),
    }
    back: dict[int, Callable[[], None]] = {3: storage.start, 9: rabbit.start}
    done, disturbed = 0, list[asyncio.Task[None]]()

    async def disturb(number: int) -> None:
        await asyncio.to_thread(trouble[number])
        await asyncio.to_thread(back[number])

    def log(event: str, level: str = "info", **_: Any) -> None:
        nonlocal done
        if event == "pipeline_step_completed":
            done += 1
            if done in trouble:
                disturbed.append(asyncio.create_task(disturb(done)))

    ports = ports_on(tmp_path / "unused.db", log=log)
    researcher = replace(
        ports,
        store=McpLore(McpCaller(storage.url, tries=10_000)),
        bus=RabbitBus(rabbit.url, seconds=3),
    )
    validator = replace(
        ports,
        store=McpLore(McpCaller(storage.url, tries=10_000)),
        bus=RabbitBus(rabbit.url, seconds=3),
    )
    stop = asyncio.Event()
    checking = asyncio.create_task(run_validator(validator, stop=stop))
    async with asyncio.timeout(PATIENCE):
        point = await run_researcher(GAME, ["Ashmoor"], researcher, own_validator=False)
    stop.set()
    await checking
    await asyncio.gather(*disturbed)
    assert len(disturbed) == 2, "both were disturbed"
    found = await _world(researcher.store)
    assert found["steps"] == wanted["steps"], "no step was done twice or left out"
    assert found == wanted
    assert await researcher.store.unsent("world_lore_researcher") == [] and point.failed_zones == []

    # Something nobody understands ends with the dead letters of the store and of the broker.
    checking = asyncio.create_task(run_validator(validator, stop=(stop := asyncio.Event())))
    await validator.bus.publish(QUEUES[VALIDATOR], "odd", b'{"version": 9}')  # type: ignore[union-attr]
    async with asyncio.timeout(PATIENCE):
        while not await researcher.store.dead_letters():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.1)
    stop.set()
    await checking
    (letter,) = await researcher.store.dead_letters()
    assert "version 9" in letter.reason
    for each in (researcher, validator):
        await each.store.close()
        assert each.bus
        await each.bus.close()
    await ports.store.close()


# ── the web servers and the gateway, in this process ──


class Web:
    """A search and a crawler that answer from memory."""

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        return [SearchHit(url="https://wiki.test/Delta", title=query, tier=1)][:limit]

    async def crawl(self, url: str) -> WebPage:
        if url.endswith("busy"):
            raise Unavailable("the site is busy", retry_after=7)
        if url.endswith("gone"):
            raise NotFound("there is no such page")
        return page("x" * 3_000_000, url)


@asynccontextmanager
async def gateway(store: LoreStore, key: str = "") -> AsyncIterator[str]:
    """All tools at one address."""
    server = new_server("gateway")
    add_search(server, Web())
    add_crawler(server, Web())
    add_storage(server, store)
    async with served(make_app(server, key)) as url:
        yield f"{url}/mcp"


async def test_all_ports_work_through_one_gateway_and_errors_keep_their_kind(
    tmp_path: Path,
) -> None:
    own = ports_on(tmp_path / "a.db").store
    async with gateway(own) as url:
        caller = McpCaller(url)
        search, crawler, store = McpSearch(caller), McpCrawler(caller), McpLore(caller)
        assert [hit.title for hit in await search.search("Delta")] == ["Delta"]
        assert len((await crawler.crawl("https://wiki.test/Delta")).text) == 3_000_000
        with pytest.raises(NotFound, match="no such page"):
            await crawler.crawl("https://wiki.test/gone")
        with pytest.raises(Unavailable, match="busy") as wrong:
            await crawler.crawl("https://wiki.test/busy")
        assert wrong.value.retry_after == 7
        assert await store.commit_step(commit("a", 1)) and await store.games() == [NAEV]
        await caller.close()
    await own.close()


async def test_the_tools_have_the_names_of_the_design(tmp_path: Path) -> None:
    from mcp.client.client import Client

    own = ports_on(tmp_path / "a.db").store
    server = new_server("gateway")
    for add, what in ((add_search, Web()), (add_crawler, Web()), (add_storage, own)):
        add(server, what)  # type: ignore[arg-type]
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    families = {
        name.split("_")[0] if not name.startswith("world_lore") else "world_lore" for name in tools
    }
    assert families == {"search", "crawl", "checkpoint", "world_lore"} and {
        "search",
        "crawl_url",
    } <= set(tools)
    assert all(tool.description and tool.input_schema for tool in tools.values())
    await own.close()


async def test_a_key_is_asked_for_and_needed_outside_this_machine(tmp_path: Path) -> None:
    own = ports_on(tmp_path / "a.db").store
    async with gateway(own, key="secret") as url:
        async with httpx.AsyncClient() as http:
            assert (await http.get(url.replace("/mcp", "/healthz"))).json() == {"ok": True}
            assert (await http.post(url, json={})).status_code == 401
        stranger = McpCaller(url, "wrong", tries=1)
        with pytest.raises(Unavailable):
            await stranger.call("checkpoint_games")
        await stranger.close()
        friend = McpCaller(url, "secret")
        assert await friend.call("checkpoint_games") == {"games": []}
        await friend.close()
    await own.close()
    with pytest.raises(UserError, match="lore_mcp_key"):
        check_door("0.0.0.0", "")
    check_door("0.0.0.0", "k")
    check_door("127.0.0.1", "")


async def test_a_server_that_is_not_there_is_said_so() -> None:
    caller = McpCaller(f"http://127.0.0.1:{free_port()}/mcp", tries=1)
    with pytest.raises(Unavailable, match="cannot be reached"):
        await caller.call("checkpoint_games")
    await caller.close()
