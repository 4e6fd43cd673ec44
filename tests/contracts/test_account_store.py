"""One suite for every place that keeps accounts."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from freeform.adapters.memory.accounts import MemoryAccounts
from freeform.adapters.postgres.accounts import PostgresAccounts
from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.sqlite.accounts import SqliteAccounts, without_passwords
from freeform.core.errors import Conflict, NotFound
from freeform.players.people.accounts import Account, AccountStore, PendingLogin


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AccountStore]:
    if request.param == "memory":
        yield MemoryAccounts()
        return
    accounts: SqliteAccounts | PostgresAccounts = (
        PostgresAccounts(PostgresLinks(request.getfixturevalue("postgres")))
        if request.param == "postgres"
        else SqliteAccounts(tmp_path)
    )
    yield accounts
    accounts.close()


ANNA = Account(id="ac_1", name="Änna “A”", password="$argon2id$…", tables=["a"])
BEN = Account(id="ac_2", name="Ben", issuer="https://id.example", subject="ben 7")


async def test_an_account_is_found_by_its_id_its_name_and_its_provider(store: AccountStore) -> None:
    assert await store.all() == [] and await store.named("Ben") is None
    for account in (BEN, ANNA):
        await store.add(account)
    assert await store.get("ac_1") == await store.named("  änna  “a” ") == ANNA
    assert await store.vouched("https://id.example", "ben 7") == BEN
    assert await store.vouched("https://other.example", "ben 7") is None
    assert await store.vouched("", "") is None
    assert [each.name for each in await store.all()] == ["Ben", "Änna “A”"]


async def test_no_two_have_one_name_or_are_the_same_at_a_provider(store: AccountStore) -> None:
    await store.add(ANNA)
    await store.add(BEN)
    for twin in (
        Account(id="ac_3", name="BEN"),
        Account(id="ac_3", name="Benno", issuer=BEN.issuer, subject=BEN.subject),
    ):
        with pytest.raises(Conflict, match="taken"):
            await store.add(twin)
    with pytest.raises(Conflict, match="taken"):
        await store.change("ac_1", lambda each: each.model_copy(update={"name": "ben"}))
    assert await store.all() == [BEN, ANNA]


async def test_a_change_is_kept_whole_or_not_at_all_and_none_is_lost(store: AccountStore) -> None:
    await store.add(BEN)

    def sit(account: Account) -> Account:
        tables = [*account.tables, f"t{len(account.tables)}"]
        return account.model_copy(update={"tables": tables})

    def refuse(account: Account) -> Account:
        raise Conflict("no")

    await asyncio.gather(*(store.change("ac_2", sit) for _ in range(8)))
    with pytest.raises(Conflict, match="no"):
        await store.change("ac_2", refuse)
    found = await store.get("ac_2")
    assert found and found.tables == [f"t{number}" for number in range(8)]


async def test_nothing_is_left_of_what_is_forgotten(store: AccountStore, tmp_path: Path) -> None:
    await store.add(ANNA)
    await store.forget("ac_1")
    assert await store.get("ac_1") is None and await store.all() == []
    with pytest.raises(NotFound, match="no such account"):
        await store.change("ac_1", lambda each: each)
    await store.add(ANNA)


async def test_who_comes_back_from_a_provider_does_so_once(store: AccountStore) -> None:
    def login(state: str, until: str) -> PendingLogin:
        return PendingLogin(
            state=state, browser="b", nonce="n", verifier="v", back="http://x", until=until
        )

    early, late = login("one", "2091-03-15T19:00:00"), login("two", "2091-03-15T19:10:00")
    await store.await_login(early, "2091-03-15T18:50:00")
    await store.await_login(late, "2091-03-15T19:05:00")
    assert await store.take_login("one") is None  # never came back in time
    assert await store.take_login("two") == late
    assert await store.take_login("two") is None


async def test_wrong_tries_count_for_a_minute_from_an_address_or_at_a_name(
    store: AccountStore,
) -> None:
    for at in (1000.0, 1030.0, 1031.0):
        await store.note_wrong("192.0.2.7", at)
    await store.note_wrong("account cleo", 1032.0)
    assert [await store.wrong_tries("192.0.2.7", now) for now in (1032.0, 1061.0, 1095.0)] == [
        3,
        2,
        0,
    ]


async def test_the_file_is_for_its_owners_eyes_and_there_only_once_needed(tmp_path: Path) -> None:
    store = SqliteAccounts(tmp_path / "home")
    assert await store.all() == [] and await store.take_login("x") is None
    assert not (tmp_path / "home").exists()
    await store.add(ANNA)
    files = list((tmp_path / "home").iterdir())
    assert files and all(file.stat().st_mode & 0o077 == 0 for file in files)
    await store.forget("ac_1")
    store.close()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "home").iterdir())
    assert b"argon2id" not in kept


async def test_addresses_of_wrong_tries_stay_neither_in_the_file_nor_in_a_copy(
    tmp_path: Path,
) -> None:
    store = SqliteAccounts(tmp_path)
    await store.note_wrong("192.0.2.7", 1000.0)
    store.close()
    await store.all()  # opened again, long after
    assert await store.wrong_tries("192.0.2.7", 1001.0) == 0
    await store.note_wrong("192.0.2.8", 1000.0)
    store.close()
    without_passwords(tmp_path / "accounts.db")
    assert b"192.0.2." not in (tmp_path / "accounts.db").read_bytes()
