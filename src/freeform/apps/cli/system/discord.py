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
    from freeform.core.errors import UserError
    from freeform.wiring.discord import missing

    desk = at(ctx)
    rows = missing(desk.settings)
    if check:
        told = [
            {"what": what, "found": found, "fix": "" if found else fix} for what, found, fix in rows
        ]
        lines = [
            f"{'found  ' if found else 'missing'}  {what}" + ("" if found else f": {fix}")
            for what, found, fix in rows
        ]
        desk.answer({"ready": rows[0][1] and rows[1][1], "parts": told}, lines)
        return
    for what, found, fix in rows[:2]:
        if not found:
            raise UserError(f"{what} is missing: {fix}")
    desk.note("The bot is running; stop it with Ctrl-C.")
    desk.doors.discord(desk.settings)
