"""Discord's door: interactions over HTTP, each signed with the application's key."""

from typing import TYPE_CHECKING, Annotated

import httpx2
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse

from freeform.apps.web.room import At, Room
from freeform.core.errors import NotFound, UserError

if TYPE_CHECKING:
    from freeform.apps.discord.signed import Signed

router = APIRouter(tags=["discord"])


@router.post("/discord/interactions", response_class=JSONResponse)
async def interactions(
    room: At,
    request: Request,
    x_signature_ed25519: Annotated[str, Header()] = "",
    x_signature_timestamp: Annotated[str, Header()] = "",
) -> JSONResponse:
    """Answers Discord. 401 for what Discord did not sign, or not just now."""
    from freeform.apps.discord.signed import NotSigned

    signed = _signed(room)
    body = await request.body()
    try:
        signed.check(body, x_signature_ed25519, x_signature_timestamp)
    except NotSigned as wrong:
        return JSONResponse({"error": str(wrong), "kind": "forbidden"}, status_code=401)
    try:
        return JSONResponse(await signed.receive(body))
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise UserError("the interaction does not read") from wrong


def _signed(room: Room) -> "Signed":
    """Made at the first request, when the settings name the application."""
    settings = room.settings
    if not settings.discord_public_key or not settings.discord_application:
        raise NotFound("Discord is not set up here; see: freeform-rpg discord --check")
    if room.discord is None:
        from freeform.apps.discord.open import open_parlour
        from freeform.apps.discord.rest import Rest
        from freeform.apps.discord.signed import Signed

        rest = Rest(
            httpx2.AsyncClient(timeout=20),
            settings.discord_application,
            settings.discord_token.get_secret_value(),
            settings.discord_api,
        )
        parlour = open_parlour(settings, room.table)
        room.discord = Signed(parlour, rest, settings.discord_public_key, room.table.clock)
    return room.discord
