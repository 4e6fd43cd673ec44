"""Discord's door on a web server: interactions over HTTP, each signed with its key."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from freeform.apps.discord.open import open_room
from freeform.apps.discord.rest import Rest
from freeform.apps.discord.seated import TableSide
from freeform.apps.discord.signed import NotSigned, Signed
from freeform.core.errors import NotFound, UserError
from freeform.services.house import House

PATH = "/discord/interactions"
PATIENCE_S = 20


class InteractionsDoor:
    """Answers Discord in a house. What it needs is made at the first request."""

    def __init__(self, house: House, side: TableSide | None = None) -> None:
        self._house, self._side = house, side
        self._signed: Signed | None = None

    def routes(self) -> list[Route]:
        """The one route, for the app that it stands beside."""
        return [Route(PATH, self.answer, methods=["POST"])]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Gives the answers that were promised before the server stops."""
        try:
            yield
        finally:
            if self._signed is not None:
                await self._signed.close()

    async def answer(self, request: Request) -> JSONResponse:
        """Answers Discord. 401 for what Discord did not sign, or not just now."""
        signed = self._opened()
        body = await request.body()
        signature = request.headers.get("x-signature-ed25519", "")
        timestamp = request.headers.get("x-signature-timestamp", "")
        try:
            signed.check(body, signature, timestamp)
        except NotSigned as wrong:
            return JSONResponse({"error": str(wrong), "kind": "forbidden"}, status_code=401)
        try:
            return JSONResponse(await signed.receive(body))
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise UserError("the interaction does not read") from wrong

    def _opened(self) -> Signed:
        """NotFound unless the settings name the application."""
        settings = self._house.settings
        if not settings.discord_public_key or not settings.discord_application:
            raise NotFound("Discord is not set up here; see: freeform-rpg discord --check")
        if self._signed is None:
            rest = Rest(
                httpx2.AsyncClient(timeout=PATIENCE_S),
                settings.discord_application,
                settings.discord_token.get_secret_value(),
                settings.discord_api,
            )
            room, clock = open_room(self._house, self._side), self._house.table.clock
            self._signed = Signed(room, rest, settings.discord_public_key, clock)
        return self._signed
