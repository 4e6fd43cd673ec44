"""Interactions over signed HTTP: for people who run no gateway bot. The same parlour answers."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from freeform.apps.discord.pace import PAUSE, Edits
from freeform.apps.discord.pages import pages
from freeform.apps.discord.parlour import AGAIN, DiscordRoom
from freeform.apps.discord.rest import PRIVATE, Rest
from freeform.apps.discord.shapes import DiscordReply, SlashCommand
from freeform.core.clock import Clock
from freeform.core.errors import FreeformError, UserError

STALE_S = 300
_PING, _COMMAND, _COMPONENT, _TYPING = 1, 2, 3, 4
_PONG, _SAY, _PROMISE, _CHOICES = 1, 4, 5, 8


class NotSigned(UserError):
    """The request does not come from Discord: answered with 401."""


@dataclass
class Signed:
    """Checks each request against the application's key, promises an answer, gives it later."""

    parlour: DiscordRoom
    rest: Rest
    public_key: str
    clock: Clock
    pause: float = PAUSE
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def check(self, body: bytes, signature: str, timestamp: str) -> None:
        """NotSigned unless the body was signed just now with Discord's key for us."""
        from nacl.exceptions import BadSignatureError
        from nacl.signing import VerifyKey

        try:
            age = abs(self.clock.now().timestamp() - float(timestamp))
            VerifyKey(bytes.fromhex(self.public_key)).verify(
                timestamp.encode() + body, bytes.fromhex(signature)
            )
        except (ValueError, BadSignatureError, TypeError) as wrong:
            raise NotSigned("the signature does not fit") from wrong
        if not age <= STALE_S:
            raise NotSigned("the request is too old")

    async def receive(self, body: bytes) -> dict[str, Any]:
        """What Discord is told at once. Long answers come later, by an edit."""
        said = json.loads(body)
        match said.get("type"):
            case 1:
                return {"type": _PONG}
            case 2:
                return await self._promise(_command(said), str(said["token"]))
            case 3:
                return await self._sources(said["data"])
            case 4:
                return await self._choices(said["data"])
        raise UserError("this kind of interaction is not known here")

    async def _promise(self, command: SlashCommand, token: str) -> dict[str, Any]:
        private = await self.parlour.is_private(command)
        task = asyncio.create_task(self._answer(command, token, private))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return {"type": _PROMISE, "data": {"flags": PRIVATE if private else 0}}

    async def _sources(self, pressed: dict[str, Any]) -> dict[str, Any]:
        key = str(pressed.get("custom_id", "")).partition(":")[2]
        first = pages(await self.parlour.sources(key))[0]
        data = {"content": first, "flags": PRIVATE, "allowed_mentions": {"parse": []}}
        return {"type": _SAY, "data": data}

    async def _choices(self, asked: dict[str, Any]) -> dict[str, Any]:
        typed = ""
        for option in asked.get("options", []):
            if option.get("focused"):
                typed = str(option.get("value", ""))
                break
        rows = await self.parlour.suggest(str(asked["name"]), typed)
        choices = [{"name": name, "value": value} for name, value in rows]
        return {"type": _CHOICES, "data": {"choices": choices}}

    async def finish(self) -> None:
        """Waits for the answers that were promised."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Gives the answers that were promised, and hangs up."""
        await self.finish()
        await self.rest.client.aclose()

    async def _answer(self, command: SlashCommand, token: str, private: bool) -> None:
        async def edit(line: str) -> None:
            await self.rest.edit(token, pages(line)[0])

        try:
            async with Edits(edit, self.pause) as edits:
                reply = await self.parlour.run(command, edits.tell)
            if reply.text != AGAIN:
                await self._give(reply, command, token, private)
        except FreeformError:
            return  # Discord itself cannot be reached: there is nobody left to tell.

    async def _give(
        self, reply: DiscordReply, command: SlashCommand, token: str, private: bool
    ) -> None:
        first, *more = pages(reply.text)
        await self.rest.edit(token, first, _button(reply.key) if reply.key else None)
        for page in more[:5]:
            await self.rest.follow(token, page, private=private or reply.private)
        own = [line.text for line in reply.direct if line.user == command.user]
        for page in [page for text in own for page in pages(text)][:5]:
            await self.rest.follow(token, page, private=True)
        if reply.public and self.rest.token:
            await self.rest.post(command.channel, reply.public)
        elif reply.public:
            await self.rest.follow(token, reply.public, private=False)


def _command(said: dict[str, Any]) -> SlashCommand:
    member = said.get("member") or {}
    user = member.get("user") or said.get("user") or {}
    options = {}
    for option in said["data"].get("options", []):
        options[str(option["name"])] = str(option.get("value", ""))
    return SlashCommand(
        id=str(said["id"]),
        name=str(said["data"]["name"]),
        options=options,
        user=str(user.get("id", "")),
        called=str(user.get("global_name") or user.get("username") or ""),
        channel=str(said.get("channel_id") or user.get("id", "")),
    )


def _button(key: str) -> list[Any]:
    return [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 2, "label": "Sources", "custom_id": f"sources:{key}"}
            ],
        }
    ]
