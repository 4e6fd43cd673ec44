"""Routes for whoever holds an invitation: what it leads to, and coming in."""

from contextlib import suppress

from fastapi import APIRouter, Request, Response
from pydantic import Field

from freeform.apps.web.guard import Guard
from freeform.apps.web.requests import Body
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At
from freeform.apps.web.visitors import SEATS, cookie_with, session_in, tokens_in
from freeform.core.errors import Conflict, Forbidden, NotFound, Unavailable
from freeform.players.people.model import Role
from freeform.services import campaigns
from freeform.services.accounts.seats import check_not_there, keep_seat
from freeform.services.accounts.sessions import whose_session
from freeform.services.table import invites
from freeform.services.table.invites import InviteShown, JoinWish
from freeform.services.table.seats import NewHero

router = APIRouter(prefix="/api/join", tags=["people"])
COOKIE_S = 60 * 86400


class CodeBody(Body):
    """What stands behind the # of a link."""

    code: str = Field(max_length=300)


class JoinBody(CodeBody):
    """Who comes in. `hero` is somebody of their own to play."""

    name: str = Field(default="", max_length=200)
    passphrase: str = Field(default="", max_length=200)
    seat: str = Field(default="", max_length=100)
    hero: NewHero | None = None
    device: bool = True
    """Whether the browser keeps the token in a cookie; a program takes it from the answer."""


class Welcome(InviteShown):
    """What a link leads to, and the story's name."""

    story: str


class CameIn(Shape):
    """Someone is at the table. `token` is for programs; a browser has a cookie."""

    campaign: str
    person: str
    name: str
    role: Role
    seat: str
    token: str = ""


@router.post("/look")
async def look(request: Request, room: At, wanted: CodeBody) -> Welcome:
    """What an invitation leads to. One that was guessed is not there."""
    await _check_patience(request)
    try:
        shown = await invites.look_at_invite(room.house, wanted.code)
    except NotFound:
        await _missed(request)
        raise
    view = await campaigns.campaign_view(room.house, shown.campaign)
    return Welcome(**shown.model_dump(), story=view.name)


@router.post("", status_code=201)
async def come_in(request: Request, response: Response, room: At, wanted: JoinBody) -> CameIn:
    """Comes in by an invitation, with a name."""
    await _check_patience(request)
    wish = JoinWish.model_validate(wanted.model_dump(exclude={"device"}))
    account = await whose_session(room.house, session_in(request.headers))
    try:
        if account:
            await check_not_there(room.house, account, wish.code)
        joined = await invites.join(room.house, wish)
    except (NotFound, Forbidden):
        await _missed(request)
        raise
    if account and not account.owner:  # who has everything needs no seat kept
        with suppress(Conflict):  # they are in, whatever another device did just now
            await keep_seat(room.house, account, joined.campaign, joined.person)
    room.tables.changed(joined.campaign, "joined")
    if wanted.device:
        kept = cookie_with(tokens_in(request.headers), joined.token)
        set_seats(response, kept)
    shown = joined.model_dump(exclude={"token"} if wanted.device else set())
    return CameIn(**shown)


def set_seats(response: Response, tokens: str) -> None:
    """Keeps the tokens of a browser's seats where no script can read them."""
    age = COOKIE_S if tokens else 0
    response.set_cookie(SEATS, tokens, httponly=True, samesite="strict", max_age=age)


async def _check_patience(request: Request) -> None:
    """Whoever guesses waits."""
    guard: Guard = request.app.state.guard
    if await guard.shut_out(_client(request)):
        raise Unavailable("too many wrong invitations from here; wait a minute")


async def _missed(request: Request) -> None:
    guard: Guard = request.app.state.guard
    await guard.missed(_client(request))


def _client(request: Request) -> str:
    return request.client.host if request.client else "?"
