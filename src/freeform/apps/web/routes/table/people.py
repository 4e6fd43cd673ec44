"""Routes of a shared table: who is here, invitations, seats, whose turn it is, and talk."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Room
from freeform.apps.web.routes.table.joining import CameIn, set_seats
from freeform.apps.web.visitors import Visitor, Who, cookie_with, tokens_in
from freeform.core.errors import UserError
from freeform.players.people.model import Role, SharedTable, TablePerson, TurnMode
from freeform.players.people.secrets_kept import TableCode
from freeform.services.table import acting, invites, people, safety, talk
from freeform.services.table.invites import InviteWish
from freeform.services.table.links import join_url, qr_svg
from freeform.services.table.safety import OwnLimits
from freeform.services.table.seats import NewHero
from freeform.services.table.sight import elsewhere
from freeform.services.table.talk import TalkRow
from freeform.services.table.views import Company, company

router = APIRouter(prefix="/api/campaigns/{campaign}/company", tags=["people"])


class OpenBody(Body):
    """What the owner is called at this table."""

    name: Word = ""


class InviteBody(Body):
    """Whom a link is for."""

    role: Role = "player"
    seat: Word = ""
    passphrase: Word = ""
    uses: Annotated[int, Field(ge=1, le=60)] = 1
    hours: Annotated[int, Field(ge=1, le=720)] = 48


class WhoBody(Body):
    """Someone at the table, by id or name."""

    person: Word = ""


class RoleBody(WhoBody):
    """Whose part becomes what."""

    role: Role


class SeatBody(Body):
    """A seat to take, or a hero of one's own."""

    seat: Word = ""
    hero: NewHero | None = None


class ModeBody(Body):
    """How turns go."""

    mode: TurnMode


class CallBody(Body):
    """Whose turn it is."""

    seat: Word


class TalkBody(Body):
    """Something said beside the story; with `to`, a whisper."""

    text: Annotated[str, Field(max_length=4000)]
    to: Annotated[list[Word], Field(max_length=20)] = Field(default_factory=list)


Topics = Annotated[list[Word], Field(max_length=30)]


class OwnLimitsBody(Body):
    """What one keeps out of play; the table holds it, and nobody is told whose it is."""

    lines: Topics = Field(default_factory=list)
    veils: Topics = Field(default_factory=list)


class CompanyShown(Shape):
    """The table as one sees it; `open` is false where the story is played alone."""

    open: bool
    company: Company | None = None


class TalkShown(Shape):
    """What was said beside the story, oldest first."""

    lines: list[TalkRow]


class LinkMade(Shape):
    """An invitation. It is shown this once."""

    url: str
    token: str
    qr: str
    reached_by_others: bool
    """False while the server listens to this machine alone."""


async def me(room: Room, campaign: str, who: Visitor) -> tuple[SharedTable, TablePerson]:
    """The table, and who asks at it."""
    table = await people.get_table(room.house, campaign)
    return table, table.owner() if who.is_owner else table.person(who.person)


async def _seen(room: Room, table: SharedTable, person: str) -> CompanyShown:
    seen = company(table, person, room.tables.online(table.campaign))
    away = await elsewhere(room.house, table, person)
    return CompanyShown(open=True, company=seen.model_copy(update={"elsewhere": away}))


@router.get("")
async def show(room: At, who: Who, campaign: str) -> CompanyShown:
    """Who is here, and whose turn it is."""
    found = await people.find_table(room.house, campaign)
    if found is None:
        await room.table.store.begun(campaign)  # or NotFound
        return CompanyShown(open=False)
    found = await acting.follow_order(room.house, campaign)
    room.tables.wake(campaign)
    return await _seen(room, found, who.person or found.owner().id)


@router.post("")
async def open_table(room: At, campaign: str, wanted: OpenBody | None = None) -> CompanyShown:
    """Opens the story to others; its owner is the host and plays on as before."""
    name = wanted.name if wanted else ""
    table = await people.open_table(room.house, campaign, name)
    if name and table.owner().name != name:
        table = await people.rename_owner(room.house, campaign, name)
    room.tables.changed(campaign, "opened")
    return await _seen(room, table, table.owner().id)


@router.post("/invites", status_code=201)
async def invite(room: At, who: Who, campaign: str, wanted: InviteBody) -> LinkMade:
    """Makes a link that lets someone in."""
    _, asking = await me(room, campaign, who)
    wish = InviteWish.model_validate(wanted.model_dump())
    code = await invites.invite(room.house, campaign, asking.id, wish)
    room.tables.changed(campaign, "invited")
    return _link(room, code)


@router.delete("/invites/{invite}")
async def call_back(room: At, who: Who, campaign: str, invite: str) -> CompanyShown:
    """An invitation holds no longer."""
    _, asking = await me(room, campaign, who)
    table = await invites.call_back(room.house, campaign, asking.id, invite)
    return await _seen(room, table, asking.id)


@router.post("/back", status_code=201)
async def back(room: At, who: Who, campaign: str, wanted: WhoBody | None = None) -> LinkMade:
    """A link for another device of one's own; from the host, for whoever lost theirs."""
    _, asking = await me(room, campaign, who)
    person = wanted.person if wanted else ""
    return _link(room, await invites.way_back(room.house, campaign, asking.id, person))


@router.post("/only-here")
async def only_here(
    request: Request, response: Response, room: At, who: Who, campaign: str
) -> CameIn:
    """Signs one out everywhere else: a new token, and what the others hold opens nothing."""
    _, asking = await me(room, campaign, who)
    joined = await invites.only_here(room.house, campaign, asking.id)
    room.hub.send_away(campaign, asking.id)  # the stream of the one that stays comes back
    if "authorization" in request.headers:
        return CameIn(**joined.model_dump())
    set_seats(response, cookie_with(tokens_in(request.headers), joined.token))
    return CameIn(**joined.model_dump(exclude={"token"}))


@router.post("/kick")
async def kick(room: At, who: Who, campaign: str, wanted: WhoBody) -> CompanyShown:
    """Sends someone away; their devices hear nothing any more."""
    table, asking = await me(room, campaign, who)
    gone = table.person(wanted.person)
    table = await people.send_away(room.house, campaign, asking.id, gone.id)
    _is_gone(room, campaign, gone.id)
    return await _seen(room, table, asking.id)


@router.post("/leave")
async def leave(
    request: Request, response: Response, room: At, who: Who, campaign: str
) -> CompanyShown:
    """Gets up from the table."""
    _, leaving = await me(room, campaign, who)
    if leaving.owner:
        raise UserError("this is your own table; you leave it by closing the page")
    await people.leave(room.house, campaign, leaving.id)
    set_seats(response, cookie_with(tokens_in(request.headers), "", but=campaign))
    _is_gone(room, campaign, leaving.id)
    return CompanyShown(open=False)


@router.post("/host")
async def host(room: At, who: Who, campaign: str, wanted: WhoBody) -> CompanyShown:
    """Hands the host's role on; or takes it over, where the host has vanished."""
    table, asking = await me(room, campaign, who)
    if wanted.person in (asking.id, asking.name) and not asking.owner:
        away = room.tables.away_s(campaign, table.host)
        table = await people.take_over(room.house, campaign, asking.id, away)
    else:
        table = await people.hand_on(room.house, campaign, asking.id, wanted.person)
    return await changed(room, table, asking.id, "host")


@router.post("/role")
async def role(room: At, who: Who, campaign: str, wanted: RoleBody) -> CompanyShown:
    """Makes someone a player, a spectator or the game master."""
    table, asking = await me(room, campaign, who)
    meant = table.person(wanted.person)
    table = await people.set_role(room.house, campaign, asking.id, meant.id, wanted.role)
    room.hub.send_away(campaign, meant.id)  # their stream comes back with what they may hear now
    return await changed(room, table, asking.id, "role")


@router.post("/seat")
async def seat(room: At, who: Who, campaign: str, wanted: SeatBody) -> CompanyShown:
    """Takes a free seat, or one for a hero of one's own."""
    _, asking = await me(room, campaign, who)
    table = await people.sit_down(room.house, campaign, asking.id, wanted.seat, wanted.hero)
    return await changed(room, table, asking.id, "seat")


@router.post("/mode")
async def mode(room: At, who: Who, campaign: str, wanted: ModeBody) -> CompanyShown:
    """Says how turns go from now on."""
    before, asking = await me(room, campaign, who)

    async def work() -> SharedTable:
        if "initiative" in (before.mode, wanted.mode):  # the order is in the story's log
            room.plays.check_free(campaign)
        return await acting.set_turn_mode(room.house, campaign, asking.id, wanted.mode)

    table: SharedTable = await room.plays.once(campaign, "", work)
    return await changed(room, table, asking.id, "mode")


@router.post("/call")
async def call(room: At, who: Who, campaign: str, wanted: CallBody) -> CompanyShown:
    """Calls who acts next."""
    _, asking = await me(room, campaign, who)
    table = await acting.call_on(room.house, campaign, asking.id, wanted.seat)
    return await changed(room, table, asking.id, "called")


@router.post("/go-on")
async def go_on(room: At, who: Who, campaign: str) -> CompanyShown:
    """Waits no longer for those who have not acted."""
    before, asking = await me(room, campaign, who)

    async def work() -> SharedTable:
        if before.mode == "initiative":  # whose turn it is is in the story's log
            room.plays.check_free(campaign)
        return await acting.go_on(room.house, campaign, asking.id)

    table: SharedTable = await room.plays.once(campaign, "", work)
    return await changed(room, table, asking.id, "round")


@router.get("/talk")
async def read(
    room: At, who: Who, campaign: str, after: Annotated[int, Query(ge=0, le=10**12)] = 0
) -> TalkShown:
    """What was said beside the story, and what was whispered to you."""
    _, asking = await me(room, campaign, who)
    return TalkShown(lines=await talk.read_talk(room.house, campaign, asking.id, after))


@router.post("/talk", status_code=201)
async def say(room: At, who: Who, campaign: str, wanted: TalkBody) -> TalkShown:
    """Says something beside the story."""
    table, asking = await me(room, campaign, who)
    line = await talk.say_beside(room.house, campaign, asking.id, wanted.text, wanted.to)
    room.tables.said(table, line)
    if table.companions():
        room.tables.listen(campaign)
    names = {each.id: each.name for each in table.people}
    return TalkShown(lines=[talk.talk_row(line, names)])


@router.post("/typing", status_code=204)
async def typing(room: At, who: Who, campaign: str) -> None:
    """Tells the others that you are writing; not what."""
    table, asking = await me(room, campaign, who)
    room.tables.typing(table, asking.id)


@router.get("/limits")
async def own_limits(room: At, who: Who, campaign: str) -> OwnLimits:
    """What you keep out of play. Nobody else reads this."""
    _, asking = await me(room, campaign, who)
    return safety.own_limits(asking)


@router.post("/limits")
async def set_limits(room: At, who: Who, campaign: str, wanted: OwnLimitsBody) -> OwnLimits:
    """Sets what you keep out of play. The table holds what all have set, without names."""
    _, asking = await me(room, campaign, who)
    kept = OwnLimits(lines=wanted.lines, veils=wanted.veils)
    if safety.is_more(asking, kept):
        await room.plays.stop(campaign)

    async def work() -> OwnLimits:
        return await safety.set_limits(room.house, campaign, asking.id, kept)

    room.plays.check_free(campaign)
    made: OwnLimits = await room.plays.once(campaign, "", work)
    place = await room.table.store.head(campaign)
    room.plays.moved(campaign, place, "limits")
    return made


async def changed(room: Room, table: SharedTable, person: str, what: str) -> CompanyShown:
    """The table once somebody changed it: all look again, and what is due is played."""
    room.tables.changed(table.campaign, what)
    room.tables.wake(table.campaign)
    return await _seen(room, table, person)


def _is_gone(room: Room, campaign: str, person: str) -> None:
    room.hub.send_away(campaign, person)
    room.tables.changed(campaign, "left")
    room.tables.wake(campaign)


def _link(room: Room, code: TableCode) -> LinkMade:
    url = join_url(room.reached_at, code.written())
    return LinkMade(
        url=url, token=code.written(), qr=qr_svg(url), reached_by_others=room.reached_by_others
    )
