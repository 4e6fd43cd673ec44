"""Routes of play: take a turn, stop it, read the story, see the table."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError

from freeform.apps.web import requests, responses
from freeform.apps.web.room import MOST_KEY, At, Key, Seen, key_of, room_of
from freeform.apps.web.visitors import Who, visitor_of
from freeform.services import campaigns, play
from freeform.services.table import acting, people
from freeform.services.table.views import seen_from
from freeform.services.views.records import Story, TableShown
from freeform.services.views.story import without_models

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["play"])


class _Straight(APIRoute):
    """For the one request that every table sends all the time: what reads goes straight to `take`.

    All else goes the long way, which has a sentence for whatever is wrong with it.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        long_way = super().get_route_handler()

        async def handle(request: Request) -> Response:
            key = request.headers.get("idempotency-key", "")
            try:
                said = requests.TurnBody.model_validate_json(await request.body())
            except ValidationError:
                return await long_way(request)
            if len(key) > MOST_KEY or request.headers.get("content-type") != "application/json":
                return await long_way(request)
            started = await take(
                await room_of(request),
                await visitor_of(request),
                await key_of(key),
                request.path_params["campaign"],
                said,
            )
            return Response(started.model_dump_json(), 202, media_type="application/json")

        return handle


async def take(
    room: At, who: Who, key: Key, campaign: str, said: requests.TurnBody
) -> responses.TurnStarted:
    """Begins a turn; the event stream tells the rest. The same key never plays twice. Where several
    people share the table it is handed in, and played when it is due."""
    shared = await people.find_table(room.house, campaign)
    if shared is not None:
        room.plays.check_open()
        person = who.person or shared.owner().id
        handed = await acting.hand_in(
            room.house, campaign, person, said.text, mode=said.mode, turn_id=key
        )
        room.tables.changed(campaign, "handed in")
        room.tables.wake(campaign)
        return responses.TurnStarted(**handed.model_dump())
    say = await play.say_of(room.house, campaign, said.text, mode=said.mode, turn_id=key)
    room.plays.start(say)
    return responses.TurnStarted(turn_id=say.turn_id)


router.add_api_route(
    "/turns", take, methods=["POST"], status_code=202, route_class_override=_Straight
)


@router.post("/stop")
async def stop(room: At, campaign: str) -> responses.Stopped:
    """Stops the prose of the turn on its way; its facts stay, its words come with the next turn."""
    await campaigns.check_campaign(room.house, campaign)
    return responses.Stopped(stopped=await room.plays.stop(campaign))


@router.get("/story")
async def story(
    house: Seen,
    who: Who,
    campaign: str,
    before: Annotated[int | None, Query(ge=1, le=1_000_000_000)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Story:
    """Turns of the active branch, oldest first: the last ones, or those before a turn."""
    told = await campaigns.read_story(house, campaign, before=before, limit=limit)
    return told if who.knows_secrets else without_models(told)


@router.get("/table")
async def table(house: Seen, who: Who, campaign: str) -> TableShown:
    """What the player sees of the table; among others, with their own hero, where that is."""
    seen = await campaigns.table_view(house, campaign)
    shared = await people.find_table(house, campaign)
    return seen_from(seen, shared, who.person or shared.owner().id) if shared else seen
