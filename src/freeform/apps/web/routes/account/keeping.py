"""Routes that keep a seat with an account, and give it back; for the owner, an account that opens
everything. Whoever asks was let in by the guard."""

from fastapi import APIRouter, Request, Response

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.room import At, Room
from freeform.apps.web.routes.account.door import SignedShown, check_patience, count_new, hand_over
from freeform.apps.web.routes.account.signing import Secret
from freeform.apps.web.routes.table.people import CompanyShown, WhoBody, changed, me
from freeform.apps.web.visitors import Visitor, Who, check_about, session_in
from freeform.players.people.accounts import Account
from freeform.services.accounts import seats, sessions, signing

router = APIRouter(prefix="/api", tags=["accounts"])


class KeepBody(Body):
    """A new account for what one has; nothing, where one is signed in already."""

    name: Word = ""
    password: Secret = ""
    device: bool = True


@router.post("/account/keep", status_code=201)
async def keep(
    request: Request, response: Response, room: At, who: Who, wanted: KeepBody
) -> SignedShown:
    """Keeps this seat with an account: the one that is signed in, or a new one. Who sits at several
    tables says which with `?campaign=`. The owner's account opens what the server's key opens."""
    sessions.check_on(room.house)
    check_about(request, who)
    account = await sessions.whose_session(room.house, session_in(request.headers))
    if account:
        await _keep(room, who, account)
        return SignedShown(name=account.name, owner=account.owner or who.is_owner)
    await check_patience(request)
    await count_new(request)
    if not who.is_owner:
        await seats.check_unkept(room.house, who.campaign, who.person)
    name, password = wanted.name, wanted.password
    account = await signing.sign_up(room.house, name, password, owner=who.is_owner)
    await _keep(room, who, account)
    signed = await sessions.begin_session(room.house, account.id)
    return hand_over(request, response, signed, wanted.device)


async def _keep(room: Room, who: Visitor, account: Account) -> None:
    if not who.is_owner:
        await seats.keep_seat(room.house, account, who.campaign, who.person)
        room.tables.changed(who.campaign, "account")
    elif not who.session:
        await signing.make_owner(room.house, account)


@router.post("/campaigns/{campaign}/company/release")
async def release(room: At, who: Who, campaign: str, wanted: WhoBody) -> CompanyShown:
    """Gives a seat back to its person: no account has it, and no device of theirs is signed in."""
    table, asking = await me(room, campaign, who)
    meant = table.person(wanted.person)
    table = await seats.release_seat(room.house, campaign, asking.id, meant.id)
    room.hub.send_away(campaign, meant.id)
    return await changed(room, table, asking.id, "account")
