"""The verbs of `lore`: research a world on the web, have it checked, choose at forks, publish it as a pack."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.lore.messages import Decision
    from freeform.lore.model import LoreGraph, ResearchCheckpoint
    from freeform.lore.ports import LoreStore

lore = typer.Typer(
    name="lore",
    help="Research a world on the web, zone by zone, and publish it as a pack.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Game = Annotated[
    str, typer.Option("--game", help="The game or world; else the one last worked on.")
]


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
    """Runs the researcher in the foreground; Ctrl+C stops it, the same command goes on where it stopped."""
    from freeform.lore.daemon.run import run_researcher
    from freeform.wiring.lore import opened_lore

    desk = at(ctx)

    async def work() -> "ResearchCheckpoint":
        async with opened_lore(
            desk.settings, _log_line(desk), least="debug" if verbose else None
        ) as ports:
            return await run_researcher(
                _named(game, "--game"), [_named(zone, "--zone") for zone in zones], ports,
                max_cycles=1 if once else max_cycles, own_validator=not separate and ports.bus is None,
                stop=_stopper(), say=desk.note,
            )  # fmt: skip

    point = asyncio.run(work())
    desk.answer(point, lambda: _status_lines(point))


def validator(
    ctx: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="Check the packages that wait now, then stop.")
    ] = False,
) -> None:
    """Runs the validator in the foreground: checks packages, writes what it accepts."""
    from freeform.lore.daemon.run import run_validator
    from freeform.lore.messages import VALIDATOR
    from freeform.wiring.lore import opened_lore

    desk = at(ctx)

    async def work() -> int:
        async with opened_lore(desk.settings, _log_line(desk), agent=VALIDATOR) as ports:
            return await run_validator(ports, stop=_stopper(), once=once)

    checked = asyncio.run(work())
    desk.answer({"checked": checked}, [f"{checked} packages checked."])


def status(ctx: typer.Context, game: Game = "") -> None:
    """Where research stands: the zone at work, the queues, what is done and what failed."""
    desk = at(ctx)

    async def work(store: "LoreStore") -> "ResearchCheckpoint":
        from freeform.core.errors import NotFound

        chosen = await _game(store, game)
        point = await store.load_checkpoint(chosen)
        if point is None:
            raise NotFound(
                f"no research on '{chosen}'; there is: {', '.join(await store.games()) or 'none'}"
            )
        return point

    point = _with_store(desk, work)
    desk.answer(point, lambda: _status_lines(point))


def inbox(
    ctx: typer.Context,
    game: Annotated[str, typer.Option(help="Only of this game.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Answered ones too.")] = False,
) -> None:
    """The decisions that wait for you."""
    desk = at(ctx)
    found: list[Decision] = _with_store(desk, lambda store: store.decisions(game, not everything))
    none = ["Nothing waits for you."]
    desk.answer(
        {"decisions": found},
        lambda: [line for each in found for line in _decision_lines(each)] or none,
    )


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
    desk = at(ctx)

    async def work(store: "LoreStore") -> "Decision":
        from freeform.core.clock import SystemClock
        from freeform.core.errors import UserError

        fits = [
            each.decision_id
            for each in await store.decisions()
            if each.decision_id.startswith(decision)
        ]
        if len(fits) > 1 and decision not in fits:
            raise UserError(f"'{decision}' fits {len(fits)} decisions; give more of the id")
        wanted = decision if decision in fits or not fits else fits[0]
        return await store.answer(
            wanted, choice, by="cli", at=SystemClock().now().isoformat(timespec="seconds")
        )

    done = _with_store(desk, work)
    desk.answer(done, [f"{done.question} {done.choice}."])


def graph(
    ctx: typer.Context,
    zone: Annotated[str, typer.Option(help="Only this zone and what it touches.")] = "",
    game: Game = "",
) -> None:
    """The accepted world: its things and how they hang together."""
    desk = at(ctx)

    async def work(store: "LoreStore") -> "LoreGraph":
        from freeform.lore.publish.graph_view import shown_graph

        return await shown_graph(store, await _game(store, game), zone)

    found = _with_store(desk, work)
    desk.answer(found, lambda: _graph_lines(found))


def publish(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(help="The folder to write.", metavar="PATH")],
    game: Annotated[str, typer.Option(help="The game or world.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over an earlier pack there.")
    ] = False,
) -> None:
    """Writes the accepted lore as a pack that validates, installs and can be played."""
    from freeform.lore.publish.publish import publish as write

    desk = at(ctx)
    pack = _with_store(desk, lambda store: write(store, game, path, replace=replace))
    document = {
        "id": pack.id, "version": pack.manifest.version, "path": str(path), "entries": len(pack.entries),
        "errors": pack.errors, "warnings": pack.warnings,
    }  # fmt: skip
    lines = [
        f"{pack.manifest.name} {pack.manifest.version}: {len(pack.entries)} entries in {path}.",
        f"Next: freeform-rpg pack validate {path}; freeform-rpg pack install {path}",
    ]
    desk.answer(document, lines)


def _with_store(desk: Desk, work: Any) -> Any:
    from freeform.wiring.lore import opened_store

    async def at_the_store() -> Any:
        async with opened_store(desk.settings) as store:
            return await work(store)

    return asyncio.run(at_the_store())


async def _game(store: "LoreStore", game: str) -> str:
    from freeform.core.errors import NotFound

    games = await store.games()
    if not game and not games:
        raise NotFound(
            "nothing is researched yet; begin with: freeform-rpg lore start --zone ZONE --game GAME --once"
        )
    return game or games[0]


def _named(text: str, flag: str) -> str:
    from freeform.core.errors import UserError
    from freeform.core.text import slug, visible

    name = visible(text)
    if not slug(name) or len(name) > 200:
        raise UserError(f"{flag} needs a name of 1 to 200 characters with a letter or digit in it")
    return name


def _log_line(desk: Desk) -> Any:
    """Events on standard error: JSON lines for a file or a collector, short ones for a person at a terminal."""
    for_a_person = sys.stderr.isatty() and not desk.json
    desk.keep_log_off_screen()

    def write(line: str) -> None:
        if not desk.quiet:
            print(_told(line) if for_a_person else line, file=sys.stderr, flush=True)

    return write


def _told(line: str) -> str:
    """An event in a few words."""
    import json

    event: dict[str, Any] = json.loads(line)
    name, base = event.pop("event"), ("agent_id", "domain", "level", "timestamp")
    fields = {key: value for key, value in event.items() if key not in base}
    if name == "pipeline_step_started":
        return f"  {fields['zone_name']}: step {fields['step_number']} of 10, {fields['step_name'].replace('_', ' ')}"
    if name in ("pipeline_step_completed", "daemon_started", "user_decision_requested"):
        return (
            f"    {name.rpartition('_')[2]}"
            if name != "daemon_started"
            else f"Researching {fields['game']}"
        )
    return f"  {name.replace('_', ' ')}: " + ", ".join(
        f"{key} {value}" for key, value in fields.items()
    )


def _stopper() -> asyncio.Event:
    """Set by Ctrl+C and by a polite kill: the step at work is finished and kept."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    return stop


def _status_lines(point: "ResearchCheckpoint") -> list[str]:
    at_work = (
        f"{point.zone_name}, step {point.current_step} of 10" if point.zone_name else "nothing"
    )
    queue = [*point.priority_queue, *point.progression_queue]
    lines = [
        f"Game: {point.game}",
        f"At work: {at_work}" + (" (waits for the validator)" if point.awaiting else ""),
        f"Queue: {', '.join(queue) or 'empty'}",
        f"Waits for a decision: {', '.join(point.held_zones) or 'nothing'}",
        f"Done: {', '.join(point.completed_zones) or 'nothing'}",
        *(f"Failed: {failed.zone_name} ({failed.reason})" for failed in point.failed_zones),
        f"Tokens today: {point.daily_tokens_used}",
    ]
    return lines + ([f"Sleeps until {point.sleeping_until}"] if point.sleeping_until else [])


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


def _graph_lines(found: "LoreGraph") -> list[str]:
    names = {(node.kind, node.id): node.name for node in found.nodes}
    lines = [f"{node.kind}: {node.name} ({node.confidence:.2f})" for node in found.nodes]
    for edge in found.edges:
        one, other = (
            names.get((edge.source_kind, edge.source_id)),
            names.get((edge.target_kind, edge.target_id)),
        )
        label = f" [{edge.label}]" if edge.label else ""
        lines.append(f"{one} {edge.name}{label} {other}")
    return lines or ["Nothing is accepted yet."]
