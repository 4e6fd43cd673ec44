"""SurrealDB: one owner, commits that outlive SIGKILL, errors that are not hidden, a server that is restarted."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from freeform.adapters.surreal.connection import SurrealConnection
from freeform.adapters.surreal.rows import SurrealRows
from freeform.adapters.surreal.schema import RECORDS, RELATIONS, statements
from freeform.adapters.surreal.store import SurrealLore
from freeform.core.errors import Unavailable, UserError
from tests.contracts.lore_cases import GAME, accepted, commit, envelope, package

ROOT = Path(__file__).parents[2]


def store_in(folder: Path) -> SurrealLore:
    return SurrealLore(SurrealRows(SurrealConnection(f"surrealkv://{folder}")))


async def test_a_second_owner_is_told_who_the_first_is(tmp_path: Path) -> None:
    first = store_in(tmp_path / "lore")
    await first.commit_step(commit("a", 1))
    code = (
        "from freeform.adapters.surreal.connection import SurrealConnection\n"
        f"SurrealConnection('surrealkv://{tmp_path / 'lore'}')"
    )
    second = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert second.returncode == 1
    assert (
        f"belongs to process {os.getpid()}" in second.stderr and "lore_storage_url" in second.stderr
    )
    with pytest.raises(UserError, match="belongs to process"):
        store_in(tmp_path / "lore")
    await first.close()
    again = store_in(tmp_path / "lore")
    assert [step.key for step in await again.steps_done(GAME)] == ["a"]
    await again.close()


async def test_what_was_acknowledged_outlives_sigkill_and_nothing_is_torn(tmp_path: Path) -> None:
    folder = tmp_path / "lore"
    for so_many in (3, 11):
        command = [sys.executable, "-m", "tests.lore_writer", str(folder)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert child.stdout
        last = [int(child.stdout.readline()) for _ in range(so_many)][-1]
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        child.wait()
        child.stdout.close()
        last = int(rest[-1]) if rest else last
        store = store_in(folder)
        steps = [step.key for step in await store.steps_done(GAME)]
        sent = [each.message_id for each in await store.unsent("world_lore_researcher", limit=1000)]
        point = await store.load_checkpoint(GAME)
        await store.close()
        assert steps == [f"k{n}" for n in range(1, len(steps) + 1)] and len(steps) in (
            last,
            last + 1,
        )
        assert sent == [f"m{n}" for n in range(1, len(steps) + 1)]
        assert point is not None and point.sequence == len(steps)


async def test_an_error_in_a_later_statement_is_not_hidden() -> None:
    connection = SurrealConnection("mem://")
    with pytest.raises(Unavailable, match="expected a string"):
        await connection.ask("SELECT * FROM zone; CREATE step SET seq = 1, game = 1")
    await connection.close()


async def test_the_tables_are_schemafull_and_made_from_the_records() -> None:
    connection = SurrealConnection("mem://")
    for table in (*RECORDS, *RELATIONS):
        (about,) = await connection.ask(f"INFO FOR TABLE {table}")
        assert about["fields"], table
        if table in RECORDS:
            wanted = set(RECORDS[table].model_fields) - {"id"}
            assert wanted <= {name.split("[")[0] for name in about["fields"]}
    (database,) = await connection.ask("INFO FOR DB")
    assert all("SCHEMAFULL" in text for text in database["tables"].values())
    await connection.ask(";".join(statements()))
    await connection.close()


async def test_relations_can_be_walked_in_surrealql(tmp_path: Path) -> None:
    connection = SurrealConnection(f"surrealkv://{tmp_path / 'lore'}")
    store = SurrealLore(SurrealRows(connection))
    await store.commit_step(accepted("a", package("delta", "gamma")))
    await store.commit_step(accepted("b", package("gamma", "omega")))
    await store.commit_step(accepted("c", package("omega", "delta")))
    two_jumps = (
        "SELECT VALUE ->CONNECTS_TO->zone->CONNECTS_TO->zone FROM ONLY zone:['naev', 'delta']"
    )
    (reached,) = await connection.ask(two_jumps)
    assert [each.id for each in reached] == [["naev", "omega"]]
    (foes,) = await connection.ask(
        "SELECT VALUE ->(STANCE_TOWARD WHERE label = 'hostile')->faction.name FROM faction"
    )
    assert [names for names in foes if names] == [["Pirate"]]
    await store.close()


# ── a server by its address ──


class Door:
    """The test server, which can be ended and started again on the same port and folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder, self.child = folder, None
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            str(ROOT / "tests" / "surreal_door.py"),
            str(self.folder),
            str(self.port),
        ]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.child.stdout and self.child.stdout.readline() == "ready\n"

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.child and self.child.stdout:
            self.child.send_signal(how)
            self.child.wait()
            self.child.stdout.close()
            self.child = None


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    made = Door(tmp_path / "served")
    yield made
    made.stop()


async def test_a_server_restarted_in_mid_run_loses_nothing(door: Door) -> None:
    store = SurrealLore(SurrealRows(SurrealConnection(f"ws://127.0.0.1:{door.port}"), tries=10_000))
    for n in range(1, 4):
        await store.commit_step(commit(f"k{n}", n, messages=[envelope(f"m{n}")]))
    door.stop()
    waiting = asyncio.create_task(store.commit_step(commit("k4", 4, messages=[envelope("m4")])))
    await asyncio.sleep(0.3)
    assert not waiting.done(), "it waits for the server"
    await asyncio.to_thread(door.start)
    assert await waiting is True
    assert await store.commit_step(commit("k4", 4)) is False
    assert [step.key for step in await store.steps_done(GAME)] == ["k1", "k2", "k3", "k4"]
    await store.close()


async def test_a_server_that_is_not_there_is_said_so() -> None:
    store = SurrealLore(SurrealRows(SurrealConnection("ws://127.0.0.1:9"), tries=1))
    with pytest.raises(Unavailable, match="cannot be reached"):
        await store.games()
    await store.close()
