"""The verb `discord`: runs the bot, or says what is missing."""

from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: freeform-rpg discord --check")(discord)


def discord(
    ctx: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what is there and what is missing.")
    ] = False,
) -> None:
    """Runs the Discord bot until it is stopped."""
    from freeform.services.discord import check_discord, require_discord

    desk = at(ctx)
    if check:
        found = check_discord(desk.settings)
        lines = []
        for part in found.parts:
            lines.append(
                f"found    {part.what}" if part.found else f"missing  {part.what}: {part.fix}"
            )
        desk.answer(found, lines)
        return
    require_discord(desk.settings)
    desk.note("The bot is running; stop it with Ctrl-C.")
    desk.doors.discord(desk.settings)
