"""Verbs that look at a party: `party channels|memory|stats|compare|export|grid`."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.party.parties import Name, in_parlour, party

if TYPE_CHECKING:
    from freeform.players.memory.ask_memory import Tell
    from freeform.players.model import Message, Party, Seat
    from freeform.wiring.players import PartyRoom


class ExportShape(StrEnum):
    """How rows are written."""

    jsonl = "jsonl"
    parquet = "parquet"


def add_to(app: typer.Typer) -> None:
    """The verbs belong to the group `party`, which another file adds."""


@party.command(epilog="Example: freeform-rpg party channels dead_drop_party --as wren_calder")
def channels(
    ctx: typer.Context,
    name: Name,
    viewer: Annotated[str, typer.Option("--as", help="Whose ears: a player, a character, or dm.")],
    most: Annotated[int, typer.Option(help="At most so many messages.", min=1, max=1000)] = 50,
) -> None:
    """Shows the messages that someone may hear, and no others."""
    from freeform.players.party.party import listener_of

    async def work(room: "PartyRoom") -> "tuple[str, str, list[Message]]":
        who = await room.store.get(name)
        listener = listener_of(who, viewer)
        return listener.id, listener.layer.value, await room.router(name).heard(listener, most)

    desk = at(ctx)
    id, layer, heard = in_parlour(desk, work)
    rows = [message.model_dump(mode="json", exclude={"at"}) for message in heard]
    lines = [f"{m.round:>3} {_SHORT[m.channel.value]:<4}{m.from_agent}: {m.content}" for m in heard]
    none = [
        "Nothing to hear. Messages run out after `players_channel_hours`; `party export` keeps everything."
    ]
    desk.answer({"party": name, "as": id, "layer": layer, "messages": rows}, lines or none)


@party.command(epilog="Example: freeform-rpg party memory dead_drop_party cato --at 90 --explain")
def memory(
    ctx: typer.Context,
    name: Name,
    agent: Annotated[str, typer.Argument(help="A player, or its character.", metavar="AGENT")],
    query: Annotated[str, typer.Option(help="Only what bears on this.")] = "",
    day: Annotated[
        float | None, typer.Option("--at", help="As of that day; it may lie ahead.", min=0)
    ] = None,
    session: Annotated[int | None, typer.Option(help="Only of that game night.", min=1)] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="With the truth, and why it is believed so.")
    ] = False,
    strength: Annotated[
        float | None,
        typer.Option(help="As if they forgot so much; else as the party was made.", min=0, max=1),
    ] = None,
    most: Annotated[int, typer.Option(help="At most so many.", min=1, max=1000)] = 20,
    own_words: Annotated[
        bool, typer.Option("--own-words", help="Also as the player would say it.")
    ] = False,
) -> None:
    """Shows what a player remembers: right, wrong, and how sure."""
    from freeform.players.memory.ask_memory import MemoryQuestion, memory_lines
    from freeform.players.party.party import seat_of
    from freeform.players.round.minds import mind_of

    async def work(room: "PartyRoom") -> dict[str, Any]:
        who = await room.store.get(name)
        seat = seat_of(who, agent)
        mind = mind_of(who, seat)
        if strength is not None:
            mind = mind.model_copy(update={"strength": strength})
        asked = MemoryQuestion(query=query, at=day, session=session, explain=explain, most=most)
        last = await room.store.rounds(name, await room.store.count(name))
        today = last[-1].day if last else 1.0
        return await room.minds(name).ask(
            who, seat, asked, mind, today, _in_own_words(room, who, seat, own_words)
        )

    desk = at(ctx)
    document = in_parlour(desk, work)
    desk.answer({"party": name, **document}, lambda: memory_lines(document))


def _in_own_words(room: "PartyRoom", who: "Party", seat: "Seat", wanted: bool) -> "Tell | None":
    from freeform.players.round.stated_facts import in_own_words

    return (lambda beliefs: in_own_words(who, seat, beliefs, room.crew)) if wanted else None


@party.command(epilog="Example: freeform-rpg party stats dead_drop_party --json")
def stats(ctx: typer.Context, name: Name) -> None:
    """Counts what was said, agreed, refused, tried and told."""
    from freeform.players.party.views import figures

    async def work(room: "PartyRoom") -> dict[str, Any]:
        who = await room.store.get(name)
        document = figures(who, await room.store.rounds(name))
        store = room.minds(name).store
        recall = {
            seat.agent: (await store.figures(seat.agent)).model_dump(mode="json")
            for seat in who.seats
        }
        return {**document, "recall": recall}

    desk = at(ctx)
    found = in_parlour(desk, work)
    desk.answer(found, lambda: _stat_lines(found))


@party.command(epilog="Example: freeform-rpg party compare dead_drop_party dead_drop_party_2")
def compare(
    ctx: typer.Context,
    name: Name,
    other: Annotated[str, typer.Argument(help="The other party.", metavar="OTHER")],
) -> None:
    """Lays two runs side by side and says where they part."""
    from freeform.players.party.views import compare as side_by_side

    async def work(room: "PartyRoom") -> dict[str, Any]:
        return side_by_side(await room.store.rounds(name), await room.store.rounds(other))

    desk = at(ctx)
    found = in_parlour(desk, work)
    parted = found["parted_at"]
    lines = [
        f"{r['round']:>3} {'same' if r['same'] else 'other'}  {' | '.join(r['decision'])}"
        for r in found["rounds"]
    ]
    lines.append(f"They part in round {parted}." if parted else "They are the same.")
    desk.answer({"left": name, "right": other, **found}, lines)


@party.command(epilog="Example: freeform-rpg party export dead_drop_party run.jsonl --format jsonl")
def export(
    ctx: typer.Context,
    name: Name,
    path: Annotated[Path, typer.Argument(help="The file to write.")],
    format: Annotated[
        ExportShape, typer.Option(help="One JSON row per line, or Parquet.")
    ] = ExportShape.jsonl,
    beliefs: Annotated[
        bool,
        typer.Option(
            "--beliefs", help="Instead: every detail of what everyone believes, with the truth."
        ),
    ] = False,
    day: Annotated[
        float | None, typer.Option("--at", help="With --beliefs: on that day; else today.", min=0)
    ] = None,
) -> None:
    """Writes everything that was said and done, or is believed, one flat row each, for a notebook."""
    from freeform.players.party.views import tidy

    async def work(room: "PartyRoom") -> list[dict[str, Any]]:
        who, rounds = await room.store.get(name), await room.store.rounds(name)
        if beliefs:
            return await room.minds(name).rows(who, rounds[-1].day if rounds else 1.0, day)
        return tidy(who, rounds)

    desk = at(ctx)
    rows = in_parlour(desk, work)
    _write(rows, path, format)
    desk.answer(
        {"party": name, "path": str(path), "format": format.value, "rows": len(rows)},
        [f"{len(rows)} rows: {path}"],
    )


@party.command(
    epilog="Example: freeform-rpg party grid --scenario dead_drop --seeds 1-4 --strengths 0,0.3,1 --rounds 10"
)
def grid(
    ctx: typer.Context,
    scenario: Annotated[str, typer.Option(help="The scenario to play.")],
    seeds: Annotated[str, typer.Option(help="Seeds: 1,2,5 or 1-8.")] = "1-4",
    strengths: Annotated[str, typer.Option(help="Memory strengths, with commas.")] = "0.3",
    players: Annotated[
        list[str], typer.Option("--players", help="A table of personas; may be given again.")
    ] = ["4"],  # noqa: B006
    rounds: Annotated[int, typer.Option(help="Rounds of each run.", min=1, max=2000)] = 10,
    processes: Annotated[int, typer.Option(help="Runs at once.", min=1, max=64)] = 1,
    workers: Annotated[
        bool,
        typer.Option(
            "--workers", help="Share the runs among `worker`s over Redis (`players_redis`) instead."
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the rows there (.jsonl or .parquet).")
    ] = None,
) -> None:
    """Plays every combination of seed, strength and personas, headless, and gives one tidy row per run."""
    from freeform.apps.cli.party.grid import play_one_run
    from freeform.evals.processes import in_processes

    desk = at(ctx)
    jobs = [
        (scenario, who, seed, strength, rounds, str(desk.settings.home))
        for who in players
        for strength in _numbers(strengths)
        for seed in _seeds(seeds)
    ]
    if workers:
        from freeform.wiring.players import redis_url, run_at_workers

        note = lambda done: desk.note(f"{done} of {len(jobs)} runs")  # noqa: E731
        rows = run_at_workers(redis_url(desk.settings), jobs, 60 + 5 * rounds, note)
    else:
        rows = in_processes(play_one_run, jobs, processes)
    if out:
        _write(rows, out, ExportShape.parquet if out.suffix == ".parquet" else ExportShape.jsonl)
    keys = (
        "players",
        "seed",
        "strength",
        "rounds",
        "turns",
        "facts_stored",
        "unanimous",
        "majority",
        "timeout",
        "digest",
    )
    desk.answer(
        {"runs": rows},
        ["  ".join(keys), *("  ".join(str(row[key]) for key in keys) for row in rows)],
    )


_SHORT = {"in_character": "IC", "out_of_character": "OOC", "player_to_character": "P2C"}


def _write(rows: list[dict[str, Any]], path: Path, shape: ExportShape) -> None:
    from freeform.core.errors import UserError

    try:
        if shape is ExportShape.jsonl:
            path.write_text(
                "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
                encoding="utf-8",
            )
            return
        from freeform.wiring.players import write_rows

        write_rows(rows, path)
    except OSError as wrong:
        raise UserError(
            f"{path} cannot be written ({wrong.strerror}); choose another file"
        ) from wrong


def _seeds(text: str) -> list[int]:
    from freeform.core.errors import UserError

    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise UserError(f"'{part}' is no seed; write --seeds 1,2,5 or 1-8")
        if int(last or first) < int(first):
            raise UserError(f"'{part}' counts backwards; write --seeds {last}-{first}")
        found += range(int(first), int(last or first) + 1)
    return found[:10_000]


def _numbers(text: str) -> list[float]:
    from freeform.core.errors import UserError

    try:
        found = [float(part) for part in text.split(",")]
    except ValueError as wrong:
        raise UserError(f"'{text}' are no numbers; write --strengths 0,0.3,1") from wrong
    if any(not 0 <= one <= 1 for one in found):
        raise UserError(
            "a strength is a number from 0 (forgets nothing) to 1 (forgets like people)"
        )
    return found


def _stat_lines(found: dict[str, Any]) -> list[str]:
    check = found["overreach"]
    settled = ", ".join(f"{state} {n}" for state, n in found["consensus"].items())
    lines = [
        f"{found['party']}: {found['rounds']} rounds, {found['turns']} turns, {found['facts_stored']} facts",
        f"  consensus: {settled or 'none yet'}; {found['talk_rounds']:g} rounds of talk on average",
        f"  overreach: {check['checked']} checked, {check['refused_once']} sent back, {check['warned']} cut",
        f"  places: {', '.join(found['places'])}",
    ]
    for agent, row in found["agents"].items():
        stances = ", ".join(f"{stance} {n}" for stance, n in row["stances"].items())
        lines.append(
            f"  {agent} as {row['character']}: {row['messages']} messages, {row['turns']} turns, "
            f"carried {row['carried']} ({stances})"
        )
    return lines
