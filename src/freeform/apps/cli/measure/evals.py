"""Verbs that measure: `replay`, `bisect`, `metrics`, `eval`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from freeform.evals.bisect import Broken
    from freeform.evals.replay import ReplayReport
    from freeform.evals.report import SuiteReport
    from freeform.services.measure.measures import TurnRange

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
    """Plays recorded turns again from their tapes and says what differs.

    With --prompt, --seed or --model: what would differ.
    """
    from freeform.evals.replay import Overrides
    from freeform.services.measure.measures import ReplayRequest, replay_campaign

    desk = at(ctx)
    changed = Overrides(prompts=_versions(prompt or []), model=desk.model or "", seed=desk.seed)
    request = ReplayRequest(
        campaign=campaign, turns=_range(turns), changed=changed, processes=processes
    )
    result = replay_campaign(desk.settings, request)
    if report:
        _write(report, result)
        desk.note(f"Wrote {report}.")
    desk.answer(result, lambda: replay_lines(result))


def replay_lines(report: "ReplayReport") -> list[str]:
    """A replay as a table: one line a turn that differs, then the metrics."""
    all, changed = len(report.turns), len(report.changed)
    lines = [f"{all} turns replayed, {all - changed} the same, {changed} not."]
    for turn in report.turns:
        if not turn.same:
            parts = ", ".join(dict.fromkeys(diff.part for diff in turn.diffs))
            asked = f"  (asked anew: {', '.join(turn.asked)})" if turn.asked else ""
            lines.append(f"turn {turn.turn_no:>4}  {parts}{asked}")
    lines += ["", f"{'metric':<28}{'recorded':>14}{'replayed':>14}"]
    for name, value in report.metrics.items():
        if name != "length_stats":
            recorded = _figure(report.recorded_metrics[name])
            lines.append(f"{name:<28}{recorded:>14}{_figure(value):>14}")
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
    from freeform.services.measure.measures import bisect_campaign

    desk = at(ctx)
    wanted = " ".join(check)
    broken = desk.run(lambda house: bisect_campaign(house, campaign, wanted, good, bad))
    desk.answer(broken, lambda: bisect_lines(broken))


def bisect_lines(broken: "Broken") -> list[str]:
    """Where it broke, as a person reads it."""
    if not broken.broken:
        return [f"'{broken.check}' holds after turn {broken.good_turn}.", *broken.notes]
    lines = [
        f"'{broken.check}' broke in turn {broken.turn_no}, by the {broken.by}; "
        f"it held after turn {broken.good_turn}."
    ]
    if broken.player_input:
        lines.append(f"> {broken.player_input}")
    lines += [f"  {event.type}: {event.details}" for event in broken.engine_events]
    if broken.said:
        lines.append(broken.said)
    return [*lines, *broken.notes, f"{broken.looks} states were looked at."]


def metrics(ctx: typer.Context, campaign: Campaign, turns: Turns = None) -> None:
    """Measures a campaign: contradictions, refusals, questions, length, lore, leaks, repetition."""
    from freeform.services.measure.measures import measure_campaign

    desk = at(ctx)
    wanted = _range(turns)
    measured = desk.run(lambda house: measure_campaign(house, campaign, wanted))
    lines = []
    for name, value in measured.metrics.items():
        if name != "length_stats":
            lines.append(f"{name:<28}{_figure(value):>14}")
    desk.answer(measured, [*lines, _lengths(measured.metrics)])


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
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="hearing, deeds, safety: only this set; may be repeated.", metavar="NAME"
        ),
    ] = None,
    first_run: Annotated[
        bool,
        typer.Option(
            "--first-run",
            help="hearing, deeds, safety: has a first run of a set and keeps its figures.",
        ),
    ] = False,
) -> None:
    """Runs a suite and gives its figures; `eval list` lists the suites."""
    from freeform.services.measure.suites import SuiteRequest, list_suites, run_suite

    desk = at(ctx)
    if suite == "list":
        rows = list_suites()
        desk.answer({"suites": rows}, [f"{row.name:<20}{row.measures}" for row in rows])
        return
    with desk.progress(suite) as done:
        request = SuiteRequest(
            data=data,
            campaigns=campaigns,
            turns=turns,
            processes=processes,
            sets=tuple(sets or ()),
            first_run=first_run,
            done=done,
        )
        result = run_suite(desk.settings, suite, request)
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
    versions = {}
    for text in given:
        parts = re.fullmatch(r"([\w/-]+)=v?(\d+)", text)
        if parts is None:
            raise UserError(
                f"'{text}' is no prompt and version; write e.g. --prompt engine/narrator=0"
            )
        versions[parts[1]] = int(parts[2])
    return versions


def _range(text: str | None) -> "TurnRange":
    from freeform.services.measure.measures import TurnRange

    if text is None:
        return TurnRange()
    parts = re.fullmatch(r"(\d+)(-(\d*))?", text.strip())
    if parts is None:
        raise UserError(f"'{text}' is no range of turns; write e.g. --turns 3-9")
    first = int(parts[1])
    if parts[2] is None:
        return TurnRange(first=first, last=first)
    return TurnRange(first=first, last=int(parts[3]) if parts[3] else None)


def _write(path: Path, report: "ReplayReport") -> None:
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
