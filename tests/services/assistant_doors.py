"""One house and its doors, for the use cases of assistant, ingest, parties and lore.

`command line` a real process, `http` a real server, `mcp` a real client; Discord's room where it has the command.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freeform.apps.discord.open import open_room
from freeform.apps.discord.parlour import DiscordRoom
from freeform.apps.discord.shapes import SlashCommand
from tests.apps.program import Home
from tests.apps.web.serving import Served, serving
from tests.services.doors import Mcp, Refused, told


@dataclass(frozen=True)
class Heard:
    """What a door said: a document, or the sentence of an error."""

    document: Any = None
    error: str = ""


def heard(answer: Any) -> Heard:
    """An answer of a door."""
    return Heard(error=answer.sentence) if isinstance(answer, Refused) else Heard(answer)


@dataclass
class OneHouse:
    """A house with all its doors open."""

    home: Home
    served: Served
    discord: DiscordRoom
    _asked: int = 0

    def cli(self, *args: str) -> Heard:
        """Through the command line."""
        ran = self.home.run("--json", *args)
        document = json.loads(ran.out)
        if ran.code == 0:
            return Heard(document)
        return Heard(error=document["error"]["message"])

    async def http(self, method: str, path: str, **more: Any) -> Heard:
        """Through the web server."""
        return heard(told(await self.served.http.request(method, path, **more)))

    async def mcp(self, tool: str, **given: Any) -> Heard:
        """Through an MCP client, who comes for this alone."""
        return heard(await Mcp(self.served.url)(tool, **given))

    async def slash(self, name: str, **options: str) -> str:
        """Through Discord's room: its reply."""
        self._asked += 1
        command = SlashCommand(
            id=str(self._asked), name=name, options=options, user="u", channel="c"
        )
        return (await self.discord.run(command)).text


@asynccontextmanager
async def doors_of(folder: Path) -> AsyncIterator[OneHouse]:
    """Opens them on a folder."""
    home = Home(folder)
    async with serving(folder) as served:
        yield OneHouse(home, served, open_room(served.room.house))


def sentence(error: str) -> str:
    """An error as Discord writes it: a whole sentence."""
    whole = f"{error[:1].upper()}{error[1:]}"
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def assert_same(*heard: Heard, but: tuple[str, ...] = ()) -> Any:
    """The doors agree in every field they share; gives the first document."""
    first, *others = heard
    assert not first.error, first.error
    for other in others:
        assert not other.error, other.error
        shared = (set(first.document) & set(other.document)) - set(but)
        assert shared, "nothing is shared"
        for key in shared:
            assert first.document[key] == other.document[key], key
    return first.document


def assert_refused(*heard: Heard) -> str:
    """The doors refuse in the very same words; gives them."""
    errors = {each.error for each in heard}
    assert len(errors) == 1, errors
    (error,) = errors
    assert error, "nobody refused"
    return error
