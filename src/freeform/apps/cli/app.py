"""The program's verbs, gathered. They import what they need when they run: `--help` is quick."""

from pathlib import Path
from typing import Annotated

import typer

from freeform.apps.cli.assistant import ask, characters, notes, research
from freeform.apps.cli.campaign import (
    archives,
    games,
    gm,
    limits,
    oracle,
    owned,
    pictures,
    sessions,
    timeline,
    turns,
)
from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.doors import NO_DOORS
from freeform.apps.cli.ingest import verbs as ingest
from freeform.apps.cli.lore import servers
from freeform.apps.cli.lore import verbs as lore
from freeform.apps.cli.measure import evals
from freeform.apps.cli.pack import packs, search
from freeform.apps.cli.party import parties, views
from freeform.apps.cli.scenario import drafts
from freeform.apps.cli.scenario import verbs as scenario
from freeform.apps.cli.system import (
    copies,
    dice,
    discord,
    insight,
    jobs,
    prompts,
    serve,
    worker,
)
from freeform.apps.cli.table import accounts
from freeform.apps.cli.table import verbs as table

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
    doors = ctx.obj or NO_DOORS
    ctx.obj = Desk(
        home=home, model=model, seed=seed, json=json, quiet=quiet, plain=plain, doors=doors
    )
    if ctx.invoked_subcommand is None:
        from freeform.apps.cli.play.guided import guide

        guide(at(ctx))


for group in (
    games,
    turns,
    timeline,
    limits,
    gm,
    oracle,
    table,
    accounts,
    owned,
    pictures,
    sessions,
    packs,
    scenario,
    drafts,
    ingest,
    search,
    archives,
    copies,
    characters,
    ask,
    notes,
    research,
    discord,
    parties,
    views,
    worker,
    jobs,
    lore,
    servers,
    insight,
    prompts,
    evals,
    dice,
    serve,
):
    group.add_to(app)
