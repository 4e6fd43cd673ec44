"""Verbs that say how things stand: `models`, `settings`, `doctor`."""

import asyncio
from typing import Any

import typer

from freeform.apps.cli.desk import at

models_group = typer.Typer(
    help="The models that can be used from here.", invoke_without_command=True
)


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.add_typer(models_group, name="models")
    app.command(epilog="Example: freeform-rpg settings --json")(settings)
    app.command(epilog="Example: freeform-rpg doctor")(doctor)


@models_group.callback(epilog="Example: freeform-rpg models --json")
def models(ctx: typer.Context) -> None:
    """Lists the models that can be used from here, and which is."""
    if ctx.invoked_subcommand is not None:
        return
    from freeform.services.models import chosen_model, list_models

    desk = at(ctx)
    chosen = asyncio.run(chosen_model(desk.settings))
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for row in asyncio.run(list_models(desk.settings)):
        is_chosen = row.name == chosen
        rows.append({"name": row.name, "note": row.note, "chosen": is_chosen})
        lines.append(f"{'*' if is_chosen else ' '} {row.name}  {row.note}")
    desk.answer({"chosen": chosen, "models": rows}, lines)


@models_group.command("get-embedder", epilog="Example: freeform-rpg models get-embedder")
def get_embedder(ctx: typer.Context) -> None:
    """Gets the model that finds passages by meaning: 83 MB, checked by hash."""
    from freeform.services import models

    desk = at(ctx)
    folder = models.get_embedder(desk.settings, desk.note)
    desk.answer({"embedder": folder.name, "path": str(folder)}, [f"The embedder is in {folder}."])


def settings(ctx: typer.Context) -> None:
    """Shows each setting, its value and where it came from. Keys are never shown."""
    from freeform.settings import Settings

    desk = at(ctx)
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for name, field in Settings.model_fields.items():
        value, origin = desk.loaded.shown(name), desk.loaded.origin(name)
        about = field.description
        rows.append({"name": name, "value": value, "from": origin, "description": about})
        shown = "-" if value in (None, "") else value
        lines.append(f"{name} = {shown}  ({origin})")
    desk.answer({"settings": rows}, lines)


def doctor(ctx: typer.Context) -> None:
    """Says what is found, what is missing and how to get it."""
    from freeform.services.models import check_machine

    desk = at(ctx)
    parts = asyncio.run(check_machine(desk.settings))
    lines: list[str] = []
    for part in parts:
        found = "ok     " if part.ok else "missing"
        lines.append(f"{found}  {part.part}: {part.note}")
    is_well = all(part.ok or part.optional for part in parts)
    desk.answer({"ok": is_well, "parts": parts}, lines)
