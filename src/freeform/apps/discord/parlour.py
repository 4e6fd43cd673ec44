"""READ THIS FIRST. Discord's room: every slash command as a function from words to a reply.

gateway bot (bot.py) ──┐
                       ├─> DiscordRoom.run(command, tell) ─> DiscordReply ─> pages ─> Discord
signed HTTP (signed.py)┘        │ once per interaction, within the user's allowance
                                └─> services: ask, research, play, sessions, lore
"""

from collections import deque
from dataclasses import dataclass, field

from freeform.apps.discord.commands import COMMANDS
from freeform.apps.discord.reading import DiscordAssistant, DiscordQuestion
from freeform.apps.discord.seated import SeatedThreads, TableSide, ThreadSeat
from freeform.apps.discord.shapes import DiscordReply, SlashCommand, Tell
from freeform.apps.discord.telling import suggested, told
from freeform.core.chance import Chance
from freeform.core.errors import FreeformError, UserError
from freeform.core.log import request
from freeform.core.text import shorten, slug
from freeform.engine.table import Table
from freeform.lore.messages import Decision
from freeform.services import campaigns, play, sessions
from freeform.services.assistant.characters import list_sheets, show_sheet
from freeform.services.discord import Bindings
from freeform.services.house import House
from freeform.services.lore.desk import decide, list_decisions
from freeform.services.play import OwnTurns, Turns
from freeform.services.table.people import find_table
from freeform.services.table.sight import all_saw_all, house_of

_YES = ("yes", "true", "1", "y", "on")
_NO = ("", "no", "false", "0", "n", "off")
AGAIN = "This was answered already."
MOST_SUGGESTED = 25
"""Names that Discord takes for an option."""


def unheard(line: str) -> None:
    """Nobody follows how far it is."""


@dataclass
class DiscordRoom:
    """Answers commands."""

    house: House
    bindings: Bindings
    assistant: DiscordAssistant
    per_minute: int = 10
    gamemasters: frozenset[str] = frozenset()
    """Ids of users who may see GM secrets."""
    side: TableSide = field(default_factory=TableSide)
    turns: Turns = field(init=False)
    seated: SeatedThreads = field(init=False)
    _asked: dict[str, deque[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.turns = self.side.turns or OwnTurns(self.house)
        self.seated = SeatedThreads(self.house, self.bindings, self.turns, self.side)

    @property
    def table(self) -> Table:
        """The table, with the model that plays now."""
        return self.house.table

    async def run(self, command: SlashCommand, tell: Tell = unheard) -> DiscordReply:
        """The reply to a command. What a person can put right is said to them alone."""
        with request(f"discord_{command.id}"):
            return await self._run(command, tell)

    async def _run(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        spec = COMMANDS.get(command.name)
        if spec is None:
            return DiscordReply(text=f"There is no /{command.name}.", private=True)
        if not await self.bindings.first_time(command.id):
            return DiscordReply(text=AGAIN, private=True)
        try:
            self._allow(command.user)
            reply: DiscordReply = await getattr(self, f"_{command.name}")(command, tell)
        except FreeformError as wrong:
            return DiscordReply(text=_sentence(str(wrong)), private=True)
        if reply.sources:
            key = self.table.ids.new("answer")
            await self.bindings.keep_sources(key, reply.sources)
            reply = reply.model_copy(update={"key": key})
        return reply.model_copy(update={"private": reply.private or await self.is_private(command)})

    async def is_private(self, command: SlashCommand) -> bool:
        """Whether the answer is for the asker alone: fixed when it is promised. What is marked
        secret in any way is, and at a table of several what each hears of the story."""
        spec = COMMANDS.get(command.name)
        if spec is None or spec.private or command.said("secret").strip().lower() not in _NO:
            return True
        if command.name == "ask":
            return await self._asks_apart(command) is not None
        if command.name != "recap":
            return False
        campaign = await self.bindings.campaign_of(command.channel)
        return bool(campaign and await find_table(self.house, campaign))

    async def _asks_apart(self, command: SlashCommand) -> ThreadSeat | None:
        """The seat of a member whose heroes have seen different things: what they ask is answered
        from that seat, to them alone."""
        campaign = await self.bindings.campaign_of(command.channel)
        if not campaign or await all_saw_all(self.house, campaign):
            return None
        return await self.seated.seat_of(command.user, campaign)

    async def suggest(self, command: str, typed: str) -> list[tuple[str, str]]:
        """Names for an option while it is typed: what is shown, and what is sent."""
        near = []
        for id, name in await self._choices(command):
            if typed.lower() in f"{name} {id}".lower():
                near.append((shorten(name, 100), id))
        return near[:MOST_SUGGESTED]

    async def _choices(self, command: str) -> list[tuple[str, str]]:
        """What an option of that command may be: id and name."""
        settings = self.house.settings
        if command == "decide":
            waiting = await list_decisions(settings)
            return [(decision.decision_id, decision.question) for decision in waiting]
        if command == "iam":
            return [(row.id, row.name) for row in list_sheets(settings)]
        return [(row.id, row.name) for row in campaigns.list_scenarios(settings)]

    async def sources(self, key: str) -> str:
        """What stands behind the button under an answer."""
        kept = await self.bindings.sources_of(key)
        return "\n".join(kept) or "These sources are no longer known; ask again."

    async def turn(self, channel: str, user: str, text: str, turn_id: str) -> DiscordReply | None:
        """A line typed in a channel that plays; None when the channel does not."""
        campaign = await self.bindings.campaign_of(channel)
        if not campaign or not await self.bindings.first_time(turn_id):
            return None
        try:
            if await find_table(self.house, campaign):
                seat = await self.seated.seat_of(user, campaign)  # others only talk there
                return await self.seated.turn(channel, seat, text, turn_id) if seat else None
            return await self._turn(campaign, text, turn_id)
        except FreeformError as wrong:
            return DiscordReply(text=_sentence(str(wrong)))

    async def _ask(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        seat = await self._asks_apart(command)
        if seat and not command.said("notes"):
            question = command.said("question")
            return await self.assistant.ask_from(seat.table.campaign, seat.person.id, question)
        return await self.assistant.ask(await self._question(command), tell)

    async def _research(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return await self.assistant.research(await self._question(command), tell)

    async def _question(self, command: SlashCommand) -> DiscordQuestion:
        secret = command.said("secret").lower() in _YES
        gm = secret and command.user in self.gamemasters
        talk = slug(f"discord_{command.channel}_{command.user}{'_gm' if gm else ''}")
        return DiscordQuestion(
            text=command.said("question"),
            sheet=await self.bindings.sheet_of(command.user),
            campaign=await self._notes_of(command.channel),
            gm=gm,
            notes=command.said("notes"),
            thread=talk[:80],
        )

    async def _notes_of(self, channel: str) -> str:
        """The campaign whose notes answer a channel; none once its heroes have seen different
        things, since all read what is answered there."""
        campaign = await self.bindings.campaign_of(channel)
        return campaign if campaign and await all_saw_all(self.house, campaign) else ""

    async def _join(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return await self.seated.join(command)

    async def _whisper(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return await self.seated.whisper(command, await self._campaign(command))

    async def _roll(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign = await self.bindings.campaign_of(command.channel)
        if campaign and await self.seated.seat_of(command.user, campaign):
            return await self.seated.roll(command, campaign)
        rolled = play.roll_dice(command.said("dice"), self.table.ids.new("roll"))
        return DiscordReply(text=f"`{rolled.text}`")

    async def _recap(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign = await self._campaign(command)
        house, shared = self.house, await find_table(self.house, campaign)
        if shared:  # each hears what their own hero saw
            seat = await self.seated.seat_of(command.user, campaign)
            if seat is None:
                raise UserError("this table has seats; come in with /join and a link of its host")
            house = await house_of(self.house, campaign, seat.person.id)
        told = await sessions.recap(house, campaign)
        return DiscordReply(text=told.recap)

    async def _iam(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        sheet = show_sheet(self.house.settings, command.said("sheet"))
        await self.bindings.bind_sheet(command.user, sheet.id)
        text = f"You are {sheet.name}. Your questions are answered from that sheet."
        return DiscordReply(text=text, private=True)

    async def _play(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign = await self.bindings.campaign_of(command.channel)
        text, scenario = command.said("text"), command.said("scenario")
        if scenario:
            return await self._begin(command, scenario)
        if not campaign:
            rows = campaigns.list_scenarios(self.house.settings)
            there = ", ".join(row.id for row in rows)
            raise UserError(f"nothing is played here yet; begin with `scenario`: {there}")
        if not text:
            raise UserError("this channel plays already; say what your character does with `text`")
        if await find_table(self.house, campaign):
            seat = await self.seated.seat_of(command.user, campaign)
            if seat is None:
                raise UserError("this table has seats; come in with /join and a link of its host")
            return await self.seated.turn(command.channel, seat, text, command.id)
        return await self._turn(campaign, text, command.id)

    async def _begin(self, command: SlashCommand, scenario: str) -> DiscordReply:
        begun = await campaigns.begin_campaign(
            self.house,
            scenario,
            campaign=f"discord-{command.channel}-{command.id}"[:60],
            seed=Chance(command.id, "seed").die(1_000_000),
        )
        await self.bindings.bind_channel(command.channel, begun.campaign)
        ideas = suggested(begun.suggested_actions)
        return DiscordReply(text=f"**{begun.name}**\n\n{begun.opening}{ideas}")

    async def _inbox(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        waiting = await list_decisions(self.house.settings)
        if not waiting:
            return DiscordReply(text="Nothing waits for you.")
        parts = []
        for decision in waiting:
            where = decision.zone_name or decision.game
            parts.append(f"**{decision.question}** ({where})\n{_options(decision)}")
        return DiscordReply(text="\n\n".join([*parts, "Answer with /decide."]))

    async def _decide(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        if self.gamemasters and command.user not in self.gamemasters:
            raise UserError(
                "only a game master decides this; the setting `discord_gamemasters` names them"
            )
        done = await decide(
            self.house.settings,
            command.said("decision"),
            command.said("choice"),
            by="discord",
            clock=self.table.clock,
        )
        return DiscordReply(text=f"{done.question} **{done.choice}**.")

    async def _x(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign, what = await self._campaign(command), command.said("what")
        await self.turns.stop(campaign)
        await self.turns.move(campaign, "x", lambda: play.use_x_card(self.house, campaign, what))
        self.side.echo().changed(campaign, "turn")
        public = "The X-card was used. The last turn is taken back and did not happen."
        return DiscordReply(
            text="Taken back. Nobody learns that it was you.", private=True, public=public
        )

    async def _turn(self, campaign: str, text: str, turn_id: str) -> DiscordReply:
        say = await play.say_of(self.house, campaign, text, turn_id=f"discord_{turn_id}")
        await self.turns.play(say)
        return DiscordReply(text=told(await play.told_turn(self.house, say)))

    async def _campaign(self, command: SlashCommand) -> str:
        campaign = await self.bindings.campaign_of(command.channel)
        if not campaign:
            raise UserError("nothing is played in this channel yet; begin with /play")
        return campaign

    def _allow(self, user: str) -> None:
        now = self.table.clock.ticks()
        asked = self._asked.setdefault(user, deque())
        while asked and asked[0] <= now - 60:
            asked.popleft()
        if self.per_minute and len(asked) >= self.per_minute:
            wait = int(asked[0] + 60 - now) + 1
            raise UserError(
                f"that is {self.per_minute} questions in a minute; ask again in {wait} s"
            )
        asked.append(now)


def _options(decision: Decision) -> str:
    lines = []
    for at, option in enumerate(decision.options, start=1):
        default = " (default)" if option == decision.default else ""
        lines.append(f"{at}. {option}{default}")
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
