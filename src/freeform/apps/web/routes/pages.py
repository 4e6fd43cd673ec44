"""Routes that are no API: events, health and figures, the way in, and the web app itself."""

import html
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Header, HTTPException, Query, Request
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    StreamingResponse,
)
from starlette.responses import Response
from starlette.routing import Match

from freeform.apps.web.guard import COOKIE, Guard, cookie_of, same
from freeform.apps.web.room import At, room_of
from freeform.apps.web.visitors import Who
from freeform.core.errors import NotFound
from freeform.services.operate.health import ServerHealth

router = APIRouter()
STATIC = Path(__file__).parents[1] / "static"
STREAM = {"cache-control": "no-store", "x-accel-buffering": "no"}
PAGE = (
    "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
    "<meta name='viewport' content='width=device-width'><title>Freeform RPG</title>"
    "<link rel='icon' href='data:,'><link rel='stylesheet' href='/login.css'></head>"
    "<body><main><h1>Freeform RPG</h1>{body}"
    "</main></body></html>"
)
LOOK = """:root { color-scheme: light dark; --paper: light-dark(#f3ecdd, #12171a);
  --ink: light-dark(#2a241c, #e9e0cd); --edge: light-dark(#8c7f67, #7d8482);
  --sea: light-dark(#1d5557, #8cc9c3); --on: light-dark(#fdfaf2, #10201f);
  --wrong: light-dark(#8f2a1c, #ec9a80) }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center;
  background: var(--paper); color: var(--ink); font: 1.125rem/1.5 Palatino, Georgia, serif }
main { max-width: 26rem; padding: 1.5rem }
h1 { font-weight: 500; font-style: italic }
label { display: grid; gap: 0.4rem }
input, button { font: inherit; min-height: 2.75rem; padding: 0.3rem 0.9rem;
  border: 1px solid var(--edge); border-radius: 6px; background: none; color: inherit }
button { background: var(--sea); border-color: var(--sea); color: var(--on);
  border-radius: 999px; margin-top: 0.8rem }
:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px }
[role=alert] { color: var(--wrong) }
a { color: var(--sea) }
"""
"""Of the two pages that are no part of the app: not built yet, or the key is asked for."""
NOT_BUILT = (
    "<p>The server runs, but its web app is not built yet. In the project's folder, stop this "
    "server and run <code>make serve</code>, which builds it; or <code>npm --prefix web install "
    "&amp;&amp; npm --prefix web run build</code>.</p><p>Programs can use it as it is: "
    "<a href='/api/openapi.json'>the API</a>, "
    "<code>/v1/chat/completions</code>, <code>/mcp</code>.</p>"
)
LOGIN = (
    "<form method='post' action='/login'><p><label>The key of this table: "
    "<input type='password' name='key' autocomplete='current-password' required autofocus></label> "
    "<button>Come in</button></p>{told}</form>"
)


ACCOUNTS = "<p>Or <a href='/join'>sign in with an account</a>.</p>"
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events."}
}


@router.get("/api/events", tags=["play"], response_class=StreamingResponse, responses=EVENTS)
async def events(
    room: At,
    who: Who,
    campaign: Annotated[str, Query(max_length=64)] = "",
    after: Annotated[str, Query(max_length=200)] = "",
    last_event_id: Annotated[str, Header(max_length=200)] = "",
) -> StreamingResponse:
    """What happens at the tables, as it happens; goes on after the last event heard.

    `after` says which that was, where one cannot send the header.
    """
    heard = last_event_id or after
    return StreamingResponse(
        room.tables.stream(who, campaign, heard), media_type="text/event-stream", headers=STREAM
    )


@router.get("/healthz", tags=["server"])
async def healthz(room: At) -> ServerHealth:
    """Whether the server runs, and how each part stands. 200 as long as it answers at all: starting
    it anew helps against nothing else."""
    return (await room.health.look()).model_copy(update={"ok": True})


@router.get("/readyz", tags=["server"])
async def readyz(room: At, response: Response) -> ServerHealth:
    """Whether turns can be played here: 503 while they cannot, or while the server ends."""
    seen = await room.health.look()
    if not seen.ok:
        response.status_code = 503
        response.headers["retry-after"] = "5"
    return seen


@router.get("/metrics", tags=["server"], response_class=PlainTextResponse)
async def metrics(room: At) -> PlainTextResponse:
    """Figures for Prometheus."""
    plays = room.plays
    figures = {
        "freeform_turns_total": ("counter", plays.played),
        "freeform_turns_failed_total": ("counter", plays.failed),
        "freeform_turns_in_flight": ("gauge", len(plays.flights)),
        "freeform_listeners": ("gauge", room.hub.listeners),
    }
    lines = [f"# TYPE {name} {kind}\n{name} {value}" for name, (kind, value) in figures.items()]
    lines.append("# TYPE freeform_http_responses_total counter")
    lines += [
        f'freeform_http_responses_total{{status="{s}"}} {n}'
        for s, n in sorted(room.answered.items())
    ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@router.get("/login", include_in_schema=False)
async def login_page(room: At) -> HTMLResponse:
    """Asks for the key; who has an account may sign in instead."""
    other = ACCOUNTS if room.settings.accounts != "off" else ""
    return HTMLResponse(PAGE.format(body=LOGIN.format(told=other)))


@router.get("/login.css", include_in_schema=False)
async def login_look() -> Response:
    """How the plain pages look."""
    return Response(LOOK, media_type="text/css")


@router.post("/login", include_in_schema=False)
async def login(request: Request, key: Annotated[str, Form(max_length=500)]) -> Response:
    """Gives a cookie for the right key."""
    wanted = (await room_of(request)).settings.serve_key.get_secret_value()
    guard: Guard = request.app.state.guard
    client = request.client.host if request.client else "?"
    if wanted and not await guard.shut_out(client) and same(key, wanted):
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            COOKIE, cookie_of(wanted), httponly=True, samesite="strict", max_age=30 * 86400
        )
        return answer
    await guard.missed(client)
    told = (
        "<p role='alert'>That is not the key.</p>" if wanted else "<p>This table needs no key.</p>"
    )
    return HTMLResponse(PAGE.format(body=LOGIN.format(told=told)), 401 if wanted else 200)


@router.get("/{path:path}", include_in_schema=False)
async def page(request: Request, path: str) -> Response:
    """The web app; a page of it that is no file is the app itself."""
    allowed = _other_methods(request)
    if allowed:
        raise HTTPException(405, "Method Not Allowed", {"allow": ", ".join(allowed)})
    if path.startswith(("api/", "v1/", "mcp")):
        raise NotFound(f"there is nothing at /{html.escape(path[:100])}; see /api/openapi.json")
    index = STATIC / "index.html"
    if not index.is_file():
        return HTMLResponse(PAGE.format(body=NOT_BUILT))
    file = (STATIC / path).resolve()
    if path and file.is_file() and file.is_relative_to(STATIC.resolve()):
        kept = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        return FileResponse(file, headers={"cache-control": kept})
    if "." in path.rpartition("/")[2]:
        raise NotFound("there is no such file")
    return FileResponse(index, headers={"cache-control": "no-cache"})


def _other_methods(request: Request) -> list[str]:
    """How one may ask at this address, where something is but nothing to read."""
    return [method for method in ("DELETE", "POST") if _is_route(request, method)]


def _is_route(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
