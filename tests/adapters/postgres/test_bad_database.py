"""A Postgres that is old, new, shut, full or gone: a plain sentence with the way out, and nothing lost."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from freeform.adapters.postgres.links import PostgresLinks, why_unreached
from freeform.adapters.postgres.migrate import scripts
from freeform.adapters.postgres.shelf import PostgresShelf
from freeform.adapters.postgres.store import PostgresStore
from freeform.core.clock import HandClock
from freeform.core.errors import BadSettings, Conflict, FreeformError, Unavailable, UserError
from freeform.settings import Settings
from freeform.settings.sources import load
from freeform.wiring.store import open_keep
from freeform.wiring.store.wire import opened_wire
from tests.postgres_server import PostgresServer
from tests.story import begun, changed, turn


@pytest.fixture
def shelf(postgres: str) -> Iterator[PostgresShelf]:
    shelf = PostgresShelf(PostgresLinks(postgres))
    yield shelf
    shelf.close()


@pytest.fixture
def store(shelf: PostgresShelf) -> PostgresStore:
    return PostgresStore(shelf, HandClock())


def refusal(url: str) -> FreeformError:
    with pytest.raises(FreeformError) as refused:
        open_keep(Settings.model_validate({"store_url": url}), HandClock())
    assert "secret" not in str(refused.value)
    return refused.value


def test_of_many_writers_at_once_one_wins_and_the_others_are_told(postgres: str) -> None:
    ready = Barrier(4)

    def write(number: int) -> str:
        shelf = PostgresShelf(PostgresLinks(postgres))
        store = PostgresStore(shelf, HandClock())

        async def race() -> str:
            head = await store.head("c")
            ready.wait()
            try:
                await store.append("c", turn(1, turn_id=f"t{number}"), after=head)
                return "kept"
            except Conflict as lost:
                assert "'c' has moved on meanwhile" in str(lost)
                return "told"

        said = asyncio.run(race())
        shelf.close()
        return said

    shelf = PostgresShelf(PostgresLinks(postgres))
    store = PostgresStore(shelf, HandClock())
    asyncio.run(store.create("c", begun()))
    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(write, range(4))) == ["kept", "told", "told", "told"]
    assert [each.id for each in asyncio.run(store.read("c"))] == [1, 2, 3]
    shelf.close()


def test_what_takes_too_long_is_given_up_and_health_says_who_is_let_in(
    postgres: str, postgres_server: PostgresServer
) -> None:
    links = PostgresLinks(postgres)
    with links.using() as link:
        assert link.raw.execute("show statement_timeout").fetchall() == [("30s",)]
        link.raw.execute("set statement_timeout = '20ms'")
    with pytest.raises(Unavailable, match="took too long"), links.using() as link:
        link.raw.execute("select pg_sleep(60)")
    links.close()
    assert why_unreached(postgres) == ""
    assert "let us in" in why_unreached(postgres_server.url("not_made"))


async def test_an_older_database_is_brought_up_to_date_and_a_newer_one_refused(
    postgres_server: PostgresServer,
) -> None:
    url = postgres_server.new_database("older")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("create schema freeform; set search_path to freeform")
        db.execute("create table schema_version (version integer not null)")
        db.execute(scripts()[0])
        db.execute("insert into schema_version values (1)")
        db.execute("insert into shared_tables (campaign, record) values ('c', '{}')")
    open_keep(Settings.model_validate({"store_url": url}), HandClock()).close()
    with psycopg.connect(url, autocommit=True) as db:
        row = db.execute("select version from freeform.schema_version").fetchone()
        assert row == (len(scripts()),)
        assert db.execute("select count(*) from freeform.shared_tables").fetchone() == (1,)
        db.execute("update freeform.schema_version set version = 99")
    refused = refusal(url)
    assert isinstance(refused, UserError)
    assert f"has format 99 and this program reads formats up to {len(scripts())}" in str(refused)


async def test_a_database_that_takes_no_changes_can_be_read(
    postgres: str, store: PostgresStore
) -> None:
    head = await store.create("c", begun())
    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute("alter database freeform set default_transaction_read_only = on")
    try:
        shelf = PostgresShelf(PostgresLinks(postgres))
        there = PostgresStore(shelf, HandClock())
        with pytest.raises(UserError, match="takes no changes: it is a standby, or set to read"):
            await there.append("c", [changed()], after=head)
        assert await there.head("c") == head
        shelf.close()
    finally:
        with psycopg.connect(postgres, autocommit=True) as db:
            db.execute("set default_transaction_read_only = off")
            db.execute("alter database freeform reset default_transaction_read_only")


async def test_a_connection_cut_in_the_middle_keeps_nothing_of_it_and_the_next_goes_on(
    postgres: str, shelf: PostgresShelf, store: PostgresStore
) -> None:
    head = await store.create("c", begun())

    def cut() -> None:
        with psycopg.connect(postgres, autocommit=True) as db:
            db.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'freeform-rpg' and datname = current_database()"
            )

    def broken_off() -> None:
        with shelf.campaign("c").writing() as db:
            db.execute("delete from scene")
            cut()
            db.execute("select 1").fetchone()

    with pytest.raises(Unavailable, match="the same turn sent again goes on where it stopped"):
        broken_off()
    assert (await store.get_state("c")).scene.location_id == "cellar"
    cut()  # while nothing is asked: nobody notices
    await store.append("c", turn(1, turn_id="t1"), after=head)
    assert [each.entry.kind for each in await store.read("c")] == ["begun", "resolved", "narrated"]


def test_a_database_that_is_full_shut_or_not_there_says_so(
    postgres: str, postgres_server: PostgresServer
) -> None:
    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute("drop role if exists crowd")
        db.execute("create role crowd login connection limit 0")
        db.execute("drop role if exists stranger")
        db.execute("create role stranger login")
    crowded = refusal(postgres.replace("freeform@", "crowd:secret@"))
    assert isinstance(crowded, Unavailable) and "has no connection left" in str(crowded)
    empty = postgres_server.new_database("empty")
    assert "grant it to the user" in str(refusal(empty.replace("freeform@", "stranger:secret@")))
    assert "make it with createdb" in str(refusal(postgres_server.url("nowhere")))
    gone = refusal("postgresql://me:secret@127.0.0.1:1/x")
    assert isinstance(gone, Unavailable) and "start it, then try again" in str(gone)


@pytest.mark.parametrize("url", ["mysql://me:secret@db/x", "tables.db"])
def test_an_address_of_something_else_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(BadSettings, match="`store_url`.*begins with postgresql://") as refused:
        load({"store_url": url}, {}, Path("/nonexistent"))
    assert "secret" not in str(refused.value)


async def test_two_servers_with_other_settings_are_told_at_the_start(
    tmp_path: Path, postgres: str
) -> None:
    def wanted(**more: object) -> Settings:
        return Settings.model_validate({"home": tmp_path, "store_url": postgres, **more})

    async with opened_wire(wanted(model="offline")) as (_, alone):
        assert alone == []
        async with opened_wire(wanted(model="offline")) as (_, same):
            assert same == []
        async with opened_wire(wanted(model="openai:x", passes="two")) as (_, differing):
            assert differing == [
                "`model` is offline there and openai:x here",
                "`passes` is auto there and two here",
            ]
