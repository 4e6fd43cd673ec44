"""What happens at a thread's table by other doors, told in the thread by itself: turns that are
taken in a browser, talk beside the story, dice, and whispers to members."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from freeform.apps.discord.seated import LINE, SeatedThreads, line_key
from freeform.apps.discord.shapes import DirectMessage, DiscordReply
from freeform.core.errors import FreeformError
from freeform.engine.log import LogPosition
from freeform.players.people.model import ChatLine, SharedTable
from freeform.services.table.people import find_table

LOOK_S = 2.0
"""How often the threads' tables are looked at."""
LINES = 50


@dataclass
class ThreadWatch:
    """Looks at the tables of all threads."""

    seated: SeatedThreads
    _stood: dict[str, tuple[LogPosition, int]] = field(default_factory=dict)
    """How a channel's table stood when it was last told of it."""

    async def news(self) -> AsyncIterator[tuple[str, DiscordReply]]:
        """Channels, and what each has not been told. A table that cannot be read now is looked at
        again."""
        for channel, campaign in await self.seated.bindings.channels():
            try:
                reply = await self._news(channel, campaign)
            except FreeformError:
                continue
            if reply and (reply.text or reply.direct):
                yield channel, reply

    async def _news(self, channel: str, campaign: str) -> DiscordReply | None:
        seated = self.seated
        table = await find_table(seated.house, campaign)
        if table is None or seated.playing[channel]:
            return None
        said = await seated.house.tables.talk(campaign, most=LINES)
        stands = await seated.house.table.store.head(campaign), said[-1].no if said else 0
        if self._stood.get(channel) == stands:
            return None
        async with seated.telling(channel):
            if seated.playing[channel]:
                return None
            turns = await seated.untold(channel, campaign)
            talk = await self._talk(channel, table, said)
            self._stood[channel] = stands
        told = [part for part in (turns.text, talk.text) if part]
        return DiscordReply(text="\n\n".join(told), direct=[*turns.direct, *talk.direct])

    async def _talk(self, channel: str, table: SharedTable, said: list[ChatLine]) -> DiscordReply:
        """Lines that the thread has not been told; a whisper to those it is for, alone."""
        keys = await self.seated.bindings.told_turns(channel)
        numbers = {int(key.removeprefix(LINE)) for key in keys if key.startswith(LINE)}
        first = min(numbers, default=said[-1].no if said else 0)
        new = [line for line in said if line.no > first and line.no not in numbers]
        await self.seated.bindings.mark_told(channel, [line_key(line.no) for line in new])
        names = {each.id: each.name for each in table.people}
        open_ = [_spoken(line, names) for line in new if not line.to]
        direct: list[DirectMessage] = []
        for line in [one for one in new if one.to]:
            for id in [one for one in line.to if one != line.by]:
                person = next((each for each in table.here() if each.id == id), None)
                user = await self.seated.user_of(person, table) if person else ""
                if user:
                    direct.append(DirectMessage(user=user, text=_spoken(line, names)))
        return DiscordReply(text="\n".join(open_), direct=direct)


def _spoken(line: ChatLine, names: dict[str, str]) -> str:
    """A line of talk, or dice with what they were for."""
    by = names.get(line.by, "?")
    if line.rolls:
        rolls = "; ".join(f"{roll.name}: `{roll.text}`" for roll in line.rolls)
        return f"{by} rolls{' in secret' if line.to else ''} {line.text}".rstrip() + f" · {rolls}"
    return f"{by} whispers: {line.text}" if line.to else f"({by}: {line.text})"
