"""Somebody else's table over HTTP: come in by a link, ask, hand turns in, and hear what happens."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import httpx2

from freeform.core.errors import (
    Conflict,
    Forbidden,
    FreeformError,
    NotFound,
    Unavailable,
    UserError,
)
from freeform.packs.lock import write_atomically

PATIENCE = httpx2.Timeout(30.0, read=60.0)
AGAIN_S = 1.0
_ERRORS: dict[int, type[FreeformError]] = {
    401: Forbidden,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    503: Unavailable,
}


class Heard(NamedTuple):
    """Something that happened at the table."""

    kind: str
    data: dict[str, Any]


@dataclass
class RemoteTable:
    """A table that is served elsewhere. The token is ours, the secrets are theirs."""

    base: str
    campaign: str
    client: httpx2.AsyncClient
    _last: str = ""

    def hold(self, token: str) -> None:
        """From now on every request says who we are."""
        self.client.headers["authorization"] = f"Bearer {token}"

    async def ask(
        self, method: Literal["GET", "POST"], path: str, body: Any = None, key: str = ""
    ) -> Any:
        """What the server answers. Its sentence, where it refuses."""
        headers = {"idempotency-key": key} if key else {}
        try:
            answer = await self.client.request(
                method, f"{self.base}/api{path}", json=body, headers=headers
            )
        except httpx2.InvalidURL:
            raise UserError(f"{self.base} is no address") from None
        except httpx2.HTTPError:
            raise Unavailable(
                f"nobody answers at {self.base}; is the table being served?"
            ) from None
        told = _read(answer.text)
        if answer.is_success:
            return told
        said = told.get("error") if isinstance(told, dict) else None
        wrong = _ERRORS.get(answer.status_code, UserError)
        raise wrong(str(said or f"the server at {self.base} said {answer.status_code}"))

    async def here(self, path: str = "", **query: Any) -> Any:
        """Reads something of the campaign."""
        named = "&".join(f"{name}={value}" for name, value in query.items())
        return await self.ask(
            "GET", f"/campaigns/{self.campaign}{path}{'?' if named else ''}{named}"
        )

    async def do(self, path: str, body: Any = None, key: str = "") -> Any:
        """Does something at the campaign."""
        return await self.ask("POST", f"/campaigns/{self.campaign}{path}", body or {}, key)

    async def events(self) -> AsyncIterator[Heard]:
        """What happens, for as long as we sit there; a lost line is made anew. Forbidden when our
        seat is gone."""
        while True:
            try:
                async for heard in self._line():
                    yield heard
            except httpx2.HTTPError:
                pass
            yield Heard("lost", {})
            await asyncio.sleep(AGAIN_S)

    async def _line(self) -> AsyncIterator[Heard]:
        headers = {"last-event-id": self._last} if self._last else {}
        path = f"{self.base}/api/events?campaign={self.campaign}"
        async with self.client.stream("GET", path, headers=headers) as answer:
            if answer.status_code in (401, 403):
                raise Forbidden("you are at this table no longer; ask the host for another link")
            event: dict[str, str] = {}
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                if name:
                    event[name] = value
                elif "event" in event:
                    self._last = event.get("id", self._last)
                    yield Heard(event["event"], _read(event.get("data", "{}")))
                    event = {}


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def kept_token(home: Path, base: str, campaign: str) -> str:
    """The token of a table that this home has come in at before; '' where it has none."""
    return str(_kept(home).get(f"{base} {campaign}", ""))


def keep_token(home: Path, base: str, campaign: str, token: str) -> None:
    """Keeps a token, readable for nobody else, so that one comes back; '' forgets it."""
    tokens = _kept(home) | {f"{base} {campaign}": token}
    left = {where: held for where, held in tokens.items() if held}
    write_atomically(_file(home), json.dumps(left, indent=1).encode())


def _kept(home: Path) -> dict[str, Any]:
    file = _file(home)
    found = _read(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found if isinstance(found, dict) else {}


def _file(home: Path) -> Path:
    return home / "joined.json"
