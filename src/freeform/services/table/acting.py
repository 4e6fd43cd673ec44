"""Who acts when: turns are handed in, played in the order that the table's mode gives, and told.

What was handed in is kept before it is answered, under its turn id, and the engine plays an id
once: a crash between the two loses nothing and doubles nothing.
"""

from freeform.core.record import Record
from freeform.engine.turn import Say
from freeform.engine.typed import TurnPart
from freeform.players.mind.deeds import deed_in
from freeform.players.people import order
from freeform.players.people.model import SharedTable, TablePerson, TurnMode
from freeform.players.round.options import kind_of
from freeform.services.house import House
from freeform.services.play import Mode, hear
from freeform.services.table.people import get_table


class HandedIn(Record):
    """A turn that was handed in, and how many are played before it."""

    turn_id: str
    before: int
    waits_for: list[str]
    """Whose words are waited for, by their characters' names; none where it is played at once."""


async def hand_in(
    house: House, campaign: str, person: str, text: str, *, mode: Mode = "do", turn_id: str = ""
) -> HandedIn:
    """Hands in what someone's character does. Conflict when it is not their turn."""
    heard = hear(text, mode)
    id = turn_id or house.table.ids.new("turn")

    def change(table: SharedTable) -> SharedTable:
        return order.begun(order.submitted(table, table.person(person), heard, id, mode == "go"))

    table = await house.tables.change(campaign, change)
    ids = [each.turn_id for each in table.waiting]
    is_ready = table.mode != "together" or table.telling
    return HandedIn(
        turn_id=id,
        before=ids.index(id) if id in ids and table.mode != "together" else 0,
        waits_for=[] if is_ready else [each.actor.name for each in order.turn_of(table)],
    )


async def next_say(house: House, campaign: str) -> Say | None:
    """What is to be played now, if anything is; what all wrote together is one turn."""
    table = await house.tables.find(campaign)
    wanted = order.due(table) if table else []
    if table is None or not wanted:
        return None
    # Nobody acts in a place that was left: whoever leads away comes last.
    wanted = sorted(wanted, key=lambda each: kind_of(deed_in(each.text)) == "go")
    first = wanted[0]
    say = Say(
        campaign=campaign,
        text=first.text,
        turn_id=first.turn_id,
        alone=first.person == table.last_person,
        goes_on=first.goes_on,
        actor=table.seat(first.seat).actor,
    )
    if len(wanted) == 1:
        return say
    parts = [
        TurnPart(
            actor=table.seat(each.seat).actor,
            text=each.text,
            turn_id=each.turn_id,
            goes_on=each.goes_on,
        )
        for each in wanted
    ]
    return say.model_copy(update={"parts": parts, "alone": False})


def turn_ids(say: Say) -> list[str]:
    """Under which ids a turn was handed in."""
    return [part.turn_id for part in say.parts] or [say.turn_id]


async def mark_played(house: House, campaign: str, turn_ids: list[str]) -> SharedTable:
    """A turn was told, or could not be: the next is due."""
    return await house.tables.change(campaign, lambda table: order.played(table, turn_ids))


async def take_back(house: House, campaign: str) -> None:
    """The last turn was taken back; at a table of several, its seat may act again."""
    if await house.tables.find(campaign):
        await house.tables.change(campaign, order.taken_back)


async def set_turn_mode(house: House, campaign: str, by: str, mode: TurnMode) -> SharedTable:
    """How turns go from now on; what was handed in is played first."""

    def change(table: SharedTable) -> SharedTable:
        check_leads(table, table.person(by))
        changed = table.model_copy(update={"mode": mode, "acted": [], "called": ""})
        return order.begun(changed)

    return await house.tables.change(campaign, change)


async def call_on(house: House, campaign: str, by: str, seat: str) -> SharedTable:
    """The host or the game master says whose turn it is."""

    def change(table: SharedTable) -> SharedTable:
        check_leads(table, table.person(by))
        return table.model_copy(update={"called": table.seat(seat).id, "mode": "called"})

    return await house.tables.change(campaign, change)


async def go_on(house: House, campaign: str, by: str) -> SharedTable:
    """Waits no longer for those who have not acted."""

    def change(table: SharedTable) -> SharedTable:
        check_leads(table, table.person(by))
        return order.go_on(table)

    return await house.tables.change(campaign, change)


async def say_as(house: House, campaign: str, seat: str, say: Say) -> Say:
    """The same turn, played by whoever sits in that seat."""
    table = await get_table(house, campaign)
    return say.model_copy(update={"actor": table.seat(seat).actor, "alone": False})


def check_leads(table: SharedTable, person: TablePerson) -> None:
    """The host and the game master say how turns go."""
    if person.role != "gm":
        table.check_host(person)
