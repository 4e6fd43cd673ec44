"""Accounts: signed up, in and out, with passwords kept by argon2, and seats that come along."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.adapters.accounts.argon import ArgonPasswords
from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, Forbidden, NotFound, UserError
from freeform.players.people.accounts import Account
from freeform.services.accounts import seats, sessions, signing
from freeform.services.accounts.sessions import begin_session, whose_session
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.table import invites, people
from freeform.services.table.invites import InviteWish, Joined, JoinWish
from freeform.settings import Settings
from tests.apps.program import Home

WORDS = "a heron in the reeds"


class CountingPasswords(ArgonPasswords):
    """argon2 itself, and how often it was asked."""

    asked = 0

    async def is_right(self, password: str, kept: str) -> bool:
        self.asked += 1
        return await super().is_right(password, kept)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def house(tmp_path: Path, clock: HandClock) -> AsyncIterator[House]:
    """With a table, `a`, and accounts for those who were invited."""
    Home(tmp_path)
    settings = Settings(home=tmp_path, model="offline", accounts="invited")
    async with opened_house(settings, model=False) as made:
        made.table = replace(made.table, clock=clock)
        await begin_campaign(made, "cellar", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        yield made


async def joined(house: House, name: str) -> Joined:
    code = (await invites.invite(house, "a", "p1", InviteWish(role="gm"))).written()
    return await invites.join(house, JoinWish(code=code, name=name))


async def vouched_for(house: House, name: str) -> Account:
    """An account without a password, which takes no time to make."""
    account = Account(id=f"ac_{name}", name=name, issuer="https://id.example", subject=name)
    await house.accounts.store.add(account)
    return account


async def test_without_the_setting_there_is_no_account_and_no_file(tmp_path: Path) -> None:
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as house:
        with pytest.raises(NotFound, match="the setting `accounts`"):
            await signing.sign_up(house, "Anna", WORDS)
        with pytest.raises(NotFound, match="keeps no accounts"):
            await signing.list_accounts(house)
        assert await whose_session(house, "@account.ac_1.secret") is None
    assert not list(tmp_path.glob("accounts.db*"))


async def test_a_password_opens_the_account_and_a_wrong_one_tells_nothing(
    house: House, tmp_path: Path
) -> None:
    passwords = CountingPasswords()
    house._accounts = replace(house.accounts, passwords=passwords)
    await signing.sign_up(house, "Ben Älder", WORDS)
    vouched = await vouched_for(house, "Cleo")
    told = set()
    for name, password in (
        ("Ben Älder", "another bird entirely"),
        ("Nobody", WORDS),
        (vouched.name, ""),
        ("", ""),
    ):
        with pytest.raises(Forbidden) as refused:
            await signing.sign_in(house, name, password)
        told.add(str(refused.value))
    assert len(told) == 1 and passwords.asked == 4  # as much work for a name that is not there
    signed = await signing.sign_in(house, " ben  ÄLDER", WORDS)
    found = await whose_session(house, signed.token)
    assert found and found.name == signed.name == "Ben Älder"
    assert found.password.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("accounts.db*"))
    secret = signed.token.rpartition(".")[2]
    assert WORDS.encode() not in kept and secret.encode() not in kept


async def test_a_weak_password_or_a_name_that_imitates_is_refused(house: House) -> None:
    await vouched_for(house, "Anna")
    for name, password, says in (
        ("Ben", "short", "at least 10 signs"),
        ("Ben", "x" * 201, "at most 200 signs"),
        ("Ben Longworth", "ben longworth", "guessed at once"),
        ("Ben", "aaaaaaaaaaaa", "guessed at once"),
        ("Ann4", WORDS, "would be taken for 'Anna'"),
        ("Game Master", WORDS, "would be taken for"),
        ("  ", WORDS, "say your name"),
    ):
        with pytest.raises((UserError, Conflict), match=says):
            await signing.sign_up(house, name, password)
    assert [each.name for each in await signing.list_accounts(house)] == ["Anna"]


async def test_a_password_is_changed_with_the_old_one_and_ends_the_other_devices(
    house: House,
) -> None:
    await signing.sign_up(house, "Ben", WORDS)
    here, there = [await signing.sign_in(house, "Ben", WORDS) for _ in range(2)]
    with pytest.raises(Forbidden, match="not your password"):
        await signing.change_password(house, here.token, "not that one", "otters and eels")
    assert await whose_session(house, there.token)
    after = await signing.change_password(house, here.token, WORDS, "otters and eels")
    assert await whose_session(house, after.token)
    assert [await whose_session(house, each.token) for each in (here, there)] == [None, None]
    with pytest.raises(Forbidden):
        await signing.sign_in(house, "Ben", WORDS)
    await signing.set_password(house, "Ben", "a third one, by the host")
    assert await whose_session(house, after.token) is None


async def test_a_session_runs_out_is_ended_and_of_many_the_oldest_go(
    house: House, clock: HandClock
) -> None:
    ben = await vouched_for(house, "Ben")
    first, second = [await begin_session(house, ben.id) for _ in range(2)]
    await sessions.sign_out(house, first.token)
    assert await whose_session(house, first.token) is None
    assert await whose_session(house, second.token)
    for wrong in ("", "a.p1.x", "@account.ac_Ben.guess", "@account.ac_9.x", "@account..x"):
        assert await whose_session(house, wrong) is None
    many = [await begin_session(house, ben.id) for _ in range(12)]
    alive = [bool(await whose_session(house, each.token)) for each in (second, *many)]
    assert alive == [False] * 3 + [True] * 10
    clock.advance(61 * 86400)
    assert await whose_session(house, many[-1].token) is None
    with pytest.raises(Forbidden, match="sign in again"):
        await sessions.signed_in(house, many[-1].token)


async def test_a_seat_is_kept_with_an_account_and_a_guests_token_still_opens_it(
    house: House,
) -> None:
    guest, ben, eve = await joined(house, "Ben"), *[await vouched_for(house, n) for n in "BE"]
    await seats.keep_seat(house, ben, "a", guest.person)
    held = await people.holder(house, guest.token)
    assert held and held[1].account == ben.id
    (row,) = await seats.tables_of(house, (await house.accounts.store.get(ben.id)) or ben)
    assert (row.campaign, row.name, row.role, row.host) == ("a", "Ben", "gm", False)
    with pytest.raises(Conflict, match="kept with another account"):
        await seats.keep_seat(house, eve, "a", guest.person)
    cleo = await joined(house, "Cleo")
    with pytest.raises(Conflict, match="already, as Ben"):
        await seats.keep_seat(house, ben, "a", cleo.person)
    with pytest.raises(
        Conflict, match="kept with an account"
    ):  # a stolen token takes it from nobody
        await invites.only_here(house, "a", guest.person)


async def test_signing_out_elsewhere_ends_sessions_and_tokens_and_ways_back(house: House) -> None:
    guest, ben = await joined(house, "Ben"), await vouched_for(house, "Ben")
    await seats.keep_seat(house, ben, "a", guest.person)
    way = (await invites.way_back(house, "a", guest.person)).written()
    here, there = [await begin_session(house, ben.id) for _ in range(2)]
    signed, held = await signing.sign_out_elsewhere(house, here.token)
    assert [person.name for _, person in held] == ["Ben"]
    assert await whose_session(house, signed.token)
    assert [await whose_session(house, each.token) for each in (here, there)] == [None, None]
    assert await people.holder(house, guest.token) is None
    with pytest.raises(NotFound):
        await invites.join(house, JoinWish(code=way))


async def test_who_is_sent_away_has_no_seat_whatever_their_account(house: House) -> None:
    guest, ben = await joined(house, "Ben"), await vouched_for(house, "Ben")
    await seats.keep_seat(house, ben, "a", guest.person)
    await people.send_away(house, "a", "p1", "Ben")
    found = await house.accounts.store.get(ben.id)
    assert found and await seats.seats_of(house, found, "a") == []
    again = await joined(house, "Ben")  # another person, whom the account is not
    assert await seats.seats_of(house, found) == []
    await seats.keep_seat(house, found, "a", again.person)
    await seats.release_seat(house, "a", "p1", "Ben")
    assert await seats.seats_of(house, found) == []
    assert await people.holder(house, again.token) is None


async def test_a_story_made_anew_under_an_old_name_is_nobodys_seat(house: House) -> None:
    """The account remembers the campaign's name; the table says whose its seats are."""
    guest, ben = await joined(house, "Ben"), await vouched_for(house, "Ben")
    await seats.keep_seat(house, ben, "a", guest.person)
    found = await house.accounts.store.get(ben.id)
    await begin_campaign(house, "cellar", campaign="b", seed=7)
    await people.open_table(house, "b", "Zoe")
    assert found
    stale = found.model_copy(update={"tables": ["b", "gone", "../x"]})
    assert await seats.seats_of(house, stale) == [] == await seats.seats_of(house, stale, "b")


async def test_a_forgotten_account_leaves_its_seats_to_a_guest(house: House) -> None:
    guest, ben = await joined(house, "Ben"), await vouched_for(house, "Ben")
    await seats.keep_seat(house, ben, "a", guest.person)
    session = await begin_session(house, ben.id)
    with pytest.raises(Forbidden):
        await signing.check_own_password(house, ben, "whatever")
    await signing.check_own_password(house, ben, "ben")  # without a password, the name
    await signing.forget_account(house, ben)
    assert await whose_session(house, session.token) is None
    held = await people.holder(house, guest.token)
    assert held and held[1].account == ""
    assert await signing.list_accounts(house) == []
