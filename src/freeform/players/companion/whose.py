"""When an AI player acts at a table of people: after them, never in a loop without them. Pure."""

from collections.abc import Collection

from freeform.core.record import Record
from freeform.players.model import BasePersona
from freeform.players.party.persona import bundled_personas
from freeform.players.people.model import SharedTable, TableSeat
from freeform.players.people.order import turn_of


class AiSeat(Record):
    """A seat that an AI player acts for: its own, or that of someone who is away and allows it."""

    seat: TableSeat
    persona: BasePersona
    person: str
    stands_in: bool = False


def ai_seats(table: SharedTable, away: Collection[str] = ()) -> list[AiSeat]:
    """The seats that AI players play while those are away, in their order."""
    ours, found = bundled_personas(), list[AiSeat]()
    for seat in table.taken_seats():
        who = table.person(seat.person)
        if who.companion:
            found.append(AiSeat(seat=seat, persona=who.companion.persona, person=who.id))
        elif who.id in away and who.stand_in in ours:
            persona = ours[who.stand_in]
            found.append(AiSeat(seat=seat, persona=persona, person=who.id, stands_in=True))
    return found


def next_to_act(table: SharedTable, away: Collection[str] = ()) -> AiSeat | None:
    """The AI player whose turn it is now, if it is anyone's. In free play each comes after as many
    turns of people as there are people; in a round once all who are here have acted; where all
    write together, or a game master tells, once somebody has; in the order that was rolled, as in
    free play where no person is in it; and when called."""
    gathers = table.mode == "together" or bool(table.tellers())
    if table.telling or (table.waiting and not gathers):
        return None
    ours = ai_seats(table, away)
    theirs = {each.seat.id for each in ours}
    here = [seat for seat in table.people_seats() if seat.id not in theirs]
    waited = {seat.id for seat in turn_of(table)}
    for each in ours:
        if each.seat.id in waited and _comes_now(table, each.seat, here):
            return each
    return None


def _comes_now(table: SharedTable, seat: TableSeat, here: list[TableSeat]) -> bool:
    people = {each.id for each in here}
    if table.mode == "called":
        return table.called == seat.id
    if not people:
        return False
    if table.mode == "initiative" and people & {row.id for row in table.order}:
        return True
    if table.mode == "together" or table.tellers():
        return any(each.seat in people for each in table.waiting)
    if table.mode == "rounds":
        return people <= set(table.acted)
    return seat.owed >= len(people)
