"""Signing in with a provider: someone is sent there, and comes back once.

What they bring back opens nothing but in the browser that left, within ten minutes, and never a
second time.

A terminal cannot be sent there. It shows the address for a browser beside it, and keeps a secret:

    terminal ─> begin, with the hash of its secret and its port on 127.0.0.1 ─> an address
    browser ─> provider ─> back here ─> a ticket to 127.0.0.1
    terminal ─> the ticket and the secret ─> signed in

The browser is not signed in by that, and the ticket opens nothing without the secret. Whoever lures
someone else to their address gets nothing either, unless both are on one machine: the ticket goes
to the machine of the lured one.
"""

from datetime import datetime, timedelta

from freeform.core.errors import Forbidden, NotFound
from freeform.core.ids import new_secret
from freeform.core.record import Record
from freeform.players.people.accounts import PendingLogin, Provider
from freeform.players.people.secrets_kept import hash_secret, is_secret
from freeform.services.accounts.seats import keep_seat
from freeform.services.accounts.sessions import SignedDevice, begin_session, check_on
from freeform.services.accounts.signing import make_owner, sign_in_vouched
from freeform.services.house import House

MINUTES = 10
BACK = "/api/account/oidc/back"
STALE = "this way back was used already, or took too long; sign in again from the beginning"


class LoginWish(Record):
    """What someone who is sent to the provider wants there."""

    back: str
    """The address of this server, as their browser has it."""
    may_sign_up: bool = False
    owner: bool = False
    campaign: str = ""
    person: str = ""
    port: int = 0
    proof: str = ""
    """Of a terminal: where it listens, and the hash of what it keeps."""


class ForTerminal(Record):
    """Somebody is back, and a terminal waits for it."""

    port: int
    ticket: str


class SentThere(Record):
    """Where a browser goes, and what it keeps meanwhile."""

    url: str
    browser: str


def provider_of(house: House) -> Provider:
    """The provider of the settings. NotFound without one."""
    check_on(house)
    found = house.accounts.provider
    if found is None:
        raise NotFound("no provider is set here; sign in with a name and a password")
    return found


async def begin_login(house: House, wish: LoginWish) -> SentThere:
    """Sends someone to the provider. Unavailable where it is gone; then nothing is kept."""
    provider = provider_of(house)
    state, browser = new_secret(), new_secret()
    now = house.table.clock.now()
    login = PendingLogin(
        state=hash_secret(state),
        browser=wish.proof or hash_secret(browser),
        port=wish.port if wish.proof else 0,
        nonce=new_secret(),
        verifier=new_secret() + new_secret(),
        back=wish.back.rstrip("/") + BACK,
        until=(now + timedelta(minutes=MINUTES)).isoformat(timespec="seconds"),
        may_sign_up=wish.may_sign_up or wish.owner or house.settings.accounts == "open",
        owner=wish.owner,
        campaign=wish.campaign,
        person=wish.person,
    )
    url = await provider.way_there(login, state)
    await house.accounts.store.await_login(login, now.isoformat(timespec="seconds"))
    return SentThere(url=url, browser=browser)


async def finish_login(
    house: House, state: str, browser: str, code: str
) -> SignedDevice | ForTerminal:
    """Whoever comes back is signed in, and the seat they left is kept with their account."""
    provider = provider_of(house)
    login = await _login_of(house, state)
    if login.account or not code or not (login.port or is_secret(browser, login.browser)):
        raise Forbidden(STALE)
    account = await sign_in_vouched(house, await provider.vouch(login, code), login.may_sign_up)
    if login.owner:
        account = await make_owner(house, account)
    if login.campaign:
        await keep_seat(house, account, login.campaign, login.person)
    if login.port:
        return await _for_terminal(house, login, account.id)
    return await begin_session(house, account.id)


async def fetch_session(house: House, ticket: str, secret: str) -> SignedDevice:
    """A terminal is signed in with the ticket that it was brought and the secret that it kept."""
    check_on(house)
    login = await _login_of(house, ticket)
    if not login.account or not is_secret(secret, login.browser):
        raise Forbidden(STALE)
    return await begin_session(house, login.account)


async def _for_terminal(house: House, login: PendingLogin, account: str) -> ForTerminal:
    ticket, now = new_secret(), house.table.clock.now().isoformat(timespec="seconds")
    waits = login.model_copy(update={"state": hash_secret(ticket), "account": account})
    await house.accounts.store.await_login(waits, now)
    return ForTerminal(port=login.port, ticket=ticket)


async def _login_of(house: House, state: str) -> PendingLogin:
    """Whoever left with that. Forbidden where they are back already, or took too long."""
    login = await house.accounts.store.take_login(hash_secret(state))
    if login is None or datetime.fromisoformat(login.until) < house.table.clock.now():
        raise Forbidden(STALE)
    return login
