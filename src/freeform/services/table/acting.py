"""Who acts when: turns are handed in, played in the order that the table's mode gives, and told.

What was handed in is kept before it is answered, under its turn id, and the engine plays an id
once: a crash between the two loses nothing and doubles nothing.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from freeform.core.chance import Chance
from freeform.core.errors import Conflict
from freeform.core.record import Record
from freeform.engine.campaign.apart import heroes_here, place_of
from freeform.engine.log import Changed, LogPosition, Resolved
from freeform.engine.rules.fight.foes import INITIATIVE, order_in, with_next, without_order
from freeform.engine.rules.fight.rounds import is_rolled, roll_order
from freeform.engine.rules.ledger import Ledger
from freeform.engine.story.seen import along_ear
from freeform.engine.turn import Say
from freeform.engine.typed import TurnPart
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import GameState
from freeform.language.meaning.along import speaks_for_all
from freeform.language.words import word_class
from freeform.players.mind.deeds import deed_in
from freeform.players.people import order
from freeform.players.people.model import SharedTable, Submission, TablePerson, TurnMode
from freeform.players.round.options import kind_of
from freeform.services.house import House
from freeform.services.play import Mode, hear
from freeform.services.table.people import get_table


class HandedIn(Record):
    """A turn that was handed in, and how many are played before it."""

    turn_id: str
    before: int
    waits_for: list[str]
    """Whose words are waited for, by their characters' names, or the game master who tells; none
    where it is played at once."""


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
    waited = [each.actor.name for each in order.turn_of(table)]
    told_by = [each.name for each in table.tellers()] if id in ids else []
    return HandedIn(
        turn_id=id,
        before=ids.index(id) if id in ids and table.mode != "together" and not told_by else 0,
        waits_for=told_by or ([] if is_ready else waited),
    )


async def next_say(house: House, campaign: str) -> Say | None:
    """What is to be played now, if anything is; what all wrote together is one turn."""
    table = await house.tables.find(campaign)
    wanted = order.due(table) if table else []
    if table is None or not wanted:
        return None
    state, ear = await house.table.store.get_state(campaign), along_ear(house.table.sense)
    names = [each.name for each in table.heroes()]
    return say_for(
        table, _in_one_scene(wanted, state, lambda text: speaks_for_all(text, names, ear))
    )


def say_for(table: SharedTable, wanted: list[Submission]) -> Say:
    """What was handed in as a turn to be played; several are one turn."""
    first = wanted[0]
    say = Say(
        campaign=table.campaign,
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


def _in_one_scene(
    wanted: list[Submission], state: GameState, leads_all: Callable[[str], bool]
) -> list[Submission]:
    """What is told at once of what was written together: what those in one place do. Nobody acts in
    a place that was left: who leads all away comes last, and who goes alone has a turn alone."""
    wanted = sorted(wanted, key=lambda each: _leads_away(each.text))
    here = place_of(wanted[0].seat, state)
    near = [each for each in wanted if place_of(each.seat, state) == here]
    stay = [each for each in near if not _leads_away(each.text) or leads_all(each.text)]
    return stay or near[:1]


def _leads_away(text: str) -> bool:
    words = deed_in(text).split()
    before = word_class("before_a_deed") | word_class("all_of_us")
    while words and re.sub("['’]", "", words[0].lower()) in before:
        words = words[1:]
    return kind_of(" ".join(words)) == "go"


def turn_ids(say: Say) -> list[str]:
    """Under which ids a turn was handed in."""
    return [part.turn_id for part in say.parts] or [say.turn_id]


async def told_ids(house: House, say: Say) -> list[str]:
    """Under which ids what was told of it was handed in: who left the others behind has a turn
    alone, and the rest still waits."""
    told = await house.table.store.find_turn(say.campaign, say.turn_id) if say.parts else []
    facts = next((row.entry for row in told if isinstance(row.entry, Resolved)), None)
    return [part.turn_id for part in facts.parts] if facts and facts.parts else turn_ids(say)


async def mark_played(house: House, campaign: str, turn_ids: list[str]) -> SharedTable:
    """A turn was told, or could not be: the next is due."""
    await house.tables.change(campaign, lambda table: order.played(table, turn_ids))
    return await follow_order(house, campaign)


async def take_back(house: House, campaign: str) -> None:
    """The last turn was taken back; at a table of several, its seat may act again."""
    if await house.tables.find(campaign):
        await house.tables.change(campaign, order.taken_back)
        await follow_order(house, campaign)


async def set_turn_mode(house: House, campaign: str, by: str, mode: TurnMode) -> SharedTable:
    """How turns go from now on; what was handed in is played first. For initiative all throw, in
    the open; Conflict where the rules have none."""
    table = await get_table(house, campaign)
    check_leads(table, table.person(by))
    head, state = await _stands(house, campaign)
    rolled = order_in(state)
    if mode == "initiative":
        if rolled is None:
            await _roll_order(house, table, head, state)
        return await follow_order(house, campaign)
    if rolled is not None:
        await _write_order(house, campaign, head, without_order(state), {"rolls": []})

    def change(table: SharedTable) -> SharedTable:
        changed: dict[str, Any] = {"mode": mode, "acted": [], "called": "", "order": [], "next": ""}
        return order.begun(table.model_copy(update=changed))

    return await house.tables.change(campaign, change)


async def _stands(house: House, campaign: str) -> tuple[LogPosition, GameState]:
    """Where the log ends, and what is so there: whoever is faster makes the next entry fail."""
    head = await house.table.store.head(campaign)
    return head, await house.table.store.get_state(campaign)


async def _roll_order(
    house: House, table: SharedTable, head: LogPosition, state: GameState
) -> None:
    """Everyone where play is throws for their place; it is written in the log."""
    campaign = table.campaign
    rules = house.table.rules(await house.table.store.begun(campaign), state)
    if not is_rolled(rules):
        raise Conflict(
            f"nobody throws for initiative by the rules of this story ({rules.system.name}); "
            "take rounds, together or called"
        )
    page = Ledger(state)
    heroes = heroes_here(table.heroes(), state)
    roll_order(page, replace(rules, heroes=heroes), Chance(rules.begun.seed, "order", head.entry))
    rolls = [roll.text for roll in page.rolls]
    await _write_order(house, campaign, head, page.diff, {"rolls": rolls})


async def _write_order(
    house: House, campaign: str, head: LogPosition, diff: StateDiff, details: dict[str, Any]
) -> None:
    entry = Changed(why=INITIATIVE, details=details, state_diff=diff)
    await house.table.store.append(campaign, [entry], after=head)


async def follow_order(house: House, campaign: str) -> SharedTable:
    """The table with the order that the story's log has: what was taken back, or told before a
    crash, is so here, too."""
    found = order_in(await house.table.store.get_state(campaign))
    table = await get_table(house, campaign)
    if order.followed(table, found) == table:
        return table
    return await house.tables.change(campaign, lambda now: order.followed(now, found))


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

    return await pass_by(house, campaign, change)


async def pass_by(
    house: House, campaign: str, change: Callable[[SharedTable], SharedTable] = order.go_on
) -> SharedTable:
    """Nobody waits for who is away, or does nothing: the next in the order acts. In a fight it is
    written in the log, which says whose turn it is."""
    table = await get_table(house, campaign)
    changed = change(table)
    if table.mode == "initiative" and changed.next != table.next:
        await write_next(house, table, changed.next)

    def go_by(now: SharedTable) -> SharedTable:
        return change(now) if now.next == table.next else now

    return await house.tables.change(campaign, go_by)


async def write_next(house: House, table: SharedTable, next: str) -> None:
    """The story's log says who acts next in the order that was rolled."""
    head, state = await _stands(house, table.campaign)
    diff = with_next(state, next)
    if diff != StateDiff():
        details = {"passed": table.next, "next": next}
        await _write_order(house, table.campaign, head, diff, details)


async def say_as(house: House, campaign: str, seat: str, say: Say) -> Say:
    """The same turn, played as a character that nobody else plays. Conflict where somebody does, or
    where a game master tells every turn."""
    table = await get_table(house, campaign)
    meant, mine = table.seat(seat), ("", table.owner().id)
    if meant.person not in mine:
        name = table.person(meant.person).name
        raise Conflict(f"{name} plays {meant.actor.name}, and nobody acts for another")
    if table.tellers():
        raise Conflict("the game master tells every turn here; hand it in from your seat")
    return say.model_copy(update={"actor": meant.actor, "alone": False})


def check_leads(table: SharedTable, person: TablePerson) -> None:
    """The host and the game master say how turns go."""
    if person.role != "gm":
        table.check_host(person)
