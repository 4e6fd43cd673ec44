"""Seats kept with an account: whoever signs in has them on any device.

The table says whose a seat is. A seat's token is less than an account: it neither takes a seat away
from one nor ends its sessions.
"""

from freeform.core.errors import Conflict, NotFound, UserError
from freeform.core.record import Record
from freeform.players.people.accounts import MOST_TABLES, Account
from freeform.players.people.model import Role, SharedTable, TablePerson
from freeform.services.accounts.sessions import whose_session
from freeform.services.campaigns import campaign_view
from freeform.services.house import House
from freeform.services.table.invites import look_at_invite

Seat = tuple[SharedTable, TablePerson]


class AccountTable(Record):
    """A table at which an account sits."""

    campaign: str
    story: str
    name: str
    character: str
    role: Role
    host: bool


async def keep_seat(house: House, account: Account, campaign: str, person: str) -> SharedTable:
    """Someone at a table is that account from now on. Their tokens go on opening the seat."""

    def note(standing: Account) -> Account:
        tables = [campaign, *(each for each in standing.tables if each != campaign)]
        return standing.model_copy(update={"tables": tables[:MOST_TABLES]})

    def change(table: SharedTable) -> SharedTable:
        who = table.person(person)
        _check_free(table, who, account)
        return table.with_person(who.model_copy(update={"account": account.id}))

    # First where to look, then whose it is: what stops in between is no seat, and none is lost.
    await house.accounts.store.change(account.id, note)
    return await house.tables.change(campaign, change)


def _check_free(table: SharedTable, who: TablePerson, account: Account) -> None:
    if who.owner or who.companion:
        raise UserError(f"{who.name} needs no account at this table")
    if who.account not in ("", account.id):
        raise Conflict(f"the seat of {who.name} is kept with another account; sign in with that")
    other = table.person_of(account.id)
    if other and other.id != who.id:
        raise Conflict(f"your account sits at this table already, as {other.name}")


async def check_unkept(house: House, campaign: str, person: str) -> None:
    """Before an account is made for a seat: Conflict where it is kept with one already."""
    table = await house.tables.find(campaign)
    if table:
        _check_free(table, table.person(person), Account(id="", name=""))


async def check_not_there(house: House, account: Account, code: str) -> None:
    """Before a link is used: Conflict where the account sits at that table already, or the link is
    somebody's way back who has another account."""
    shown = await look_at_invite(house, code)
    table = await house.tables.find(shown.campaign)
    if account.owner or table is None:
        return
    there = table.person_of(account.id)
    if there and there.name != shown.returning:
        raise Conflict(f"your account sits at this table already, as {there.name}; open it")
    if shown.returning and table.person(shown.returning).account not in ("", account.id):
        raise Conflict(f"{shown.returning} has another account; sign out first, or use that one")


async def release_seat(house: House, campaign: str, by: str, person: str) -> SharedTable:
    """The host gives someone's seat back to them: no account has it, and no device is signed in."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        who = table.person(person)
        if not who.account:
            raise Conflict(f"the seat of {who.name} is kept with no account")
        return table.with_person(who.model_copy(update={"account": "", "tokens": []}))

    return await house.tables.change(campaign, change)


async def seats_of(house: House, account: Account, about: str = "") -> list[Seat]:
    """Where that account sits: at the table that is asked about, if it does, else everywhere."""
    if about:
        found = await _seat_at(house, account, about)
        if found:
            return [found]
    seats = [await _seat_at(house, account, campaign) for campaign in account.tables]
    return [seat for seat in seats if seat]


async def signed_as(house: House, token: str, about: str) -> tuple[Account, list[Seat]] | None:
    """Whose session that is, and where they sit; None for nobody's."""
    account = await whose_session(house, token)
    return (account, await seats_of(house, account, about)) if account else None


async def tables_of(house: House, account: Account) -> list[AccountTable]:
    """The same, to choose from."""
    rows: list[AccountTable] = []
    for table, person in await seats_of(house, account):
        seat = table.seat_of(person.id)
        try:
            story = (await campaign_view(house, table.campaign)).name
        except NotFound:  # the story was deleted, and its people are still in Postgres
            continue
        rows.append(
            AccountTable(
                campaign=table.campaign,
                story=story,
                name=person.name,
                character=seat.actor.name if seat else "",
                role=person.role,
                host=person.id == table.host,
            )
        )
    return rows


async def _seat_at(house: House, account: Account, campaign: str) -> Seat | None:
    try:
        table = await house.tables.find(campaign)
    except UserError:  # no campaign could be called so
        return None
    person = table.person_of(account.id) if table else None
    return (table, person) if table and person else None


async def only_this_seat(house: House, account: Account) -> list[Seat]:
    """The tokens of all their seats open nothing any more: who is signed in needs none."""
    seats = await seats_of(house, account)
    for table, person in seats:
        await _changed_own(house, account, table.campaign, person.id, {"tokens": []})
    return seats


async def become_guest(house: House, account: Account) -> list[Seat]:
    """Their seats are kept with no account any more; devices with tokens of them stay."""
    seats = await seats_of(house, account)
    for table, person in seats:
        await _changed_own(house, account, table.campaign, person.id, {"account": ""})
    return seats


async def _changed_own(
    house: House, account: Account, campaign: str, person: str, update: dict[str, object]
) -> None:
    def change(table: SharedTable) -> SharedTable:
        who = table.person_of(account.id)
        if who is None or who.id != person:
            raise NotFound("that seat is yours no longer")
        ways = [each for each in table.invites if each.person != who.id]
        changed = table.with_person(who.model_copy(update=update))
        return changed.model_copy(update={"invites": ways})

    try:
        await house.tables.change(campaign, change)
    except NotFound:  # left, sent away or given back in the meantime
        return
