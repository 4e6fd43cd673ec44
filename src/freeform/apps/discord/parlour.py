"""READ THIS FIRST. The parlour: every slash command as a function from words to a reply, with no Discord in it.

gateway bot (bot.py) ─┐
                      ├─> Parlour.run(command, tell) ─> Reply ─> pages ─> Discord
signed HTTP (signed.py)┘        │ once per interaction, within the user's allowance
                                └─> ask, research, dice, recap, take_turn, x_card
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from freeform.apps.discord.commands import COMMANDS
from freeform.apps.discord.shapes import Bindings, DiscordReply, SlashCommand, Tell
from freeform.core.chance import Chance
from freeform.core.dice import throw
from freeform.core.errors import FreeformError, UserError
from freeform.core.log import request
from freeform.core.text import shorten
from freeform.engine.authored.library import load_scenario, scenarios
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.campaign.sessions import recap
from freeform.engine.campaign.x_card import x_card
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.lore.messages import Decision
from freeform.lore.ports import LoreStore

_YES = ("yes", "true", "1", "y", "on")
AGAIN = "This was answered already."


@dataclass
class DiscordRoom:
    """Answers commands. `ask` and `research` are given: (question, sheet, campaign, gm, tell) -> reply."""

    table: Table
    bindings: Bindings
    ask: Callable[[str, str, str, bool, Tell], Awaitable[DiscordReply]]
    research: Callable[[str, str, str, bool, Tell], Awaitable[DiscordReply]]
    sheets: Callable[[], list[tuple[str, str]]]
    """The sheets there are: id and name."""
    lore: Callable[[], AbstractAsyncContextManager[LoreStore]]
    """Opens the store of the lore researcher, whose forks are answered here too."""
    per_minute: int = 10
    gamemasters: frozenset[str] = frozenset()
    """Ids of users who may see GM secrets."""
    _asked: dict[str, deque[float]] = field(default_factory=dict)
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def run(self, command: SlashCommand, tell: Tell = lambda line: None) -> DiscordReply:
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
        return reply.model_copy(update={"private": reply.private or self.is_private(command)})

    def is_private(self, command: SlashCommand) -> bool:
        """Whether the answer is for the asker alone: fixed when the answer is promised, before it is known."""
        spec = COMMANDS.get(command.name)
        return spec is None or spec.private or command.said("secret").lower() in _YES

    async def suggest(self, command: str, typed: str) -> list[tuple[str, str]]:
        """Names for an option while it is typed: what is shown, and what is sent."""
        if command == "decide":
            async with self.lore() as store:
                rows = [
                    (each.decision_id, each.question)
                    for each in await store.decisions(open_only=True)
                ]
        else:
            rows = self.sheets() if command == "iam" else [(s.id, s.name) for s in scenarios()]
        near = [(name, id) for id, name in rows if typed.lower() in f"{name} {id}".lower()]
        return [(shorten(name, 100), id) for name, id in near[:25]]

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
            return await self._turn(campaign, text, turn_id)
        except FreeformError as wrong:
            return DiscordReply(text=_sentence(str(wrong)))

    async def _ask(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return await self.ask(*await self._question(command), tell)

    async def _research(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return await self.research(*await self._question(command), tell)

    async def _question(self, command: SlashCommand) -> tuple[str, str, str, bool]:
        secret = command.said("secret").lower() in _YES
        sheet = await self.bindings.sheet_of(command.user)
        campaign = await self.bindings.campaign_of(command.channel)
        return (
            command.said("question"),
            sheet,
            campaign,
            secret and command.user in self.gamemasters,
        )

    async def _roll(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        rolled = throw(command.said("dice"), Chance(self.table.ids.new("roll"), "discord"))
        return DiscordReply(text=f"`{rolled.text}`")

    async def _recap(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        return DiscordReply(text=await recap(await self._campaign(command), self.table))

    async def _iam(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        wanted = command.said("sheet").lower()
        rows = self.sheets()
        found = [(id, name) for id, name in rows if wanted in (id.lower(), name.lower())]
        if not found:
            there = (
                ", ".join(name for _, name in rows[:10])
                or "none yet: import one with `character import FILE`"
            )
            raise UserError(
                f"no sheet is called '{command.said('sheet')[:40]}'; there are: {there}"
            )
        await self.bindings.bind_sheet(command.user, found[0][0])
        return DiscordReply(
            text=f"You are {found[0][1]}. Your questions are answered from that sheet.",
            private=True,
        )

    async def _play(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign = await self.bindings.campaign_of(command.channel)
        text, scenario = command.said("text"), command.said("scenario")
        if campaign and not scenario:
            if not text:
                raise UserError(
                    "this channel plays already; say what your character does with `text`"
                )
            return await self._turn(campaign, text, command.id)
        if not scenario:
            there = ", ".join(each.id for each in scenarios())
            raise UserError(f"nothing is played here yet; begin with `scenario`: {there}")
        begun = load_scenario(scenario)
        campaign = f"discord-{command.channel}-{command.id}"[:60]
        seed = Chance(command.id, "seed").die(1_000_000)
        opening = await begin(begun, campaign, seed, Answers(), self.table)
        await self.bindings.bind_channel(command.channel, campaign)
        return DiscordReply(
            text=f"**{begun.name}**\n\n{opening.opening}{_suggested(opening.suggested_actions)}"
        )

    async def _inbox(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        async with self.lore() as store:
            waiting = await store.decisions(open_only=True)
        lines = [
            f"**{each.question}** ({each.zone_name or each.game})\n{_options(each)}"
            for each in waiting
        ]
        return DiscordReply(
            text="\n\n".join(lines) + "\n\nAnswer with /decide."
            if lines
            else "Nothing waits for you."
        )

    async def _decide(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        if self.gamemasters and command.user not in self.gamemasters:
            raise UserError(
                "only a game master decides this; the setting `discord_gamemasters` names them"
            )
        now = self.table.clock.now().isoformat(timespec="seconds")
        async with self.lore() as store:
            done = await store.answer(
                command.said("decision"), command.said("choice"), by="discord", at=now
            )
        return DiscordReply(text=f"{done.question} **{done.choice}**.")

    async def _x(self, command: SlashCommand, tell: Tell) -> DiscordReply:
        campaign = await self._campaign(command)
        async with self._lock(campaign):
            await x_card(campaign, command.said("what"), self.table)
        public = "The X-card was used. The last turn is taken back and did not happen."
        return DiscordReply(
            text="Taken back. Nobody learns that it was you.", private=True, public=public
        )

    async def _turn(self, campaign: str, text: str, turn_id: str) -> DiscordReply:
        async with self._lock(campaign):
            result = await take_turn(
                Say(campaign=campaign, text=text, turn_id=f"discord_{turn_id}"), self.table
            )
        return DiscordReply(text=told(result))

    async def _campaign(self, command: SlashCommand) -> str:
        campaign = await self.bindings.campaign_of(command.channel)
        if not campaign:
            raise UserError("nothing is played in this channel yet; begin with /play")
        return campaign

    def _lock(self, campaign: str) -> asyncio.Lock:
        return self._locks.setdefault(campaign, asyncio.Lock())

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


def told(result: TurnResult) -> str:
    """A turn as a channel reads it: the rolls, the prose, what one might do."""
    rolls = "".join(f"`{shorten(roll.text, 200)}`\n" for roll in result.rolls)
    asks = f"\n\n*{result.next_prompt}*" if result.next_prompt else ""
    return f"{rolls}{result.final_text}{asks}{_suggested(result.suggested_actions)}"


def _options(decision: Decision) -> str:
    return "\n".join(
        f"{at}. {option}{' (default)' if option == decision.default else ''}"
        for at, option in enumerate(decision.options, start=1)
    )


def _suggested(actions: list[str]) -> str:
    return "\n\n" + "\n".join(f"-# {action}" for action in actions) if actions else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
