"""The few calls to Discord's REST API that the HTTP endpoint makes; a 429 is waited for."""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx2

from freeform.core.errors import Unavailable

API = "https://discord.com/api/v10"
_TRIES, _LONGEST_WAIT = 4, 15.0
PRIVATE = 64


@dataclass
class Rest:
    """Discord's API at an address: the real one, or one on loopback."""

    client: httpx2.AsyncClient
    application: str
    token: str = ""
    base: str = API

    async def edit(
        self, interaction_token: str, content: str, components: list[Any] | None = None
    ) -> None:
        """The answer that was promised, or how far it is."""
        body = {
            "content": content,
            "components": components or [],
            "allowed_mentions": {"parse": []},
        }
        await self.call(
            "PATCH", f"/webhooks/{self.application}/{interaction_token}/messages/@original", body
        )

    async def follow(self, interaction_token: str, content: str, *, private: bool) -> None:
        """A further page."""
        body = {
            "content": content,
            "flags": PRIVATE if private else 0,
            "allowed_mentions": {"parse": []},
        }
        await self.call("POST", f"/webhooks/{self.application}/{interaction_token}", body)

    async def post(self, channel: str, content: str) -> None:
        """A line in a channel, in the bot's own name."""
        body = {"content": content, "allowed_mentions": {"parse": []}}
        await self.call("POST", f"/channels/{channel}/messages", body)

    async def register(self, commands: list[dict[str, object]]) -> None:
        """Tells Discord our commands."""
        await self.call("PUT", f"/applications/{self.application}/commands", commands)

    async def call(self, method: str, path: str, body: Any) -> None:
        """One call; asked to wait, it waits. Unavailable when it fails for good."""
        headers = (
            {"Authorization": f"Bot {self.token}"}
            if self.token and not path.startswith("/webhooks")
            else {}
        )
        for _ in range(_TRIES):
            try:
                said = await self.client.request(
                    method, f"{self.base}{path}", json=body, headers=headers
                )
            except httpx2.HTTPError as wrong:
                raise Unavailable(
                    f"Discord cannot be reached ({type(wrong).__name__}); try again later"
                ) from wrong
            if said.status_code != 429:
                if said.status_code >= 400:
                    raise Unavailable(
                        f"Discord refused {method} {path.split('/')[1]} with {said.status_code}",
                        passing=False,
                    )
                return
            wait = float(said.headers.get("Retry-After", "1") or 1)
            await asyncio.sleep(min(wait, _LONGEST_WAIT))
        raise Unavailable("Discord asks us to slow down and does not stop asking; try again later")
