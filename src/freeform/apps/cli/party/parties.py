"""Verbs of AI players: `party new|persona|list|run|answer|end`: who plays, and playing."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from freeform.players.model import BasePersona, Party, RoundRecord, Waiting
    from freeform.services.house import House
    from freeform.services.party.parties import PartyRun, PartyView, SeatRow

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
    """Adds the group; `views` adds the rest of it."""
    app.add_typer(party, name="party")


@party.command(epilog="Example: freeform-rpg party new --scenario dead_drop --players 4 --seed 7")
def new(
    ctx: typer.Context,
    scenario: Annotated[str, typer.Option(help="The scenario to play; `scenarios` lists them.")],
    players: Annotated[
        str,
        typer.Option(
            help="How many bundled personas, or names and files with commas between: personas, "
            "character cards, sheets, a page of a few sentences."
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
    from freeform.services.party.parties import PartyRequest, new_party

    desk = at(ctx)
    request = PartyRequest(
        scenario=scenario,
        players=players,
        seed=desk.settings.seed,
        strength=strength,
        people=person,
        name=name,
        session_rounds=session_rounds,
    )
    made = desk.run(lambda house: new_party(house, request))
    desk.answer(made, [_line(made), *(_seat_line(seat) for seat in made.seats)])


@party.command(
    epilog='Example: freeform-rpg party persona mara --words "Mara smuggled. She counts the exits."'
)
def persona(
    ctx: typer.Context,
    who: Annotated[
        str, typer.Argument(help="A card, a sheet or a page; with --words, a name.", metavar="WHO")
    ],
    words: Annotated[str, typer.Option(help="A few sentences about them.")] = "",
    out: Annotated[Path | None, typer.Option(help="Write the persona there (.yaml).")] = None,
) -> None:
    """Makes a persona of a character card, a sheet, or a few sentences."""
    from freeform.services.party.seating import make_persona, persona_file

    desk = at(ctx)

    async def work(house: "House") -> "BasePersona":
        return make_persona(house, who, words)

    made = desk.run(work)
    written = persona_file(made)
    if out:
        save(out, written.encode())
    lines = [f"Written to {out}. `party new --players alex,{out}` seats them."] if out else []
    desk.answer(made, lines or written.splitlines())


@party.command("list", epilog="Example: freeform-rpg party list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the parties and how far they have come."""
    from freeform.services.party.parties import list_parties

    desk = at(ctx)
    rows = desk.run(list_parties)
    lines = []
    for row in rows:
        lines.append(f"{row.party}  {row.scenario}, seed {row.seed}, {row.rounds} rounds")
    none = ["No party yet: `freeform-rpg party new --scenario dead_drop` makes one."]
    desk.answer({"parties": rows}, lines or none)


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
    """Plays rounds. With --seed N the party is played from the start, beside the old run."""
    from freeform.players.model import RoundRecord
    from freeform.services.party.parties import RunRequest, again_with_seed, play_party

    desk = at(ctx)
    request = RunRequest(rounds=rounds, dm=dm.value, until_session_end=until is not None)

    async def work(house: "House") -> "PartyRun":
        who = await again_with_seed(house, name, desk.seed)
        if who.id != name:
            desk.note(f"Played from the start with seed {desk.seed}, as {who.id}.")

        def hear(came: "RoundRecord | Waiting") -> None:
            if isinstance(came, RoundRecord) and not desk.json:
                desk.answer(None, [*round_lines(who, came), ""])

        return await play_party(house, who.id, request, hear)

    done = desk.run(work)
    lines = _asked(done.party, done.waiting) if done.waiting else []
    if not done.rounds and not done.waiting:
        again = f"`party run {done.party} --seed N` plays it again from the start."
        lines = [f"The story is over, and no round was played. {again}"]
    desk.answer(done, lines)


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
    """Answers what a round waits for, as its game master or the person in a seat."""
    from freeform.services.party.parties import answer_party

    desk = at(ctx)
    given = desk.run(lambda house: answer_party(house, name, " ".join(text)))
    document = {"party": name, "answered": given}
    desk.answer(document, [f"Noted for {given.who}. Go on with `party run {name}`."])


@party.command(epilog="Example: freeform-rpg party end dead_drop_party")
def end(ctx: typer.Context, name: Name) -> None:
    """Ends the game night: what mattered is told again, and a week goes by."""
    from freeform.services.party.parties import end_night

    desk = at(ctx)
    later = desk.run(lambda house: end_night(house, name))
    line = f"Game night {later.session - 1} is over. Next: night {later.session}."
    desk.answer(later, [line])


def save(path: Path, content: bytes) -> None:
    """Writes a file that somebody asked for. UserError says why it could not be."""
    try:
        path.write_bytes(content)
    except OSError as wrong:
        raise UserError(
            f"{path} cannot be written ({wrong.strerror}); choose another file"
        ) from wrong


def round_lines(who: "Party", record: "RoundRecord") -> list[str]:
    """A round as one reads it."""
    settled = record.consensus
    how = settled.how if settled.how != "talk" else ""
    lines = [f"Round {record.round}: {record.place}"]
    lines += [f"  ({row['name']}) {row['content']}" for row in record.ooc]
    lines.append(f"  [{settled.state.value}] {settled.question} {how}".rstrip())
    for agent in record.order:
        lines += _act_lines(who.seat(agent).character.name, agent, record)
    return [*lines, *(f"  note: {note}" for note in record.notes)]


def _act_lines(name: str, agent: str, record: "RoundRecord") -> list[str]:
    check = record.validation.get(agent)
    flag = "  [outcome cut]" if check and check.warning else ""
    lines = [f"  {name}: {record.actions[agent].said(name)}{flag}"]
    if agent in record.rulings:
        ruling = record.rulings[agent]
        told = [*ruling.rolls, *ruling.text.split("\n")]
        lines += [f"      {line}" for line in told if line.strip()]
    words = record.reactions.get(agent)
    if words:
        lines.append(f"  {name}: “{words}”")
    return lines


def _asked(name: str, waiting: "Waiting") -> list[str]:
    options = [f"  - {option}" for option in waiting.options]
    who = "The game master" if waiting.who == "dm" else waiting.who
    return [
        f"{who} is asked: {waiting.question}",
        *options,
        f'Answer: freeform-rpg party answer {name} "…"',
    ]


def _line(who: "PartyView") -> str:
    return (
        f"{who.party}: {len(who.seats)} players at {who.scenario}, seed {who.seed}, "
        f"memory strength {who.strength:g}"
    )


def _seat_line(seat: "SeatRow") -> str:
    return f"  {seat.persona} ({seat.agent}) plays {seat.character_name} ({seat.character})"
