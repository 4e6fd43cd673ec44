"""Three doors to three equal homes: the real program, the real server over HTTP, a real MCP client."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from mcp import Client, MCPError

from freeform.apps.web.serve import alone
from tests.apps.program import Home
from tests.apps.web.serving import Served, serving


@dataclass(frozen=True)
class Refused:
    """What a door says when it does not do as asked."""

    sentence: str


class CommandLine:
    """The program, each command in a process of its own."""

    def __init__(self, home: Home) -> None:
        self.home = home

    async def __call__(self, *args: str) -> Any:
        ran = await asyncio.to_thread(self.home.run, "--json", *args)
        document = json.loads(ran.out)
        return document if ran.code == 0 else Refused(document["error"]["message"])

    async def bring(self, name: str, content: bytes, *args: str) -> Any:
        """Imports a file of that name."""
        (self.home.path / name).write_bytes(content)
        return await self("import", name, *args)


class Http:
    """The server's API."""

    def __init__(self, served: Served) -> None:
        self.served = served

    async def __call__(self, method: str, path: str, body: Any = None) -> Any:
        return told(await self.served.http.request(method, path, json=body))

    async def played(self, path: str, body: Any = None) -> Any:
        """Begins a turn in a campaign, waits for its end, and gives it as the story has it."""
        started = await self("POST", f"/api/campaigns/a/{path}", body)
        if isinstance(started, Refused):
            return started
        await self.served.quiet()
        return (await self.served.story())[-1]

    async def bring(self, name: str, content: bytes, **fields: str) -> Any:
        """Uploads a file of that name."""
        files = {"file": (name, content)}
        return told(await self.served.http.post("/api/import", files=files, data=fields))


def told(answer: httpx.Response) -> Any:
    """The answer, or why there is none."""
    if answer.status_code < 300:
        return answer.json() if "json" in answer.headers["content-type"] else answer.content
    return Refused(answer.json()["error"])


class Mcp:
    """An MCP client of a server over HTTP."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/mcp"

    async def __call__(self, tool: str, **given: Any) -> Any:
        async with Client(self._url) as client:
            answer = await client.call_tool(tool, given)
        if not answer.is_error:
            return answer.structured_content
        text = answer.content[0].text  # type: ignore[union-attr]
        return Refused(text.removeprefix(f"Error executing tool {tool}: "))

    async def read(self, uri: str) -> Any:
        """A resource."""
        async with Client(self._url) as client:
            try:
                answer = await client.read_resource(uri)
            except MCPError as wrong:
                return Refused(str(wrong))
        return json.loads(answer.contents[0].text)  # type: ignore[union-attr]


@dataclass
class Doors:
    """All three."""

    cli: CommandLine
    http: Http
    mcp: Mcp


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Doors]:
    """The doors of three homes, each with one small scenario."""
    async with (
        serving(folder / "http", beside=alone) as first,
        serving(folder / "mcp") as second,
    ):
        yield Doors(CommandLine(Home(folder / "cli")), Http(first), Mcp(second.url))


async def begun(doors: Doors) -> None:
    """The same campaign behind each."""
    await doors.cli("new-game", "--scenario", "cellar", "--campaign", "a", "--seed", "7")
    wanted = {"scenario": "cellar", "campaign": "a", "seed": 7}
    await doors.http("POST", "/api/campaigns", wanted)
    await doors.mcp("begin_campaign", **wanted)


def alike(answers: Sequence[Any], *fields: str) -> Any:
    """What all answers have in those fields; fails where two differ, or one refused."""
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused == []
    picked = [{field: answer[field] for field in fields} for answer in answers]
    for other in picked[1:]:
        assert other == picked[0]
    return picked[0]


def refused_alike(answers: Sequence[Any]) -> str:
    """The one sentence that all of them give; fails where one did it, or says another."""
    assert [answer for answer in answers if not isinstance(answer, Refused)] == []
    sentences = {answer.sentence for answer in answers}
    assert len(sentences) == 1, sentences
    return sentences.pop()
