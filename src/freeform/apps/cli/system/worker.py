"""The verb `worker`: answers AI players' questions for parties that run elsewhere, over Redis."""

from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: FREEFORM_PLAYERS_REDIS=redis://127.0.0.1:6379/0 "
        "freeform-rpg worker --burst"
    )(worker)


def worker(
    ctx: typer.Context,
    burst: Annotated[
        bool, typer.Option("--burst", help="Stop when there is nothing left to do.")
    ] = False,
) -> None:
    """Answers players' questions (`players_workers = "redis"`) until it is stopped."""
    desk = at(ctx)
    desk.doors.worker(desk.settings, burst, desk.note)
    desk.answer({"stopped": True}, ["Stopped."])
