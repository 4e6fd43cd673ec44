"""Routes of AI players: parties, their runs and rounds, what each may hear, what each remembers."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from freeform.apps.web.requests import Body
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Once, Room
from freeform.core.errors import NotFound, UserError
from freeform.engine.authored.library import load_scenario
from freeform.players.memory.ask_memory import MemoryQuestion
from freeform.players.memory.views import jsonl, word_diff
from freeform.players.model import Message, Party, RoundRecord, Waiting
from freeform.players.party.party import listener_of, new_party, seat_of
from freeform.players.party.persona import choose_personas, load_persona, persona_files
from freeform.players.party.views import (
    compare,
    figures,
    lanes,
    tidy,
)
from freeform.players.round.minds import groups_of, mind_of
from freeform.players.round.play_round import answer
from freeform.wiring.players import PartyRoom, rows_as_parquet

router = APIRouter(prefix="/api/parties", tags=["players"])
Strength = Annotated[float | None, Query(ge=0, le=1)]


class SeatRow(Shape):
    """Who plays whom."""

    agent: str
    persona: str
    about: str
    character: str
    character_name: str
    concept: str
    person: bool
    traits: dict[str, float]


class PartyRow(Shape):
    """A party and how far it has come."""

    party: str
    campaign: str
    scenario: str
    seed: int
    strength: float
    session: int
    rounds: int
    running: bool
    waiting: Waiting | None = None
    problem: str = ""
    again_of: str = ""
    seats: list[SeatRow]


class PartyList(Shape):
    """Every party."""

    parties: list[PartyRow]


class PersonaList(Shape):
    """The bundled personas."""

    personas: list[dict[str, Any]]


class NewParty(Body):
    """What a new party is made of."""

    scenario: str = Field(max_length=200)
    players: str = Field(
        "4", max_length=400, description="A number, or names of bundled personas with commas."
    )
    seed: int = 7
    strength: float = Field(0.3, ge=0, le=1)
    people: list[str] = Field(default_factory=list, max_length=8)
    session_rounds: int = Field(10, ge=0, le=1000)


class RunBody(Body):
    """How long to play, and who rules."""

    rounds: int = Field(1, ge=1, le=500)
    dm: Literal["engine", "human"] = "engine"
    until_session_end: bool = False


class AnswerBody(Body):
    """What the person says."""

    text: str = Field(max_length=4000)
    go_on: bool = Field(True, description="Play on at once.")
    dm: Literal["engine", "human"] = "engine"


class Rounds(Shape):
    """Rounds in order."""

    party: str
    total: int
    rounds: list[RoundRecord]


class LaneRow(Shape):
    """One thing said or done, for a lane of the screen."""

    step: int
    lane: str
    channel: str
    phase: str
    who: str
    text: str
    more: dict[str, Any] = Field(default_factory=dict)


class RoundLanes(Shape):
    """A round as rows, in order, with the question it settled."""

    party: str
    round: int
    total: int
    place: str
    day: float
    consensus: dict[str, Any]
    rows: list[LaneRow]


class HeardMessages(Shape):
    """What someone may hear."""

    party: str
    viewer: str
    layer: str
    messages: list[Message]


class CurvePoint(Shape):
    """How much of a memory is held on a day."""

    day: float
    held: float
    believed: str
    correct: bool


class DetailCurve(Shape):
    """One detail over the same days: it is lost once `held` falls below `threshold`."""

    field: str
    kind: str
    truth: str
    believed: str
    threshold: float
    since: float | None = Field(None, description="The day it was lost, if it was.")
    held: list[float]


class Curve(Shape):
    """A memory over days: the forgetting curve, what is believed at each point, and each detail by itself."""

    party: str
    agent: str
    fact_id: str
    truth: str
    points: list[CurvePoint]
    details: list[DetailCurve]


async def _parlour(room: Room) -> PartyRoom:
    return await room.parties.parlour(room.settings, room.table)


async def _row(room: Room, parlour: PartyRoom, party: Party) -> PartyRow:
    seats = [
        SeatRow(
            agent=s.agent, persona=s.persona.name, about=s.persona.about, character=s.character.id,
            character_name=s.character.name, concept=s.character.concept, person=s.person,
            traits=s.persona.traits.model_dump(),
        )
        for s in party.seats
    ]  # fmt: skip
    return PartyRow(
        party=party.id, campaign=party.campaign, scenario=party.scenario, seed=party.seed, strength=party.strength,
        session=party.session, rounds=await parlour.store.count(party.id), running=room.parties.is_running(party.id),
        waiting=room.parties.waiting.get(party.id), problem=room.parties.problems.get(party.id, ""),
        again_of=party.again_of, seats=seats,
    )  # fmt: skip


@router.get("")
async def parties(room: At) -> PartyList:
    """Every party of this home."""
    parlour = await _parlour(room)
    found = [await parlour.store.get(name) for name in await parlour.store.names()]
    return PartyList(parties=[await _row(room, parlour, party) for party in found])


@router.get("/personas")
async def personas(room: At) -> PersonaList:
    """The bundled personas, in the order they are seated."""
    rows = [
        load_persona(path).model_dump(mode="json", exclude={"lines": True})
        for path in persona_files()
    ]
    return PersonaList(
        personas=[{**row, "character": {**row["character"], "lines": {}}} for row in rows]
    )


@router.post("")
async def create(room: At, key: Once, wanted: NewParty) -> PartyRow:
    """Seats AI players at a scenario."""
    parlour = await _parlour(room)
    bundled = {load_persona(path).id for path in persona_files()}
    named = {name.strip().lower() for name in wanted.players.split(",")}
    if not wanted.players.isdigit() and not named <= bundled:
        # A request opens no file of this machine; the command line may.
        raise UserError(
            f"players are a number or names of bundled personas: {', '.join(sorted(bundled))}"
        )

    async def make() -> PartyRow:
        story = load_scenario(wanted.scenario, room.settings.home)
        party = await new_party(
            story, choose_personas(wanted.players), wanted.seed, wanted.strength, room.table, parlour.store,
            room.table.clock, people=wanted.people, session_rounds=wanted.session_rounds,
        )  # fmt: skip
        return await _row(room, parlour, party)

    made: PartyRow = await room.plays.once("parties", key, make)
    return made


@router.get("/{party}")
async def show(room: At, party: str) -> PartyRow:
    """One party, what it waits for, and what went wrong last."""
    parlour = await _parlour(room)
    return await _row(room, parlour, await parlour.store.get(party))


@router.post("/{party}/run")
async def run(room: At, party: str, wanted: RunBody | None = None) -> PartyRow:
    """Begins rounds; progress comes as `party` events on the event stream."""
    parlour, asked = await _parlour(room), wanted or RunBody.model_validate({})
    who = await parlour.store.get(party)
    room.parties.start(parlour, who, asked.rounds, asked.dm, asked.until_session_end)
    return await _row(room, parlour, who)


@router.post("/{party}/answer")
async def give(room: At, party: str, wanted: AnswerBody) -> PartyRow:
    """Answers what the round waits for, as its game master or the person in a seat, and plays on."""
    parlour = await _parlour(room)
    who = await parlour.store.get(party)
    async with parlour.game(who) as game:
        await answer(game, wanted.text)
    room.parties.waiting.pop(party, None)
    if wanted.go_on:
        room.parties.start(parlour, who, 1, wanted.dm, False)
    return await _row(room, parlour, who)


@router.get("/{party}/rounds")
async def rounds(
    room: At,
    party: str,
    first: Annotated[int, Query(ge=1)] = 1,
    last: Annotated[int | None, Query(ge=1)] = None,
) -> Rounds:
    """Whole rounds, `first` to `last`; at most fifty at once."""
    parlour = await _parlour(room)
    who = await parlour.store.get(party)
    most = min(last or first + 49, first + 49)
    return Rounds(
        party=who.id,
        total=await parlour.store.count(party),
        rounds=await parlour.store.rounds(party, first, most),
    )


@router.get("/{party}/rounds/{number}/lanes")
async def lane_rows(room: At, party: str, number: int) -> RoundLanes:
    """One round as rows for the lanes: step through them in order; directive, action and ruling follow each other."""
    parlour = await _parlour(room)
    who, total = await parlour.store.get(party), await parlour.store.count(party)
    found = await parlour.store.rounds(party, number, number) if 1 <= number <= total else []
    if not found:
        raise NotFound(f"no round {number} of '{party}'; it has rounds 1 to {total}")
    rows = [
        LaneRow(**{k: v for k, v in row.items() if k in LaneRow.model_fields},
                more={k: v for k, v in row.items() if k not in LaneRow.model_fields})
        for row in lanes(who, found[0])
    ]  # fmt: skip
    return RoundLanes(
        party=party, round=number, total=total, place=found[0].place, day=found[0].day,
        consensus=found[0].consensus.model_dump(mode="json"), rows=rows,
    )  # fmt: skip


@router.get("/{party}/channels")
async def channels(
    room: At, party: str, viewer: str, most: Annotated[int, Query(ge=1, le=1000)] = 50
) -> HeardMessages:
    """The messages that `viewer` (a player, a character, or dm) may hear, and no others."""
    parlour = await _parlour(room)
    listener = listener_of(await parlour.store.get(party), viewer)
    messages = await parlour.router(party).heard(listener, most)
    return HeardMessages(
        party=party, viewer=listener.id, layer=listener.layer.value, messages=messages
    )


@router.get("/{party}/memory/{agent}")
async def memory(
    room: At,
    party: str,
    agent: str,
    query: Annotated[str, Query(max_length=400)] = "",
    at: Annotated[float | None, Query(ge=0, le=100_000)] = None,
    session: Annotated[int | None, Query(ge=1, le=100_000)] = None,
    explain: bool = False,
    strength: Strength = None,
    most: Annotated[int, Query(ge=1, le=500)] = 30,
) -> dict[str, Any]:
    """What a player believes on a day; with `explain`, the truth beside it and why."""
    parlour = await _parlour(room)
    who = await parlour.store.get(party)
    seat = seat_of(who, agent)
    mind = mind_of(who, seat)
    mind = mind if strength is None else mind.model_copy(update={"strength": strength})
    asked = MemoryQuestion(query=query, at=at, session=session, explain=explain, most=most)
    told = await parlour.minds(party).ask(who, seat, asked, mind, await _today(parlour, who))
    for row in told["memories"] if explain else ():
        row["diff"] = word_diff(row["truth"], row["believed"])
    return {"party": party, **told}


@router.get("/{party}/memory/{agent}/curve")
async def curve(
    room: At,
    party: str,
    agent: str,
    fact: Annotated[str, Query(max_length=200)],
    days: Annotated[int, Query(ge=1, le=3650)] = 120,
    strength: Strength = None,
) -> Curve:
    """One memory over the coming days: how much is held, and what is believed, at forty points."""
    from freeform.players.memory.recall import believe

    parlour = await _parlour(room)
    who = await parlour.store.get(party)
    seat = seat_of(who, agent)
    store = parlour.minds(party).store
    facts = await store.get([fact])
    if not facts:
        raise NotFound(
            f"no memory '{fact}' of '{agent}'; the ids are in /api/parties/{party}/memory/{agent}"
        )
    mind = mind_of(who, seat)
    mind = mind if strength is None else mind.model_copy(update={"strength": strength})
    points, details = [], dict[str, DetailCurve]()
    for step in range(41):
        day = facts[0].created_at + days * step / 40
        (belief,) = await believe(mind, facts, day, groups_of(seat), store)
        kept = [audit.retrievability for audit in belief.audit]
        held = round(sum(kept) / len(kept), 4) if kept else 1.0
        for audit in belief.audit:
            line = details.get(audit.field)
            details[audit.field] = DetailCurve(
                field=audit.field, kind=audit.kind, truth=audit.truth, believed=audit.believed,
                threshold=audit.threshold, since=audit.since, held=[*(line.held if line else ()), audit.retrievability],
            )  # fmt: skip
        points.append(
            CurvePoint(
                day=round(day, 3), held=held, believed=belief.believed, correct=belief.correct
            )
        )
    return Curve(party=party, agent=seat.agent, fact_id=fact, truth=facts[0].text, points=points,
                 details=list(details.values()))  # fmt: skip


@router.get("/{party}/stats")
async def stats(room: At, party: str) -> dict[str, Any]:
    """Figures over all rounds."""
    parlour = await _parlour(room)
    return figures(await parlour.store.get(party), await parlour.store.rounds(party))


@router.get("/{party}/compare/{other}")
async def side_by_side(room: At, party: str, other: str) -> dict[str, Any]:
    """Two runs round by round, and where they part."""
    parlour = await _parlour(room)
    return {"left": party, "right": other,
            **compare(await parlour.store.rounds(party), await parlour.store.rounds(other))}  # fmt: skip


@router.get("/{party}/export", response_class=Response)
async def export(room: At, party: str, format: Literal["jsonl", "parquet"] = "jsonl") -> Response:
    """Everything that was said and done, one flat row each, for a notebook."""
    parlour = await _parlour(room)
    who = await parlour.store.get(party)
    rows = tidy(who, await parlour.store.rounds(party))
    body = rows_as_parquet(rows) if format == "parquet" else jsonl(rows).encode()
    kind = "application/vnd.apache.parquet" if format == "parquet" else "application/x-ndjson"
    named = {"Content-Disposition": f'attachment; filename="{who.id}.{format}"'}
    return Response(body, media_type=kind, headers=named)


async def _today(parlour: PartyRoom, party: Party) -> float:
    number = await parlour.store.count(party.id)
    last = await parlour.store.rounds(party.id, number, number) if number else []
    return last[0].day if last else 1.0
