"""The verbs of `scenario`: new, check."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.scenario import forging

if TYPE_CHECKING:
    from freeform.engine.proof.report import ScenarioReport

ScenarioName = Annotated[str, typer.Argument(help="A scenario's id, or its file.", metavar="ID")]

scenario = typer.Typer(help="Stories: made, and looked over.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(scenario, name="scenario")


scenario.command(epilog="Example: freeform-rpg scenario new --premise 'a ghost runs for mayor'")(
    forging.new
)


@scenario.command(epilog="Example: freeform-rpg scenario check my_story.yaml")
def check(ctx: typer.Context, name: ScenarioName) -> None:
    """Names every mistake at once, plays it through at best and at worst, and says what is reached.

    Exit code 1 when something is wrong.
    """
    from freeform.services.scenario.check import check_scenario

    desk = at(ctx)
    found = desk.run(lambda house: check_scenario(house, name), model=False)
    desk.answer(found, lambda: report_lines(found))
    if not found.ok:
        raise typer.Exit(1)


def report_lines(found: "ScenarioReport") -> Iterator[str]:
    """A report as a person reads it."""
    yield from map(str, found.findings)
    if found.played:
        for kind, share in found.reach:
            missing = f"; not {', '.join(share.missing)}" if share.missing else ""
            yield f"Reached: {share.reachable} of {share.all} {kind}{missing}."
        yield f"Played {found.turns} turns of at most {found.budget}, with the dice both ways."
    else:
        yield "Not played: put right what is named above first."
    if found.ok:
        yield "The scenario is in order."
    else:
        errors = sum(each.severity == "error" for each in found.findings)
        yield f"The scenario has {errors} errors: put right what is named above."
