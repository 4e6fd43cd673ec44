"""Verbs of AI players: `party new|list|run|answer|end`, a table of personas who play by themselves or beside people."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.players.model import Party, RoundRecord, Waiting
    from freeform.wiring.players import PartyRoom

T = TypeVar("T")
party = typer.Typer(
    help="AI players: a party that plays a scenario, and what one can learn from it.",
    no_args_is_help=True,
)
Name = Annotated[
    str, typer.Argument(help="The party's id; `party list` shows them.", metavar="PARTY")
]


class Master(StrEnum):
    """Who rules."""

    engine = "engine"
    human = "human"


class Until(StrEnum):
    """When to stop."""

    session_end = "session-end"


def add_to(app: typer.Typer) -> None:
    """Adds the group; `party_views` adds the rest of it."""
    app.add_typer(party, name="party")


def in_parlour(desk: Desk, work: "Callable[[PartyRoom], Awaitable[T]]") -> T:
    """Opens everything parties are played with, does the work, and closes it."""
    from freeform.wiring.players import parlour

    async def inside() -> T:
        async with parlour(desk.settings) as room:
            return await work(room)

    return asyncio.run(inside())


@party.command(epilog="Example: freeform-rpg party new --scenario dead_drop --players 4 --seed 7")
def new(
    ctx: typer.Context,
    scenario: Annotated[str, typer.Option(help="The scenario to play; `scenarios` lists them.")],
    players: Annotated[
        str,
        typer.Option(
            help="How many bundled personas, or names and YAML files with commas between."
        ),
    ] = "4",
    strength: Annotated[
        float, typer.Option(help="How much they forget: 0 nothing, 1 like people.", min=0, max=1)
    ] = 0.3,
    person: Annotated[
        list[str], typer.Option("--person", help="A persona's seat that a person takes.")
    ] = [],  # noqa: B006
    name: Annotated[str, typer.Option("--party", help="An id for the party.")] = "",
    session_rounds: Annotated[
        int, typer.Option(help="Rounds of a game night; 0: it ends when told.", min=0)
    ] = 10,
) -> None:
    """Seats AI players at a scenario. The scenario's heroes are played first."""
    from freeform.engine.authored.library import load_scenario
    from freeform.players.party.party import new_party
    from freeform.players.party.persona import choose_personas

    desk = at(ctx)
    story = load_scenario(scenario, desk.settings.home)
    personas = choose_personas(players)

    async def work(room: "PartyRoom") -> "Party":
        seed = desk.settings.seed if desk.settings.seed is not None else _draw(room)
        return await new_party(
            story, personas, seed, strength, room.table, room.store, room.table.clock,
            name=name, people=person, session_rounds=session_rounds,
        )  # fmt: skip

    made = in_parlour(desk, work)
    desk.answer(
        _document(made), [_line(made), *(_seat_line(seat) for seat in _document(made)["seats"])]
    )


@party.command("list", epilog="Example: freeform-rpg party list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the parties and how far they have come."""

    async def work(room: "PartyRoom") -> list[dict[str, Any]]:
        found = [await room.store.get(name) for name in await room.store.names()]
        return [{**_document(each), "rounds": await room.store.count(each.id)} for each in found]

    desk = at(ctx)
    rows = in_parlour(desk, work)
    lines = [
        f"{row['party']}  {row['scenario']}, seed {row['seed']}, {row['rounds']} rounds"
        for row in rows
    ]
    desk.answer(
        {"parties": rows},
        lines or ["No party yet: `freeform-rpg party new --scenario dead_drop` makes one."],
    )


@party.command(epilog="Example: freeform-rpg party run dead_drop_party --rounds 20 --seed 7 --json")
def run(
    ctx: typer.Context,
    name: Name,
    rounds: Annotated[int, typer.Option(help="How many rounds.", min=1, max=10_000)] = 1,
    dm: Annotated[
        Master, typer.Option(help="Who rules: the engine, or a person (see `party answer`).")
    ] = Master.engine,
    until: Annotated[Until | None, typer.Option(help="Play to the end of the game night.")] = None,
) -> None:
    """Plays rounds. With --seed N the party is played from the start with that seed, beside the old run."""
    from freeform.players.model import Waiting
    from freeform.players.party.evening import play_on

    desk = at(ctx)
    played: list[RoundRecord] = []

    async def work(room: "PartyRoom") -> "tuple[Party, Waiting | None]":
        who = await _which(room, name, desk)
        async for came in play_on(
            lambda party: room.game(party, dm.value),
            who,
            rounds,
            until_session_end=until is not None,
        ):
            if isinstance(came, Waiting):
                return await room.store.get(who.id), came
            played.append(came)
            if not desk.json:
                desk.answer(None, [*round_lines(who, came), ""])
        return await room.store.get(who.id), None

    who, waiting = in_parlour(desk, work)
    document = {
        "party": who.id, "seed": who.seed, "session": who.session,
        "rounds": [record.model_dump(mode="json") for record in played],
        "waiting": waiting.model_dump(mode="json") if waiting else None,
    }  # fmt: skip
    desk.answer(document, _asked(who.id, waiting) if waiting else [])


@party.command(
    epilog='Example: freeform-rpg party answer dead_drop_party "The lights go out. Dutch is gone."'
)
def answer(
    ctx: typer.Context,
    name: Name,
    text: Annotated[
        list[str], typer.Argument(help="What the game master, or the person in the seat, says.")
    ],
) -> None:
    """Answers what a round waits for, as its game master or as the person in a seat; `party run` then goes on."""
    from freeform.players.round.play_round import answer as give

    async def work(room: "PartyRoom") -> "Waiting":
        who = await room.store.get(name)
        async with room.game(who) as game:
            return await give(game, " ".join(text))

    desk = at(ctx)
    given = in_parlour(desk, work)
    desk.answer(
        {"party": name, "answered": given},
        [f"Noted for {given.who}. Go on with `party run {name}`."],
    )


@party.command(epilog="Example: freeform-rpg party end dead_drop_party")
def end(ctx: typer.Context, name: Name) -> None:
    """Ends the game night now: what mattered is told again, and a week goes by for those who remember."""
    from freeform.players.party.evening import close_night

    async def work(room: "PartyRoom") -> "Party":
        who = await room.store.get(name)
        async with room.game(who) as game:
            return await close_night(game)

    desk = at(ctx)
    later = in_parlour(desk, work)
    desk.answer(
        _document(later), [f"Game night {later.session - 1} is over. Next: night {later.session}."]
    )


async def _which(room: "PartyRoom", name: str, desk: Desk) -> "Party":
    """The party; or, with --seed, the same people from the start with that seed, as a party of its own."""
    from freeform.engine.authored.library import load_scenario
    from freeform.players.party.party import new_party

    who = await room.store.get(name)
    if desk.seed is None or (desk.seed == who.seed and not await room.store.count(name)):
        return who
    fresh = await new_party(
        load_scenario(who.scenario, desk.settings.home), [seat.persona for seat in who.seats], desk.seed, who.strength,
        room.table, room.store, room.table.clock, people=[seat.agent for seat in who.seats if seat.person],
        again_of=who.id, session_rounds=who.session_rounds,
    )  # fmt: skip
    desk.note(f"Played from the start with seed {desk.seed}, as {fresh.id}.")
    return fresh


def round_lines(who: "Party", record: "RoundRecord") -> list[str]:
    """A round as one reads it."""
    settled = record.consensus
    lines = [f"Round {record.round}: {record.place}"]
    lines += [f"  ({row['name']}) {row['content']}" for row in record.ooc]
    lines.append(
        f"  [{settled.state.value}] {settled.question} {settled.how if settled.how != 'talk' else ''}".rstrip()
    )
    for agent in record.order:
        name = who.seat(agent).character.name
        check = record.validation.get(agent)
        flag = "  [outcome cut]" if check and check.warning else ""
        lines.append(f"  {name}: {record.actions[agent].said(name)}{flag}")
        if ruling := record.rulings.get(agent):
            lines += [
                f"      {line}"
                for line in (*ruling.rolls, *ruling.text.split("\n"))
                if line.strip()
            ]
        if words := record.reactions.get(agent):
            lines.append(f"  {name}: “{words}”")
    return [*lines, *(f"  note: {note}" for note in record.notes)]


def _asked(name: str, waiting: "Waiting") -> list[str]:
    options = [f"  - {option}" for option in waiting.options]
    who = "The game master" if waiting.who == "dm" else waiting.who
    return [
        f"{who} is asked: {waiting.question}",
        *options,
        f'Answer: freeform-rpg party answer {name} "…"',
    ]


def _document(who: "Party") -> dict[str, Any]:
    seats = [
        {"agent": seat.agent, "persona": seat.persona.name, "character": seat.character.id,
         "character_name": seat.character.name, "person": seat.person}
        for seat in who.seats
    ]  # fmt: skip
    return {
        "party": who.id, "campaign": who.campaign, "scenario": who.scenario, "seed": who.seed,
        "strength": who.strength, "session": who.session, "seats": seats, "again_of": who.again_of,
    }  # fmt: skip


def _line(who: "Party") -> str:
    return f"{who.id}: {len(who.seats)} players at {who.scenario}, seed {who.seed}, memory strength {who.strength:g}"


def _seat_line(seat: dict[str, Any]) -> str:
    return f"  {seat['persona']} ({seat['agent']}) plays {seat['character_name']} ({seat['character']})"


def _draw(room: "PartyRoom") -> int:
    """A seed where none was given, as new campaigns draw theirs."""
    return int.from_bytes(room.table.ids.new("seed").encode()[-4:], "big") % 1_000_000
