"""Routes to sign up, in and out of an account, to change its password, and to forget it.

They are open to everyone, and look for themselves who is signed in.
"""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Room
from freeform.apps.web.routes.account.door import (
    SignedShown,
    check_patience,
    count_new,
    hand_over,
    missed,
    set_session,
)
from freeform.apps.web.routes.table.joining import set_seats
from freeform.apps.web.visitors import cookie_with, session_in, tokens_in
from freeform.core.errors import Conflict, Forbidden, NotFound
from freeform.services.accounts import seats, sessions, signing
from freeform.services.accounts.provider import provider_of
from freeform.services.accounts.seats import AccountTable, Seat
from freeform.services.table import invites

router = APIRouter(prefix="/api/account", tags=["accounts"])
Secret = Annotated[str, Field(max_length=400)]


class SignInBody(Body):
    """Who one is."""

    name: Word
    password: Secret
    device: bool = True
    """Whether the browser keeps the session in a cookie; a program takes the token."""


class SignUpBody(SignInBody):
    """A new account, by an invitation where the server wants one."""

    code: Annotated[str, Field(max_length=300)] = ""


class PasswordBody(Body):
    """The password that one has, and the next."""

    old: Secret
    new: Secret


class ForgetBody(Body):
    """The password once more; without one, the account's name."""

    password: Secret


class AccountStanding(Shape):
    """Whether accounts are kept here and how one signs in; and who is signed in, if anyone."""

    on: bool
    passwords: bool = False
    provider: str = ""
    """What the button to sign in with a provider says; '' without one."""
    open: bool = False
    """Whether one may sign up without an invitation."""
    name: str = ""
    owner: bool = False
    has_password: bool = False
    devices: int = 0
    tables: list[AccountTable] = Field(default_factory=list)


class Forgotten(Shape):
    """Nothing is left of the account. The tokens of its seats are for programs."""

    tokens: list[str]


@router.get("")
async def show(request: Request, room: At) -> AccountStanding:
    """How one signs in here, and who is signed in."""
    house = room.house
    if not sessions.are_on(house):
        return AccountStanding(on=False)
    provider = house.accounts.provider
    standing = AccountStanding(
        on=True,
        passwords=room.settings.accounts_passwords,
        provider=provider_of(house).shown if provider else "",
        open=room.settings.accounts == "open",
    )
    account = await sessions.whose_session(house, session_in(request.headers))
    if account is None:
        return standing
    return standing.model_copy(
        update={
            "name": account.name,
            "owner": account.owner,
            "has_password": bool(account.password),
            "devices": len(account.sessions),
            "tables": await seats.tables_of(house, account),
        }
    )


@router.post("/sign-up", status_code=201)
async def sign_up(
    request: Request, response: Response, room: At, wanted: SignUpBody
) -> SignedShown:
    """A new account: whoever holds an invitation of the host, or anyone where that is set."""
    sessions.check_on(room.house)
    await check_patience(request)
    await count_new(request)  # so that names cannot be tried one after the other
    await may_sign_up(room, wanted.code)
    account = await signing.sign_up(room.house, wanted.name, wanted.password)
    signed = await sessions.begin_session(room.house, account.id)
    return hand_over(request, response, signed, wanted.device)


async def may_sign_up(room: Room, code: str) -> None:
    """Forbidden without an invitation, unless anyone may."""
    if room.settings.accounts == "open":
        return
    if not code:
        raise Forbidden("an account needs an invitation here; open the link of the host first")
    await invites.look_at_invite(room.house, code)


@router.post("/sign-in")
async def sign_in(
    request: Request, response: Response, room: At, wanted: SignInBody
) -> SignedShown:
    """Signs in; the same answer whatever is wrong."""
    sessions.check_on(room.house)
    await check_patience(request, wanted.name)
    try:
        signed = await signing.sign_in(room.house, wanted.name, wanted.password)
    except Forbidden:
        await missed(request, wanted.name)
        raise
    return hand_over(request, response, signed, wanted.device)


@router.post("/sign-out", status_code=204)
async def sign_out(request: Request, response: Response, room: At) -> None:
    """Signs this device out."""
    await sessions.sign_out(room.house, session_in(request.headers))
    set_session(request, response, "")


@router.post("/only-here")
async def only_here(request: Request, response: Response, room: At) -> SignedShown:
    """Signs every other device out, those with a seat's token too."""
    token = session_in(request.headers)
    signed, held = await signing.sign_out_elsewhere(room.house, token)
    _end_streams(room, held)
    if "authorization" not in request.headers:
        set_seats(response, "")
    return hand_over(request, response, signed, True)


@router.post("/password")
async def password(
    request: Request, response: Response, room: At, wanted: PasswordBody
) -> SignedShown:
    """Another password; every other device is signed out of the account."""
    account = await sessions.signed_in(room.house, session_in(request.headers))
    await check_patience(request, account.name)
    try:
        signed = await signing.change_password(
            room.house, session_in(request.headers), wanted.old, wanted.new
        )
    except Forbidden:
        await missed(request, account.name)
        raise
    return hand_over(request, response, signed, True)


@router.post("/forget")
async def forget(request: Request, response: Response, room: At, wanted: ForgetBody) -> Forgotten:
    """Forgets the account. Its seats stay on this device, as a guest's."""
    account = await sessions.signed_in(room.house, session_in(request.headers))
    await check_patience(request, account.name)
    try:
        await signing.check_own_password(room.house, account, wanted.password)
    except Forbidden:
        await missed(request, account.name)
        raise
    held = await signing.forget_account(room.house, account)
    kept = [token for each in held if (token := await _as_guest(room, each))]
    _end_streams(room, held)
    if "authorization" in request.headers:
        return Forgotten(tokens=kept)
    set_session(request, response, "")
    tokens = "~".join(tokens_in(request.headers))
    for token in reversed(kept):
        tokens = cookie_with(tokens.split("~"), token)
    set_seats(response, tokens)
    return Forgotten(tokens=[])


async def _as_guest(room: Room, seat: Seat) -> str:
    table, person = seat
    try:
        joined = await invites.one_more_device(room.house, table.campaign, person.id)
    except (NotFound, Conflict):  # sent away meanwhile
        return ""
    return joined.token


def _end_streams(room: Room, held: list[Seat]) -> None:
    """Those of the device that stays come back by themselves."""
    for table, person in held:
        room.hub.send_away(table.campaign, person.id)
