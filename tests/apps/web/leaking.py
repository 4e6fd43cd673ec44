"""A served table full of planted secrets, and requests to every route by those who may not know them."""

import asyncio
import json
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from freeform.apps.launch import mounts
from freeform.apps.web.app import make_app
from freeform.engine.log import Changed
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import Entity, Fact
from tests.apps.web.guests import Company, Guest

MARK = re.compile(r"zq[a-z]+zq")
"""What every planted secret looks like; nothing else does."""
HIDDEN = "f_zqfactidzq"
FORMATS = ("zip", "obsidian", "jsonl", "html", "share")
BODIES: dict[str, Any] = {
    "text": "I look around", "code": "a.in_1.guess", "name": "Eve", "expr": "1d6", "what": "", "turn_no": 1,
    "take": 1, "branch": "main", "person": "Anna", "role": "gm", "seat": "mira", "mode": "free", "verb": "note",
    "question": "What is hidden here?", "scenario": "cellar", "model": "offline", "query": "zq", "choice": "1",
    "lines": [], "veils": [], "messages": [{"role": "user", "content": "hello"}], "players": "1", "to": ["Anna"],
    "persona": "alex", "why": "luck", "secret": "mine", "rounds": 1, "campaign": "a", "party": "p", "notes": "a",
}  # fmt: skip

QUESTIONS = (
    "What is hidden here?", "What does nobody know yet?", "Who is near?", "What did Anna and Ben whisper?",
    "What happened in the last turn?", "What did Ben do elsewhere?", "What is on my sheet?", "What notes are there?",
)  # fmt: skip
MODELS = ("table/a", "table/b", "table/a:ask", "offline")
TOOLS = (
    "look", "read_story", "who_is_here", "take_turn", "read_talk", "list_written", "propose_telling", "tell_turn",
    "read_state", "list_campaigns", "gm_show", "ask", "why", "search_lore", "party_memory", "roll",
)  # fmt: skip
"""Of the server for seats, and of the owner's."""
ARGUMENTS: dict[str, Any] = {
    "campaign": "a", "text": "I wait", "question": "What is hidden here?", "query": "zq", "expr": "1d6", "fact": HIDDEN,
    "party": "a", "agent": "dm", "after": 0, "last": 20,
}  # fmt: skip


@dataclass
class Leaks:
    """What was asked, and what came out that should not have."""

    asked: int = 0
    answered: dict[int, int] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)
    may: dict[str, set[str]] = field(default_factory=dict)
    """Of what was planted, what someone may know."""
    mistakes: list[str] = field(default_factory=list)

    def hear(self, who: str, request: httpx.Request, status: int, text: str) -> None:
        """Looks at one answer."""
        self.asked += 1
        self.answered[status] = self.answered.get(status, 0) + 1
        asked = f"{who}: {request.method} {request.url.raw_path.decode()}"
        sent = str(request.url) + request.content.decode("utf-8", "replace")
        found = set(MARK.findall(text)) - set(MARK.findall(sent)) - self.may.get(who, set())
        if found:
            self.leaks.append(f"{asked}: {sorted(found)}")
        if status >= 500 and status != 503:
            self.mistakes.append(f"{asked}: {status}")


async def plant(company: Company, ben: Guest) -> None:
    """Secrets of every kind at the table `a`, and a story that is none of their business, `b`."""
    room, owner = company.served.room, company.owner
    store = room.table.store
    people = (await store.get_state("a")).entities
    fact = Fact(
        id=HIDDEN,
        subject_id=next(id for id, one in sorted(people.items()) if one.type == "npc"),
        predicate="zqpredicatezq",
        object={"value": "zqvaluezq", "text": "Somebody is zqfacttextzq."},
        visibility="hidden",
    )
    someone = Entity(
        id="t:zqidzq", type="npc", name="Zqnamezq zqnamezq", attrs={"description": "zqdescribedzq"}
    )
    diff = StateDiff(facts_add=[fact], entities_add=[someone])
    await store.append("a", [Changed(why="planted", state_diff=diff)], after=await store.head("a"))
    at = "/api/campaigns/a"
    for path, body in (
        (f"{at}/gm", {"verb": "whisper", "text": "zqgmwhisperzq", "turns": 40}),
        (f"{at}/gm", {"verb": "note", "text": "zqnotezq"}),
        (f"{at}/turns", {"text": "I look around"}),
        (f"{at}/company/talk", {"text": "zqwhisperzq", "to": [ben.person]}),
        (f"{at}/company/invites", {"passphrase": "zqpassphrasezq"}),
        (f"{at}/company/rolls", {"expr": "1d6", "why": "zqrollzq", "secret": "mine"}),
        (f"{at}/company/companions", {"persona": "bea"}),
        (f"{at}/company/talk", {"text": "zqforbeazq", "to": ["Bea"]}),
    ):
        answer = await owner.post(path, json=body)
        assert answer.status_code < 300, answer.text
    await ben.ask("POST", "/company/talk", {"text": "zqansweredzq", "to": ["Anna"]})
    await owner.post(f"{at}/sessions/start")
    await owner.post("/api/campaigns/b/turns", json={"text": "I say zqelsewherezq"})
    await asyncio.gather(*room.tables._pumps.values())
    await company.served.quiet("b")
    await owner.post(f"{at}/company/mode", json={"mode": "together"})
    handed = await ben.ask("POST", "/turns", {"text": "I do zqdraftzq"})
    assert handed.json()["waits_for"], handed.text


async def plant_by_hand(company: Company, ben: Guest) -> None:
    """A game master tells every turn: what waits for them, and what they were proposed."""
    gil = await company.guest("Gil", "gm")
    at = "/api/campaigns/a/company"
    assert (await company.owner.post(f"{at}/by-hand", json={"on": True})).status_code == 200
    await ben.ask("POST", "/turns", {"text": "I whisper zqwrittenzq"})
    wish = {"text": 'I say "zqproposedzq"', "seat": ben.seat}
    made = await gil.ask("POST", "/company/propose", wish)
    assert made.status_code == 200, made.text
    assert "zqwrittenzq" in (await gil.ask("GET", "/company/written")).text


async def plant_apart(company: Company, ben: Guest, way: str) -> set[str]:
    """Ben goes elsewhere, and what happens there, by the engine and by a person's pen, is his; what
    who watches may know of it."""
    at = "/api/campaigns/a"
    await company.owner.post(f"{at}/company/mode", json={"mode": "free"})
    for said in (way, 'I say "zqapartzq"'):
        await ben.ask("POST", "/turns", {"text": said})
        await asyncio.gather(*company.served.room.tables._pumps.values())
    told = await company.owner.post(
        f"{at}/company/tell", json={"text": "A zqpassagezq.", "passage": True, "seat": ben.seat}
    )
    assert told.status_code == 200, told.text
    seen = (await ben.ask("GET", "/story")).text
    assert {"zqapartzq", "zqpassagezq"} <= set(MARK.findall(seen)), seen
    return {"zqapartzq", "zqpassagezq"}


def routes(company: Company) -> list[APIRoute | BaseRoute]:
    """Every route of the served app, those of other apps beside it too."""
    room = company.served.room
    guard: Any = make_app(room, "127.0.0.1", mounts(room, "127.0.0.1"))
    return list(_flat(guard._app.routes))


def _flat(found: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    for route in found:
        inside = getattr(route, "original_router", None)
        if inside is None:
            yield route
        else:
            yield from _flat(inside.routes)


def requests_to(route: BaseRoute, chance: random.Random) -> Iterator[tuple[str, str, Any]]:
    """Requests to a route: each method, with what might lead to a secret in each place. Nobody
    leaves or gets another token, and no turn is taken back: there would be nothing left to find."""
    path = str(getattr(route, "path", "/mcp"))
    if path.endswith(("/leave", "/x", "/only-here")):
        return
    methods = sorted(getattr(route, "methods", None) or {"GET", "POST"})
    places: dict[str, tuple[str, ...]] = {
        "campaign": ("a", "a", "b"), "turn_no": ("1", "0", "2"), "fact_id": (HIDDEN, "t:zqidzq", "f_1"),
        "party": ("a", "b"), "path": ("", "mcp/", "table.db"), "job": ("1",), "agent": ("dm",),
    }  # fmt: skip

    def filled(found: re.Match[str]) -> str:
        return chance.choice(places.get(found[1], ("1", "a", "cellar")))

    for method in methods:
        address = re.sub(r"\{(\w+)(?::\w+)?\}", filled, path)
        query = ""
        if path.endswith("/export"):
            query = f"?format={chance.choice(FORMATS)}"
        elif path.endswith(("/search", "/estimate", "/events", "/story", "/talk")):
            query = f"?q=zq&campaign={chance.choice('ab')}&after=0&deleted=true"
        body = None if method in ("GET", "HEAD", "DELETE") else _body(route, chance)
        yield method, address + query, body


def _body(route: BaseRoute, chance: random.Random) -> Any:
    """Something that the route may take: the fields it names, with what one would try."""
    taken: dict[str, Any] = {}
    for wanted in getattr(getattr(route, "dependant", None), "body_params", []):
        model = wanted.field_info.annotation
        for name in getattr(model, "model_fields", {}):
            if name in BODIES:
                taken[name] = BODIES[name]
    if "question" in taken:
        taken["question"] = chance.choice(QUESTIONS)
    if getattr(route, "path", "").startswith("/v1/"):
        taken["messages"] = [{"role": "user", "content": chance.choice(("hello", *QUESTIONS))}]
        taken["model"] = chance.choice(MODELS)
    if isinstance(route, APIRoute):
        return taken
    call = {"name": chance.choice(TOOLS), "arguments": ARGUMENTS}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream, */*",
}


async def ask(guest: Guest, wish: tuple[str, str, Any], seen: Leaks) -> None:
    """One request, and what came of it; one that breaks off is a mistake, and says where."""
    method, address, body = wish
    content = b"" if body is None else json.dumps(body).encode()
    request = guest.http.build_request(method, address, content=content, headers=HEADERS)
    try:
        await _ask(guest, request, seen)
    except httpx.TransportError as broken:
        why = f"{broken!r} of {broken.__context__!r}"
        seen.mistakes.append(f"{guest.name}: {method} {address} {body}: {why}")


async def _ask(guest: Guest, request: httpx.Request, seen: Leaks) -> None:
    """Hears the answer; of an endless one, what comes at once."""
    answer = await guest.http.send(request, stream=True)
    text = str(dict(answer.headers))
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        parts = answer.aiter_text()
        try:
            async with asyncio.timeout(0.3):
                async for part in parts:
                    text += part
        except TimeoutError:
            pass
    else:
        text += (await answer.aread()).decode("utf-8", "replace")
    await answer.aclose()
    seen.hear(guest.name, request, answer.status_code, text)
