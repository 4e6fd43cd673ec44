"""Ways into a table: invitations made, looked at, used and called back; other devices.

What a link holds is told once and kept as a hash; it is spent, runs out, and may ask for a
passphrase.
"""

from datetime import datetime, timedelta

from pydantic import Field

from freeform.core.errors import Conflict, Forbidden, NotFound, UserError
from freeform.core.record import Record
from freeform.players.people.model import Invite, Role, SharedTable, TablePerson
from freeform.players.people.names import check_table_name
from freeform.players.people.secrets_kept import (
    TableCode,
    fresh_code,
    hash_passphrase,
    hash_secret,
    is_passphrase,
    is_secret,
    read_code,
)
from freeform.services.house import House
from freeform.services.table.people import check_person, names_taken, now
from freeform.services.table.seats import NewHero, seated

MOST_PEOPLE, MOST_INVITES, MOST_DEVICES, MOST_USES = 64, 40, 5, 60
LONGEST_PASSPHRASE, MOST_HOURS = 200, 24 * 30
NO_WAY_IN = "this invitation is not known here, or has run out; ask the host for another"


class InviteWish(Record):
    """Whom a link is for."""

    role: Role = "player"
    seat: str = ""
    passphrase: str = Field(default="", max_length=LONGEST_PASSPHRASE)
    uses: int = Field(default=1, ge=1, le=MOST_USES)
    hours: int = Field(default=48, ge=1, le=MOST_HOURS)


class JoinWish(Record):
    """Who comes in by a link, and whom they play: a seat, or a hero of their own."""

    code: str = Field(max_length=300)
    name: str = ""
    passphrase: str = Field(default="", max_length=LONGEST_PASSPHRASE)
    seat: str = ""
    hero: NewHero | None = None


class InviteShown(Record):
    """What a link leads to, for whoever holds it."""

    campaign: str
    role: Role
    host: str
    asks_passphrase: bool
    returning: str = ""
    """The name of the one person who may use it; '' for a newcomer."""
    seats: list[dict[str, str]]
    """Those that are free: id, character, concept."""


class Joined(Record):
    """Someone is at the table; the token is told this once."""

    campaign: str
    person: str
    name: str
    role: Role
    seat: str
    token: str


async def invite(house: House, campaign: str, by: str, wish: InviteWish) -> TableCode:
    """A way in, for the host to hand out. Told once."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        seat = table.seat(wish.seat).id if wish.seat else ""
        made = _invite(house, code, wish.hours).model_copy(
            update={"role": wish.role, "seat": seat, "uses": wish.uses, "passphrase": kept}
        )
        return _with_invite(house, table, made)

    code = fresh_code(campaign, house.table.ids.new("in"))
    kept = hash_passphrase(wish.passphrase) if wish.passphrase.strip() else ""
    await house.tables.change(campaign, change)
    return code


async def way_back(house: House, campaign: str, by: str, person: str = "") -> TableCode:
    """A link for another device of one's own; from the host, for whoever lost theirs."""

    def change(table: SharedTable) -> SharedTable:
        asking = table.person(by)
        meant = table.person(person or by)
        if meant.id != asking.id:
            table.check_host(asking)
        check_person(meant)
        if meant.owner:
            raise UserError("the owner comes in with the server's key; see `serve --key`")
        made = _invite(house, code, hours=1)
        return _with_invite(house, table, made.model_copy(update={"person": meant.id}))

    code = fresh_code(campaign, house.table.ids.new("in"))
    await house.tables.change(campaign, change)
    return code


async def only_here(house: House, campaign: str, person: str) -> Joined:
    """A new token for someone; what all their devices held, and the ways to further ones, opens
    nothing any more: for a token that is in other hands."""
    secret = fresh_code(campaign, "").secret

    def change(table: SharedTable) -> SharedTable:
        who = table.person(person)
        if who.owner:
            raise UserError("the owner has no token; who holds the server's key is the owner")
        if who.account:  # more than a token: who has only that one cannot take it away
            raise Conflict("this seat is kept with an account; sign in, and sign out there")
        ways = [each for each in table.invites if each.person != who.id]
        changed = table.with_person(who.model_copy(update={"tokens": [hash_secret(secret)]}))
        return changed.model_copy(update={"invites": ways})

    return _joined(await house.tables.change(campaign, change), person, secret)


async def one_more_device(house: House, campaign: str, person: str) -> Joined:
    """A token for someone who is known by other means, beside those they have."""
    secret = fresh_code(campaign, "").secret
    table = await house.tables.change(
        campaign, lambda table: _on_another_device(table, person, secret)
    )
    return _joined(table, person, secret)


async def call_back(house: House, campaign: str, by: str, invite_id: str) -> SharedTable:
    """An invitation holds no longer."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        left = [each for each in table.invites if each.id != invite_id]
        if len(left) == len(table.invites):
            raise NotFound(f"no invitation '{invite_id[:40]}' is out")
        return table.model_copy(update={"invites": left})

    return await house.tables.change(campaign, change)


async def look_at_invite(house: House, code: str) -> InviteShown:
    """What a link leads to. NotFound for one that was guessed or has run out."""
    table, found = await _found(house, code)
    returning = table.person(found.person).name if found.person else ""
    free = [each for each in table.seats if not each.person]
    if found.seat:
        free = [each for each in free if each.id == found.seat]
    rows = [{"id": s.id, "character": s.actor.name, "concept": s.actor.concept} for s in free]
    return InviteShown(
        campaign=table.campaign,
        role=found.role,
        host=table.person(table.host).name,
        asks_passphrase=bool(found.passphrase),
        returning=returning,
        seats=rows if found.role != "spectator" else [],
    )


async def join(house: House, wish: JoinWish) -> Joined:
    """Comes in by a link; the same person on another device, if it is a way back."""
    table, found = await _found(house, wish.code)
    if found.passphrase and not is_passphrase(wish.passphrase, found.passphrase):
        raise Forbidden("that is not the passphrase; ask the host for it")
    token = fresh_code(table.campaign, "")
    person_id = found.person

    def change(table: SharedTable) -> SharedTable:
        nonlocal person_id
        used = _used(table, found.id)
        if found.person:
            return _on_another_device(used, found.person, token.secret)
        if len(used.here()) >= MOST_PEOPLE:
            raise Conflict(f"{MOST_PEOPLE} people are at this table; somebody has to leave first")
        person_id = f"p{len(used.people) + 1}"
        newcomer = TablePerson(
            id=person_id,
            name=check_table_name(wish.name, names_taken(used)),
            role=found.role,
            tokens=[hash_secret(token.secret)],
            joined_at=now(house),
        )
        return _with_newcomer(used, newcomer, found, wish)

    table = await house.tables.change(table.campaign, change)
    return _joined(table, person_id, token.secret)


async def _found(house: House, text: str) -> tuple[SharedTable, Invite]:
    """The invitation that a link holds, if it may still be used."""
    code = read_code(text)
    try:
        table = await house.tables.find(code.campaign) if code else None
    except UserError:
        table = None
    invites = table.invites if table else []
    found = next((each for each in invites if code and each.id == code.id), None)
    secret = code.secret if code else ""
    if table is None or not is_secret(secret, found.secret if found else hash_secret("")):
        raise NotFound(NO_WAY_IN)
    if found is None or _is_over(found, house):
        raise NotFound(NO_WAY_IN)
    if not found.uses:
        raise Conflict("this link was used already; ask the host for another")
    return table, found


def _used(table: SharedTable, invite_id: str) -> SharedTable:
    """The table with one use of an invitation spent; Conflict when somebody was faster."""
    spent: list[Invite] = []
    for each in table.invites:
        if each.id == invite_id and not each.uses:
            raise Conflict("this link was used already; ask the host for another")
        uses = each.uses - 1 if each.id == invite_id else each.uses
        spent.append(each.model_copy(update={"uses": uses}))
    return table.model_copy(update={"invites": spent})


def _on_another_device(table: SharedTable, person: str, secret: str) -> SharedTable:
    known = table.person(person)
    tokens = [*known.tokens, hash_secret(secret)][-MOST_DEVICES:]
    return table.with_person(known.model_copy(update={"tokens": tokens}))


def _with_newcomer(
    table: SharedTable, newcomer: TablePerson, by: Invite, wish: JoinWish
) -> SharedTable:
    table = table.with_person(newcomer)
    wants_seat = newcomer.role == "player" or wish.seat or wish.hero
    if newcomer.role == "spectator" or not wants_seat:
        return table
    return seated(table, newcomer.id, by.seat or wish.seat, None if by.seat else wish.hero)


def _joined(table: SharedTable, person: str, secret: str) -> Joined:
    who = table.person(person)
    seat = table.seat_of(who.id)
    token = TableCode(table.campaign, who.id, secret).written()
    return Joined(
        campaign=table.campaign,
        person=who.id,
        name=who.name,
        role=who.role,
        seat=seat.id if seat else "",
        token=token,
    )


def _invite(house: House, code: TableCode, hours: int) -> Invite:
    until = house.table.clock.now() + timedelta(hours=hours)
    return Invite(
        id=code.id, secret=hash_secret(code.secret), until=until.isoformat(timespec="seconds")
    )


def _with_invite(house: House, table: SharedTable, made: Invite) -> SharedTable:
    """Those that have run out are dropped on the way."""
    good = [each for each in table.invites if not _is_over(each, house)]
    if len([each for each in good if each.uses]) >= MOST_INVITES:
        raise Conflict(f"{MOST_INVITES} invitations are out; call one back first")
    return table.model_copy(update={"invites": [*good[-MOST_INVITES:], made]})


def _is_over(found: Invite, house: House) -> bool:
    return datetime.fromisoformat(found.until) < house.table.clock.now()
