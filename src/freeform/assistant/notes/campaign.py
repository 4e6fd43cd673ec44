"""What the engine wrote down of a campaign, as notes: turns, nights, people, places, threads."""

from collections.abc import Sequence

from freeform.assistant.notes.model import Note, Subject
from freeform.assistant.overlap import mentioned
from freeform.core.text import slug
from freeform.engine.campaign.sessions import Session, history
from freeform.engine.log import Logged, Resolved
from freeform.engine.ports import StateStore, TurnText, as_corrected
from freeform.engine.world.state import (
    PLAYER,
    Fact,
    GameState,
    Thread,
)

_SUBJECT: dict[str, Subject] = {
    "npc": "npc",
    "location": "location",
    "pc": "character",
    "item": "event",
    "faction": "npc",
}
_COMBAT = frozenset({"wounded", "attack", "fight", "violence", "combat", "harm"})


async def campaign_notes(campaign: str, store: StateStore) -> list[Note]:
    """Everything the active branch holds. What the player has not learnt is marked for the GM
    alone."""
    state = await store.get_state(campaign)
    told = await store.recent(campaign, state.turn_no) if state.turn_no else []
    turns = as_corrected(told, state)
    entries = await store.read(campaign) if state.turn_no else []
    nights = history(state)
    fights = {e.turn_no for e in entries if _is_fight(e)}
    names = {entity.name for entity in state.entities.values() if entity.type != "pc"}
    return [
        *(_night(campaign, at, night) for at, night in enumerate(nights, start=1) if night.summary),
        *(_turn(campaign, turn, nights, turn.turn_no in fights, state, names) for turn in turns),
        *(_thread(campaign, thread, state) for _, thread in sorted(state.threads.items())),
        *(_fact(campaign, fact, state) for _, fact in sorted(state.facts.items()) if _tells(fact)),
    ]


def _is_fight(logged: Logged) -> bool:
    entry = logged.entry
    if not isinstance(entry, Resolved):
        return False
    return any(event.type in _COMBAT or _COMBAT & set(event.tags) for event in entry.engine_events)


def _session(turn_no: int, nights: Sequence[Session]) -> int:
    for number, night in enumerate(nights, start=1):
        if night.turn_range_start <= turn_no and (
            night.turn_range_end is None or turn_no <= night.turn_range_end
        ):
            return number
    return 0


def _night(campaign: str, number: int, night: Session) -> Note:
    return Note(
        id=f"note:{campaign}:session_{number}",
        about="session",
        title=f"Session {number}",
        text=str(night.summary),
        session=number,
        date=night.started_at[:10],
        file=campaign,
        heading=f"{campaign} > Session {number}",
        kind="session",
        names=mentioned(str(night.summary)),
    )


def _turn(
    campaign: str,
    turn: TurnText,
    nights: Sequence[Session],
    fight: bool,
    state: GameState,
    names: set[str],
) -> Note:
    text = f"{turn.player_input}\n\n{turn.final_text}"
    told = [name for name in (state.name(id) for id in turn.focus) if name in text]
    return Note(
        id=f"note:{campaign}:turn_{turn.turn_no}",
        about="combat" if fight else "event",
        title=f"Turn {turn.turn_no}",
        text=text,
        session=_session(turn.turn_no, nights),
        file=campaign,
        heading=f"{campaign} > Turn {turn.turn_no}",
        line=0,
        kind="turn",
        names=list(dict.fromkeys([*told, *(name for name in names if name in text)])),
    )


def _thread(campaign: str, thread: Thread, state: GameState) -> Note:
    status = {"active": "open", "resolved": "done", "failed": "failed"}.get(thread.status, "hidden")
    question = str(thread.stakes.get("question") or "")
    return Note(
        id=f"note:{campaign}:thread_{slug(thread.id)}",
        about="quest",
        title=thread.title,
        text=f"{thread.title} ({status}). {question}".strip(),
        file=campaign,
        heading=f"{campaign} > Threads",
        gm_only=status == "hidden",
        names=[thread.title],
        status="" if status == "hidden" else status,
        kind="quest",
    )


def _tells(fact: Fact) -> bool:
    return fact.visibility != "engine" and bool(fact.object.get("text"))


def _fact(campaign: str, fact: Fact, state: GameState) -> Note:
    subject = state.entities.get(fact.subject_id)
    name = state.name(fact.subject_id)
    kind = (
        "character"
        if fact.subject_id == PLAYER
        else _SUBJECT.get(subject.type if subject else "", "event")
    )
    turn = f"turn {fact.discovered_turn}" if fact.discovered_turn else "from the start"
    return Note(
        id=f"note:{campaign}:fact_{slug(fact.id)}",
        about=kind,
        title=name,
        text=str(fact.object["text"]),
        file=campaign,
        heading=f"{campaign} > Known, {turn}",
        gm_only=fact.visibility != "known",
        names=[name],
        kind="fact",
    )
