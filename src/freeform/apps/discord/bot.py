"""The gateway bot: discord.py's client over the parlour."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from freeform.apps.discord.commands import COMMANDS, CommandSpec
from freeform.apps.discord.open import open_room
from freeform.apps.discord.pace import PAUSE, Edits
from freeform.apps.discord.pages import pages
from freeform.apps.discord.parlour import DiscordRoom
from freeform.apps.discord.seated import TableSide
from freeform.apps.discord.shapes import DiscordReply, SlashCommand
from freeform.apps.discord.watching import LOOK_S, ThreadWatch
from freeform.services.house import opened_house
from freeform.services.table.wire import opened_wire
from freeform.settings import Settings

QUIET = discord.AllowedMentions.none()
_THINKING = "Looking…"
_MOST_FOLLOWUPS = 5


class Bot(discord.Client):
    """Answers slash commands, the button under answers, and lines typed where one plays."""

    def __init__(
        self,
        parlour: DiscordRoom,
        *,
        pause: float = PAUSE,
        messages: bool = True,
        look_s: float = LOOK_S,
    ) -> None:
        intents = discord.Intents.default()
        intents.message_content = messages
        super().__init__(intents=intents, allowed_mentions=QUIET)
        self.parlour, self.pause, self.look_s = parlour, pause, look_s
        self._watch = ThreadWatch(parlour.seated)
        self._watching: asyncio.Task[None] | None = None
        self.tree = app_commands.CommandTree(self)
        for spec in COMMANDS.values():
            self.tree.add_command(make_command(spec, self.answer, parlour))

    async def setup_hook(self) -> None:
        """Tells Discord our commands, and finds the buttons of earlier runs again."""
        self.add_dynamic_items(SourcesButton)
        await self.tree.sync()
        if self.look_s:
            self._watching = asyncio.create_task(self._look_on(), name="tables of threads")

    async def close(self) -> None:
        """Looks no longer, and leaves."""
        if self._watching:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await super().close()

    async def _look_on(self) -> None:
        await self.wait_until_ready()
        while True:
            await asyncio.sleep(self.look_s)
            await self.tell_news()

    async def tell_news(self) -> None:
        """Tells each thread what happened at its table by other doors; a thread that is gone, or
        that we may not write in, misses it."""
        async for channel, reply in self._watch.news():
            with suppress(discord.HTTPException):
                place = self.get_channel(int(channel)) or await self.fetch_channel(int(channel))
                if isinstance(place, discord.abc.Messageable):
                    for page in pages(reply.text) if reply.text else ():
                        await place.send(page)
            await self._tell_alone(reply)

    async def answer(
        self, interaction: discord.Interaction[Any], name: str, options: dict[str, str]
    ) -> None:
        """Promises an answer at once, shows how far it is, then gives it."""
        command = SlashCommand(
            id=str(interaction.id),
            name=name,
            options=options,
            user=str(interaction.user.id),
            channel=str(interaction.channel_id or interaction.user.id),
            called=interaction.user.display_name,
        )
        private = await self.parlour.is_private(command)
        await interaction.response.defer(ephemeral=private, thinking=True)

        async def edit(line: str) -> None:
            await interaction.edit_original_response(content=pages(line)[0])

        async with Edits(edit, self.pause) as edits:
            reply = await self.parlour.run(command, edits.tell)
        await self._give(interaction, reply, private or reply.private)
        if reply.public and isinstance(interaction.channel, discord.abc.Messageable):
            await interaction.channel.send(reply.public)
        await self._tell_alone(reply)

    async def _tell_alone(self, reply: DiscordReply) -> None:
        """Sends what is for some alone; who takes no messages from strangers misses it."""
        for line in reply.direct:
            with suppress(discord.Forbidden, discord.NotFound):
                user = self.get_user(int(line.user)) or await self.fetch_user(int(line.user))
                for page in pages(line.text):
                    await user.send(page)

    async def _give(
        self, interaction: discord.Interaction[Any], reply: DiscordReply, private: bool
    ) -> None:
        first, *more = pages(reply.text)
        view = sources_view(reply.key) if reply.key else None
        await interaction.edit_original_response(content=first, view=view)
        for page in more[:_MOST_FOLLOWUPS]:
            await interaction.followup.send(page, ephemeral=private)

    async def on_message(self, message: discord.Message) -> None:
        """A line in a channel that plays is a turn; one in brackets is talk between people."""
        text, channel = message.content.strip(), str(message.channel.id)
        if message.author.bot or not text or text.startswith(("(", "//")):
            return
        if not await self.parlour.bindings.campaign_of(channel):
            return
        async with message.channel.typing():
            reply = await self.parlour.turn(
                channel, str(message.author.id), message.content, str(message.id)
            )
        if reply is None:
            return
        for page in pages(reply.text) if reply.text else ():
            await message.channel.send(page)
        await self._tell_alone(reply)


class SourcesButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"sources:(?P<key>\w+)"
):
    """Shows the sources of an answer to whoever presses it, also after a restart."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(discord.ui.Button(label="Sources", custom_id=f"sources:{key}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: Any, /
    ) -> "SourcesButton":
        """The button as it was, from its name alone."""
        return cls(match["key"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """The sources, to the one who pressed."""
        bot = interaction.client
        assert isinstance(bot, Bot)
        first, *more = pages(await bot.parlour.sources(self.key))
        await interaction.response.send_message(first, ephemeral=True)
        for page in more[:_MOST_FOLLOWUPS]:
            await interaction.followup.send(page, ephemeral=True)


def sources_view(key: str) -> discord.ui.View:
    """The button alone."""
    view = discord.ui.View(timeout=None)
    view.add_item(SourcesButton(key))
    return view


Answering = Callable[[discord.Interaction[Any], str, dict[str, str]], Awaitable[None]]


def make_command(
    spec: CommandSpec, answer: Answering, parlour: DiscordRoom
) -> app_commands.Command[Any, ..., None]:
    """A discord.py command from its description: all options are texts."""

    async def run(interaction: discord.Interaction[Any], **given: str | None) -> None:
        options = {name: value for name, value in given.items() if value}
        await answer(interaction, spec.name, options)

    async def suggest(
        interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[str]]:
        rows = await parlour.suggest(spec.name, typed)
        return [app_commands.Choice(name=shown, value=sent) for shown, sent in rows]

    run.__signature__ = _signature(spec)  # type: ignore[attr-defined]
    if spec.options:
        run = app_commands.describe(**{o.name: o.description for o in spec.options})(run)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=spec.name, description=spec.description[:100], callback=run
    )
    for option in spec.options:
        if option.suggests:
            command.autocomplete(option.name)(suggest)
    return command


def _signature(spec: CommandSpec) -> inspect.Signature:
    """discord.py reads a command's options off its function's signature."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("interaction", kind, annotation=discord.Interaction)]
    for option in sorted(spec.options, key=lambda option: not option.required):
        if option.required:
            parameters.append(inspect.Parameter(option.name, kind, annotation=str))
        else:
            parameters.append(
                inspect.Parameter(option.name, kind, annotation=str | None, default=None)
            )
    return inspect.Signature(parameters)


def run_here(settings: Settings) -> None:
    """Runs the bot of a house of its own until it is stopped."""

    async def run() -> None:
        async with (
            opened_wire(settings) as (wire, _),
            opened_house(settings, files=False) as house,
        ):
            room = open_room(house, TableSide(wire=wire))
            await run_bot(room, settings.discord_token.get_secret_value())

    asyncio.run(run())


async def run_bot(parlour: DiscordRoom, token: str) -> None:
    """Runs until it is stopped."""
    bot = Bot(parlour)
    try:
        await bot.start(token)
    except asyncio.CancelledError:
        await bot.close()
        raise
