"""Verbs that measure: `replay`, `bisect`, `metrics`, `eval`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.evals.bisect import Broken
    from freeform.evals.replay import Overrides, ReplayReport, TurnOutcome
    from freeform.evals.report import SuiteReport
    from freeform.services.house import House

STRETCH = 150
"""From this many turns on, a replay is worth a second process."""
Turns = Annotated[str | None, typer.Option(help="Only these turns: 7, 3-9 or 3-.", metavar="A-B")]


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(
        epilog="Example: freeform-rpg replay a --prompt engine/narrator=0 --report replay.html"
    )(replay)
    app.command(epilog='Example: freeform-rpg bisect a "clock heat <= 5"')(bisect)
    app.command(epilog="Example: freeform-rpg metrics a --json")(metrics)
    app.command("eval", epilog="Example: freeform-rpg eval textworld --data DIR --json")(eval_)


def replay(
    ctx: typer.Context,
    campaign: Campaign,
    turns: Turns = None,
    prompt: Annotated[
        list[str] | None,
        typer.Option(help="Another version of a prompt; may be repeated.", metavar="ID=VERSION"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Also write a page with the differences.")
    ] = None,
    processes: Annotated[
        int, typer.Option(help="How many processes share the turns.", min=1, max=16)
    ] = 2,
) -> None:
    """Plays recorded turns again from their tapes and says what differs; with --prompt, --seed or --model, what would."""
    from freeform.evals.replay import Overrides, notes, report_of

    desk = at(ctx)
    changed = Overrides(prompts=_versions(prompt or []), model=desk.model or "", seed=desk.seed)
    for id, version in changed.prompts.items():
        _known_prompt(id, version)

    async def look(house: "House") -> tuple[int, list[str]]:
        table = house.table
        return (await table.store.head(campaign)).turn_no, await notes(campaign, table)

    last_played, told = desk.run(look)
    first, last = _range(turns, last_played)
    found = _replayed(desk, campaign, changed, first, last, processes)
    result = report_of(campaign, changed, found, told)
    if report:
        _write(report, result)
        desk.note(f"Wrote {report}.")
    desk.answer(result, lambda: replay_lines(result))


def _replayed(
    desk: Desk, campaign: str, changed: "Overrides", first: int, last: int, processes: int
) -> "list[TurnOutcome]":
    from freeform.apps.cli.measure.work import ReplayJob, replay_stretch
    from freeform.evals.processes import in_processes

    # A person's own model answers one call after another; only tapes are shared out.
    parts = 1 if changed.model or last - first < STRETCH else processes
    size = max(1, -(-(last - first + 1) // parts))
    jobs = [
        ReplayJob(
            settings=desk.settings,
            campaign=campaign,
            overrides=changed,
            first=start,
            last=min(last, start + size - 1),
        )
        for start in range(first, max(last, first) + 1, size)
    ]
    return [outcome for part in in_processes(replay_stretch, jobs, parts) for outcome in part]


def replay_lines(report: "ReplayReport") -> list[str]:
    """A replay as a table: one line a turn that differs, then the metrics."""
    changed = report.changed
    lines = [
        f"{len(report.turns)} turns replayed, {len(report.turns) - len(changed)} the same, {len(changed)} not."
    ]
    for turn in report.turns:
        if not turn.same:
            parts = ", ".join(dict.fromkeys(diff.part for diff in turn.diffs))
            asked = f"  (asked anew: {', '.join(turn.asked)})" if turn.asked else ""
            lines.append(f"turn {turn.turn_no:>4}  {parts}{asked}")
    lines += ["", f"{'metric':<28}{'recorded':>14}{'replayed':>14}"]
    lines += [
        f"{name:<28}{_figure(report.recorded_metrics[name]):>14}{_figure(value):>14}"
        for name, value in report.metrics.items()
        if name != "length_stats"
    ]
    return [*lines, _lengths(report.metrics), *report.notes]


def bisect(
    ctx: typer.Context,
    campaign: Campaign,
    check: Annotated[
        list[str],
        typer.Argument(help='What should be so: "clock heat <= 5", "npc viktor present".'),
    ],
    good: Annotated[
        int | None, typer.Option(help="A turn after which it held; else the first one.")
    ] = None,
    bad: Annotated[
        int | None, typer.Option(help="A turn after which it does not; else the last one.")
    ] = None,
) -> None:
    """Finds the turn, and the pass in it, where something that should be so was broken."""
    from freeform.evals.bisect import bisect as find
    from freeform.evals.checks import read_check

    wanted = read_check(" ".join(check))

    async def work(house: "House") -> "Broken":
        table = house.table
        return await find(campaign, wanted, table, good, bad)

    desk = at(ctx)
    found = desk.run(work)
    desk.answer(found, lambda: bisect_lines(found))


def bisect_lines(found: "Broken") -> list[str]:
    """Where it broke, as a person reads it."""
    if not found.broken:
        return [f"'{found.check}' holds after turn {found.good_turn}.", *found.notes]
    lines = [
        f"'{found.check}' broke in turn {found.turn_no}, by the {found.by}; it held after turn {found.good_turn}.",
        *([f"> {found.player_input}"] if found.player_input else []),
        *(f"  {event.type}: {event.details}" for event in found.engine_events),
        *([found.said] if found.said else []),
    ]
    return [*lines, *found.notes, f"{found.looks} states were looked at."]


def metrics(ctx: typer.Context, campaign: Campaign, turns: Turns = None) -> None:
    """Measures a campaign: contradictions, refusals, questions, length, lore, leaks, repetition."""
    from freeform.evals.metrics import findings, sum_up

    async def work(house: "House") -> tuple[dict[str, Any], list[Any]]:
        table = house.table
        begun = await table.store.begun(campaign)
        first, last = _range(turns, (await table.store.head(campaign)).turn_no)
        entries = [logged.entry for logged in await table.store.read(campaign, 0, last)]
        found = findings(begun, entries, first, last)
        return sum_up(found), found

    desk = at(ctx)
    figures, found = desk.run(work)
    document = {
        "campaign": campaign,
        "metrics": figures,
        "turns": [row.model_dump(mode="json") for row in found],
    }
    lines = [
        f"{name:<28}{_figure(value):>14}"
        for name, value in figures.items()
        if name != "length_stats"
    ]
    desk.answer(document, [*lines, _lengths(figures)])


def eval_(
    ctx: typer.Context,
    suite: Annotated[str, typer.Argument(help="A suite's name, or `list`.")],
    data: Annotated[
        Path | None, typer.Option(help="Where the data lies (also FREEFORM_DATA).")
    ] = None,
    campaigns: Annotated[
        int | None, typer.Option(help="promises, nightly: how many.", min=1)
    ] = None,
    turns: Annotated[
        int | None, typer.Option(help="promises, nightly: turns of each.", min=1)
    ] = None,
    processes: Annotated[
        int, typer.Option(help="How many processes share the work.", min=1, max=16)
    ] = 2,
) -> None:
    """Runs a suite and gives its figures; `eval list` lists the suites."""
    from freeform.apps.cli.measure.suites import run_suite
    from freeform.evals.suites.registry import SUITES

    desk = at(ctx)
    if suite == "list":
        rows = [row.model_dump(mode="json") for row in SUITES.values()]
        desk.answer({"suites": rows}, [f"{row['name']:<20}{row['measures']}" for row in rows])
        return
    result = run_suite(suite, desk, data, campaigns, turns, processes)
    desk.answer(result, lambda: suite_lines(result))


def suite_lines(report: "SuiteReport") -> list[str]:
    """A suite's figures, one a line."""
    return [f"{report.suite}: {report.n} cases", *_tree(report.metrics), *report.notes]


def _tree(figures: dict[str, Any], indent: str = "") -> list[str]:
    lines = []
    for name, value in figures.items():
        if isinstance(value, dict):
            lines += [f"{indent}{name}", *_tree(value, f"{indent}  ")]
        else:
            lines.append(f"{indent}{name:<{30 - len(indent)}}{_figure(value):>12}")
    return lines


def _versions(given: list[str]) -> dict[str, int]:
    from freeform.core.errors import UserError

    found = {}
    for text in given:
        parts = re.fullmatch(r"([\w/-]+)=v?(\d+)", text)
        if parts is None:
            raise UserError(
                f"'{text}' is no prompt and version; write e.g. --prompt engine/narrator=0"
            )
        found[parts[1]] = int(parts[2])
    return found


def _known_prompt(id: str, version: int) -> None:
    from freeform.core.llm.prompts import bundled

    bundled().get(id, version)


def _range(text: str | None, last: int) -> tuple[int, int]:
    from freeform.core.errors import UserError

    if text is None:
        return 1, last
    parts = re.fullmatch(r"(\d+)(-(\d*))?", text.strip())
    if parts is None:
        raise UserError(f"'{text}' is no range of turns; write e.g. --turns 3-9")
    first = int(parts[1])
    return first, first if parts[2] is None else int(parts[3]) if parts[3] else last


def _write(path: Path, report: "ReplayReport") -> None:
    from freeform.core.errors import UserError
    from freeform.evals.replay_page import replay_page

    try:
        path.write_text(replay_page(report), encoding="utf-8")
    except OSError as wrong:
        raise UserError(
            f"{path} cannot be written ({wrong.strerror}); choose another file for --report"
        ) from None


def _figure(value: Any) -> str:
    return "-" if value is None else str(value)


def _lengths(figures: dict[str, Any]) -> str:
    lengths = figures["length_stats"]
    return (
        f"words of prose a turn: {lengths['min']} to {lengths['max']}, {lengths['avg']} on average"
    )
