"""Who asks, and what they may ask for: the owner everything, someone at a table what is here.

A seat's token opens one table. What is not in `RULES` is shut for whoever holds one, so a new route
is the owner's until somebody says whose else it is; `tests/apps/web/test_leaks.py` walks them all.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from http.cookies import CookieError, SimpleCookie
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.types import Scope

from freeform.core.errors import NotFound
from freeform.players.people.accounts import SIGNED_IN, Account
from freeform.players.people.model import Role, SharedTable, TablePerson
from freeform.players.people.secrets_kept import read_code

SEATS = "freeform_seats"
"""The cookie with the tokens of the tables one sits at."""
ACCOUNT = "freeform_account"
"""The cookie with the token of a session."""
MOST_SEATS = 8
VISITOR = "freeform.visitor"
WATCHES: frozenset[str] = frozenset({"spectator", "player", "gm", "host"})
PLAYS: frozenset[str] = frozenset({"player", "gm", "host"})
LEADS: frozenset[str] = frozenset({"gm", "host"})
HOSTS: frozenset[str] = frozenset({"host"})
MASTERS: frozenset[str] = frozenset({"gm"})
HERE = "/api/campaigns/{campaign}"
RULES: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("GET", "/api/status", WATCHES),
    ("GET", "/api/events", WATCHES),
    ("POST", "/api/roll", PLAYS),
    ("GET", "/v1/models", WATCHES),
    ("POST", "/v1/chat/completions", PLAYS),
    ("GET", "/mcp", WATCHES),
    ("POST", "/mcp", WATCHES),
    ("DELETE", "/mcp", WATCHES),
    ("GET", HERE, WATCHES),
    ("GET", f"{HERE}/story", WATCHES),
    ("GET", f"{HERE}/table", WATCHES),
    ("GET", f"{HERE}/map", WATCHES),
    ("GET", f"{HERE}/portraits/{{pack}}", WATCHES),
    ("GET", f"{HERE}/pictures", WATCHES),
    ("GET", f"{HERE}/pictures/{{picture}}", WATCHES),
    ("POST", f"{HERE}/pictures", LEADS),
    ("POST", f"{HERE}/pictures/words", LEADS),
    ("POST", f"{HERE}/pictures/file", LEADS),
    ("POST", f"{HERE}/pictures/stop", LEADS),
    ("DELETE", f"{HERE}/pictures/{{picture}}", LEADS),
    ("GET", f"{HERE}/world", WATCHES),
    ("GET", f"{HERE}/recap", WATCHES),
    ("GET", f"{HERE}/sessions", WATCHES),
    ("GET", f"{HERE}/limits", WATCHES),
    ("GET", f"{HERE}/export", WATCHES),
    ("GET", f"{HERE}/why/{{path}}", WATCHES),
    ("GET", f"{HERE}/company", WATCHES),
    ("GET", f"{HERE}/company/talk", WATCHES),
    ("POST", f"{HERE}/company/ask", WATCHES),
    ("GET", f"{HERE}/company/limits", WATCHES),
    ("POST", f"{HERE}/company/limits", WATCHES),
    ("POST", f"{HERE}/company/leave", WATCHES),
    ("POST", f"{HERE}/company/back", WATCHES),
    ("POST", f"{HERE}/company/only-here", WATCHES),
    ("POST", "/api/account/keep", WATCHES),
    ("POST", "/api/account/keep/oidc", WATCHES),
    ("POST", f"{HERE}/x", WATCHES),
    ("GET", f"{HERE}/character", PLAYS),
    ("POST", f"{HERE}/turns", PLAYS),
    ("GET", f"{HERE}/oracle", WATCHES),
    ("POST", f"{HERE}/oracle", LEADS),
    ("GET", f"{HERE}/company/companions", WATCHES),
    ("POST", f"{HERE}/company/companions", LEADS),
    ("DELETE", f"{HERE}/company/companions/{{person}}", LEADS),
    ("POST", f"{HERE}/company/stand-in", PLAYS),
    ("POST", f"{HERE}/company/typing", PLAYS),
    ("GET", f"{HERE}/company/rolls", WATCHES),
    ("POST", f"{HERE}/company/rolls", PLAYS),
    ("POST", f"{HERE}/company/talk", PLAYS),
    ("POST", f"{HERE}/company/seat", PLAYS),
    ("POST", f"{HERE}/company/host", PLAYS),
    ("POST", f"{HERE}/company/mode", LEADS),
    ("POST", f"{HERE}/company/call", LEADS),
    ("POST", f"{HERE}/company/go-on", LEADS),
    ("POST", f"{HERE}/stop", LEADS),
    ("POST", f"{HERE}/undo", LEADS),
    ("POST", f"{HERE}/redo", LEADS),
    ("POST", f"{HERE}/retry", LEADS),
    ("POST", f"{HERE}/choose", LEADS),
    ("GET", f"{HERE}/takes/{{turn_no}}", LEADS),
    ("GET", f"{HERE}/branches", LEADS),
    ("POST", f"{HERE}/company/invites", HOSTS),
    ("DELETE", f"{HERE}/company/invites/{{invite}}", HOSTS),
    ("POST", f"{HERE}/company/kick", HOSTS),
    ("POST", f"{HERE}/company/release", HOSTS),
    ("POST", f"{HERE}/company/role", HOSTS),
    ("POST", f"{HERE}/company/by-hand", LEADS),
    ("GET", f"{HERE}/company/written", MASTERS),
    ("POST", f"{HERE}/company/propose", MASTERS),
    ("POST", f"{HERE}/company/tell", MASTERS),
    ("GET", f"{HERE}/gm", MASTERS),
    ("GET", f"{HERE}/gm/screen", MASTERS),
    ("POST", f"{HERE}/gm", MASTERS),
    ("POST", f"{HERE}/gm/pen", MASTERS),
    ("POST", f"{HERE}/gm/style", MASTERS),
    ("GET", f"{HERE}/prompts/{{turn_no}}", MASTERS),
    ("POST", f"{HERE}/limits", MASTERS),
    ("POST", f"{HERE}/sessions/start", MASTERS),
    ("POST", f"{HERE}/sessions/end", MASTERS),
)
"""A method, an address, and who may besides the owner."""
PAGES = re.compile(r"/(join|assets/[^/]+|mark\.svg|theme\.js)?|/healthz|/readyz|/login|/login\.css")
"""The page itself: the same for everyone, and it knows nothing."""
AT_THE_DOOR = frozenset(
    {
        "/api/join",
        "/api/join/look",
        "/api/account",
        "/api/account/sign-up",
        "/api/account/sign-in",
        "/api/account/sign-out",
        "/api/account/only-here",
        "/api/account/password",
        "/api/account/forget",
        "/api/account/oidc",
        "/api/account/oidc/back",
        "/api/account/oidc/token",
    }
)
"""For those who hold an invitation and nothing else yet, and for those who have an account. These
routes look for themselves who is signed in; who asks there may be anybody."""


def _pattern(template: str) -> re.Pattern[str]:
    named = template.replace("{campaign}", "(?P<campaign>[^/]+)").replace("{path}", ".+")
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", named))


_RULES = [(method, _pattern(template), who) for method, template, who in RULES]


@dataclass(frozen=True)
class Visitor:
    """Who asks. Without a campaign it is the owner, who may do everything."""

    campaign: str = ""
    person: str = ""
    role: Role = "player"
    hosts: bool = False
    session: str = field(default="", repr=False)
    """The token of the account that is signed in, where that is what opens the door."""
    token: str = field(default="", repr=False)
    """The seat's own token, where that does."""
    others: "tuple[Visitor, ...]" = ()
    """Their seats at other tables, where the request does not say which it is about."""

    @property
    def is_owner(self) -> bool:
        """Whoever sits at the machine, or holds its key."""
        return not self.campaign

    def at(self, campaign: str) -> "Visitor":
        """Who they are at that table; without a seat there, who they are here."""
        return next((each for each in self.others if each.campaign == campaign), self)

    @property
    def knows_secrets(self) -> bool:
        """Whether what the game master knows may be shown."""
        return self.is_owner or self.role == "gm"

    @property
    def client(self) -> str:
        """By which requests are counted."""
        return f"{self.person} at {self.campaign}"

    def may(self, method: str, path: str) -> bool:
        """Whether that may be asked for from this seat."""
        if method == "GET" and PAGES.fullmatch(path):
            return True
        parts = {self.role, "host"} if self.hosts else {self.role}
        for wanted, pattern, who in _RULES:
            found = pattern.fullmatch(path) if wanted == method else None
            if found:
                at = found.groupdict().get("campaign", self.campaign)
                return at == self.campaign and bool(parts & who)
        return False


OWNER = Visitor()
Holder = Callable[[str], Awaitable[tuple[SharedTable, TablePerson] | None]]
"""Who holds a token."""
Signed = tuple[Account, list[tuple[SharedTable, TablePerson]]]
SignedAs = Callable[[str, str], Awaitable[Signed | None]]
"""Whose session that is, and where they sit: at the table that is asked about, or anywhere."""


def session_in(headers: Headers) -> str:
    """The token of a session that a request brings: as a bearer, or in the cookie; '' for none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return given.strip() if given.strip().startswith(f"{SIGNED_IN}.") else ""
    return _cookie(headers, ACCOUNT)


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def tokens_in(headers: Headers) -> list[str]:
    """The tokens that a request brings: as a bearer, or in the cookie."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and given.count(".") >= 2:
        return [] if session_in(headers) else [given.strip()]
    return [each for each in _cookie(headers, SEATS).split("~") if each][:MOST_SEATS]


def cookie_with(tokens: Iterable[str], new: str, but: str = "") -> str:
    """The cookie once a token is added; those of the same table make room, and those of `but`."""
    code = read_code(new)
    left = {code.campaign if code else "", but}
    kept = [each for each in tokens if (found := read_code(each)) and found.campaign not in left]
    return "~".join([*([new] if new else []), *kept][:MOST_SEATS])


async def find_visitor(
    scope: Scope, headers: Headers, holder: Holder, signed_as: SignedAs
) -> Visitor | None:
    """Whose seat a request comes from: that of the table it is about, else the first. None where it
    brings a token that opens nothing; the owner where it brings none, or an account of theirs."""
    tokens, session, about = tokens_in(headers), session_in(headers), _campaign_of(scope)
    found: list[Visitor] = []
    for token in tokens:
        held = await holder(token)
        if held:
            found.append(_seated(*held, token=token))
    signed = await signed_as(session, about) if session else None
    if signed and signed[0].owner:
        seat = next((each for each in found if each.campaign == about), None)
        return (
            seat if seat and seat.may(scope["method"], scope["path"]) else Visitor(session=session)
        )
    if signed:
        found += [_seated(*seat, session) for seat in signed[1]]
    wanted = [each for each in found if each.campaign == about]
    nobody = None if tokens or signed else OWNER
    first = next(iter([*wanted, *found]), nobody)
    if first is None or about or len(found) < 2:
        return first
    others = {each.campaign: each for each in reversed(found) if each.campaign != first.campaign}
    return replace(first, others=tuple(reversed(others.values())))


def _seated(table: SharedTable, person: TablePerson, session: str = "", token: str = "") -> Visitor:
    is_host = table.host == person.id
    return Visitor(table.campaign, person.id, person.role, is_host, session, token)


def _campaign_of(scope: Scope) -> str:
    parts = str(scope["path"]).split("/")
    if parts[1:3] == ["api", "campaigns"] and len(parts) > 3:
        return parts[3]
    found = re.search(r"(?:^|&)campaign=([^&]*)", scope.get("query_string", b"").decode("latin-1"))
    return found[1] if found else ""


def check_about(request: Request, who: Visitor) -> None:
    """NotFound where a request names a table at which one has no seat: none other is meant."""
    about = request.query_params.get("campaign", "")
    if not who.is_owner and about not in ("", who.campaign):
        raise NotFound("you have no seat at that table")


# Not waiting for anything, but what is not `async` FastAPI sends to a thread.
async def visitor_of(request: Request) -> Visitor:
    """Who asks, as the guard found."""
    visitor: Visitor = request.scope.get(VISITOR, OWNER)
    return visitor


Who = Annotated[Visitor, Depends(visitor_of)]
