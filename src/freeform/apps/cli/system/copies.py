"""Verbs for a whole home in one file: `backup` and `restore`."""

from pathlib import Path
from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg backup friday.backup")(backup)
    app.command(epilog="Example: freeform-rpg restore friday.backup --to /srv/freeform")(restore)


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Keys and passwords of the settings, too.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file of that name.")] = False,
) -> None:
    """Writes everything of the home into one file; a server may go on playing meanwhile."""
    from freeform.services.operate.backup import back_up

    desk = at(ctx)
    with desk.progress("Backing up") as bar:
        done = back_up(desk.settings, file, secrets=secrets, replace=force, progress=bar)
    for each in done.left_out:
        desk.note(f"left out: {each}")
    counted = f"{done.campaigns} campaigns, {done.events} events, {done.files} files"
    told = f"Wrote {file}: {counted}, {done.bytes / 1e6:.1f} MB."
    desk.answer(done, [told, f"Try it: freeform-rpg restore {file} --check"])


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that `backup` wrote.")],
    to: Annotated[
        Path | None, typer.Option(help="The folder to put it into, instead of the home.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check every file and event; change nothing.")
    ] = False,
) -> None:
    """Puts a backup into an empty home, after checking every file and every event."""
    from freeform.services.operate.restore import check_backup
    from freeform.services.operate.restore import restore as put_back

    desk = at(ctx)
    with desk.progress("Checking" if check else "Restoring") as bar:
        if check:
            done = check_backup(file, bar)
        else:
            done = put_back(file, (to or desk.settings.home).expanduser().absolute(), bar)
    for each in done.left_out:
        desk.note(f"not in it: {each}")
    for each in done.kept:
        desk.note(f"kept as it was: {each}")
    counted = f"{done.campaigns} campaigns, {done.events} events, {done.files} files"
    told = "It is whole" if check else f"Restored to {done.home}"
    desk.answer(done, [f"{told}: {counted} of {done.made_at}."])
