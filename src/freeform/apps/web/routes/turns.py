"""Routes of play: take a turn, stop it, read the story, see the table."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError

from freeform.apps.web import requests, responses, views
from freeform.apps.web.room import MOST_KEY, At, Key, key_of, room_of
from freeform.engine.table import Rules
from freeform.engine.turn import Say, hear

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["play"])
EVER = "1970-01-01T00:00:00Z"


class _Straight(APIRoute):
    """For the one request that every table sends all the time: what reads at a glance goes straight to `take`, and
    all else goes the long way, which has a sentence for whatever is wrong with it."""

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
                await room_of(request), await key_of(key), request.path_params["campaign"], said
            )
            return Response(started.model_dump_json(), 202, media_type="application/json")

        return handle


async def take(room: At, key: Key, campaign: str, said: requests.TurnBody) -> responses.TurnStarted:
    """Begins a turn; its facts, prose and end come over the event stream. The same key never plays twice."""
    text = hear(views.spoken(said.text, said.mode))
    await room.table.store.begun(campaign)  # or NotFound
    turn_id = key or room.table.ids.new("turn")
    room.plays.start(Say(campaign=campaign, text=text, turn_id=turn_id))
    return responses.TurnStarted(turn_id=turn_id)


router.add_api_route(
    "/turns", take, methods=["POST"], status_code=202, route_class_override=_Straight
)


@router.post("/stop")
async def stop(room: At, campaign: str) -> responses.Stopped:
    """Stops the prose of the turn on its way; its facts stay, and its words are told with the next turn."""
    await room.table.store.head(campaign)
    return responses.Stopped(stopped=await room.plays.stop(campaign))


@router.get("/story")
async def story(
    room: At,
    campaign: str,
    before: Annotated[int | None, Query(ge=1, le=1_000_000_000)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> responses.Story:
    """Turns of the active branch, oldest first: the last ones, or those before a turn."""
    store = room.table.store
    head = await store.head(campaign)
    last = min(head.turn_no, before - 1) if before else head.turn_no
    first = max(1, last - limit + 1)
    logged = await store.read(campaign, first, last) if last >= 1 else []
    takes = await store.count_takes(campaign, first, last)
    turns = views.story(logged, takes, await store.get_state(campaign))
    return responses.Story(turns=turns, more=first > 1 and last >= 1)


@router.get("/table")
async def table(room: At, campaign: str) -> responses.TableShown:
    """What the player sees of the table."""
    rules = Rules.of(await room.table.store.begun(campaign))
    state = await room.table.store.get_state(campaign)
    return views.table(state, rules, await room.table.tapes.spent(campaign, EVER))
