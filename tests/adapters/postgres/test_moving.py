"""Campaigns carried to Postgres and back: nothing is lost, whatever stands in the way."""

from pathlib import Path

import pytest

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore, SqliteTapes
from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, UserError
from freeform.players.people.accounts import Account, AccountSession
from freeform.players.people.model import ChatLine, SharedTable, TablePerson
from freeform.services.stories.moving import move_campaigns
from freeform.settings import Settings
from freeform.wiring.people import open_tables
from freeform.wiring.store import kept_accounts, opened_keep
from tests.contracts.test_tape_store import tape
from tests.story import begun, changed, turn


def home(at: Path, url: str = "") -> Settings:
    return Settings(home=at, store_url=url)  # type: ignore[arg-type]


async def a_home(at: Path) -> None:
    """Two campaigns, one with a branch, tapes and a shared table."""
    shelf = CampaignShelf(at)
    store, tapes = SqliteStore(shelf, HandClock()), SqliteTapes(shelf)
    for name in ("c", "d"):
        head = await store.create(name, begun())
        head = await store.append(name, turn(1, turn_id="t1"), after=head)
    head = await store.branch("c", "other", 0, after=await store.head("c"))
    await store.append("c", turn(1, turn_id="t2"), after=head)
    await tapes.add(tape())
    await tapes.add(tape(key="long", text="Long. " * 500, output=None))
    shelf.close()
    with open_tables(home(at)) as tables:
        anna = TablePerson(id="p1", name="Änna", role="player", owner=True)
        await tables.open(SharedTable(campaign="c", host="p1", people=[anna]))
        await tables.say("c", ChatLine(by="p1", text="hello", at="2091-03-15T19:00:00+00:00"))
    accounts, close = kept_accounts(home(at))
    session = AccountSession(secret="hash", made_at="2091-03-15", until="2091-05-15")
    await accounts.add(
        Account(id="a1", name="Änna", password="kept", sessions=[session], tables=["c"])
    )
    await accounts.add(Account(id="a2", name="Ben", issuer="https://id.example", subject="ben"))
    close()


async def everything(settings: Settings) -> list[object]:
    async with opened_keep(settings) as keep:
        found: list[object] = [row.model_dump() for row in await keep.store.campaigns()]
        for name in ("c", "d"):
            found += [await keep.store.read(name), await keep.store.branches(name)]
            found += [(await keep.store.get_state(name)).document(), await keep.tapes.of_turn(name)]
    with open_tables(settings) as tables:
        found += [await tables.find("c"), await tables.talk("c")]
    accounts, close = kept_accounts(settings)
    found += await accounts.all()
    close()
    return found


def quiet(done: int, total: int) -> None:
    pass


async def test_a_home_goes_to_postgres_and_into_another_home_unchanged(
    tmp_path: Path, postgres: str
) -> None:
    await a_home(tmp_path / "one")
    steps: list[tuple[int, int]] = []
    moved = await move_campaigns(
        home(tmp_path / "one"), postgres, lambda done, total: steps.append((done, total))
    )
    assert [(each.campaign, each.entries) for each in moved.campaigns] == [("c", 5), ("d", 3)]
    assert steps[0] == (0, 2) and steps[-1] == (2, 2) and moved.accounts == 2
    there = await everything(home(tmp_path / "one", postgres))
    assert there == await everything(home(tmp_path / "one"))
    await move_campaigns(home(tmp_path / "two", postgres), "home", quiet)
    assert await everything(home(tmp_path / "two")) == there


async def test_going_over_it_again_carries_what_was_played_since(
    tmp_path: Path, postgres: str
) -> None:
    await a_home(tmp_path)
    await move_campaigns(home(tmp_path), postgres, quiet)
    shelf = CampaignShelf(tmp_path)
    store = SqliteStore(shelf, HandClock())
    await store.append("d", [changed()], after=await store.head("d"))
    shelf.close()
    again = await move_campaigns(home(tmp_path), postgres, quiet)
    assert [each.was_there for each in again.campaigns] == [True, False]
    assert await everything(home(tmp_path, postgres)) == await everything(home(tmp_path))


async def test_accounts_that_differ_there_stay_and_are_named(tmp_path: Path, postgres: str) -> None:
    await a_home(tmp_path)
    await move_campaigns(home(tmp_path), postgres, quiet)
    accounts, close = kept_accounts(home(tmp_path))
    await accounts.change("a1", lambda each: each.model_copy(update={"sessions": []}))
    await accounts.forget("a2")
    await accounts.add(Account(id="a3", name="Cleo"))
    close()
    again = await move_campaigns(home(tmp_path), postgres, quiet)
    assert (again.accounts, again.differing, again.only_there) == (1, ["Änna"], ["Ben"])


async def test_a_table_that_was_changed_there_stays_unless_less_was_played_at_it(
    tmp_path: Path, postgres: str
) -> None:
    await a_home(tmp_path)
    await move_campaigns(home(tmp_path), postgres, quiet)
    bo = TablePerson(id="p2", name="Bo", role="player")
    with open_tables(home(tmp_path, postgres)) as tables:
        await tables.change("c", lambda table: table.with_person(bo))
        await move_campaigns(home(tmp_path), postgres, quiet)
        standing = await tables.find("c")
        assert standing and [each.name for each in standing.people] == ["Änna", "Bo"]
        with open_tables(home(tmp_path)) as here:
            # As after a move that was broken off between a story and its table.
            await here.change("c", lambda table: table.model_copy(update={"played": ["t1"]}))
            await move_campaigns(home(tmp_path), postgres, quiet)
            assert await tables.find("c") == await here.find("c")


async def test_a_campaign_that_went_on_there_is_not_written_over(
    tmp_path: Path, postgres: str
) -> None:
    await a_home(tmp_path)
    await move_campaigns(home(tmp_path), postgres, quiet)
    async with opened_keep(home(tmp_path, postgres)) as keep:
        await keep.store.append("d", [changed()], after=await keep.store.head("d"))
    before = await everything(home(tmp_path, postgres))
    with pytest.raises(Conflict, match="'d' has gone on in both places"):
        await move_campaigns(home(tmp_path), postgres, quiet)
    assert await everything(home(tmp_path, postgres)) == before
    with pytest.raises(UserError, match="there already; name another store"):
        await move_campaigns(home(tmp_path), "home", quiet)
