"""The verb `jobs`: long work of every kind in one list."""

import asyncio

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: freeform-rpg jobs --json")(jobs)


def jobs(ctx: typer.Context) -> None:
    """Lists long work: books, research, lore, workers' queues; what runs, waits, or failed."""
    from freeform.services.operate.work import list_long_work

    desk = at(ctx)
    listed = asyncio.run(list_long_work(desk.settings))
    lines: list[str] = []
    for row in listed.work:
        far = f"  {row.done}/{row.total}" if row.total else ""
        note = f"  {row.note}" if row.note else ""
        lines.append(f"{row.state:8} {row.kind:9} {row.title}{far}{note}")
    for problem in listed.problems:
        desk.note(problem)
    desk.answer(listed, lines or ["No long work: nothing runs, waits, or failed."])
