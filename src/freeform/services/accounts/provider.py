"""Signing in with a provider: someone is sent there, and comes back once.

What they bring back opens nothing but in the browser that left, within ten minutes, and never a
second time.
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
        browser=hash_secret(browser),
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


async def finish_login(house: House, state: str, browser: str, code: str) -> SignedDevice:
    """Whoever comes back is signed in, and the seat they left is kept with their account."""
    provider = provider_of(house)
    login = await house.accounts.store.take_login(hash_secret(state))
    if login is None or not is_secret(browser, login.browser):
        raise Forbidden(STALE)
    if datetime.fromisoformat(login.until) < house.table.clock.now() or not code:
        raise Forbidden(STALE)
    account = await sign_in_vouched(house, await provider.vouch(login, code), login.may_sign_up)
    if login.owner:
        account = await make_owner(house, account)
    if login.campaign:
        await keep_seat(house, account, login.campaign, login.person)
    return await begin_session(house, account.id)
