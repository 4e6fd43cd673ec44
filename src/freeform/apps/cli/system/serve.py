"""Verbs that open doors: `serve` (web app, API, OpenAI and MCP over HTTP) and `mcp` (standard input and output)."""

import asyncio
from importlib.util import find_spec
from typing import Annotated

import typer

from freeform.apps.cli.desk import at
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
) -> None:
    """Serves the web app, the API, and doors for other programs."""
    _needs_extra()
    from pydantic import SecretStr

    from freeform.apps.web.hosts import check_host

    desk = at(ctx)
    settings = desk.settings
    if key:
        settings = settings.model_copy(update={"serve_key": SecretStr(key)})
    check_host(host, settings)
    from freeform.apps.web.serve import new_loop
    from freeform.apps.web.serve import serve as run

    with asyncio.Runner(loop_factory=new_loop()) as runner:
        runner.run(run(settings, host, port, desk.note, show=open))


def mcp(ctx: typer.Context) -> None:
    """Serves the table's tools to an MCP client, on standard input and output."""
    _needs_extra()
    from freeform import wiring
    from freeform.apps.web.doors.mcp import make_mcp
    from freeform.apps.web.serve import open_room

    settings = at(ctx).settings

    async def run() -> None:
        async with wiring.opened(settings) as table:
            room = await open_room(settings, table)
            await make_mcp(room).run_stdio_async()
            await room.plays.close()

    asyncio.run(run())


def _needs_extra() -> None:
    missing = [
        name for name in NEEDS if find_spec(name) is None and find_spec(f"python_{name}") is None
    ]
    if missing:
        raise UserError(
            "this needs the extra `web`: pip install 'freeform-rpg[web]', or use `make serve`"
        )
