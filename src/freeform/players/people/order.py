"""Whose turn it is at a table of several people, in each of its modes. Pure."""

from collections.abc import Collection
from typing import Any

from freeform.core.errors import Conflict, Forbidden
from freeform.engine.rules.fight.foes import TurnOrder
from freeform.players.people.model import (
    SharedTable,
    Submission,
    TablePerson,
    TableSeat,
)

REMEMBERED = 200
"""Turn ids that were played, so that one sent again is known."""


def submitted(
    table: SharedTable, person: TablePerson, text: str, turn_id: str, goes_on: bool = False
) -> SharedTable:
    """The table with what someone wants to do. Sent again it changes nothing; Conflict says who is
    waited for, Forbidden why someone may not act at all."""
    if turn_id in table.played or any(each.turn_id == turn_id for each in table.waiting):
        return table
    seat = _seat_that_acts(table, person)
    _check_turn(table, seat)
    wanted = Submission(turn_id=turn_id, seat=seat.id, person=person.id, text=text, goes_on=goes_on)
    return _with_submission(table, wanted)


def chosen_by_ai(table: SharedTable, seat: TableSeat, text: str, turn_id: str) -> SharedTable:
    """The table with what an AI player chose. Conflict when it is not that seat's turn by now."""
    _check_turn(table, seat)
    if any(each.seat == seat.id for each in table.waiting):
        raise Conflict(f"already played: {seat.actor.name} has written by now")
    wanted = Submission(turn_id=turn_id, seat=seat.id, person=seat.person, text=text, by_ai=True)
    return _with_submission(table, wanted)


def passed(table: SharedTable, seat: TableSeat) -> SharedTable:
    """The table once an AI player lets its turn go by: nobody waits for it."""
    called = "" if seat.id == table.called else table.called
    changed: dict[str, Any] = {"acted": [*table.acted, seat.id], "called": called}
    if seat.id in _from(table, ""):
        changed["next"] = _after(table, seat.id)
    rested = table.with_seat(seat.model_copy(update={"owed": 0}))
    return settled(begun(rested.model_copy(update=changed)))


def _with_submission(table: SharedTable, wanted: Submission) -> SharedTable:
    if table.mode == "together" or table.tellers():  # until it is told, one may think again
        others = [each for each in table.waiting if each.seat != wanted.seat]
        return table.model_copy(update={"waiting": [*others, wanted]})
    return table.model_copy(update={"waiting": [*table.waiting, wanted]})


def _seat_that_acts(table: SharedTable, person: TablePerson) -> TableSeat:
    if person.role == "spectator":
        raise Forbidden("you are watching; ask the host for a seat to play")
    seat = table.seat_of(person.id)
    if seat is None:
        raise Forbidden("you have no seat; take one, or ask the host for one")
    return seat


def _check_turn(table: SharedTable, seat: TableSeat) -> None:
    name = seat.actor.name
    if table.telling:
        raise Conflict("already played: what all have written is being told; write after it")
    if table.mode == "together":
        return
    if any(each.seat == seat.id for each in table.waiting) and not table.tellers():
        raise Conflict(f"already played: what {name} does is waiting for its turn to be told")
    if table.mode == "rounds" and seat.id in table.acted:
        raise Conflict(f"already played: {name} has acted this round; {_waits_for(table)}")
    if table.mode == "initiative" and not _is_next(table, seat):
        names = ", ".join(row.name for row in table.order)
        raise Conflict(f"{name} waits for their place in the order ({names}); {_waits_for(table)}")
    if table.mode == "called" and seat.id != table.called:
        called = table.seat(table.called).actor.name if table.called else "nobody yet"
        raise Conflict(f"the host calls who acts, and called {called}; wait to be called")


def _waits_for(table: SharedTable) -> str:
    names = [each.actor.name for each in turn_of(table)]
    return f"waiting for {', '.join(names)}" if names else "the next round begins in a moment"


def turn_of(table: SharedTable) -> list[TableSeat]:
    """The seats that are waited for; in free play all that wait for nothing."""
    busy = {each.seat for each in table.waiting}
    if table.mode == "called":
        busy |= {each.id for each in table.seats if each.id != table.called}
    if table.mode in ("rounds", "together"):
        busy |= set(table.acted)
    if table.mode == "initiative":
        busy |= {each.id for each in table.seats if not _is_next(table, each)}
    return [each for each in table.taken_seats() if each.id not in busy]


def followed(table: SharedTable, found: TurnOrder | None) -> SharedTable:
    """The table as the story's log has it: in the order that was rolled while there is one, and as
    turns went before it once the fight is over."""
    if found is None:
        if table.mode != "initiative":
            return table
        over: dict[str, Any] = {"mode": table.mode_before, "order": [], "next": "", "acted": []}
        return begun(table.model_copy(update=over))
    rows = found.rows
    stands = table.next if table.mode == "initiative" else ""
    now: dict[str, Any] = {"order": rows, "next": found.next or stands or rows[0].id}
    if table.mode != "initiative":
        now |= {"mode": "initiative", "mode_before": table.mode, "acted": [], "called": ""}
    return table.model_copy(update=now)


def next_in_order(table: SharedTable) -> TableSeat | None:
    """The seat whose turn it is by the order that was rolled; foes act by themselves, and nobody
    waits for a seat that is free."""
    taken = {each.id: each for each in table.taken_seats()}
    found = [id for id in _from(table, table.next) if id in taken]
    return taken[found[0]] if found else None


def _from(table: SharedTable, id: str) -> list[str]:
    """All in the order, beginning with one of them."""
    ids = [row.id for row in table.order]
    at = ids.index(id) if id in ids else 0
    return [*ids[at:], *ids[:at]]


def _after(table: SharedTable, id: str) -> str:
    """Who comes after one of those in the order."""
    return [*_from(table, id), id][1]


def _is_next(table: SharedTable, seat: TableSeat) -> bool:
    """Whether it is that seat's turn; who is not in the order, being elsewhere, does not wait."""
    awaited = next_in_order(table)
    return awaited is None or awaited.id == seat.id or seat.id not in _from(table, "")


def due(table: SharedTable) -> list[Submission]:
    """What is played next: one as it came; where all write together, all of it at once, by seat,
    once all have written; nothing where a game master tells."""
    if table.tellers():
        return []
    if table.mode != "together" or not table.waiting:
        return table.waiting[:1]
    if turn_of(table) and not table.telling:
        return []
    return written(table)


def written(table: SharedTable) -> list[Submission]:
    """What was handed in and is not told yet, by seat."""
    places = [each.id for each in table.seats]
    return sorted(table.waiting, key=lambda each: places.index(each.seat))


def begun(table: SharedTable) -> SharedTable:
    """The table once something is due: what was written together is closed."""
    is_telling = table.mode == "together" and bool(due(table))
    return table.model_copy(update={"telling": is_telling})


def played(table: SharedTable, turn_ids: Collection[str]) -> SharedTable:
    """The table after a turn was told, or could not be: the next is due. Several are one turn
    where all wrote together."""
    for turn_id in turn_ids:
        table = _one_played(table, turn_id)
    return settled(table)


def _one_played(table: SharedTable, turn_id: str) -> SharedTable:
    done = next((each for each in table.waiting if each.turn_id == turn_id), None)
    if done is None:
        return table
    rest = [each for each in table.waiting if each.turn_id != turn_id]
    seats = [_counted(each, done) for each in table.seats]
    changed = {
        "seats": seats,
        "waiting": rest,
        "acted": [*table.acted, done.seat],
        "played": [*table.played, turn_id][-REMEMBERED:],
        "last_person": done.person,
        "called": "" if done.seat == table.called else table.called,
    }
    if done.seat in _from(table, ""):
        changed["next"] = _after(table, done.seat)
    return table.model_copy(update=changed)


def _counted(seat: TableSeat, done: Submission) -> TableSeat:
    """A seat after a turn: whoever acted is owed none, the others one more where a person did."""
    if seat.id == done.seat:
        return seat.model_copy(update={"owed": 0})
    return seat if done.by_ai else seat.model_copy(update={"owed": seat.owed + 1})


def settled(table: SharedTable) -> SharedTable:
    """A round is over when nobody is waited for, and nothing is left to play."""
    if table.waiting:
        return table
    table = table.model_copy(update={"telling": False})
    taken = {each.id for each in table.taken_seats()}
    if table.mode == "rounds" and not taken <= set(table.acted):
        return table
    return next_round(table) if table.acted else table


def next_round(table: SharedTable) -> SharedTable:
    """The next round, whoever has not acted in this one."""
    counts = table.mode in ("rounds", "together")
    return table.model_copy(update={"round": table.round + counts, "acted": []})


def taken_back(table: SharedTable) -> SharedTable:
    """The last turn was taken back: in this round, whoever acted last may act again."""
    return table.model_copy(update={"acted": table.acted[:-1]})


def go_on(table: SharedTable) -> SharedTable:
    """The host waits no longer: what was written together is told; a round is over; the next in the
    order acts."""
    if table.mode == "together" and table.waiting and not table.tellers():
        return table.model_copy(update={"telling": True})
    awaited = next_in_order(table) if table.mode == "initiative" else None
    if awaited:
        return table.model_copy(update={"next": _after(table, awaited.id)})
    return next_round(table)


def without_waiting(table: SharedTable, person: str) -> SharedTable:
    """The table once someone has gone: their seat is free, what they meant to do not done."""
    seats = [
        each.model_copy(update={"person": ""}) if each.person == person else each
        for each in table.seats
    ]
    waiting = [each for each in table.waiting if each.person != person]
    freed = {each.id for each in table.seats if each.person == person}
    called = "" if table.called in freed else table.called
    return settled(table.model_copy(update={"seats": seats, "waiting": waiting, "called": called}))
