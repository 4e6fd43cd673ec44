"""Dice together: who rolled what and why, for all to see; secret rolls; one throw for everyone.

A roll lies among the talk, so that it comes to whom it is for and to nobody else, by every door.
"""

from typing import Literal, get_args

from pydantic import Field

from freeform.core.errors import Conflict, UserError
from freeform.core.record import Record
from freeform.core.text import visible
from freeform.players.people.model import ChatLine, DiceThrown, SharedTable, TablePerson
from freeform.services.house import House
from freeform.services.play import roll_dice
from freeform.services.table.acting import check_leads
from freeform.services.table.people import get_table
from freeform.services.table.talk import TalkRow, check_speaks, said_at, talk_row

Secrecy = Literal["", "mine", "gm"]
"""All see it; whoever rolled alone; whoever rolled and the game master."""
LONGEST_EXPR, LONGEST_WHY, MOST_LOOKED = 80, 200, 400


class RollWish(Record):
    """What is rolled, what for, who sees it; for all: once for every character that is played."""

    expr: str = Field(max_length=LONGEST_EXPR)
    why: str = Field(default="", max_length=LONGEST_WHY)
    secret: Secrecy = ""
    for_all: bool = False


async def roll_at_table(house: House, campaign: str, person: str, wish: RollWish) -> ChatLine:
    """Rolls dice at the table. Forbidden for those who watch; for all roll the host and the game
    master."""
    table = await get_table(house, campaign)
    who = await check_speaks(house, table, person)
    if wish.for_all:
        check_leads(table, who)
    names = [seat.actor.name for seat in table.taken_seats()] if wish.for_all else [who.name]
    seed = house.table.ids.new("roll")
    rolls: list[DiceThrown] = []
    for number, name in enumerate(names):
        thrown = roll_dice(wish.expr, f"{seed}/{number}")
        roll = DiceThrown(name=name, expr=thrown.expr, total=thrown.total, text=thrown.text)
        rolls.append(roll)
    line = ChatLine(
        by=who.id,
        to=_seen_by(table, who, wish.secret),
        text=visible(wish.why),
        at=said_at(house),
        rolls=rolls,
    )
    return await house.tables.say(campaign, line)


async def read_rolls(house: House, campaign: str, person: str) -> list[TalkRow]:
    """The dice log as that person may see it, oldest first."""
    table = await get_table(house, campaign)
    names = {each.id: each.name for each in table.people}
    lines = await house.tables.talk(campaign, most=MOST_LOOKED)
    return [talk_row(each, names) for each in lines if each.rolls and each.is_heard_by(person)]


def read_secrecy(text: str) -> Secrecy:
    """Who sees a roll. UserError names what there is."""
    found = next((each for each in get_args(Secrecy) if each == text), None)
    if found is None:
        raise UserError(f"no such secrecy '{text[:20]}'; there are: mine, gm, or none")
    return found  # type: ignore[no-any-return]


def _seen_by(table: SharedTable, who: TablePerson, secret: Secrecy) -> list[str]:
    if secret == "mine":
        return [who.id]
    masters = [each.id for each in table.here() if each.role == "gm"]
    if secret == "gm" and not masters:
        raise Conflict("nobody is the game master here; roll for yourself, or let all see it")
    return masters if secret == "gm" else []
