"""The verb `worker`: answers AI players' questions for parties that run elsewhere, over Redis."""

from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: FREEFORM_PLAYERS_REDIS=redis://127.0.0.1:6379/0 freeform-rpg worker --burst"
    )(worker)


def worker(
    ctx: typer.Context,
    burst: Annotated[
        bool, typer.Option("--burst", help="Stop when there is nothing left to do.")
    ] = False,
) -> None:
    """Answers players' questions (`players_workers = "redis"`) until it is stopped."""
    from freeform.apps.worker.answering import use
    from freeform.wiring.players import redis_url, start_worker

    desk = at(ctx)
    url = redis_url(desk.settings)
    use(desk.settings)
    desk.note("Waiting for players' questions. Ctrl+C stops.")
    with desk.serving("worker"):
        start_worker(url, burst=burst)
    desk.answer({"stopped": True}, ["Stopped."])
