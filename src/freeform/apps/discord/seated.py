"""Members of a thread as people at a table: a seat each, turns, whispers and dice.

A member comes in by a link, as in a browser; the same story goes on there and here. What all see is
told in the thread, what some see is told to them alone.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from freeform.apps.discord.shapes import DirectMessage, DiscordReply, SlashCommand
from freeform.apps.discord.telling import told
from freeform.core.errors import UserError
from freeform.engine.turn import Say
from freeform.players.people.model import SharedTable, TablePerson
from freeform.players.people.order import turn_of
from freeform.services import campaigns
from freeform.services.discord import Bindings
from freeform.services.house import House
from freeform.services.play import Turns
from freeform.services.table import acting, invites, people, talk
from freeform.services.table.dice import RollWish, read_secrecy, roll_at_table
from freeform.services.table.due import LiveTables, TableEcho, WireEcho, play_due
from freeform.services.table.invites import JoinWish
from freeform.services.table.links import code_in
from freeform.services.table.seats import NewHero
from freeform.services.table.sight import house_of
from freeform.services.table.wire import TableWire

LATELY = 20
"""Turns of other doors that a thread is told at once."""
LINE = "talk."
"""Before the number of a line of talk that a channel was told."""
KNOWN = 500
"""Turns before a thread came to a table that it is not told, however far play goes back."""


def line_key(number: int) -> str:
    """Under which a channel remembers that it was told a line of talk."""
    return f"{LINE}{number}"


@dataclass(frozen=True)
class TableSide:
    """What is beside a thread, where others serve the same tables, too: how turns are played there,
    the tables with open pages, and the wire to other processes."""

    turns: Turns | None = None
    live: LiveTables | None = None
    wire: TableWire | None = None

    def echo(self) -> TableEcho:
        """Who tells open pages."""
        return self.live or WireEcho(self.wire)


@dataclass(frozen=True)
class ThreadSeat:
    """A member of a thread, at its table."""

    table: SharedTable
    person: TablePerson


@dataclass
class SeatedThreads:
    """The tables that are played in threads."""

    house: House
    bindings: Bindings
    turns: Turns
    side: TableSide = field(default_factory=TableSide)
    _telling: dict[str, asyncio.Lock] = field(default_factory=dict)
    playing: Counter[str] = field(default_factory=Counter)
    """For each channel, turns of its members that are being played: they tell what came of it."""

    def telling(self, channel: str) -> asyncio.Lock:
        """Held while a channel is told something: what it is told, it is told once."""
        return self._telling.setdefault(channel, asyncio.Lock())

    async def seat_of(self, user: str, campaign: str) -> ThreadSeat | None:
        """Where a member sits; None for who never came in, or was sent away."""
        token = await self.bindings.token_of(user, campaign)
        held = await people.holder(self.house, token) if token else None
        return ThreadSeat(*held) if held else None

    async def join(self, command: SlashCommand) -> DiscordReply:
        """Comes in by a link. The thread plays that story from now on."""
        given = command.said("link")
        code = code_in(given)[1] if "#" in given else given
        plays = await self.bindings.campaign_of(command.channel)
        shown = await invites.look_at_invite(self.house, code)
        if plays and plays != shown.campaign:
            raise UserError("this thread plays another story; open a thread for that one")
        hero = command.said("hero")
        wish = JoinWish(
            code=code,
            name=command.said("name") or command.called or "Guest",
            hero=NewHero(name=hero) if hero else None,
        )
        came = await invites.join(self.house, wish)
        await self.bindings.bind_token(command.user, came.campaign, came.token)
        if not plays:
            await self.bindings.bind_channel(command.channel, came.campaign)
            before = await campaigns.read_story(self.house, came.campaign, limit=KNOWN)
            ids = [turn.turn_id for turn in before.turns]
            said = await self.house.tables.talk(came.campaign, most=1)
            lines = [line_key(line.no) for line in said] or [line_key(0)]
            await self.bindings.mark_told(command.channel, [*ids, *lines])
        self.changed(came.campaign, "seat")
        table = await people.get_table(self.house, came.campaign)
        seat = table.seat_of(came.person)
        part = f"You play {seat.actor.name}." if seat else f"You are here as {came.role}."
        public = f"{came.name} is at the table{f' as {seat.actor.name}' if seat else ''}."
        return DiscordReply(text=part, private=True, public=public)

    async def whisper(self, command: SlashCommand, campaign: str) -> DiscordReply:
        """Something said to one person at the table, wherever they sit."""
        by = await self._seated(command.user, campaign)
        to = by.table.person(command.said("to"))
        line = await talk.say_beside(
            self.house, campaign, by.person.id, command.said("text"), [to.id]
        )
        self.side.echo().said(by.table, line)
        await self.bindings.mark_told(command.channel, [line_key(line.no)])
        user = await self.user_of(to, by.table)
        whispered = DirectMessage(user=user, text=f"{by.person.name} whispers: {line.text}")
        return DiscordReply(
            text=f"Whispered to {to.name}.", private=True, direct=[whispered] if user else []
        )

    async def roll(self, command: SlashCommand, campaign: str) -> DiscordReply:
        """Dice of the table's own log; secret ones are seen by whoever rolled."""
        by = await self._seated(command.user, campaign)
        secret = read_secrecy(command.said("secret"))
        wish = RollWish(expr=command.said("dice"), secret=secret)
        line = await roll_at_table(self.house, campaign, by.person.id, wish)
        self.side.echo().said(by.table, line)
        await self.bindings.mark_told(command.channel, [line_key(line.no)])
        return DiscordReply(text=f"`{line.rolls[0].text}`")

    async def turn(self, channel: str, by: ThreadSeat, text: str, turn_id: str) -> DiscordReply:
        """Hands in what a member's hero does; tells what came of it, if it was played."""
        campaign = by.table.campaign
        async with self.telling(channel):
            handed = await acting.hand_in(
                self.house, campaign, by.person.id, text, turn_id=f"discord_{turn_id}"
            )
        self.playing[channel] += 1
        try:
            failed = await play_due(self.house, campaign, self.side.live or self, self.side.wire)
        finally:
            self.playing[channel] -= 1
        async with self.telling(channel):
            reply = await self.untold(channel, campaign)
        wrong = failed.get(handed.turn_id)
        waits = f"Kept; waiting for {', '.join(handed.waits_for)}." if handed.waits_for else ""
        lost = f"This could not be told: {wrong}" if wrong else ""
        parts = (waits, lost, reply.text, await self._whose_turn(campaign))
        words = [part for part in parts if part]
        return reply.model_copy(update={"text": "\n\n".join(words)})

    async def _seated(self, user: str, campaign: str) -> ThreadSeat:
        found = await self.seat_of(user, campaign)
        if found is None:
            raise UserError("you are not at this table; come in with /join and a link of its host")
        return found

    def is_open(self) -> bool:
        """Whether turns are begun: always, here."""
        return True

    async def play(self, say: Say) -> None:
        """Plays a turn to its end."""
        await self.turns.play(say)

    async def between(self, campaign: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Does what writes in the log between two turns."""
        await work()

    async def quiet(self, campaign: str) -> None:
        """Lets the turn of another door go on."""
        await asyncio.sleep(0)

    def away(self, table: SharedTable) -> set[str]:
        """Nobody: a thread does not know who has a page open."""
        return set()

    def changed(self, campaign: str, what: str) -> None:
        """Tells those at a table to look at it again."""
        self.side.echo().changed(campaign, what)

    def is_played(self, table: SharedTable, say: Say) -> None:
        """A turn was told, or could not be."""
        self.changed(table.campaign, "turn")

    async def untold(self, channel: str, campaign: str) -> DiscordReply:
        """What the thread has not been told: to all what all saw, the rest to those who did."""
        known = await self.bindings.told_turns(channel)
        story = await campaigns.read_story(self.house, campaign, limit=LATELY)
        last = max((turn.turn_no for turn in story.turns if turn.turn_id in known), default=0)
        new = [turn for turn in story.turns if turn.turn_no > last and turn.final_text]
        table = await people.get_table(self.house, campaign)
        seen_by: dict[str, set[int]] = {}
        for person in table.here():
            own = await campaigns.read_story(
                await house_of(self.house, campaign, person.id), campaign, limit=LATELY
            )
            seen_by[person.id] = {turn.turn_no for turn in own.turns}
        open_: list[str] = []
        direct: list[DirectMessage] = []
        for turn in new:
            if all(turn.turn_no in seen for seen in seen_by.values()):
                open_.append(told(turn))
                continue
            open_.append(f"*{turn.actor} is elsewhere.*")
            for person in table.here():
                user = await self.user_of(person, table)
                if user and turn.turn_no in seen_by[person.id]:
                    direct.append(DirectMessage(user=user, text=told(turn)))
        await self.bindings.mark_told(channel, [turn.turn_id for turn in new])
        return DiscordReply(text="\n\n".join(open_), direct=direct)

    async def user_of(self, person: TablePerson, table: SharedTable) -> str:
        """The member who is that person; '' for who sits elsewhere."""
        for user, token in await self.bindings.tokens_at(table.campaign):
            held = await people.holder(self.house, token)
            if held and held[1].id == person.id:
                return user
        return ""

    async def _whose_turn(self, campaign: str) -> str:
        table = await people.get_table(self.house, campaign)
        names = [seat.actor.name for seat in turn_of(table)]
        if table.mode == "free" or not names:
            return ""
        order = ", ".join(f"{row.name} {row.total}" for row in table.order)
        return f"-# {f'The order: {order}. ' if order else ''}Waiting for {', '.join(names)}."
