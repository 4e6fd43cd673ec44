"""The program's verbs, gathered. Verbs import what they need when they run, so that `--help` is quick."""

from pathlib import Path
from typing import Annotated

import typer

from freeform.apps.cli import (
    archives,
    asking,
    characters,
    dice,
    discord,
    evals,
    games,
    ingesting,
    insight,
    lore,
    lore_mcp,
    nights,
    packs,
    parties,
    party_views,
    prompts,
    researching,
    searching,
    serving,
    timeline,
    turns,
    working,
)
from freeform.apps.cli.desk import Desk, at

app = typer.Typer(
    name="freeform-rpg",
    help="Tabletop role-playing with a game master who keeps canon and rolls in the open. "
    "With no verb: resume the last campaign, or begin one.",
    epilog="Example: freeform-rpg new-game --scenario dead_drop --campaign a --seed 7. "
    "Global options may stand before or after the verb.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback()
def globals_(
    ctx: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Where campaigns, packs and indexes live (also FREEFORM_HOME)."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="The language model, e.g. offline or ollama:qwen3:8b (also FREEFORM_MODEL)."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the dice of a new campaign or a roll.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON document on standard output.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes on standard error.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="No colours, no drawing: for pipes and screen readers.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", help="The version, and nothing else.")
    ] = False,
) -> None:
    """Reads the global options; with no verb, starts the guided flow."""
    ctx.obj = Desk(home=home, model=model, seed=seed, json=json, quiet=quiet, plain=plain)
    if ctx.invoked_subcommand is None:
        from freeform.apps.cli.play.guided import guide

        guide(at(ctx))


for group in (
    games,
    turns,
    timeline,
    nights,
    packs,
    ingesting,
    searching,
    archives,
    characters,
    asking,
    researching,
    discord,
    parties,
    party_views,
    working,
    lore,
    lore_mcp,
    insight,
    prompts,
    evals,
    dice,
    serving,
):
    group.add_to(app)
