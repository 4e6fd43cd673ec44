"""Game nights: when one began and ended, which turns it held, what it came to, and "Previously…".

A session is an engine fact, so undo and branches take it along; the `sessions` table follows it.
Its end writes a summary. Every claim of a recap cites the turn it comes from.
"""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.llm.gateway import Call, Pass, PassInput
from freeform.core.record import Record, Reply
from freeform.core.text import shorten
from freeform.engine.log import Changed, Logged, Narrated, Resolved
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Table
from freeform.engine.world.model import EngineEvent, StateDiff
from freeform.engine.world.state import GameState, Summary
from freeform.language.sentences import sentences

_CITED = re.compile(r"\[t(\d+)\]")
_WEIGHT = {
    "ending": 7,
    "fact_learned": 5,
    "thread_changed": 4,
    "wounded": 4,
    "clock_triggered": 3,
    "threat_due": 3,
    "item_gained": 2,
    "streak_broke": 2,
    "escalated": 2,
    "discovered": 1,
    "tension_move": 1,
    "moved": 1,
}


class Session(Record):
    """One game night, as the design has it."""

    id: str
    campaign_id: str
    started_at: str
    ended_at: str | None = None
    turn_range_start: int
    turn_range_end: int | None = None
    session_lore: dict[str, Any] = Field(default_factory=dict)
    summary: str | None = None
    world_events_pending: list[dict[str, Any]] = Field(default_factory=list)


class Highlight(Record):
    """Something that mattered, and the turn it happened in."""

    turn_no: int
    text: str
    weight: int


class SessionInput(PassInput):
    """For looking back: what mattered, turn by turn, and the questions still open."""

    campaign: str
    highlights: list[Highlight]
    last_words: str
    open_threads: list[str]
    exclude: list[str] = Field(default_factory=list)
    """Lines, and veils as `veil: …`: what must not be named, or only as passing off-screen."""

    def fields(self) -> dict[str, str]:
        """What is kept out stands beside the campaign's name, where every version of the prompt
        has a place."""
        texts = super().fields()
        del texts["exclude"]
        if self.exclude:
            kept_out = "; ".join(self.exclude)
            texts["campaign"] += f"\nKept out of this chronicle, never to be named: {kept_out}"
        return texts


class SessionOutput(Reply):
    """The night in a paragraph, and as a table hears it next time; both cite turns as `[t12]`."""

    summary: str
    recap: str


SUMMARIZE = Pass("engine/session", SessionInput, SessionOutput, role="cheap", streams="recap")


async def start_session(campaign: str, table: Table) -> Session:
    """Opens a game night. UserError while one is open."""
    state = await table.store.get_state(campaign)
    running = active(state)
    if running:
        raise UserError(
            f"session {running.id} is still open; `freeform-rpg session end {campaign}` ends it"
        )
    session = Session(
        id=f"session_{len(history(state)) + 1}",
        campaign_id=campaign,
        started_at=table.clock.now().isoformat(),
        turn_range_start=state.turn_no + 1,
    )
    await _write(session, None, table)
    return session


async def end_session(campaign: str, table: Table) -> Session:
    """Closes the game night with a summary of its turns. UserError when none is open."""
    state = await table.store.get_state(campaign)
    running = active(state)
    if running is None:
        raise UserError(f"no session is open; `freeform-rpg session start {campaign}` opens one")
    looking_back = await look_back(campaign, running.turn_range_start, state.turn_no, table)
    ended = running.model_copy(
        update={
            "ended_at": table.clock.now().isoformat(),
            "turn_range_end": state.turn_no,
            "summary": looking_back.summary,
            "session_lore": {**running.session_lore, "recap": looking_back.recap},
        }
    )
    first, last = ended.turn_range_start, state.turn_no
    summary = Summary(
        id=ended.id,
        scope="session",
        scope_id=ended.id,
        text=looking_back.summary,
        turn_no_range=f"{first}-{last}",
    )
    await _write(ended, summary, table)
    return ended


async def recap(campaign: str, table: Table) -> str:
    """ "Previously…": of the last night that ended, else of the turns so far."""
    state = await table.store.get_state(campaign)
    ended = [session for session in history(state) if session.ended_at]
    kept = ended[-1].session_lore.get("recap") if ended else None
    if kept:
        return str(kept)
    if state.turn_no == 0:
        return (await table.store.begun(campaign)).opening
    return (await look_back(campaign, 1, state.turn_no, table)).recap


async def look_back(campaign: str, first: int, last: int, table: Table) -> SessionOutput:
    """What a stretch of turns came to; citations of turns outside it are taken out."""
    entries = await table.store.read(campaign, first, last) if last >= first else []
    state = await table.store.get_state(campaign)
    begun = await table.store.begun(campaign)
    limits = table.rules(begun, state).limits(state)
    prose = [e.entry.final_text for e in entries if isinstance(e.entry, Narrated)]
    looked = SessionInput(
        campaign=begun.name,
        highlights=highlights(entries),
        last_words=shorten(prose[-1], 400) if prose else begun.opening,
        open_threads=[t.title for _, t in sorted(state.threads.items()) if t.status == "active"],
        exclude=limits.exclusions(),
    )
    seed = f"{begun.seed}/session/{first}-{last}"
    call = Call(campaign=campaign, turn_no=last, turn_id=f"session_{first}_{last}", seed=seed)
    answer = await table.gateway.ask(SUMMARIZE, looked, call)
    kept = {h.turn_no for h in looked.highlights} | set(range(first, last + 1))
    return SessionOutput(
        summary=limits.allow(_cite(answer.output.summary, kept)),
        recap=limits.allow(_cite(answer.output.recap, kept)),
    )


def highlights(entries: Sequence[Logged], most: int = 14) -> list[Highlight]:
    """What mattered most, in the order it happened."""
    first: dict[str, Highlight] = {}
    for logged in reversed(entries):
        if isinstance(logged.entry, Resolved):
            for event in reversed(logged.entry.engine_events):
                text = _line(event) if event.type in _WEIGHT else ""
                if text:
                    weight = _WEIGHT[event.type]
                    first[text] = Highlight(turn_no=logged.entry.turn_no, text=text, weight=weight)
    once = list(first.values())[::-1]
    best = sorted(once, key=lambda h: (-h.weight, h.turn_no))[:most]
    return sorted(best, key=lambda h: h.turn_no)


def active(state: GameState) -> Session | None:
    """The game night that is open, if any."""
    return next((session for session in history(state) if session.ended_at is None), None)


def history(state: GameState) -> list[Session]:
    """Every game night, oldest first."""
    facts = (state.fact(f"session_{number}", "session") for number in range(1, 10_000))
    sessions = []
    for fact in facts:
        if fact is None:
            break
        sessions.append(Session.model_validate(fact.object["value"]))
    return sessions


def is_full(state: GameState, most_turns: int) -> bool:
    """Whether the open night has reached its number of turns; 0 means no limit."""
    running = active(state)
    return bool(
        most_turns and running and state.turn_no - running.turn_range_start + 1 >= most_turns
    )


async def _write(session: Session, summary: Summary | None, table: Table) -> None:
    head = await table.store.head(session.campaign_id)
    page = Ledger(await table.store.get_state(session.campaign_id))
    page.note(session.id, "session", session.model_dump(mode="json"))
    if summary:
        page.change(StateDiff(summaries_add=[summary]))
    why = "session ended" if session.ended_at else "session started"
    entry = Changed(why=why, details={"session": session.id}, state_diff=page.diff)
    await table.store.append(session.campaign_id, [entry], after=head)


def _amid(name: str) -> str:
    """A name in the middle of a sentence: "The Hard" is "the Hard" there."""
    return name[0].lower() + name[1:] if name.startswith(("The ", "A ", "An ")) else name


def _line(event: EngineEvent) -> str:
    """An event as one sentence of a summary."""
    details = event.details
    match event.type:
        case "moved":
            return f"You come to {_amid(details['name'])}." if details.get("first") else ""
        case "item_gained":
            return f"You now have {_amid(details['name'])}."
        case "wounded":
            return f"{details['name']} is {details['condition']}."
        case "thread_changed":
            title = str(details["title"]).rstrip(".")
            happenings = {
                "active": "A question opens",
                "resolved": "It is settled",
                "failed": "It is lost",
            }
            return f"{happenings.get(str(details['status']), 'It changes')}: {title}."
        case "ending":
            return f"The story comes to “{details['title']}”."
        case _:
            whole = sentences(str(details.get("text", "")))
            return whole[0] if whole else ""


def _cite(text: str, turns: set[int]) -> str:
    return _CITED.sub(lambda cited: cited[0] if int(cited[1]) in turns else "", text).strip()
