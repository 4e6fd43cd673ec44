"""A table as one of its people sees it: who is here, whose turn it is, who may come in."""

from collections.abc import Collection

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.rules.fight.foes import OrderRow
from freeform.players.people.model import Role, SharedTable, TableSeat, TurnMode
from freeform.players.people.order import turn_of
from freeform.services.views.records import TableShown


class PersonRow(Record):
    """Someone at the table."""

    id: str
    name: str
    role: Role
    host: bool
    seat: str
    character: str
    here: bool
    """Whether they are connected right now."""
    ai: bool = False
    """Whether it is an AI player."""
    about: str = ""
    """What there is to know of an AI player."""
    stand_in: str = ""
    """Who plays their hero while they are away, if they allow it: an AI player's id."""
    kept: bool = False
    """Whether their seat is kept with an account."""


class TableSeatRow(Record):
    """A character, and who plays it; '' while nobody does."""

    id: str
    character: str
    concept: str
    person: str


class InviteRow(Record):
    """An invitation that is out."""

    id: str
    role: Role
    seat: str
    returning: str
    uses: int
    until: str
    passphrase: bool


class Company(Record):
    """The table, for one who sits at it."""

    campaign: str
    mode: TurnMode
    round: int
    you: PersonRow
    people: list[PersonRow]
    seats: list[TableSeatRow]
    turn_of: list[str]
    """The characters that are waited for, by name."""
    waiting: list[str]
    """The characters whose words were handed in and are not told yet."""
    called: str
    yours: str
    """What you have handed in, until it is told."""
    devices: int
    """On how many devices you are signed in; 0 for the owner, who needs no token."""
    invites: list[InviteRow]
    """For the host alone."""
    order: list[OrderRow]
    """The order that was rolled, foes among it; none where turns go otherwise."""
    told_by: list[str] = Field(default_factory=list)
    """The game masters who tell every turn, by name; none where the engine tells."""
    elsewhere: list[str] = Field(default_factory=list)
    """The characters who are not where yours is, by name."""


def company(table: SharedTable, person: str, online: Collection[str] = ()) -> Company:
    """What that person sees. What others have written together stays theirs until it is told."""
    you = table.person(person)
    leads = you.owner or you.id == table.host
    own = next((each.text for each in table.waiting if each.person == you.id), "")
    names = {each.id: each.actor.name for each in table.seats}
    return Company(
        campaign=table.campaign,
        mode=table.mode,
        round=table.round,
        you=_person(table, you.id, online),
        people=[_person(table, each.id, online) for each in table.here()],
        seats=seat_rows(table),
        turn_of=[each.actor.name for each in turn_of(table)],
        waiting=[names[each.seat] for each in table.waiting],
        called=names.get(table.called, ""),
        yours=own,
        devices=len(you.tokens),
        invites=_invites(table) if leads else [],
        order=table.order,
        told_by=[each.name for each in table.tellers()],
    )


def seen_from(seen: TableShown, table: SharedTable, person: str) -> TableShown:
    """The story's table as one of its people sees it: with the hero they play."""
    seat = table.seat_of(person)
    if seat is None:
        return seen
    actor = seat.actor
    own = {"name": actor.name, "concept": actor.concept, "stats": actor.stats}
    return seen.model_copy(update={"hero": seen.hero.model_copy(update=own)})


def seat_rows(table: SharedTable) -> list[TableSeatRow]:
    """Every seat."""
    return [_seat(table, each) for each in table.seats]


def _seat(table: SharedTable, seat: TableSeat) -> TableSeatRow:
    name = table.person(seat.person).name if seat.person else ""
    return TableSeatRow(
        id=seat.id, character=seat.actor.name, concept=seat.actor.concept, person=name
    )


def _person(table: SharedTable, id: str, online: Collection[str]) -> PersonRow:
    who, seat = table.person(id), table.seat_of(id)
    return PersonRow(
        id=who.id,
        name=who.name,
        role=who.role,
        host=who.id == table.host,
        seat=seat.id if seat else "",
        character=seat.actor.name if seat else "",
        here=who.id in online or who.companion is not None,
        ai=who.companion is not None,
        about=who.companion.persona.about if who.companion else "",
        stand_in=who.stand_in,
        kept=bool(who.account),
    )


def _invites(table: SharedTable) -> list[InviteRow]:
    rows: list[InviteRow] = []
    for each in table.invites:
        if each.uses:
            back = table.person(each.person).name if each.person else ""
            rows.append(
                InviteRow(
                    id=each.id,
                    role=each.role,
                    seat=each.seat,
                    returning=back,
                    uses=each.uses,
                    until=each.until,
                    passphrase=bool(each.passphrase),
                )
            )
    return rows
