"""The verbs of `lore`: research a world on the web, choose at forks, publish it as a pack."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.lore import person

if TYPE_CHECKING:
    from freeform.lore.messages import Decision
    from freeform.lore.model import LoreGraph, ResearchCheckpoint

lore = typer.Typer(
    name="lore",
    help="Research a world on the web, zone by zone, and publish it as a pack.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Game = Annotated[
    str, typer.Option("--game", help="The game or world; else the one last worked on.")
]


_EVERY_EVENT = ("agent_id", "domain", "level", "timestamp")


def add_to(app: typer.Typer) -> None:
    """The group, with its verbs."""
    lore.command(
        epilog='Example: freeform-rpg lore start --zone Ashmoor --game "Emberfall" --once'
    )(start)
    lore.command(epilog="Example: freeform-rpg lore validator --once")(validator)
    lore.command(epilog="Example: freeform-rpg lore status --json")(status)
    lore.command(epilog="Example: freeform-rpg lore inbox")(inbox)
    lore.command(epilog="Example: freeform-rpg lore decide 3f9c Greyford")(decide)
    lore.command(epilog="Example: freeform-rpg lore graph --zone Ashmoor --json")(graph)
    lore.command(epilog="Example: freeform-rpg lore publish --game Emberfall packs/emberfall")(
        publish
    )
    person.add_to(lore)
    app.add_typer(lore)


def start(
    ctx: typer.Context,
    zones: Annotated[list[str], typer.Option("--zone", help="Where to begin; may be given again.")],
    game: Annotated[str, typer.Option(help="The game or world, as pages name it.")],
    once: Annotated[bool, typer.Option("--once", help="One zone, then stop.")] = False,
    max_cycles: Annotated[
        int, typer.Option(help="Stop after so many zones; 0: no end.", min=0)
    ] = 0,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Log every search and page too.")
    ] = False,
    separate: Annotated[
        bool,
        typer.Option(
            "--separate-validator", help="Leave checking to `lore validator` in another process."
        ),
    ] = False,
) -> None:
    """Runs the researcher in the foreground; Ctrl+C stops it, the same command goes on."""
    from freeform.services.lore.agents import StartRequest, start_researcher

    desk = at(ctx)
    request = StartRequest(
        game=game,
        zones=zones,
        max_cycles=1 if once else max_cycles,
        verbose=verbose,
        separate_validator=separate,
    )

    async def work() -> "ResearchCheckpoint":
        return await start_researcher(
            desk.settings, request, _log_line(desk), desk.note, _stopper()
        )

    point = asyncio.run(work())
    desk.answer(point, lambda: _status_lines(point))


def validator(
    ctx: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="Check the packages that wait now, then stop.")
    ] = False,
) -> None:
    """Runs the validator in the foreground: checks packages, writes what it accepts."""
    from freeform.services.lore.agents import start_validator

    desk = at(ctx)

    async def work() -> int:
        return await start_validator(desk.settings, _log_line(desk), _stopper(), once=once)

    checked = asyncio.run(work())
    desk.answer({"checked": checked}, [f"{checked} packages checked."])


def status(ctx: typer.Context, game: Game = "") -> None:
    """Where research stands: the zone at work, the queues, what is done and what failed."""
    from freeform.services.lore.desk import show_status

    desk = at(ctx)
    point = asyncio.run(show_status(desk.settings, game))
    desk.answer(point, lambda: _status_lines(point))


def inbox(
    ctx: typer.Context,
    game: Annotated[str, typer.Option(help="Only of this game.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Answered ones too.")] = False,
) -> None:
    """The decisions that wait for you."""
    from freeform.services.lore.desk import list_decisions

    desk = at(ctx)
    decisions = asyncio.run(list_decisions(desk.settings, game, open_only=not everything))
    lines: list[str] = []
    for decision in decisions:
        lines += _decision_lines(decision)
    desk.answer({"decisions": decisions}, lines or ["Nothing waits for you."])


def decide(
    ctx: typer.Context,
    decision: Annotated[
        str, typer.Argument(help="The decision's id, or the beginning of it.", metavar="DECISION")
    ],
    choice: Annotated[
        str, typer.Argument(help="One of its options, by name or number.", metavar="CHOICE")
    ],
) -> None:
    """Answers a decision. The same answer twice is harmless."""
    from freeform.services.lore.desk import decide

    desk = at(ctx)
    done = asyncio.run(decide(desk.settings, decision, choice, by="cli"))
    desk.answer(done, [f"{done.question} {done.choice}."])


def graph(
    ctx: typer.Context,
    zone: Annotated[str, typer.Option(help="Only this zone and what it touches.")] = "",
    game: Game = "",
) -> None:
    """The accepted world: its things and how they hang together."""
    from freeform.services.lore.desk import show_graph

    desk = at(ctx)
    world = asyncio.run(show_graph(desk.settings, game, zone))
    desk.answer(world, lambda: _graph_lines(world))


def publish(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(help="The folder to write.", metavar="PATH")],
    game: Annotated[str, typer.Option(help="The game or world.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over an earlier pack there.")
    ] = False,
) -> None:
    """Writes the accepted lore as a pack that validates, installs and can be played."""
    from freeform.services.lore.desk import publish_pack

    desk = at(ctx)
    pack = asyncio.run(publish_pack(desk.settings, game, path, replace=replace))
    lines = [
        f"{pack.name} {pack.version}: {pack.entries} entries in {path}.",
        f"Next: freeform-rpg pack validate {path}; freeform-rpg pack install {path}",
    ]
    desk.answer(pack, lines)


def _log_line(desk: Desk) -> Any:
    """Events on standard error: JSON lines for a collector, short ones for a person."""
    for_a_person = sys.stderr.isatty() and not desk.json
    desk.keep_log_off_screen()

    def write(line: str) -> None:
        if not desk.quiet:
            print(_event_line(line) if for_a_person else line, file=sys.stderr, flush=True)

    return write


def _event_line(line: str) -> str:
    """An event in a few words."""
    import json

    event: dict[str, Any] = json.loads(line)
    name = event.pop("event")
    fields = {key: value for key, value in event.items() if key not in _EVERY_EVENT}
    match name:
        case "pipeline_step_started":
            step = fields["step_name"].replace("_", " ")
            return f"  {fields['zone_name']}: step {fields['step_number']} of 10, {step}"
        case "daemon_started":
            return f"Researching {fields['game']}"
        case "pipeline_step_completed" | "user_decision_requested":
            return f"    {name.rpartition('_')[2]}"
    told = ", ".join(f"{key} {value}" for key, value in fields.items())
    return f"  {name.replace('_', ' ')}: {told}"


def _stopper() -> asyncio.Event:
    """Set by Ctrl+C and by a polite kill: the step at work is finished and kept."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    return stop


def _status_lines(point: "ResearchCheckpoint") -> list[str]:
    at_work = "nothing"
    if point.zone_name:
        at_work = f"{point.zone_name}, step {point.current_step} of 10"
    if point.awaiting:
        at_work = f"{at_work} (waits for the validator)"
    queue = [*point.priority_queue, *point.progression_queue]
    lines = [
        f"Game: {point.game}",
        f"At work: {at_work}",
        f"Queue: {', '.join(queue) or 'empty'}",
        f"Waits for a decision: {', '.join(point.held_zones) or 'nothing'}",
        f"Done: {', '.join(point.completed_zones) or 'nothing'}",
    ]
    for failed in point.failed_zones:
        lines.append(f"Failed: {failed.zone_name} ({failed.reason})")
    lines.append(f"Tokens today: {point.daily_tokens_used}")
    if point.sleeping_until:
        lines.append(f"Sleeps until {point.sleeping_until}")
    return lines


def _decision_lines(decision: "Decision") -> list[str]:
    options = [f"  {number}. {option}" for number, option in enumerate(decision.options, start=1)]
    answer = f"  Answered: {decision.choice}" if decision.choice else ""
    return [
        f"{decision.decision_id[:8]}  {decision.question}",
        f"  {decision.context}",
        *options,
        answer,
        "",
    ]


def _graph_lines(world: "LoreGraph") -> list[str]:
    names = {(node.kind, node.id): node.name for node in world.nodes}
    lines = [f"{node.kind}: {node.name} ({node.confidence:.2f})" for node in world.nodes]
    for edge in world.edges:
        source = names.get((edge.source_kind, edge.source_id))
        target = names.get((edge.target_kind, edge.target_id))
        label = f" [{edge.label}]" if edge.label else ""
        lines.append(f"{source} {edge.name}{label} {target}")
    return lines or ["Nothing is accepted yet."]
