"""`play --join URL`: an evening at somebody else's table, from the terminal.

typed ──┬── /say, /w, /who, /x, /leave, /quit        what happens ──> events ──> shown as it comes
        ├── a number: that suggestion                (a pipe waits until its turn is told)
        └── anything else: a turn, handed in
"""

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2

from freeform.apps.cli.desk import Desk
from freeform.apps.cli.play.voice import Voice
from freeform.apps.cli.table.looking import host_turns, look_up
from freeform.apps.cli.table.remote import (
    PATIENCE,
    Heard,
    RemoteTable,
    keep_token,
    kept_token,
)
from freeform.core.errors import Forbidden, FreeformError, UserError
from freeform.core.ids import RandomIds
from freeform.players.people.secrets_kept import read_code
from freeform.services.table.links import code_in

HELP = (
    "Type what you do. A number takes that suggestion.",
    "/say TEXT talks beside the story, /w NAME TEXT whispers, /who shows the table,",
    "/roll 2d6 [WHY] rolls for all to see, /secret 2d6 [WHY] for you alone,",
    "/ask QUESTION answers from your sheet, what you saw and the rules, /recap tells it so far,",
    "/limits shows what you keep out of play, /limits TOPIC, TOPIC sets it (nobody is told whose),",
    "as host: /mode free|rounds|together|called|initiative, /call NAME, /go-on,",
    "as game master: /written, /propose [WORDS], /tell WORDS (alone: as proposed),",
    "/x [TOPIC] is the X-card, /leave gets up for good, /quit or Ctrl-D only closes this terminal.",
)


@dataclass
class JoinedSeat:
    """A terminal at somebody else's table."""

    voice: Voice
    table: RemoteTable
    suggested: list[str] = field(default_factory=list)
    character: str = ""
    told: asyncio.Event = field(default_factory=asyncio.Event)
    waits: str = ""
    """The turn that a pipe waits for."""
    was_mine: bool = False
    order: str = ""
    """The order that was shown last."""
    proposal: str = ""
    """The proposal that was shown last."""


def join_table(desk: Desk, link: str, name: str, hero: str) -> None:
    """Comes in, and plays until one leaves."""
    if desk.json:
        raise UserError("play is for people; programs join with POST /api/join")
    base, code = code_in(link)
    asyncio.run(_evening(desk, base, code, name, hero))


async def _evening(desk: Desk, base: str, code: str, name: str, hero: str) -> None:
    found = read_code(code)
    campaign = found.campaign if found else code if kept_token(desk.settings.home, base, "") else ""
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        seat = JoinedSeat(Voice(desk), RemoteTable(base, campaign, client))
        await _come_in(seat, desk, code, name, hero)
        await _show_where_it_stands(seat)
        hearing = asyncio.create_task(_hear_all(seat))
        typing = asyncio.create_task(_type_all(seat, desk))
        done, left = await asyncio.wait([hearing, typing], return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for task in done:
            task.result()
    seat.voice.line("Your seat is kept. Until next time.", "dim")


async def _come_in(seat: JoinedSeat, desk: Desk, code: str, name: str, hero: str) -> None:
    """By the token of last time, if it still opens; else by the link."""
    table, home = seat.table, desk.settings.home
    token = kept_token(home, table.base, table.campaign)
    if token and await _opens(table, token):
        return
    if token:
        keep_token(home, table.base, table.campaign, "")
    session = kept_token(home, table.base, "")
    if session and await _opens(table, session):
        return
    if session and read_code(code) is None:
        raise Forbidden("your account has no seat at that table; open the link of its host")
    if session:
        table.hold(session)  # so that the seat is kept with the account
    shown = await table.ask("POST", "/join/look", {"code": code})
    seat.voice.line(f"{shown['host']} invites you to {shown['story']}.", "bold")
    wish: dict[str, Any] = {"code": code, "device": False}
    if not shown["returning"]:
        wish["name"] = name or await _asked(seat, "Your name at this table: ")
    if shown["asks_passphrase"]:
        wish["passphrase"] = await _asked(seat, "The passphrase: ")
    if hero:
        wish["hero"] = {"name": hero}
    elif shown["role"] == "player" and not shown["returning"] and not shown["seats"]:
        wish["hero"] = {"name": await _asked(seat, "Every seat is taken. Whom do you play? ")}
    came = await table.ask("POST", "/join", wish)
    table.hold(came["token"])
    keep_token(home, table.base, table.campaign, came["token"])


async def _opens(table: RemoteTable, token: str) -> bool:
    """Whether a token opens the table; held from then on if it does."""
    table.hold(token)
    try:
        await table.here("/company")
        return True
    except Forbidden:
        del table.client.headers["authorization"]
        return False


async def _asked(seat: JoinedSeat, question: str) -> str:
    try:
        return (await asyncio.to_thread(seat.voice.ask, question)).strip()
    except EOFError:
        raise UserError("nobody came in; say your name with --name NAME") from None


async def _show_where_it_stands(seat: JoinedSeat) -> None:
    campaign = await seat.table.here()
    seat.voice.line(str(campaign["name"]), "bold")
    told = await seat.table.here("/story", limit=1)
    last = told["turns"][-1] if told["turns"] else None
    seat.voice.paragraphs(last["final_text"] if last else campaign["opening"])
    await _show_company(seat, whole=True)
    seat.voice.lines(HELP, "dim")
    _suggest(seat, last["suggested_actions"] if last else campaign["suggested_actions"])


async def _show_company(seat: JoinedSeat, *, whole: bool = False) -> None:
    """Who is here, if asked for; and that it is our turn, when it becomes so."""
    now = (await seat.table.here("/company"))["company"]
    seat.character = now["you"]["character"]
    if whole:
        for one in now["people"]:
            part = one["character"] or one["role"]
            seat.voice.line(f"{one['name']}: {part}{'' if one['here'] else ' (away)'}", "dim")
        if now["elsewhere"]:
            seat.voice.line(f"Elsewhere: {', '.join(now['elsewhere'])}", "dim")
    order = ", ".join(f"{row['name']} {row['total']}" for row in now["order"])
    if order and (whole or order != seat.order):
        seat.voice.line(f"The order: {order}. {', '.join(now['turn_of'])} is next.", "dim")
    seat.order = order
    mine = seat.character in now["turn_of"] and now["mode"] != "free"
    if mine and not seat.was_mine:
        seat.voice.line(f"Your turn, {seat.character}.", "bold")
    seat.was_mine = mine


def _suggest(seat: JoinedSeat, actions: list[str]) -> None:
    seat.suggested = actions
    for number, action in enumerate(actions, start=1):
        seat.voice.line(f"{number}. {action}", "dim")


async def _hear_all(seat: JoinedSeat) -> None:
    async for heard in seat.table.events():
        await _show(seat, heard)


async def _show(seat: JoinedSeat, heard: Heard) -> None:
    data = heard.data
    match heard.kind:
        case "facts":
            said = f"{data.get('actor') or 'Someone'}: {data['player_input']}"
            seat.voice.lines((data["player_input"] if data.get("parts") else said).split("\n"))
            seat.voice.lines([roll["text"] for roll in data["rolls"]])
        case "done":
            for turn_id in (data["turn_id"], *await _show_last(seat)):
                _is_told(seat, turn_id)
        case "failed":
            seat.voice.line(str(data["error"]), "red")
            _is_told(seat, data["turn_id"])
        case "moved" if data["why"] == "elsewhere":  # by another process: a bot, the command line
            await _show_last(seat)
        case "moved":
            seat.voice.line(f"(The story stands after turn {data['turn_no']} now.)", "dim")
        case "talk":
            seat.voice.lines(_spoken(data["line"]))
        case "company":
            await _show_company(seat)


async def _show_last(seat: JoinedSeat) -> list[str]:
    """Tells the last turn; the ids of its parts, where several acted at once."""
    turns = (await seat.table.here("/story", limit=1))["turns"]
    if not turns or not turns[-1]["final_text"]:
        return []
    seat.voice.paragraphs(turns[-1]["final_text"])
    _suggest(seat, turns[-1]["suggested_actions"])
    return [part["turn_id"] for part in turns[-1].get("parts", [])]


def _spoken(line: dict[str, Any]) -> list[str]:
    """A line of talk, or dice with what they were for."""
    if line["rolls"]:
        rows = [f"{roll['name']}: {roll['text']}" for roll in line["rolls"]]
        what = " ".join(
            [line["name"], "rolls", *(["in secret"] if line["to"] else []), line["text"]]
        )
        return [f"({what.strip()} · {'; '.join(rows)})"]
    whispers = f" whispers to {', '.join(line['to'])}" if line["to"] else ""
    return [f"({line['name']}{whispers}: {line['text']})"]


def _is_told(seat: JoinedSeat, turn_id: str) -> None:
    if turn_id == seat.waits:
        seat.waits = ""
        seat.told.set()


async def _type_all(seat: JoinedSeat, desk: Desk) -> None:
    stays = True
    while stays:
        try:
            typed = (await _listen(seat, desk)).strip()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            stays = await _obey(seat, typed, desk)
        except Forbidden as told:
            seat.voice.line(str(told), "red")
        except FreeformError as told:
            seat.voice.line(str(told), "red")


async def _listen(seat: JoinedSeat, desk: Desk) -> str:
    if not desk.is_terminal or desk.is_plain:
        return await asyncio.to_thread(seat.voice.ask)
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    with patch_stdout(raw=True):  # what happens meanwhile stands above what one types
        session: PromptSession[str] = PromptSession()
        return await session.prompt_async("> ")


async def _obey(seat: JoinedSeat, typed: str, desk: Desk) -> bool:
    """Does what was typed; False when one leaves."""
    word, _, rest = typed.partition(" ")
    match word:
        case "/quit" | "quit":
            return False
        case "/help" | "help" | "?":
            seat.voice.lines(HELP, "dim")
        case "/who":
            await _show_company(seat, whole=True)
        case "/leave":
            await seat.table.do("/company/leave")
            keep_token(desk.settings.home, seat.table.base, seat.table.campaign, "")
            return False
        case _ if word.startswith("/"):
            await _command(seat, word, rest)
        case _ if typed:
            await _hand_in(seat, typed)
    return True


async def _command(seat: JoinedSeat, word: str, rest: str) -> None:
    """What is not a turn."""
    match word:
        case "/say" | "/w" | "/roll" | "/secret":
            await _speak(seat, word, rest)
        case "/written" | "/propose" | "/tell":
            await _lead(seat, word, rest)
        case "/ask" | "/recap" | "/limits":
            await look_up(seat.voice, seat.table, word, rest)
        case "/mode" | "/call" | "/go-on":
            await host_turns(seat.table, word, rest)
        case "/x":
            await seat.table.do("/x", {"what": rest})
        case _:
            seat.voice.line(f"There is no {word}; /help lists what there is.", "dim")


async def _speak(seat: JoinedSeat, word: str, rest: str) -> None:
    """Talks, whispers or rolls dice beside the story."""
    first, _, more = rest.partition(" ")
    match word:
        case "/say":
            await seat.table.do("/company/talk", {"text": rest})
        case "/w":
            await seat.table.do("/company/talk", {"text": more, "to": [first]})
        case _:
            wish = {"expr": first, "why": more, "secret": "mine" if word == "/secret" else ""}
            await seat.table.do("/company/rolls", wish)


async def _lead(seat: JoinedSeat, word: str, rest: str) -> None:
    """What a game master does who tells every turn."""
    if word == "/tell":
        answers = bool((await seat.table.here("/company/written"))["written"])
        wish: dict[str, Any] = {"text": rest, "passage": bool(rest) and not answers}
        if not rest:
            wish |= {"proposed": True, "proposal": seat.proposal}
        await seat.table.do("/company/tell", wish, RandomIds().new("turn"))
        return
    if word == "/propose":
        made = await seat.table.do("/company/propose", {"text": rest})
        seat.proposal = made["id"]
        seat.voice.lines([roll["text"] for roll in made["rolls"]])
        seat.voice.lines([*made["changed"], *made["blocked"]], "dim")
        seat.voice.paragraphs(made["text"])
        seat.voice.line("/tell alone tells it so; /tell WORDS tells your own.", "dim")
        return
    rows = (await seat.table.here("/company/written"))["written"]
    told = [f"{row['character']} ({row['place']}): {row['text']}" for row in rows]
    seat.voice.lines(told or ["(Nobody has written anything.)"])


async def _hand_in(seat: JoinedSeat, typed: str) -> None:
    if typed.isdecimal() and 0 < int(typed) <= len(seat.suggested):
        typed = seat.suggested[int(typed) - 1]
    turn_id = RandomIds().new("turn")
    seat.told.clear()
    seat.waits = turn_id
    handed = await seat.table.do("/turns", {"text": typed}, turn_id)
    if handed["waits_for"]:
        seat.voice.line(f"(Kept. Waiting for {', '.join(handed['waits_for'])}.)", "dim")
    elif not sys.stdin.isatty():
        await seat.told.wait()
