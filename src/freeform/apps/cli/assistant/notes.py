"""The verb `notes list`: the session notes that were brought in."""

import typer

from freeform.apps.cli.desk import at

notes = typer.Typer(help="Session notes that were brought in.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(notes, name="notes")


@notes.command("list", epilog="Example: freeform-rpg notes list")
def list_(ctx: typer.Context) -> None:
    """Lists the notes that `import` kept, with their sessions."""
    from freeform.services.assistant.notebooks import list_notes

    desk = at(ctx)
    rows = list_notes(desk.settings)
    document = {"notes": [row.model_dump(mode="json") for row in rows]}
    told = [f"{row.id}: {row.sessions} sessions, {row.notes} notes; {row.last}" for row in rows]
    desk.answer(document, lambda: told or ["No notes yet: freeform-rpg import notes/"])
