"""Routes of AI players: parties made, run, answered, and their game nights ended."""

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Once, Room
from freeform.players.model import Waiting
from freeform.services.party import parties as service
from freeform.services.party.parties import PartyRequest, PartyView, RunRequest, SeatRow

router = APIRouter(prefix="/api/parties", tags=["players"])


class PartyRow(Shape):
    """A party, how far it has come, and what it does now."""

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


def _row(room: Room, party: PartyView) -> PartyRow:
    return PartyRow(
        **dict(party),
        running=room.parties.is_running(party.party),
        waiting=room.parties.waiting.get(party.party),
        problem=room.parties.problems.get(party.party, ""),
    )


@router.get("")
async def parties(room: At) -> PartyList:
    """Every party of this home."""
    rows = await service.list_parties(room.house)
    return PartyList(parties=[_row(room, party) for party in rows])


@router.get("/personas")
async def personas(room: At) -> PersonaList:
    """The bundled personas, in the order they are seated."""
    return PersonaList(personas=service.list_personas())


@router.post("")
async def create(room: At, key: Once, wanted: NewParty) -> PartyRow:
    """Seats AI players at a scenario."""

    async def make() -> PartyRow:
        request = PartyRequest(**wanted.model_dump())
        return _row(room, await service.new_party(room.house, request))

    made: PartyRow = await room.plays.once("parties", key, make)
    return made


@router.get("/{party}")
async def show(room: At, party: str) -> PartyRow:
    """One party, what it waits for, and what went wrong last."""
    return _row(room, await service.show_party(room.house, party))


@router.post("/{party}/run")
async def run(room: At, party: str, wanted: RunBody | None = None) -> PartyRow:
    """Begins rounds; progress comes as `party` events on the event stream."""
    request = RunRequest()
    if wanted is not None:
        request = RunRequest(**wanted.model_dump())
    who = await service.show_party(room.house, party)
    room.parties.start(room.house, who, request)
    return _row(room, who)


@router.post("/{party}/answer")
async def give(room: At, party: str, wanted: AnswerBody) -> PartyRow:
    """Answers what the round waits for, as game master or the person in a seat, and plays on."""
    await service.answer_party(room.house, party, wanted.text)
    who = await service.show_party(room.house, party)
    room.parties.waiting.pop(party, None)
    if wanted.go_on:
        room.parties.start(room.house, who, RunRequest(dm=wanted.dm))
    return _row(room, who)


@router.post("/{party}/end")
async def end(room: At, party: str) -> PartyRow:
    """Ends the game night now: what mattered is told again, and a week goes by."""
    return _row(room, await service.end_night(room.house, party))
