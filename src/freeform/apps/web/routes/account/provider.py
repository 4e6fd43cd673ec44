"""Routes to sign in with a provider: someone is sent there, and comes back."""

import html
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import Field

from freeform.apps.web.problems import status_of
from freeform.apps.web.requests import Body
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Room
from freeform.apps.web.routes.account.door import (
    SignedShown,
    check_patience,
    missed,
    set_session,
)
from freeform.apps.web.routes.account.signing import may_sign_up
from freeform.apps.web.routes.pages import PAGE
from freeform.apps.web.visitors import Who, check_about
from freeform.core.errors import Forbidden, FreeformError, NotFound
from freeform.services.accounts.provider import (
    BACK,
    MINUTES,
    STALE,
    ForTerminal,
    LoginWish,
    begin_login,
    fetch_session,
    finish_login,
    provider_of,
)

router = APIRouter(prefix="/api/account", tags=["accounts"])
LOGIN = "freeform_login"
"""The cookie that a browser keeps while it is at the provider; sent along when it comes back."""
Given = Annotated[str, Query(max_length=4000)]


class TerminalBody(Body):
    """A terminal that waits on 127.0.0.1, and the SHA-256 of the secret that it keeps."""

    port: Annotated[int, Field(ge=1, le=65535)]
    proof: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class OidcBody(Body):
    """An invitation, where a new account needs one; where a terminal asks, how it is told."""

    code: Annotated[str, Field(max_length=300)] = ""
    terminal: TerminalBody | None = None


class TicketBody(Body):
    """What a terminal was brought, and what it kept."""

    ticket: Annotated[str, Field(max_length=300)]
    secret: Annotated[str, Field(max_length=300)]


class WayThere(Shape):
    """Where the browser goes next."""

    url: str


@router.post("/oidc")
async def sign_in(request: Request, response: Response, room: At, wanted: OidcBody) -> WayThere:
    """Begins to sign in with the provider, or to sign up with it by an invitation."""
    provider_of(room.house)
    await check_patience(request)
    may = bool(wanted.code)
    if may:
        try:
            await may_sign_up(room, wanted.code)
        except NotFound:
            await missed(request)
            raise
    wish = LoginWish(back=_base(room), may_sign_up=may)
    if wanted.terminal:  # the browser that goes there is another one, and keeps nothing
        wish = wish.model_copy(update=wanted.terminal.model_dump())
        return WayThere(url=(await begin_login(room.house, wish)).url)
    return await _sent(request, response, room, wish)


@router.post("/oidc/token")
async def fetch(request: Request, room: At, wanted: TicketBody) -> SignedShown:
    """Signs a terminal in, once its browser is back from the provider."""
    await check_patience(request)
    try:
        signed = await fetch_session(room.house, wanted.ticket, wanted.secret)
    except Forbidden:
        await missed(request)
        raise
    return SignedShown(name=signed.name, owner=signed.owner, token=signed.token)


@router.post("/keep/oidc")
async def keep(request: Request, response: Response, room: At, who: Who) -> WayThere:
    """The same for someone who sits at a table, or for the owner: what they have is kept with the
    account that they come back with."""
    check_about(request, who)
    wish = LoginWish(
        back=_base(room),
        may_sign_up=True,
        owner=who.is_owner,
        campaign=who.campaign,
        person=who.person,
    )
    return await _sent(request, response, room, wish)


@router.get("/oidc/back", include_in_schema=False)
async def back(
    request: Request, room: At, state: Given = "", code: Given = "", error: Given = ""
) -> Response:
    """Someone comes back from the provider. A page says so where it did not go well."""
    try:
        await check_patience(request)
        signed = await finish_login(room.house, state, request.cookies.get(LOGIN, ""), code)
    except Forbidden as wrong:
        if str(wrong) == STALE:  # it may have been guessed
            await missed(request)
        refused = "the provider did not let you in; try again" if error else str(wrong)
        return _page(refused, 403)
    except FreeformError as wrong:
        return _page(str(wrong), status_of(wrong)[0])
    if isinstance(signed, ForTerminal):
        return RedirectResponse(f"http://127.0.0.1:{signed.port}/?ticket={signed.ticket}", 303)
    answer = RedirectResponse("/join", 303)
    set_session(request, answer, signed.token)
    answer.delete_cookie(LOGIN, path=BACK)
    return answer


async def _sent(request: Request, response: Response, room: Room, wish: LoginWish) -> WayThere:
    sent = await begin_login(room.house, wish)
    secure = request.url.scheme == "https"
    # Lax: the provider sends the browser back from another site.
    response.set_cookie(
        LOGIN,
        sent.browser,
        httponly=True,
        samesite="lax",
        max_age=MINUTES * 60,
        path=BACK,
        secure=secure,
    )
    return WayThere(url=sent.url)


def _base(room: Room) -> str:
    return room.settings.oidc_back or room.reached_at


def _page(told: str, status: int) -> HTMLResponse:
    body = (
        f"<p role='alert'>{html.escape(told[:1].upper() + told[1:])}.</p>"
        "<p><a href='/join'>Back</a></p>"
    )
    return HTMLResponse(PAGE.format(body=body), status)
