"""Parties of AI players: seated, listed, played, answered, and their game nights ended."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from freeform.core.errors import Conflict
from freeform.core.record import Record
from freeform.engine.authored.library import load_scenario
from freeform.players.model import Dm, Party, RoundRecord, Seat, Waiting
from freeform.players.party import party as making
from freeform.players.party.evening import close_night, play_on
from freeform.players.party.persona import load_persona, persona_files
from freeform.players.round.play_round import answer
from freeform.services.house import House
from freeform.services.party.seating import seated

Hear = Callable[[RoundRecord | Waiting], None]
"""Hears each round as it ends, and what a round waits for."""
ShowPhase = Callable[[str, dict[str, Any]], None]
"""Hears each phase of a round as it begins."""


class SeatRow(Record):
    """Who plays whom."""

    agent: str
    persona: str
    about: str
    character: str
    character_name: str
    concept: str
    person: bool
    traits: dict[str, float]


class PartyView(Record):
    """A party and how far it has come."""

    party: str
    campaign: str
    scenario: str
    seed: int
    strength: float
    session: int
    rounds: int
    again_of: str = ""
    seats: list[SeatRow]


class PartyRequest(Record):
    """What a new party is made of. Without a seed one is drawn."""

    scenario: str
    players: str = "4"
    seed: int | None = None
    strength: float = 0.3
    people: list[str] = Field(default_factory=list)
    name: str = ""
    session_rounds: int = making.SESSION_ROUNDS


class RunRequest(Record):
    """How long to play, and who rules."""

    rounds: int = 1
    dm: Dm = "engine"
    until_session_end: bool = False


class PartyRun(Record):
    """What was played, and what the party waits for, if it does."""

    party: str
    seed: int
    session: int
    rounds: list[RoundRecord]
    waiting: Waiting | None = None


def unheard(came: RoundRecord | Waiting) -> None:
    """Nobody follows the rounds."""


def unseen(phase: str, seen: dict[str, Any]) -> None:
    """Nobody follows the phases."""


def list_personas() -> list[dict[str, Any]]:
    """The bundled personas in the order they are seated, without their lines."""
    rows = []
    for path in persona_files():
        row = load_persona(path).model_dump(mode="json", exclude={"lines": True})
        row["character"] = {**row["character"], "lines": {}}
        rows.append(row)
    return rows


async def new_party(house: House, request: PartyRequest) -> PartyView:
    """Seats AI players at a scenario. The scenario's heroes are played first."""
    story = load_scenario(request.scenario, house.settings.home)
    personas = seated(house.settings, request.players, house.table, files=house.files)
    parlour = await house.parlour()
    seed = request.seed
    if seed is None:
        # As new campaigns draw theirs.
        seed = int.from_bytes(house.table.ids.new("seed").encode()[-4:], "big") % 1_000_000
    made = await making.new_party(
        story,
        personas,
        seed,
        request.strength,
        house.table,
        parlour.store,
        house.table.clock,
        name=request.name,
        people=request.people,
        session_rounds=request.session_rounds,
    )
    return await view_of(house, made)


async def list_parties(house: House) -> list[PartyView]:
    """Every party of this home."""
    store = (await house.parlour()).store
    return [await view_of(house, await store.get(name)) for name in await store.names()]


async def show_party(house: House, party: str) -> PartyView:
    """One party. NotFound when there is none of that name."""
    return await view_of(house, await get_party(house, party))


async def get_party(house: House, party: str) -> Party:
    """The party itself. NotFound when there is none of that name."""
    return await (await house.parlour()).store.get(party)


async def play_party(
    house: House,
    party: str,
    request: RunRequest,
    hear: Hear = unheard,
    show: ShowPhase = unseen,
) -> PartyRun:
    """Plays rounds until they are played or a person is asked. Conflict while others are."""
    who = await get_party(house, party)
    check_quiet(house, who.id)
    house.playing.add(who.id)
    try:
        return await _play(house, who, request, hear, show)
    finally:
        house.playing.discard(who.id)


def check_quiet(house: House, party: str) -> None:
    """Conflict while rounds of that party are being played."""
    if party in house.playing:
        raise Conflict(f"'{party}' is playing; wait for its round to end")


async def _play(
    house: House, who: Party, request: RunRequest, hear: Hear, show: ShowPhase
) -> PartyRun:
    parlour = await house.parlour()
    played: list[RoundRecord] = []
    waiting: Waiting | None = None
    coming = play_on(
        lambda now: parlour.game(now, request.dm, show),
        who,
        request.rounds,
        until_session_end=request.until_session_end,
    )
    async for came in coming:
        hear(came)
        if isinstance(came, Waiting):
            waiting = came
        else:
            played.append(came)
    now = await parlour.store.get(who.id)
    return PartyRun(
        party=now.id, seed=now.seed, session=now.session, rounds=played, waiting=waiting
    )


async def again_with_seed(house: House, party: str, seed: int | None) -> Party:
    """The party; or, with another seed, the same people from the start as a party of its own."""
    store = (await house.parlour()).store
    who = await store.get(party)
    if seed is None or (seed == who.seed and not await store.count(party)):
        return who
    return await making.new_party(
        load_scenario(who.scenario, house.settings.home),
        [seat.persona for seat in who.seats],
        seed,
        who.strength,
        house.table,
        store,
        house.table.clock,
        people=[seat.agent for seat in who.seats if seat.person],
        again_of=who.id,
        session_rounds=who.session_rounds,
    )


async def answer_party(house: House, party: str, text: str) -> Waiting:
    """Answers what a round waits for, as its game master or as the person in a seat."""
    parlour = await house.parlour()
    async with parlour.game(await parlour.store.get(party)) as game:
        return await answer(game, text)


async def end_night(house: House, party: str) -> PartyView:
    """Ends the game night: what mattered is told again, and a week goes by for all who remember."""
    check_quiet(house, party)
    parlour = await house.parlour()
    async with parlour.game(await parlour.store.get(party)) as game:
        return await view_of(house, await close_night(game))


async def view_of(house: House, party: Party) -> PartyView:
    """A party as every door shows it."""
    store = (await house.parlour()).store
    return PartyView(
        party=party.id,
        campaign=party.campaign,
        scenario=party.scenario,
        seed=party.seed,
        strength=party.strength,
        session=party.session,
        rounds=await store.count(party.id),
        again_of=party.again_of,
        seats=[_seat_row(seat) for seat in party.seats],
    )


def _seat_row(seat: Seat) -> SeatRow:
    return SeatRow(
        agent=seat.agent,
        persona=seat.persona.name,
        about=seat.persona.about,
        character=seat.character.id,
        character_name=seat.character.name,
        concept=seat.character.concept,
        person=seat.person,
        traits=seat.persona.traits.model_dump(),
    )
