"""Talk beside the story: out of character, to all or as a whisper. The engine never hears it."""

from datetime import datetime
from typing import Any

from pydantic import Field

from freeform.core.errors import Forbidden, Unavailable, UserError
from freeform.core.record import Record
from freeform.core.text import visible
from freeform.players.people.model import ChatLine, DiceThrown, SharedTable, TablePerson
from freeform.services.house import House
from freeform.services.table.people import get_table

LONGEST_LINE, MOST_LINES, IN_SECONDS = 1000, 10, 20
"""Nobody says more than ten things in twenty seconds."""


class TalkRow(Record):
    """A line of talk, with names."""

    no: int
    by: str
    name: str
    to: list[str]
    """Whom it was whispered to, by name; none when all hear it."""
    text: str
    at: str
    rolls: list[DiceThrown] = Field(default_factory=list)
    """Dice; then `text` says what for."""


async def say_beside(
    house: House, campaign: str, person: str, text: str, to: list[str]
) -> ChatLine:
    """Says something beside the story. Forbidden for those who watch."""
    table = await get_table(house, campaign)
    speaker = await check_speaks(house, table, person)
    said = visible(text)
    if not said:
        raise UserError("there are no words in that; say something")
    if len(said) > LONGEST_LINE:
        raise UserError(f"that is {len(said):,} letters long; say it in up to {LONGEST_LINE:,}")
    heard_by = [table.person(name).id for name in to]
    line = ChatLine(by=speaker.id, to=heard_by, text=said, at=said_at(house))
    return await house.tables.say(campaign, line)


async def check_speaks(house: House, table: SharedTable, person: str) -> TablePerson:
    """Whoever speaks or rolls. Forbidden for those who watch, Unavailable for who floods."""
    speaker = table.person(person)
    if speaker.role == "spectator":
        raise Forbidden("you are watching; ask the host for a seat to talk along")
    now = house.table.clock.now()
    lately = await house.tables.talk(table.campaign, most=200)
    times = [datetime.fromisoformat(line.at) for line in lately if line.by == speaker.id]
    if len([at for at in times if (now - at).total_seconds() < IN_SECONDS]) >= MOST_LINES:
        raise Unavailable(f"{MOST_LINES} lines in {IN_SECONDS} seconds are plenty; wait a moment")
    return speaker


def said_at(house: House) -> str:
    """The moment, as a line of talk keeps it."""
    return house.table.clock.now().isoformat(timespec="milliseconds")


async def read_talk(house: House, campaign: str, person: str, after: int = 0) -> list[TalkRow]:
    """What that person may read of the talk, oldest first."""
    table = await get_table(house, campaign)
    names = {each.id: each.name for each in table.people}
    lines = await house.tables.talk(campaign, after)
    return [talk_row(line, names) for line in lines if line.is_heard_by(person)]


def talk_news(table: SharedTable, line: ChatLine) -> tuple[frozenset[str] | None, dict[str, Any]]:
    """A line as open pages are told of it: the people it is for (None: all), and what is
    told."""
    row = talk_row(line, {each.id: each.name for each in table.people})
    people = frozenset({line.by, *line.to}) if line.to else None
    return people, {"campaign": table.campaign, "line": row.model_dump(mode="json")}


def talk_row(line: ChatLine, names: dict[str, str]) -> TalkRow:
    """A line as it is shown."""
    return TalkRow(
        no=line.no,
        by=line.by,
        name=names.get(line.by, "?"),
        to=[names.get(id, "?") for id in line.to],
        text=line.text,
        at=line.at,
        rolls=line.rolls,
    )
