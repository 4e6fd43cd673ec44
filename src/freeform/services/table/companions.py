"""AI players at people's tables: brought and sent away in play, or standing in for someone away."""

from pathlib import Path

from freeform.core.errors import Conflict, NotFound, UserError
from freeform.core.record import Record
from freeform.engine.authored.system import System
from freeform.engine.campaign.spotlight import Actor
from freeform.packs.formats.card import is_card, read_card
from freeform.packs.formats.card_story import story_of
from freeform.players.model import BasePersona
from freeform.players.party.persona import bundled_personas, choose_personas, scale
from freeform.players.people.model import Companion, SharedTable, TablePerson, TableSeat
from freeform.players.people.names import check_table_name
from freeform.players.people.order import without_waiting
from freeform.services.files import file_bytes
from freeform.services.house import House
from freeform.services.party.seating import near_of, persona_of_card
from freeform.services.table.acting import check_leads
from freeform.services.table.people import names_taken, now
from freeform.services.table.seats import MOST_SEATS, free_id


class PersonaRow(Record):
    """An AI player who can be asked to a table."""

    id: str
    name: str
    about: str
    plays: str
    """The character that they bring along where no seat is free."""


def list_companions() -> list[PersonaRow]:
    """The AI players that come with the program."""
    return [
        PersonaRow(id=each.id, name=each.name, about=each.about, plays=each.character.name)
        for each in bundled_personas().values()
    ]


async def add_companion(
    house: House, campaign: str, by: str, wanted: str, seat: str = ""
) -> SharedTable:
    """An AI player sits down: a bundled one by name, a persona or a character card by its file. In
    the seat that is named, else with the character that they bring along."""
    persona = read_companion(house, wanted)
    begun = await house.table.store.begun(campaign)
    talk = await house.tables.talk(campaign, most=1)
    since = talk[-1].no if talk else 0

    def change(table: SharedTable) -> SharedTable:
        check_leads(table, table.person(by))
        name = check_table_name(persona.name, names_taken(table))
        newcomer = TablePerson(
            id=f"p{len(table.people) + 1}",
            name=name,
            role="player",
            joined_at=now(house),
            companion=Companion(persona=persona, since=since),
        )
        table = table.with_person(newcomer)
        return _seated(table, newcomer, persona, begun.system, seat)

    return await house.tables.change(campaign, change)


async def remove_companion(house: House, campaign: str, by: str, name: str) -> SharedTable:
    """An AI player gets up; their seat is free."""

    def change(table: SharedTable) -> SharedTable:
        check_leads(table, table.person(by))
        leaving = companion_called(table, name)
        freed = without_waiting(table, leaving.id)
        return freed.with_person(leaving.model_copy(update={"gone": "left"}))

    return await house.tables.change(campaign, change)


async def allow_stand_in(house: House, campaign: str, person: str, persona: str) -> SharedTable:
    """Somebody's hero is played by that AI player while they are away; '' lets it wait."""
    if persona and persona not in bundled_personas():
        raise NotFound(f"no AI player '{persona[:40]}'; there are: {', '.join(bundled_personas())}")

    def change(table: SharedTable) -> SharedTable:
        who = table.person(person)
        if table.seat_of(who.id) is None:
            raise Conflict("you play nobody; take a seat first")
        return table.with_person(who.model_copy(update={"stand_in": persona}))

    return await house.tables.change(campaign, change)


def companion_called(table: SharedTable, name: str) -> TablePerson:
    """An AI player by id, name or character. NotFound names those there are."""
    wanted = name.strip().casefold()
    for each in table.companions():
        seat = table.seat_of(each.id)
        names = [each.id, each.name, *([seat.id, seat.actor.name] if seat else [])]
        if wanted in [one.casefold() for one in names]:
            return each
    there = ", ".join(each.name for each in table.companions()) or "none yet"
    raise NotFound(f"no AI player '{name[:40]}' is at this table; there are: {there}")


def read_companion(house: House, wanted: str) -> BasePersona:
    """A bundled AI player by name; where files may be named, a persona's or a card's."""
    path = Path(wanted)
    if house.files and path.is_file() and path.suffix not in (".yaml", ".yml"):
        content = file_bytes(path)
        if not content.startswith(b"\x89PNG") and not content.startswith(b"PK"):
            if not is_card(content):
                raise UserError(f"{path.name} is no character card and no persona")
        return persona_of_card(story_of(read_card(content, path.name)), near_of(house.table))
    found = choose_personas(wanted, files=house.files)
    if len(found) != 1:
        raise UserError("name one AI player at a time")
    return found[0]


def _seated(
    table: SharedTable, who: TablePerson, persona: BasePersona, system: System, seat: str
) -> SharedTable:
    """In the seat that is meant, or with a character of their own."""
    if seat:
        wanted = table.seat(seat)
        if wanted.person:
            raise Conflict(f"{wanted.actor.name} is played already; choose another seat")
        return table.with_seat(wanted.model_copy(update={"person": who.id, "owed": 0}))
    if len(table.seats) >= MOST_SEATS:
        raise Conflict(f"a table has {MOST_SEATS} seats at most; name one that is free")
    own = persona.character
    again = next(
        (each for each in table.seats if each.actor.name == own.name and not each.person), None
    )
    if again:
        return table.with_seat(again.model_copy(update={"person": who.id, "owed": 0}))
    name = check_table_name(own.name, names_taken(table, but=who.id))
    id = free_id(name, [each.id for each in table.seats])
    stats = scale(own, system) if own.stats else table.seats[0].actor.stats
    actor = Actor(id=id, name=name, concept=own.concept, pronouns=own.pronouns, stats=stats)
    return table.with_seat(TableSeat(id=id, actor=actor, person=who.id))
