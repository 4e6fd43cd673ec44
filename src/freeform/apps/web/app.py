"""READ THIS FIRST. The web server: thin routes over the same functions that the command line calls.

request ──> Guard (key, origin, size, rate) ──> routes/ ──> services ──> JSON
                                                  │
     POST …/turns ──> Plays (one turn a table) ───┴──> Hub ──> GET /api/events, to every tab
     /v1/chat/completions (doors/) and /mcp (mounted by the launcher) use the same Plays, so tabs
     follow what other programs play
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from freeform import __version__
from freeform.apps.web import problems
from freeform.apps.web.doors import openai
from freeform.apps.web.guard import Guard, GuardRules
from freeform.apps.web.many.passed_on import PassedOn
from freeform.apps.web.mounted import Mounted
from freeform.apps.web.room import Room
from freeform.apps.web.routes import (
    ingest,
    insight,
    packs,
    pages,
    party_views,
    players,
    questions,
    research,
    sheets,
    shelf,
    times,
    turns,
    work,
)
from freeform.apps.web.routes.account import keeping, provider, signing
from freeform.apps.web.routes.lore import desk as lore_desk
from freeform.apps.web.routes.lore import person as lore_person
from freeform.apps.web.routes.stories import drafts, owned, pack_drafts, pictures
from freeform.apps.web.routes.table import (
    asking,
    companions,
    dice,
    gm,
    joining,
    limits,
    oracle,
    telling,
)
from freeform.apps.web.routes.table import people as company
from freeform.services.accounts.seats import signed_as
from freeform.services.accounts.tries import TriesOfAll
from freeform.services.table import people

PARTS = (
    shelf.router,
    owned.router,
    drafts.router,
    pack_drafts.router,
    pictures.router,
    turns.router,
    times.router,
    limits.router,
    gm.router,
    oracle.router,
    telling.router,
    company.router,
    asking.router,
    companions.router,
    dice.router,
    joining.router,
    signing.router,
    keeping.router,
    provider.router,
    insight.router,
    packs.router,
    sheets.router,
    questions.router,
    research.router,
    ingest.router,
    players.router,
    party_views.router,
    lore_desk.router,
    lore_person.router,
    work.router,
    openai.router,
)


def make_app(room: Room, host: str = "127.0.0.1", mounted: Sequence[Mounted] = ()) -> ASGIApp:
    """The app of a room, with its guard before it and other apps beside it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        _get_ready(app)
        async with AsyncExitStack() as running:
            for each in mounted:
                await running.enter_async_context(each.running())
            watching: asyncio.Task[None] | None = None
            if not room.desk:
                room.ingests.go_on()
                watching = asyncio.create_task(lore_desk.watch(room))
            yield
            if watching:
                watching.cancel()
            await room.tables.close()
            await room.plays.close()
            await room.drawing.close()
            await room.parties.close()
            await room.research.close()
            await room.ingests.close()
            await room.researchers.close()
            await room.house.close()

    app = FastAPI(
        title="Freeform RPG",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        description="The table over HTTP. Errors are `{error, kind}`; state-changing requests take "
        "an `Idempotency-Key`, and the same key is never done twice.",
    )
    problems.add_to(app)
    parts, last = _own_routes()
    app.router.routes += parts
    for each in mounted:
        app.router.routes += each.routes
    app.router.routes += last
    settings = room.settings
    room.host = host
    guard = Guard(
        PassedOn(app, room.desk) if room.desk else app,
        GuardRules(
            key=settings.serve_key.get_secret_value(),
            host=host,
            upload_bytes=settings.serve_upload_mb * 1_000_000,
            per_minute=settings.serve_per_minute,
            ticks=room.table.clock.ticks,
            holder=partial(people.holder, room.house),
            signed_as=partial(signed_as, room.house),
            tries=TriesOfAll(room.house) if room.wire else None,
        ),
    )
    room.answered = guard.answered
    app.state.room, app.state.guard = room, guard
    return guard


@cache
def _own_routes() -> tuple[list[BaseRoute], list[BaseRoute]]:
    """Made once for all rooms, since it takes a fifth of a second; a request says which room.

    First those with addresses of their own, then the pages, which take every address that is left.
    """
    return _included(*PARTS), _included(pages.router)


def _included(*routers: APIRouter) -> list[BaseRoute]:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, responses=problems.DECLARED)
    for router in routers:
        app.include_router(router)
    return app.routes


def _get_ready(app: FastAPI) -> None:
    """Routes make what they need when first asked: before the first player asks."""
    nowhere = {"type": "http", "method": "GET", "path": "/-", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(nowhere)
