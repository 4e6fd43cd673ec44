"""Members of a thread as people at a table: a seat each, turns, whispers and dice.

A member comes in by a link, as in a browser; the same story goes on there and here. What all see is
told in the thread, what some see is told to them alone.
"""

from dataclasses import dataclass

from freeform.apps.discord.shapes import DirectMessage, DiscordReply, SlashCommand
from freeform.apps.discord.telling import told
from freeform.core.errors import Conflict, UserError
from freeform.players.people.model import SharedTable, TablePerson
from freeform.players.people.order import turn_of
from freeform.services import campaigns
from freeform.services.discord import Bindings
from freeform.services.house import House
from freeform.services.play import OwnTurns
from freeform.services.table import acting, companion_play, invites, people, talk
from freeform.services.table.dice import RollWish, read_secrecy, roll_at_table
from freeform.services.table.invites import JoinWish
from freeform.services.table.links import code_in
from freeform.services.table.seats import NewHero
from freeform.services.table.sight import house_of

TRIES = 20
"""How often a turn waits for one that came by another door."""
LATELY = 20
"""Turns of other doors that a thread is told at once."""


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
    turns: OwnTurns

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
            head = await self.house.table.store.head(came.campaign)
            await self.bindings.mark_told(command.channel, head.turn_no)
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
        user = await self._user_of(to, by.table)
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
        return DiscordReply(text=f"`{line.rolls[0].text}`", private=bool(secret))

    async def turn(self, channel: str, by: ThreadSeat, text: str, turn_id: str) -> DiscordReply:
        """Hands in what a member's hero does; tells what came of it, if it was played."""
        campaign = by.table.campaign
        handed = await acting.hand_in(
            self.house, campaign, by.person.id, text, turn_id=f"discord_{turn_id}"
        )
        await self._play_due(campaign)
        reply = await self._untold(channel, campaign)
        waits = f"Kept; waiting for {', '.join(handed.waits_for)}." if handed.waits_for else ""
        words = [part for part in (waits, reply.text, await self._whose_turn(campaign)) if part]
        return reply.model_copy(update={"text": "\n\n".join(words)})

    async def _seated(self, user: str, campaign: str) -> ThreadSeat:
        found = await self.seat_of(user, campaign)
        if found is None:
            raise UserError("you are not at this table; come in with /join and a link of its host")
        return found

    async def _play_due(self, campaign: str) -> None:
        """Plays what is due, AI players' turns too. Another door may have been faster."""
        for _ in range(TRIES):
            say = await acting.next_say(self.house, campaign)
            if say is None:
                if not await companion_play.hand_in_next(self.house, campaign):
                    return
                continue
            try:
                await self.turns.play(say)
            except Conflict:
                continue
            await acting.mark_played(self.house, campaign, acting.turn_ids(say))

    async def _untold(self, channel: str, campaign: str) -> DiscordReply:
        """What the thread has not been told: to all what all saw, the rest to those who did."""
        since = await self.bindings.told_until(channel)
        story = await campaigns.read_story(self.house, campaign, limit=LATELY)
        new = [turn for turn in story.turns if turn.turn_no > since and turn.final_text]
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
                user = await self._user_of(person, table)
                if user and turn.turn_no in seen_by[person.id]:
                    direct.append(DirectMessage(user=user, text=told(turn)))
        if new:
            await self.bindings.mark_told(channel, new[-1].turn_no)
        return DiscordReply(text="\n\n".join(open_), direct=direct)

    async def _user_of(self, person: TablePerson, table: SharedTable) -> str:
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
