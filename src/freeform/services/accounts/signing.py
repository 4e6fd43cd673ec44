"""Accounts made, opened, changed and forgotten.

Nobody learns from a refusal whether there is an account of a name: it is the same sentence, after
the same work. Who counts wrong tries is the door.
"""

from typing import Literal

from freeform.core.errors import Conflict, Forbidden, NotFound, UserError
from freeform.core.record import Record
from freeform.players.people.accounts import Account, Vouched, account_key
from freeform.players.people.names import LONGEST_NAME, check_table_name
from freeform.services.accounts.seats import (
    Seat,
    become_guest,
    only_this_seat,
    seats_of,
)
from freeform.services.accounts.sessions import (
    SignedDevice,
    begin_session,
    check_on,
    end_sessions,
    signed_in,
)
from freeform.services.house import House
from freeform.services.table.people import now

SHORTEST_PASSWORD, LONGEST_PASSWORD, MOST_ACCOUNTS = 10, 200, 5_000
NOT_SO = "that name and that password do not belong together; try again"
NO_PASSWORDS = "accounts have no passwords here; sign in with the provider"
AccountWay = Literal["password", "provider"]


class AccountRow(Record):
    """An account, as whoever runs the server sees it."""

    name: str
    owner: bool
    ways: list[AccountWay]
    tables: list[str]
    devices: int
    made_at: str


async def sign_up(house: House, name: str, password: str, *, owner: bool = False) -> Account:
    """A new account. Whether one may is for the door to say: by an invitation, or as one likes."""
    check_on(house)
    _check_passwords(house)
    _check_password(name, password)
    called = await _free_name(house, name)
    kept = await house.accounts.passwords.keep(password)
    return await _added(house, Account(id="", name=called, password=kept, owner=owner))


async def sign_in(house: House, name: str, password: str) -> SignedDevice:
    """Signed in on one more device. Forbidden in the same words whatever is wrong."""
    check_on(house)
    _check_passwords(house)
    found = await house.accounts.store.named(name[:LONGEST_PASSWORD])
    right = await house.accounts.passwords.is_right(
        password[:LONGEST_PASSWORD], found.password if found else ""
    )
    if found is None or not right:
        raise Forbidden(NOT_SO)
    if house.accounts.passwords.is_weak(found.password):
        await _keep_password(house, found, password)
    return await begin_session(house, found.id)


async def sign_in_vouched(house: House, vouched: Vouched, may_sign_up: bool) -> Account:
    """The account of whom a provider vouches for; a new one where that is allowed."""
    check_on(house)
    found = await house.accounts.store.vouched(vouched.issuer, vouched.subject)
    if found:
        return found
    if not may_sign_up:
        raise Forbidden("you have no account here yet; open the link that the host sent you first")
    name = await _name_like(house, vouched.name)
    new = Account(id="", name=name, issuer=vouched.issuer, subject=vouched.subject)
    return await _added(house, new)


async def sign_out_elsewhere(house: House, token: str) -> tuple[SignedDevice, list[Seat]]:
    """A new token for this device; no other one opens the account or any seat of it. With the seats
    whose streams end."""
    account = await signed_in(house, token)
    signed = await begin_session(house, account.id, alone=True)
    return signed, await only_this_seat(house, account)


async def change_password(house: House, token: str, old: str, new: str) -> SignedDevice:
    """Another password; every other device is signed out."""
    account = await signed_in(house, token)
    _check_passwords(house)
    if not await house.accounts.passwords.is_right(old[:LONGEST_PASSWORD], account.password):
        raise Forbidden("that is not your password; nothing was changed")
    _check_password(account.name, new)
    await _keep_password(house, account, new)
    return await begin_session(house, account.id, alone=True)


async def set_password(house: House, name: str, new: str) -> Account:
    """Whoever sits at the machine gives someone a new password; all their devices sign in anew."""
    check_on(house)
    _check_passwords(house)
    account = await account_named(house, name)
    _check_password(account.name, new)
    await _keep_password(house, account, new)
    return await end_sessions(house, account.id)


async def check_own_password(house: House, account: Account, password: str) -> None:
    """Forbidden unless it is theirs; who has none says their name instead."""
    if account.password:
        right = await house.accounts.passwords.is_right(
            password[:LONGEST_PASSWORD], account.password
        )
    else:
        right = account_key(password) == account_key(account.name)
    if not right:
        raise Forbidden("that is not your password; nothing was changed")


async def forget_account(house: House, account: Account) -> list[Seat]:
    """Nothing is left of it. Its seats stay, as a guest's."""
    standing = await house.accounts.store.get(account.id)
    seats = await become_guest(house, standing or account)
    await house.accounts.store.forget(account.id)
    return seats


async def make_owner(house: House, account: Account) -> Account:
    """Signing in to it opens everything from now on."""
    return await house.accounts.store.change(
        account.id, lambda standing: standing.model_copy(update={"owner": True})
    )


async def account_named(house: House, name: str) -> Account:
    """For whoever sits at the machine. NotFound names those there are."""
    check_on(house)
    found = await house.accounts.store.named(name)
    if found is None:
        names = ", ".join(each.name for each in (await house.accounts.store.all())[:20])
        raise NotFound(f"no account '{name[:60]}'; there are: {names or 'none'}")
    return found


async def list_accounts(house: House) -> list[AccountRow]:
    """Every account, for whoever sits at the machine."""
    check_on(house)
    return [await account_row(house, each) for each in await house.accounts.store.all()]


async def account_row(house: House, account: Account) -> AccountRow:
    """One of them."""
    ways: list[AccountWay] = ["password"] if account.password else []
    return AccountRow(
        name=account.name,
        owner=account.owner,
        ways=[*ways, *(["provider"] if account.issuer else [])],  # type: ignore[list-item]
        tables=[table.campaign for table, _ in await seats_of(house, account)],
        devices=len(account.sessions),
        made_at=account.made_at,
    )


async def _added(house: House, account: Account) -> Account:
    if len(await house.accounts.store.all()) >= MOST_ACCOUNTS:
        raise Conflict(f"{MOST_ACCOUNTS} accounts are kept here; one has to be forgotten first")
    made = {"id": house.table.ids.new("ac"), "made_at": now(house)}
    account = account.model_copy(update=made)
    await house.accounts.store.add(account)
    return account


async def _keep_password(house: House, account: Account, password: str) -> None:
    kept = await house.accounts.passwords.keep(password)
    await house.accounts.store.change(
        account.id, lambda standing: standing.model_copy(update={"password": kept})
    )


async def _free_name(house: House, name: str) -> str:
    taken = [each.name for each in await house.accounts.store.all()]
    return check_table_name(name, taken)


async def _name_like(house: House, wanted: str) -> str:
    """A name that nobody has, from what the provider calls someone."""
    first = wanted.strip()[: LONGEST_NAME - 5] or "Player"
    for name in (first, *(f"{first} {number}" for number in range(2, 100)), "Player"):
        try:
            return await _free_name(house, name)
        except (Conflict, UserError):
            continue
    return f"Player {house.table.ids.new('n')[-8:]}"


def _check_passwords(house: House) -> None:
    if not house.settings.accounts_passwords:
        raise Forbidden(NO_PASSWORDS)


def _check_password(name: str, password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise UserError(f"a password has at least {SHORTEST_PASSWORD} signs; choose a longer one")
    if len(password) > LONGEST_PASSWORD:
        raise UserError(f"a password has at most {LONGEST_PASSWORD} signs; choose a shorter one")
    if account_key(password) == account_key(name) or len(set(password)) < 4:
        raise UserError("that password is guessed at once; choose another")
