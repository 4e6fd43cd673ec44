"""What the routes of accounts share: the cookie of a session, and patience with wrong tries."""

from fastapi import Request, Response

from freeform.apps.web.guard import Guard
from freeform.apps.web.responses import Shape
from freeform.apps.web.visitors import ACCOUNT
from freeform.core.errors import Unavailable
from freeform.players.people.accounts import account_key
from freeform.services.accounts.sessions import SESSION_DAYS, SignedDevice

WAIT = "too many wrong tries; wait a minute, then try again"


class SignedShown(Shape):
    """Someone is signed in. `token` is for programs; a browser has a cookie."""

    name: str
    owner: bool
    token: str = ""


def hand_over(
    request: Request, response: Response, signed: SignedDevice, device: bool
) -> SignedShown:
    """The session's token: into a cookie that no script can read, or to the program that asked."""
    if device and "authorization" not in request.headers:
        set_session(request, response, signed.token)
        return SignedShown(name=signed.name, owner=signed.owner)
    return SignedShown(name=signed.name, owner=signed.owner, token=signed.token)


def set_session(request: Request, response: Response, token: str) -> None:
    """Keeps it; '' takes it away."""
    age = SESSION_DAYS * 86400 if token else 0
    secure = request.url.scheme == "https"
    response.set_cookie(
        ACCOUNT, token, httponly=True, samesite="strict", max_age=age, secure=secure
    )


async def check_patience(request: Request, name: str = "") -> None:
    """Whoever guesses waits, whether from one address or at one name."""
    guard: Guard = request.app.state.guard
    for each in _counted(request, name):
        if await guard.shut_out(each):
            raise Unavailable(WAIT)


async def missed(request: Request, name: str = "") -> None:
    """A wrong try."""
    guard: Guard = request.app.state.guard
    for each in _counted(request, name):
        await guard.missed(each)


async def count_new(request: Request) -> None:
    """A new account. Those of an address are counted by themselves: a group that signs up from
    behind one shuts nobody out there."""
    guard: Guard = request.app.state.guard
    address = f"new at {_counted(request, '')[0]}"
    if await guard.shut_out(address):
        raise Unavailable("too many new accounts from here; wait a minute, then try again")
    await guard.missed(address)


def _counted(request: Request, name: str) -> list[str]:
    address = request.client.host if request.client else "?"
    return [address, *([f"account {account_key(name)}"] if name else [])]
