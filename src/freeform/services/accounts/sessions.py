"""Who is signed in, on which devices: sessions begun, found, and ended.

A session's token is told once and kept as a hash, as a seat's is.
"""

from datetime import datetime, timedelta

from freeform.core.errors import Forbidden, NotFound
from freeform.core.record import Record
from freeform.players.people.accounts import (
    MOST_SESSIONS,
    SIGNED_IN,
    Account,
    AccountSession,
    session_code,
)
from freeform.players.people.secrets_kept import fresh_code, hash_secret, is_secret
from freeform.services.house import House

SESSION_DAYS = 60
OFF = "this server keeps no accounts; whoever runs it turns them on with the setting `accounts`"
SIGN_IN_FIRST = "you are signed in no longer; sign in again"


class SignedDevice(Record):
    """Someone is signed in; the token is told this once."""

    account: str
    name: str
    owner: bool
    token: str


def are_on(house: House) -> bool:
    """Whether this server keeps accounts at all."""
    return house.settings.accounts != "off"


def check_on(house: House) -> None:
    """NotFound where it keeps none."""
    if not are_on(house):
        raise NotFound(OFF)


async def begin_session(house: House, account: str, *, alone: bool = False) -> SignedDevice:
    """A device is signed in from now on; with `alone`, it and no other."""
    code = fresh_code(SIGNED_IN, account)
    now = house.table.clock.now()
    made = AccountSession(
        secret=hash_secret(code.secret),
        made_at=now.isoformat(timespec="seconds"),
        until=(now + timedelta(days=SESSION_DAYS)).isoformat(timespec="seconds"),
    )

    def change(standing: Account) -> Account:
        others = [] if alone else [each for each in standing.sessions if _holds(each, now)]
        return standing.model_copy(update={"sessions": [*others, made][-MOST_SESSIONS:]})

    changed = await house.accounts.store.change(account, change)
    return SignedDevice(
        account=account, name=changed.name, owner=changed.owner, token=code.written()
    )


async def whose_session(house: House, token: str) -> Account | None:
    """Whose token that is; None for one that is wrong, has run out or was ended."""
    code = session_code(token)
    if code is None or not are_on(house):
        return None
    account = await house.accounts.store.get(code.id)
    if account is None:
        return None
    now = house.table.clock.now()
    fits = [is_secret(code.secret, each.secret) and _holds(each, now) for each in account.sessions]
    return account if any(fits) else None


async def signed_in(house: House, token: str) -> Account:
    """The same; Forbidden for nobody."""
    check_on(house)
    found = await whose_session(house, token)
    if found is None:
        raise Forbidden(SIGN_IN_FIRST)
    return found


async def sign_out(house: House, token: str) -> None:
    """This device is signed in no longer."""
    account, code = await whose_session(house, token), session_code(token)
    if account is None or code is None:
        return
    ended = hash_secret(code.secret)

    def change(standing: Account) -> Account:
        left = [each for each in standing.sessions if each.secret != ended]
        return standing.model_copy(update={"sessions": left})

    await house.accounts.store.change(account.id, change)


async def end_sessions(house: House, account: str) -> Account:
    """No device is signed in any more."""
    return await house.accounts.store.change(
        account, lambda standing: standing.model_copy(update={"sessions": []})
    )


def _holds(session: AccountSession, now: datetime) -> bool:
    return datetime.fromisoformat(session.until) > now
