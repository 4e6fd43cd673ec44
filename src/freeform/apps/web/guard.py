"""The door: who may come in, from where, how often, how large; and what every answer carries.

Loopback needs no key, but the request must name a loopback host, so that a page elsewhere cannot
reach in by a name that it points here. A request that changes something must come from our own
page, or from no page at all. Requests are counted for each key, wherever they come from; those
without the key for each address, so that a stranger who knocks without end shuts out neither
whoever holds the key nor other strangers.
"""

import hashlib
import hmac
import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Protocol
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from freeform.apps.web.hosts import LOOPBACK
from freeform.apps.web.visitors import (
    AT_THE_DOOR,
    OWNER,
    PAGES,
    VISITOR,
    Holder,
    SignedAs,
    Visitor,
    find_visitor,
    session_in,
)
from freeform.core.errors import FreeformError
from freeform.core.ids import RandomIds
from freeform.core.log import is_request_id, request, tell

_LOG = logging.getLogger("freeform.web")
REQUEST_ID = "x-request-id"
COOKIE = "freeform_key"
OPEN = frozenset({"/healthz", "/readyz", "/login", "/login.css", "/discord/interactions"})
"""Without a key. Discord's requests are signed instead."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
SMALL_BODY = 4_000_000
DRAINED = 16_000_000
UNKNOWN = "who sits where cannot be read just now; the log of the server says why"
WRONG_KEYS = 10
"""Wrong keys a client may try in a minute."""
KEYED = "whoever holds the key"
"""The client of every request with the key; no address is called so."""
CLIENTS = 10_000
UPLOADS = frozenset(
    {
        "/api/packs",
        "/api/import",
        "/api/ingests",
        "/api/ingests/look",
        "/api/characters",
        "/api/characters/preview",
        "/api/scenarios/check",
        "/api/drafts/file",
        "/api/campaigns/{campaign}/pictures/file",
    }
)
"""Where a file may come in; a test holds this against the routes."""
_UPLOAD = re.compile("|".join(re.sub(r"\{\w+\}", "[^/]+", path) for path in sorted(UPLOADS)))
SECURITY = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; "
        "frame-ancestors 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: with that the login's form says `Origin: null`, which is refused.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Refused(Exception):
    """The door stays shut: a status and a sentence."""

    def __init__(self, status: int, told: str, kind: str = "forbidden") -> None:
        self.status, self.told, self.kind = status, told, kind
        super().__init__(told)


@dataclass
class Buckets:
    """So many a minute for each client, with as many at once."""

    per_minute: int
    ticks: Callable[[], float]
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, client: str, cost: float = 1.0) -> bool:
        """False when the client has none left."""
        if not self.per_minute:
            return True
        now = self.ticks()
        left, then = self._left.pop(client, (float(self.per_minute), now))
        left = min(float(self.per_minute), left + (now - then) * self.per_minute / 60)
        has = left >= cost
        self._left[client] = (left - cost if has else left, now)
        if len(self._left) > CLIENTS:
            self._left.pop(next(iter(self._left)))
        return has

    def is_empty(self, client: str) -> bool:
        """Whether the client has none left, without taking one."""
        return not self.take(client, 0.0) or (bool(self.per_minute) and self._left[client][0] < 1)


class WrongTries(Protocol):
    """Wrong tries of a client, or at a name, in the last minute, whichever process was asked. It
    never fails: where it cannot count, nobody has tried."""

    async def note(self, client: str) -> None:
        """One more."""
        ...

    async def count(self, client: str) -> int:
        """How many."""
        ...


@dataclass
class GuardRules:
    """What the door asks for."""

    key: str = field(repr=False)
    host: str
    upload_bytes: int
    per_minute: int
    ticks: Callable[[], float]
    holder: Holder
    signed_as: SignedAs
    tries: WrongTries | None = None
    """Those of all processes, where several serve these tables."""


def cookie_of(key: str) -> str:
    """What the cookie holds: it proves the key without being it."""
    return hmac.new(key.encode(), b"freeform cookie", hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Whether two secrets are equal, in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), wanted.encode())


class Guard:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, rules: GuardRules) -> None:
        self._app, self._rules = app, rules
        self._asks = Buckets(rules.per_minute, rules.ticks)
        self._wrong = Buckets(WRONG_KEYS, rules.ticks)
        self._ids = RandomIds()
        self.answered: dict[int, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        wish = headers.get(REQUEST_ID, "")
        with request(wish if is_request_id(wish) else self._ids.new("req")) as request_id:
            await self._answer(scope, receive, send, headers, request_id)

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str
    ) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered[message["status"]] = self.answered.get(message["status"], 0) + 1
                carried = MutableHeaders(scope=message)
                carried[REQUEST_ID] = request_id
                _carry(carried, scope["path"])
            await send(message)

        try:
            scope[VISITOR] = visitor = await self._visitor(scope, headers)
            await self._let_in(scope, headers, visitor)
            most = self._most(scope)
            _check_length(headers, most)
        except Refused as shut:
            tell(_LOG, logging.WARNING, "request_refused", status=shut.status, path=_room(scope))
            if shut.status == 413:
                await _drain(receive)
            if (
                shut.status == 401
                and scope["method"] == "GET"
                and "text/html" in headers.get("accept", "")
            ):
                await _show_the_way_in(answer)
            else:
                await _refuse(shut, answer, scope["path"])
            return
        await self._app(scope, _counted(receive, most), answer)

    async def _visitor(self, scope: Scope, headers: Headers) -> Visitor:
        """Who asks. A seat's token decides, whatever else a request brings, but where its holder
        has the key and asks about something else than that table."""
        if _is_open(scope):
            return OWNER
        rules = self._rules
        holds = bool(rules.key) and _holds(headers, rules.key)
        try:
            found = await find_visitor(scope, headers, rules.holder, rules.signed_as)
        except FreeformError as wrong:
            tell(_LOG, logging.ERROR, "visitor_unknown", why=str(wrong))
            if holds or not rules.key:
                return OWNER
            raise Refused(503, UNKNOWN, "unavailable") from None
        if found is None and not holds and scope["path"] != "/":
            told = "you are at this table no longer; ask the host for another link"
            if session_in(headers):
                told = "your account sits at no table yet; open the link that the host sent you"
            raise Refused(401, told, "gone")
        if found is None or (holds and not found.may(scope["method"], scope["path"])):
            return OWNER
        return found

    async def _let_in(self, scope: Scope, headers: Headers, visitor: Visitor) -> None:
        rules, client = self._rules, (scope.get("client") or ("?", 0))[0]
        holds = bool(rules.key) and _holds(headers, rules.key)
        holds = holds or (visitor.is_owner and bool(visitor.session))
        counted = KEYED if holds else client
        if not self._asks.take(counted if visitor.is_owner else visitor.client):
            raise Refused(429, "too many requests; wait a moment", "unavailable")
        host = _host_name(headers.get("host", ""))
        if not rules.key and host not in LOOPBACK and host != rules.host:
            raise Refused(
                403, "this table is served to this machine only; use its address 127.0.0.1"
            )
        if scope["method"] not in SAFE:
            _check_origin(headers)
        if not visitor.is_owner:
            if not visitor.may(scope["method"], scope["path"]):
                raise Refused(403, "that is not for your seat; ask the host")
        elif rules.key and not _is_open(scope):
            await self._check_key(headers, client, holds)

    async def _check_key(self, headers: Headers, client: str, holds: bool) -> None:
        if await self.shut_out(client):
            raise Refused(429, "too many wrong keys; wait a minute", "unavailable")
        if holds:
            return
        if _bearer(headers):
            await self.missed(client)
        raise Refused(401, "say the key: as `Authorization: Bearer KEY`, or at /login in a browser")

    async def missed(self, client: str) -> None:
        """A wrong key, invitation or password, counted in all processes."""
        self._wrong.take(client)
        if self._rules.tries:
            await self._rules.tries.note(client)

    async def shut_out(self, client: str) -> bool:
        """Whether the client has tried too many."""
        if self._wrong.is_empty(client):
            return True
        tries = self._rules.tries
        return tries is not None and await tries.count(client) >= WRONG_KEYS

    def _most(self, scope: Scope) -> int:
        takes_files = _UPLOAD.fullmatch(scope["path"].rstrip("/"))
        return self._rules.upload_bytes if takes_files else SMALL_BODY


def _is_open(scope: Scope) -> bool:
    """What anyone may ask for: the page itself, the way in, and what is signed instead."""
    path = scope["path"]
    is_page = scope["method"] in SAFE and path != "/" and PAGES.fullmatch(path) is not None
    return path in OPEN or path in AT_THE_DOOR or is_page


def _room(scope: Scope) -> str:
    """The first step of a path: further on it may hold anything."""
    return "/" + str(scope["path"]).strip("/").partition("/")[0]


def _bearer(headers: Headers) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def _holds(headers: Headers, key: str) -> bool:
    """Whether the request says the key: as a bearer, or with the cookie of the login."""
    given = _bearer(headers)
    if given:
        return same(given, key)
    cookie = _cookie(headers)
    return bool(cookie) and same(cookie, cookie_of(key))


def _check_origin(headers: Headers) -> None:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    if site not in ("none", "same-origin") or (
        origin and urlsplit(origin).netloc != headers.get("host")
    ):
        raise Refused(403, "the request comes from another page; open the table itself")


def _check_length(headers: Headers, most: int) -> None:
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length) > most:
        raise Refused(413, _too_large(most), "too_large")


def _too_large(most: int) -> str:
    more = "" if most == SMALL_BODY else "; the setting serve_upload_mb allows more"
    return f"that is too large, at most {most // 1_000_000} MB are taken{more}"


def _counted(receive: Receive, most: int) -> Receive:
    """The body, cut off where it grows too large, whatever its header claimed."""
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, _too_large(most))
        return message

    return read


async def _drain(receive: Receive) -> None:
    """Reads some of what is refused, so that a client that is still sending hears the answer."""
    seen = 0
    while seen < DRAINED:
        message = await receive()
        seen += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _carry(headers: MutableHeaders, path: str) -> None:
    for name, value in SECURITY.items():
        headers[name] = value
    if "cache-control" not in headers:
        headers["cache-control"] = "no-cache" if path.startswith("/assets/") else "no-store"


async def _show_the_way_in(send: Send) -> None:
    """A person who opens the page gets the form, not a line of JSON."""
    await send(
        {"type": "http.response.start", "status": 303, "headers": [(b"location", b"/login")]}
    )
    await send({"type": "http.response.body", "body": b""})


async def _refuse(shut: Refused, send: Send, path: str) -> None:
    told: dict[str, object] = {"error": shut.told, "kind": shut.kind}
    if path.startswith("/v1/"):  # as the programs at that door read it
        kind = "invalid_request_error" if shut.status < 500 else "server_error"
        told = {"error": {"message": shut.told, "type": kind, "code": shut.kind}}
    body = json.dumps(told).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if shut.status == 413:
        headers.append((b"connection", b"close"))
    if shut.status == 429:
        headers.append((b"retry-after", b"5"))
    await send({"type": "http.response.start", "status": shut.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
