"""Parties: made from personas and a scenario, played again from the start, and their game
nights."""

from collections.abc import Sequence
from typing import Literal

from freeform.core.clock import Clock
from freeform.core.errors import NotFound
from freeform.core.text import plain_form, slug
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, OwnHero, begin
from freeform.engine.table import Table
from freeform.players.model import BasePersona, Listener, Party, Seat
from freeform.players.party.persona import seat_all
from freeform.players.ports import PartyStore
from freeform.players.round.channels import GAME_MASTER, character_of, persona_of

Law = Literal["human", "seed", "none"]
SESSION_ROUNDS = 10
"""A game night ends by itself after so many rounds."""


async def new_party(
    scenario: Scenario,
    personas: Sequence[BasePersona],
    seed: int,
    strength: float,
    table: Table,
    store: PartyStore,
    clock: Clock,
    *,
    name: str = "",
    people: Sequence[str] = (),
    again_of: str = "",
    session_rounds: int = SESSION_ROUNDS,
    law: Law = "human",
) -> Party:
    """Seats the players, begins their campaign, and keeps the party. The campaign has the party's
    id."""
    id = name or await free_name(slug(scenario.id), store)
    seats = seat_all(list(personas), scenario, load_system(scenario.system), list(people))
    party = Party(
        id=id,
        campaign=id,
        scenario=scenario.id,
        seed=seed,
        strength=strength,
        law=law,
        seats=seats,
        session_rounds=session_rounds,
        created_at=clock.now().isoformat(timespec="seconds"),
        again_of=again_of,
    )
    first = seats[0].character
    items = dict.fromkeys(item for hero in scenario.heroes[: len(seats)] for item in hero.items)
    facts = scenario.heroes[0].facts if scenario.heroes else []
    hero = OwnHero(
        name=first.name,
        concept=first.concept,
        pronouns=first.pronouns,
        stats=first.stats,
        items=list(items),
        facts=facts,
    )
    await begin(scenario, party.campaign, seed, Answers(hero=hero), table)
    await store.create(party)
    return party


async def free_name(start: str, store: PartyStore) -> str:
    """`dead_drop_party`, or with the next number."""
    taken, number = set(await store.names()), 1
    while (name := f"{start}_party" if number == 1 else f"{start}_party_{number}") in taken:
        number += 1
    return name


async def end_session(party: Party, store: PartyStore) -> Party:
    """The next game night: a week later for those who remember. The thread of checkpoints is a new
    one."""
    later = party.model_copy(update={"session": party.session + 1})
    await store.update(later)
    return later


def listener_of(party: Party, name: str) -> Listener:
    """Whose eyes: an agent or a character by id or name, or `dm`. NotFound lists them."""
    wanted = plain_form(name).strip()
    if wanted == GAME_MASTER.id:
        return GAME_MASTER
    exact = {f"agent_{seat.agent}": persona_of(party, seat.agent) for seat in party.seats}
    exact |= {seat.agent: persona_of(party, seat.agent) for seat in party.seats}
    for seat in party.seats:
        for known in (
            seat.character.id,
            f"character_{seat.character.id}",
            plain_form(seat.character.name),
        ):
            exact.setdefault(known, character_of(party, seat.agent))
        exact.setdefault(plain_form(seat.persona.name), persona_of(party, seat.agent))
    for seat in party.seats:
        exact.setdefault(
            plain_form(seat.character.name).split()[0], character_of(party, seat.agent)
        )
    if wanted not in exact:
        agents, characters = [s.agent for s in party.seats], [s.character.id for s in party.seats]
        raise NotFound(
            f"nobody called '{name}' here; players: {', '.join(agents)}; characters: {', '.join(characters)}; dm"
        )
    return exact[wanted]


def seat_of(party: Party, name: str) -> Seat:
    """The seat of a player or character, by any of its names. NotFound for the game master, who has
    none."""
    found = listener_of(party, name)
    seat = next((s for s in party.seats if found.id in (s.agent, s.character.id)), None)
    if seat is None:
        players = ", ".join(s.agent for s in party.seats)
        raise NotFound(
            f"the game master forgets nothing and has no memory here; ask for a player: {players}"
        )
    return seat
