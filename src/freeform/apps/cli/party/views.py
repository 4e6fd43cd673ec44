"""Verbs that look at a party: `party channels|memory|trail|stats|compare|export|grid|study`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.party.parties import Name, party, save
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from freeform.services.party.memory import ChangedDecisions


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
    from freeform.services.party.views import heard_by

    desk = at(ctx)
    heard = desk.run(lambda house: heard_by(house, name, viewer, most))
    rows = [message.model_dump(mode="json", exclude={"at"}) for message in heard.messages]
    lines = []
    for message in heard.messages:
        channel = _SHORT[message.channel.value]
        lines.append(f"{message.round:>3} {channel:<4}{message.from_agent}: {message.content}")
    none = [
        "Nothing to hear. Messages run out after `players_channel_hours`; "
        "`party export` keeps everything."
    ]
    document = {"party": name, "as": heard.viewer, "layer": heard.layer, "messages": rows}
    desk.answer(document, lines or none)


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
    from freeform.services.party.memory import ask_player

    desk = at(ctx)
    question = MemoryQuestion(query=query, at=day, session=session, explain=explain, most=most)
    document = desk.run(
        lambda house: ask_player(
            house, name, agent, question, strength=strength, own_words=own_words
        )
    )
    desk.answer(document, lambda: memory_lines(document))


@party.command(epilog="Example: freeform-rpg party trail dead_drop_party r4.bea.2")
def trail(
    ctx: typer.Context,
    name: Name,
    fact: Annotated[
        str, typer.Argument(help="A memory's id; without one, the decisions that one changed.")
    ] = "",
) -> None:
    """Shows a memory from mouth to mouth; or which decisions a wrong memory changed."""
    from freeform.services.party.memory import changed_by_memory, memory_trail

    desk = at(ctx)
    if not fact:
        found = desk.run(lambda house: changed_by_memory(house, name))
        desk.answer(found, _changed_lines(found) or ["No wrong memory has changed a decision."])
        return
    way = desk.run(lambda house: memory_trail(house, name, fact))
    lines = [f"In truth: {way.truth}"]
    for step in way.steps:
        mark = "" if step.right else "  (wrong)"
        heard = f", as {step.heard_from} had told it" if step.heard_from else ""
        lines.append(f"{step.round:>3} {step.kind:<9} {step.who}{heard}: {step.text}{mark}")
    lines += [f"    {one.who} has it today: {one.believed}  {one.why}".rstrip() for one in way.held]
    desk.answer(way, lines)


def _changed_lines(found: "ChangedDecisions") -> list[str]:
    lines = []
    for one in found.decisions:
        done = "the party did it" if one.carried else "it was put forward"
        lines.append(f"{one.round:>3} {one.who}: {one.decided} ({done}); else: {one.rather}")
        lines.append(f"      believed: {one.believed}")
        lines.append(f"      in truth: {one.truth}  [{one.fact_id}]")
    return lines


@party.command(epilog="Example: freeform-rpg party stats dead_drop_party --json")
def stats(ctx: typer.Context, name: Name) -> None:
    """Counts what was said, agreed, refused, tried and told."""
    from freeform.services.party.views import stats_of

    desk = at(ctx)
    document = desk.run(lambda house: stats_of(house, name))
    desk.answer(document, lambda: _stat_lines(document))


@party.command(epilog="Example: freeform-rpg party compare dead_drop_party dead_drop_party_2")
def compare(
    ctx: typer.Context,
    name: Name,
    other: Annotated[str, typer.Argument(help="The other party.", metavar="OTHER")],
) -> None:
    """Lays two runs side by side and says where they part."""
    from freeform.services.party.views import compare_parties

    desk = at(ctx)
    document = desk.run(lambda house: compare_parties(house, name, other))
    parted = document["parted_at"]
    lines = []
    for row in document["rounds"]:
        same = "same" if row["same"] else "other"
        lines.append(f"{row['round']:>3} {same}  {' | '.join(row['decision'])}")
    lines.append(f"They part in round {parted}." if parted else "They are the same.")
    desk.answer(document, lines)


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
    """Writes everything that was said and done, or is believed, one flat row each."""
    from freeform.services.party.views import rows_of

    desk = at(ctx)
    rows = desk.run(lambda house: rows_of(house, name, beliefs=beliefs, day=day))
    _write(rows, path, format)
    document = {"party": name, "path": str(path), "format": format.value, "rows": len(rows)}
    desk.answer(document, [f"{len(rows)} rows: {path}"])


@party.command(
    epilog="Example: freeform-rpg party grid --scenario dead_drop --seeds 1-4 --strengths 0,0.3,1"
)
def grid(
    ctx: typer.Context,
    scenario: Annotated[
        str, typer.Option(help="The scenario to play, or several with commas between.")
    ],
    seeds: Annotated[str, typer.Option(help="Seeds: 1,2,5 or 1-8.")] = "1-4",
    strengths: Annotated[str, typer.Option(help="Memory strengths, with commas.")] = "0.3",
    players: Annotated[
        list[str], typer.Option("--players", help="A table of personas; may be given again.")
    ] = ["4"],  # noqa: B006
    policy: Annotated[
        str,
        typer.Option(
            help="Who plays offline: mind; to measure against, random, wait, silent (no talk), "
            "alone (nobody holds to what was agreed). Or several."
        ),
    ] = "mind",
    law: Annotated[
        str, typer.Option(help="How they forget: human, seed, none (nothing is kept). Or several.")
    ] = "human",
    traits: Annotated[
        list[str],
        typer.Option("--traits", help="Traits for all, 'caution=0.9'; may be given again."),
    ] = [""],  # noqa: B006
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
    """Plays every combination of scenario, policy, personas, strength and seed; one row per run."""
    from freeform.services.party.experiments import GridRequest, run_grid

    desk = at(ctx)
    request = GridRequest(
        scenario=scenario,
        seeds=_seeds(seeds),
        strengths=_numbers(strengths),
        players=players,
        policies=[name.strip() for name in policy.split(",")],
        laws=_laws(law),
        traits=traits,
        rounds=rounds,
        processes=processes,
        workers=workers,
    )
    rows = run_grid(desk.settings, request, lambda done, all: desk.note(f"{done} of {all} runs"))
    if out:
        _write(rows, out, ExportShape.parquet if out.suffix == ".parquet" else ExportShape.jsonl)
    lines = ["  ".join(_COLUMNS)]
    for row in rows:
        lines.append("  ".join(str(row[key]) for key in _COLUMNS))
    desk.answer({"runs": rows}, lines)


@party.command(epilog="Example: freeform-rpg party study examples/minds_study.yaml --out minds")
def study(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="The plan, a YAML file; see docs/players.md.")],
    out: Annotated[Path, typer.Option(help="The folder to write into.")] = Path("study"),
    processes: Annotated[int, typer.Option(help="Runs at once.", min=1, max=64)] = 1,
) -> None:
    """Plays the arms of a study on the same seeds: CSV, a report of what differs, a notebook."""
    from freeform.services.party.study import read_plan, report, run_study

    desk = at(ctx)
    plan = read_plan(file)
    result = run_study(
        desk.settings, plan, out, processes, lambda done, all: desk.note(f"{done} of {all} runs")
    )
    lines = [*report(plan, result).splitlines(), f"Written to {out}"]
    desk.answer({"folder": str(out), **result.model_dump(mode="json")}, lines)


_COLUMNS = (
    "scenario",
    "policy",
    "model",
    "players",
    "seed",
    "strength",
    "rounds",
    "turns",
    "facts_stored",
    "unanimous",
    "majority",
    "timeout",
    "ending",
    "rounds_after_end",
    "threads_resolved",
    "facts",
    "facts_per_turn",
    "say_do",
    "unanimous_rounds",
    "votes",
    "disputes",
    "uptake",
    "repeated",
    "joint",
    "calls",
    "digest",
)  # fmt: skip  (columns, in the order they are shown)
MOST_RUNS = 10_000
_SHORT = {"in_character": "IC", "out_of_character": "OOC", "player_to_character": "P2C"}


def _write(rows: list[dict[str, Any]], path: Path, shape: ExportShape) -> None:
    from freeform.services.party.views import packed_rows

    save(path, packed_rows(rows, shape.value))


def _laws(text: str) -> list[Any]:
    found = [name.strip() for name in text.split(",")]
    if strange := [name for name in found if name not in ("human", "seed", "none")]:
        raise UserError(f"no law '{strange[0]}'; there are human, seed, none")
    return found


def _seeds(text: str) -> list[int]:
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise UserError(f"'{part}' is no seed; write --seeds 1,2,5 or 1-8")
        if int(last or first) < int(first):
            raise UserError(f"'{part}' counts backwards; write --seeds {last}-{first}")
        seeds += range(int(first), int(last or first) + 1)
    return seeds[:MOST_RUNS]


def _numbers(text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError as wrong:
        raise UserError(f"'{text}' are no numbers; write --strengths 0,0.3,1") from wrong
    if min(numbers) < 0 or max(numbers) > 1:
        raise UserError(
            "a strength is a number from 0 (forgets nothing) to 1 (forgets like people)"
        )
    return numbers


def _stat_lines(figures: dict[str, Any]) -> list[str]:
    check = figures["overreach"]
    settled = ", ".join(f"{state} {n}" for state, n in figures["consensus"].items())
    lines = [
        f"{figures['party']}: {figures['rounds']} rounds, {figures['turns']} turns, "
        f"{figures['facts_stored']} facts",
        f"  consensus: {settled or 'none yet'}; "
        f"{figures['talk_rounds']:g} rounds of talk on average",
        f"  overreach: {check['checked']} checked, {check['refused_once']} sent back, "
        f"{check['warned']} cut",
        f"  places: {', '.join(figures['places'])}",
    ]
    for agent, row in figures["agents"].items():
        stances = ", ".join(f"{stance} {n}" for stance, n in row["stances"].items())
        lines.append(
            f"  {agent} as {row['character']}: {row['messages']} messages, {row['turns']} turns, "
            f"carried {row['carried']} ({stances})"
        )
    return lines
