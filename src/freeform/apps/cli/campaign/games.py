"""Verbs of the shelf: what can be played, what is being played, begin one, sit down and play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.authored.scenario import Scenario
    from freeform.engine.campaign.begin import Answers
    from freeform.engine.table import Table


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg scenarios --json")(scenarios)
    app.command(epilog="Example: freeform-rpg campaigns")(campaigns)
    app.command(
        "new-game",
        epilog="Example: freeform-rpg new-game --scenario dead_drop --campaign a --seed 7",
    )(new_game)
    app.command(epilog="Example: freeform-rpg play --campaign a --plain")(play)


def scenarios(ctx: typer.Context) -> None:
    """Lists what can be played."""
    from freeform.engine.authored.library import scenarios as shelf

    desk = at(ctx)
    rows = shelf(desk.settings.home)
    lines = (f"{row.id}  {row.name} ({row.genre}): {row.description}" for row in rows)
    desk.answer({"scenarios": [row.model_dump(mode="json") for row in rows]}, lines)


def campaigns(ctx: typer.Context) -> None:
    """Lists your campaigns, last played first."""

    async def work(table: "Table") -> list[Any]:
        return await table.store.campaigns()

    desk = at(ctx)
    rows = desk.run(work)
    lines = [f"{row.id}  {row.name}, turn {row.current_turn} ({row.scenario})" for row in rows]
    none = ["No campaign yet: `freeform-rpg new-game --scenario ID` begins one."]
    desk.answer({"campaigns": [row.model_dump(mode="json") for row in rows]}, lines or none)


def new_game(
    ctx: typer.Context,
    scenario: Annotated[str, typer.Option(help="A scenario's id, or a file.")],
    campaign: Annotated[
        str | None, typer.Option(help="The new campaign's id; else one is made.")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="Session zero from a YAML or JSON file; else asked, or left as authored."
        ),
    ] = None,
) -> None:
    """Creates a campaign."""
    from freeform.apps.beginning import begin_campaign
    from freeform.engine.authored.library import load_scenario

    desk = at(ctx)
    found = load_scenario(scenario, desk.settings.home)
    name, begun = desk.run(
        lambda table: begin_campaign(
            found, table, _answers(desk, found, answers), campaign, desk.settings.seed
        )
    )
    document = {
        "campaign": name,
        "scenario": found.id,
        "seed": begun.seed,
        "opening": begun.opening,
        "suggested_actions": begun.suggested_actions,
    }
    desk.answer(document, [begun.opening, "", f"Play on with: freeform-rpg play --campaign {name}"])


def play(
    ctx: typer.Context,
    campaign: Annotated[
        str | None, typer.Option(help="Which campaign; else the last played.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(help="Begin that scenario.")] = None,
) -> None:
    """Sits down at the table in the terminal."""
    from freeform.apps.cli.play.guided import guide

    guide(at(ctx), campaign, scenario)


def _answers(desk: Desk, scenario: "Scenario", file: Path | None) -> "Answers":
    """Session zero: from the file, asked at a terminal, or as the scenario has it."""
    from freeform.core.yamlfile import read_record
    from freeform.engine.campaign.begin import Answers

    if file is not None:
        return read_record(file, Answers)
    if desk.json or not desk.is_terminal:
        return Answers()
    from freeform.apps.cli.play.voice import Voice
    from freeform.apps.cli.play.zero import ask_session_zero

    return ask_session_zero(scenario, Voice(desk))
