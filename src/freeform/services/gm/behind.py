"""Behind the screen: what is so in a campaign, whoever knows it. For game masters alone."""

from collections.abc import Iterator, Sequence
from typing import Any

from freeform.core.errors import Conflict
from freeform.core.record import Record
from freeform.engine.authored.scenario import Knowledge, Person, Trigger
from freeform.engine.authored.script import Effect
from freeform.engine.hand.correct import heard_as
from freeform.engine.log import Changed, Logged
from freeform.engine.minds.reply import DID
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import GAME_MASTER
from freeform.engine.world.state import PLAYER, Fact, GameState, StoryClock
from freeform.services.desk.clues import ClueWay, clue_graph
from freeform.services.gm.hand import HandShown, show
from freeform.services.house import House
from freeform.services.views.player import time_told

_LAST_ENTRIES = 400
_MOST_CORRECTIONS = 40


class Truth(Record):
    """Something that is so."""

    id: str
    subject: str
    subject_name: str
    predicate: str
    value: Any = None
    text: str
    hidden: bool
    ways: list[str]
    """How players may still come to know it."""


class ClockBehind(Record):
    """A clock with what it brings."""

    id: str
    name: str
    value: int
    max: int
    hidden: bool
    brings: list[str]
    """What is still to come, as `4: the watch is doubled`."""


class PersonBehind(Record):
    """Someone: where they are, what they want, what they know and keep back."""

    id: str
    name: str
    role: str
    at: str
    at_name: str
    here: bool
    status: str
    trust: int
    wants: str
    disposition: str
    knows: list[str]
    keeps_back: list[str]
    will_do: list[str]


class PlaceBehind(Record):
    """A place, for whoever moves people about."""

    id: str
    name: str


class ThreadBehind(Record):
    """A question of the story, hidden ones too."""

    id: str
    title: str
    status: str


class HandCorrection(Record):
    """Something a game master laid down, as the log has it."""

    id: int
    turn_no: int
    at: str
    did: list[str]
    why: str


class BehindScreen(Record):
    """All of it."""

    turn_no: int
    branch: str
    place: str
    place_name: str
    time: str
    hero: str
    facts: list[Truth]
    clocks: list[ClockBehind]
    people: list[PersonBehind]
    places: list[PlaceBehind]
    threads: list[ThreadBehind]
    hand: HandShown
    corrections: list[HandCorrection]
    """Newest first; the first is what `undo` takes back, where it came after the last turn."""
    undoes_correction: bool


async def behind_screen(house: House, campaign: str) -> BehindScreen:
    """What is true, hidden or not: facts, clocks, people's wants, and what was corrected."""
    store = house.table.store
    state = await store.get_state(campaign)
    rules = Rules.of(await store.begun(campaign)).knowing(state)
    logged = await store.tail(campaign, _LAST_ENTRIES)
    places = [e for e in state.entities.values() if e.type == "location"]
    return BehindScreen(
        turn_no=state.turn_no,
        branch=state.branch,
        place=state.scene.location_id,
        place_name=state.name(state.scene.location_id),
        time=time_told(state),
        hero=state.name(PLAYER),
        facts=_truths(state, rules),
        clocks=[_clock(each) for each in state.clocks.values()],
        people=[_person(id, state, rules) for id in _cast(state)],
        places=[PlaceBehind(id=each.id, name=each.name) for each in places],
        threads=[
            ThreadBehind(id=each.id, title=each.title, status=each.status)
            for each in state.threads.values()
        ],
        hand=await show(house, campaign),
        corrections=_corrections(logged, state),
        undoes_correction=bool(logged) and _is_correction(logged[-1]),
    )


async def check_last_correction(house: House, campaign: str, id: int) -> None:
    """Conflict unless that correction is the last thing that happened: undo would take another."""
    logged = await house.table.store.tail(campaign, 1)
    if not (logged and logged[-1].id == id and _is_correction(logged[-1])):
        raise Conflict("more has happened since; look at the screen again")


def _truths(state: GameState, rules: Rules) -> list[Truth]:
    """Every fact one can say, hidden ones first."""
    ways = {node.fact: node.ways for node in clue_graph(rules.scenario)}
    told = [fact for fact in state.facts.values() if _is_told(fact)]
    rows = [
        Truth(
            id=fact.id,
            subject=fact.subject_id,
            subject_name=state.name(fact.subject_id),
            predicate=fact.predicate,
            value=fact.object.get("value"),
            text=str(fact.object.get("text") or f"{fact.predicate}: {fact.object.get('value')}"),
            hidden=fact.visibility == "hidden",
            ways=_said(ways.get(fact.id, [])) if fact.visibility == "hidden" else [],
        )
        for fact in told
    ]
    return sorted(rows, key=lambda row: not row.hidden)


def _said(ways: Sequence[ClueWay]) -> list[str]:
    return list(dict.fromkeys(way.by for way in ways))


def _is_told(fact: Fact) -> bool:
    return fact.visibility != "engine" and (
        fact.visibility == "hidden" or bool(fact.object.get("text"))
    )


def _clock(clock: StoryClock) -> ClockBehind:
    coming = [(int(at), row) for at, row in clock.triggers.items() if int(at) > clock.value]
    return ClockBehind(
        id=clock.id,
        name=clock.name,
        value=clock.value,
        max=clock.max,
        hidden="hidden" in clock.tags,
        brings=[f"{at}: {Trigger.model_validate(row).text}" for at, row in sorted(coming)],
    )


def _cast(state: GameState) -> list[str]:
    """Those who are here, then the others."""
    people = [id for id, entity in state.entities.items() if entity.type == "npc"]
    here = state.scene.present_entity_ids
    return sorted(people, key=lambda id: (id not in here, state.name(id)))


def _person(id: str, state: GameState, rules: Rules) -> PersonBehind:
    entity, authored = state.entities[id], rules.person(id)
    at = state.where(id)
    bond = state.relationships.get((id, PLAYER, "trust"))
    return PersonBehind(
        id=id,
        name=entity.name,
        role=str(entity.attrs.get("role") or ""),
        at=at,
        at_name=state.name(at) if at else "",
        here=id in state.scene.present_entity_ids,
        status=str(state.value(id, "status") or ""),
        trust=bond.intensity if bond else 0,
        wants=authored.agenda or str(entity.attrs.get("agenda") or ""),
        disposition=authored.disposition,
        knows=[_known(each) for each in authored.knows],
        keeps_back=[_known(each) for each in authored.withholds],
        will_do=list(_to_do(authored, id, state)),
    )


def _known(row: Knowledge) -> str:
    about = ", ".join(row.topics[:3]) or row.id
    return f"{about}: {row.says[0]}" if row.says else about


def _to_do(person: Person, id: str, state: GameState) -> Iterator[str]:
    for move in person.moves:
        if state.fact(id, f"{DID}{move.id}") is None:
            yield f"after {move.after} min: {move.does}" if move.after else move.does


def _is_correction(row: Logged) -> bool:
    return isinstance(row.entry, Changed) and row.entry.why == GAME_MASTER


def _corrections(logged: Sequence[Logged], state: GameState) -> list[HandCorrection]:
    found: list[HandCorrection] = []
    for row in reversed(logged):
        if isinstance(row.entry, Changed) and row.entry.why == GAME_MASTER:
            details = row.entry.details
            found.append(
                HandCorrection(
                    id=row.id,
                    turn_no=row.turn_no,
                    at=row.at,
                    did=list(_did(details, state)),
                    why=str(details.get("why") or ""),
                )
            )
    return found[:_MOST_CORRECTIONS]


def _did(details: dict[str, Any], state: GameState) -> Iterator[str]:
    if details.get("said"):
        yield f"said: {details['said']}"
        return
    for effect in details.get("effects", []):
        yield heard_as(Effect.model_validate(effect), state)
    for name, value in details.items():
        if name not in ("why", "effects"):
            yield f"{name}: {value}"
