"""A seat at a table of several people behind the OpenAI door: the bearer token says whose.

What is typed is handed in, as in a browser, and answered with what came of it, or with who is
waited for. Before it comes what the chat has not been told yet: turns of others that this seat saw,
talk and whispers for it. The chat's own messages say what it was told, so nothing is kept here.
"""

import hashlib
import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from freeform.apps.web.doors.openai_ask import seat_pieces
from freeform.apps.web.doors.openai_reading import WHAT_NOW, Chat
from freeform.apps.web.live.hub import Event, StreamListener
from freeform.apps.web.live.tables import ear_of
from freeform.apps.web.room import Room
from freeform.apps.web.visitors import Visitor
from freeform.core.errors import Forbidden, Unavailable, UserError
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.order import turn_of
from freeform.services import campaigns
from freeform.services.house import House
from freeform.services.table import acting, dice, people, talk
from freeform.services.table.sight import house_of
from freeform.services.table.talk import TalkRow
from freeform.services.views.records import TurnView

NOT_YOURS = "that is not for your seat; ask the host"
LATELY, LINES = 20, 10
"""Turns and lines of talk that are told at once to a chat that has missed them."""
KNOWN_BY = 60
"""So many letters of a telling show that a chat has it: programs trim what they keep."""
_BESIDE = re.compile(
    r"\s*(?:/(?P<verb>say|w|whisper|roll|secret)\b\s*(?P<rest>.*)|\(\((?P<aside>.*?)\)\))\s*", re.S
)
_TO = re.compile(r"\s*to\s+(?P<name>[^:]{1,60}):\s*(?P<text>.*)", re.S | re.I)


@dataclass(frozen=True)
class SeatChat:
    """Somebody at a shared table, and their chat."""

    room: Room
    who: Visitor
    table: SharedTable
    chat: Chat
    asks: bool = False
    """Whether a question is asked of the librarian, and nothing played."""

    @property
    def campaign(self) -> str:
        """Whose table it is."""
        return self.table.campaign

    @property
    def person(self) -> str:
        """Who they are there."""
        return self.who.person or self.table.owner().id

    async def house(self) -> House:
        """The house as they see the story."""
        return await house_of(self.room.house, self.campaign, self.person)


def check_own(who: Visitor, campaign: str) -> None:
    """Forbidden for another table than one's own; what others there are is not said."""
    if not who.is_owner and campaign != who.campaign:
        raise Forbidden(NOT_YOURS)


async def answer_seat(at: SeatChat) -> tuple[str, AsyncIterator[str]]:
    """The turn's id, and what is answered, piece by piece. Conflict and Forbidden say what they say
    everywhere."""
    at.room.tables.was_here(at.campaign, at.person)
    words = at.chat.words
    if at.asks:
        return at.room.table.ids.new("ask"), seat_pieces(at.room, at.campaign, at.person, words)
    id = seat_turn(at.person, words)
    if at.chat.wish != "play":
        return id, _pieces([await _news(at, id), await _might(at)])
    if not words:
        raise UserError("there is no user message; say what your character does")
    beside = _BESIDE.fullmatch(words[-1])
    if beside:
        line = await _speak(at, beside)
        return id, _pieces([await _news(at, id), _spoken(_row(at.table, line))])
    before = await _told_as(at, id)
    if before:
        return id, _pieces([before])
    id = _free_id(at.table, id)
    first = await _news(at, id)
    _, listener = at.room.hub.join(at.campaign, hears=ear_of(at.who), person=at.person)
    try:
        at.room.plays.check_open()
        handed = await acting.hand_in(at.room.house, at.campaign, at.person, words[-1], turn_id=id)
    except BaseException:
        at.room.hub.leave(listener)
        raise
    at.room.tables.changed(at.campaign, "handed in")
    at.room.tables.wake(at.campaign)
    if handed.waits_for:
        at.room.hub.leave(listener)
        return id, _pieces([first, f"Kept; waiting for {', '.join(handed.waits_for)}."])
    return id, _turn_pieces(at, id, first, listener)


def seat_turn(person: str, words: Sequence[str]) -> str:
    """The id of the turn that these messages of that person lead to."""
    told = json.dumps([person, *words], ensure_ascii=False)
    return f"v1_{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:24]}"


def _free_id(table: SharedTable, id: str) -> str:
    """An id for words that were told once and taken back since: they are another turn."""
    number, free = 1, id
    while free in table.played:
        number += 1
        free = f"{id}.{number}"
    return free


async def _told_as(at: SeatChat, id: str) -> str:
    """What was told of that turn, if it was: the same messages again are the same turn."""
    for turn in await _lately(at):
        ids = {turn.turn_id, *(part.turn_id for part in turn.parts)}
        if any(each.partition(".")[0] == id for each in ids):
            return _told(turn)
    return ""


async def _lately(at: SeatChat) -> list[TurnView]:
    story = await campaigns.read_story(await at.house(), at.campaign, limit=LATELY)
    return [turn for turn in story.turns if turn.final_text]


async def _news(at: SeatChat, id: str) -> str:
    """What the chat was not told: turns after the last that stands in it, else the last one; and
    talk."""
    known = "\n".join(at.chat.told)
    turns = await _lately(at)
    has = [number for number, turn in enumerate(turns) if _stands(turn.final_text, known)]
    new = turns[has[-1] + 1 :] if has else turns[-1:]
    own = [turn for turn in new if turn.turn_id == id]
    parts = [_told_of(turn) for turn in new if turn not in own]
    if not turns:
        opening = (await at.room.table.store.begun(at.campaign)).opening
        parts = [] if _stands(opening, known) else [opening]
    lines = await talk.read_talk(at.room.house, at.campaign, at.person)
    said = [_spoken(line) for line in lines[-LINES:]]
    by_self = {_spoken(line) for line in lines if line.by == at.person}
    return "\n\n".join([*parts, *(one for one in said if one not in known and one not in by_self)])


async def _might(at: SeatChat) -> str:
    """Whose turn it is, and what this seat's character might do."""
    now = await people.get_table(at.room.house, at.campaign)
    turns = await _lately(at)
    begun = await at.room.table.store.begun(at.campaign)
    might = turns[-1].suggested_actions if turns else begun.suggested_actions
    if at.chat.wish == "impersonate":
        return might[0] if might else WHAT_NOW
    waited = [seat.actor.name for seat in turn_of(now)]
    whose = f"Waiting for {', '.join(waited)}. " if waited and now.mode != "free" else ""
    ideas = f" You might: {'; '.join(might)}." if might else ""
    return f"{whose}{WHAT_NOW}{ideas}"


def _stands(text: str, known: str) -> bool:
    return text.strip()[:KNOWN_BY] in known


def _told(turn: TurnView) -> str:
    rolls = "".join(f"`{roll.text}`\n" for roll in turn.rolls)
    return f"{rolls}\n{turn.final_text}" if rolls else turn.final_text


def _told_of(turn: TurnView) -> str:
    """Somebody else's turn: who did what, and what came of it."""
    did = f"*{turn.actor}: {turn.player_input}*\n\n" if turn.actor and not turn.parts else ""
    did = "".join(f"*{part.actor}: {part.text}*\n" for part in turn.parts) + "\n" + did
    return did.lstrip("\n") + _told(turn)


def _row(table: SharedTable, line: ChatLine) -> TalkRow:
    return talk.talk_row(line, {each.id: each.name for each in table.people})


def _spoken(row: TalkRow) -> str:
    """A line of talk, or dice with what they were for."""
    whispers = " whispers" if row.to else ""
    if row.rolls:
        rolls = "; ".join(f"{roll.name}: {roll.text}" for roll in row.rolls)
        return f"({row.name} rolls{' in secret' if row.to else ''} {row.text} · {rolls})"
    return f"({row.name}{whispers}: {row.text})"


async def _speak(at: SeatChat, beside: re.Match[str]) -> ChatLine:
    """Talks, whispers or rolls beside the story: `((so))`, `((to Anna: so))`, `/say`, `/w`."""
    house, verb = at.room.house, beside["verb"] or "say"
    rest, to = (beside["rest"] or beside["aside"] or "").strip(), list[str]()
    if verb in ("roll", "secret"):
        expr, _, why = rest.partition(" ")
        wish = dice.RollWish(
            expr=expr[:80], why=why[:200], secret="mine" if verb == "secret" else ""
        )
        line = await dice.roll_at_table(house, at.campaign, at.person, wish)
    else:
        named = _TO.fullmatch(rest) if beside["aside"] is not None else None
        if verb in ("w", "whisper"):
            name, _, rest = rest.partition(" ")
            to = [name]
        elif named:
            to, rest = [named["name"].strip()], named["text"]
        line = await talk.say_beside(house, at.campaign, at.person, rest, to)
    at.room.tables.said(at.table, line)
    if at.table.companions():
        at.room.tables.listen(at.campaign)
    return line


async def _pieces(parts: Sequence[str]) -> AsyncIterator[str]:
    yield "\n\n".join(part for part in parts if part)


async def _turn_pieces(
    at: SeatChat, id: str, first: str, listener: StreamListener
) -> AsyncIterator[str]:
    """What came before, then the turn's dice and prose as they come."""
    ours, is_heard = {id}, False
    try:
        if first:
            yield first + "\n\n"
        if await _is_over(at, id):
            yield await _over(at, id)
            return
        while True:
            event = await listener.queue.get()
            if event is None:
                return
            if id in _ids_in(event):
                ours.add(event.data["turn_id"])
                is_heard = True
            if event.kind == "company" and not is_heard and await _is_over(at, id):
                yield await _over(at, id)
                return
            if event.data.get("turn_id") not in ours:
                continue
            piece = _piece(event)
            if piece:
                yield piece
            if event.kind in ("done", "failed"):
                return
    finally:
        at.room.hub.leave(listener)


def _ids_in(event: Event) -> list[str]:
    """Under which ids the turn was handed in that was ruled, or could not be told."""
    match event.kind:
        case "facts":
            parts = [str(part["turn_id"]) for part in event.data["parts"]]
            return [*parts, str(event.data["turn_id"])]
        case "failed":
            return [str(one) for one in event.data["turn_ids"]]
        case _:
            return []


async def _is_over(at: SeatChat, id: str) -> bool:
    """Whether nobody waits for that turn: what is told of it was told before one listened."""
    table = await people.get_table(at.room.house, at.campaign)
    return all(each.turn_id != id for each in table.waiting)


async def _over(at: SeatChat, id: str) -> str:
    """What was told of a turn that is over. Unavailable where nothing was."""
    told = await _told_as(at, id.partition(".")[0])
    if not told:
        raise Unavailable("this turn was not told; look at the table, and write it again")
    return told


def _piece(event: Event) -> str:
    match event.kind:
        case "facts" if event.data["rolls"]:
            return "".join(f"`{roll['text']}`\n" for roll in event.data["rolls"]) + "\n"
        case "prose":
            return str(event.data["piece"])
        case "again":
            return "\n\n"
        case "failed" if not event.data.get("stopped"):
            raise Unavailable(event.data["error"])
        case _:
            return ""
