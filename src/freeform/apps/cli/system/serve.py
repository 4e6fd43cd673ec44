"""Verbs that open doors: `serve` (web app, API, OpenAI, MCP over HTTP) and `mcp` (on stdio)."""

from importlib.util import find_spec
from typing import Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.doors import ListenAt
from freeform.core.errors import UserError

NEEDS = ("fastapi", "uvicorn", "multipart", "mcp")


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg serve --port 8420 --open")(serve)
    app.command(epilog="Example: freeform-rpg mcp")(mcp)


def serve(
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option(help="Where to listen; any but this machine needs a key.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)
    ] = 8420,
    open: Annotated[bool, typer.Option("--open", help="Opens the browser.")] = False,
    key: Annotated[
        str, typer.Option(help="What one must say to come in (also FREEFORM_SERVE_KEY).")
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            help="So many processes share the port; one that dies is started anew.", min=1, max=64
        ),
    ] = 1,
) -> None:
    """Serves the web app, the API, and doors for other programs."""
    _needs_extra()
    from pydantic import SecretStr

    desk = at(ctx)
    settings = desk.settings
    if key:
        settings = settings.model_copy(update={"serve_key": SecretStr(key)})
    desk.doors.serve(settings, ListenAt(host, port, open, workers), desk.note)


def mcp(ctx: typer.Context) -> None:
    """Serves the table's tools to an MCP client, on standard input and output."""
    _needs_extra()
    desk = at(ctx)
    desk.doors.mcp(desk.settings)


def _needs_extra() -> None:
    missing = [
        name for name in NEEDS if find_spec(name) is None and find_spec(f"python_{name}") is None
    ]
    if missing:
        raise UserError(
            "this needs the extra `web`: pip install 'freeform-rpg[web]', or use `make serve`"
        )
