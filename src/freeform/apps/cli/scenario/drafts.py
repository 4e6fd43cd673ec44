"""The verbs of `draft`: stories that somebody is writing, kept at each change."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.scenario.verbs import report_lines

if TYPE_CHECKING:
    from freeform.services.desk.drafts import DraftShown
    from freeform.services.desk.kept import VersionRow
    from freeform.services.house import House

DraftName = Annotated[str, typer.Argument(help="A draft's id.", metavar="DRAFT")]

draft = typer.Typer(help="The game master's desk: stories being written.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(draft, name="draft")


@draft.command("list", epilog="Example: freeform-rpg draft list")
def list_all(
    ctx: typer.Context,
    deleted: Annotated[bool, typer.Option("--deleted", help="Those in the bin.")] = False,
) -> None:
    """Lists drafts, the last changed first."""
    from freeform.services.desk import drafts

    desk = at(ctx)

    async def work(house: "House") -> list[drafts.DraftRow]:
        return drafts.list_drafts(house, deleted=deleted)

    rows = desk.run(work, model=False)
    lines = [f"{row.id}  {row.name} (version {row.version}, {row.at[:10]})" for row in rows]
    desk.answer({"drafts": rows}, lines or ["No drafts. Begin one: freeform-rpg draft new"])


@draft.command(epilog='Example: freeform-rpg draft new --premise "a ferryman will not cross"')
def new(
    ctx: typer.Context,
    name: Annotated[str, typer.Option(help="What it is called.")] = "",
    premise: Annotated[str, typer.Option(help="The forge makes the first version of it.")] = "",
    scenario: Annotated[str, typer.Option(help="A story on the shelf, to copy.")] = "",
    file: Annotated[Path | None, typer.Option(help="A scenario's file, to go on with.")] = None,
) -> None:
    """Begins a draft: of nothing, a premise, a story's copy or a file."""
    from freeform.services.desk import drafts

    wish = drafts.DraftWish(
        name=name, premise=premise, scenario=scenario, seed=at(ctx).settings.seed
    )

    async def work(house: "House") -> "DraftShown":
        if file is not None:
            return await drafts.begin_from_file(house, file, file.name)
        return await drafts.begin_draft(house, wish)

    _show(ctx, work, model=bool(premise))


@draft.command(epilog="Example: freeform-rpg draft show the_well")
def show(
    ctx: typer.Context,
    name: DraftName,
    version: Annotated[int | None, typer.Option(help="As it stood then.")] = None,
) -> None:
    """A draft with what the check says of its fields, and the ways to each secret."""
    from freeform.services.desk import drafts

    _show(ctx, lambda house: drafts.show_draft(house, name, version))


@draft.command(epilog="Example: freeform-rpg draft save the_well well.yaml")
def save(
    ctx: typer.Context,
    name: DraftName,
    file: Annotated[Path, typer.Argument(help="The scenario as it is now.", metavar="FILE")],
) -> None:
    """Keeps a file as the draft's next version."""
    from freeform.services.desk import drafts

    _show(ctx, lambda house: drafts.save_file(house, name, file))


@draft.command(epilog="Example: freeform-rpg draft undo the_well")
def undo(ctx: typer.Context, name: DraftName) -> None:
    """Takes the last change back."""
    from freeform.services.desk import drafts

    _show(ctx, lambda house: drafts.step_draft(house, name, back=True))


@draft.command(epilog="Example: freeform-rpg draft redo the_well")
def redo(ctx: typer.Context, name: DraftName) -> None:
    """Takes it forth again."""
    from freeform.services.desk import drafts

    _show(ctx, lambda house: drafts.step_draft(house, name, back=False))


@draft.command(epilog="Example: freeform-rpg draft versions the_well --to 3")
def versions(
    ctx: typer.Context,
    name: DraftName,
    to: Annotated[int | None, typer.Option(help="Go back to this one.")] = None,
) -> None:
    """Lists what is kept of a draft, or goes back to one of them."""
    from freeform.services.desk import drafts

    desk = at(ctx)

    async def work(house: "House") -> "list[VersionRow]":
        if to is not None:
            await drafts.go_to_version(house, name, to)
        return drafts.list_versions(house, name)

    rows = desk.run(work, model=False)
    lines = [f"{'*' if row.holds else ' '} {row.number}  {row.at[:16]}  {row.what}" for row in rows]
    desk.answer({"versions": rows}, lines)


@draft.command(epilog="Example: freeform-rpg draft check the_well")
def check(ctx: typer.Context, name: DraftName) -> None:
    """Names every mistake and plays it through, as `scenario check` does. Exit code 1 if wrong."""
    from freeform.services.desk import drafts

    desk = at(ctx)
    found = desk.run(lambda house: drafts.check_draft(house, name), model=False)
    desk.answer(found, lambda: report_lines(found))
    if not found.ok:
        raise typer.Exit(1)


@draft.command(epilog="Example: freeform-rpg draft export the_well well.yaml")
def export(
    ctx: typer.Context,
    name: DraftName,
    path: Annotated[Path, typer.Argument(help="Where the YAML goes.")],
) -> None:
    """Writes a draft out as a scenario's file."""
    from freeform.services.desk import drafts

    desk = at(ctx)

    async def work(house: "House") -> drafts.DraftRow:
        return drafts.write_draft(house, name, path)

    row = desk.run(work, model=False)
    desk.answer({"draft": row.id, "path": str(path)}, [f"{row.name} is in {path}."])


@draft.command(epilog="Example: freeform-rpg draft preview the_well --place green")
def preview(
    ctx: typer.Context,
    name: DraftName,
    place: Annotated[str, typer.Option(help="Begin at this place of it.")] = "",
) -> None:
    """Begins to play a draft as it stands; the last preview goes."""
    from freeform.services.desk.preview import preview_draft

    desk = at(ctx)
    begun = desk.run(lambda house: preview_draft(house, name, place), model=False)
    desk.answer(begun, [begun.opening, f"Go on: freeform-rpg play --campaign {begun.campaign}"])


@draft.command(epilog="Example: freeform-rpg draft publish the_well")
def publish(ctx: typer.Context, name: DraftName) -> None:
    """Puts a draft on the shelf, once nothing is wrong with it."""
    from freeform.services.desk import drafts

    desk = at(ctx)
    made = desk.run(lambda house: drafts.publish_draft(house, name), model=False)
    begin = f"Play it: freeform-rpg new-game --scenario {made.scenario}"
    desk.answer(made, [f"{made.name} is on the shelf as {made.path}.", begin])


@draft.command(epilog="Example: freeform-rpg draft delete the_well")
def delete(
    ctx: typer.Context,
    name: DraftName,
    restore: Annotated[bool, typer.Option("--restore", help="Out of the bin again.")] = False,
) -> None:
    """Puts a draft into the bin; nothing of it is lost."""
    from freeform.services.desk import drafts

    desk = at(ctx)

    async def work(house: "House") -> drafts.DraftRow:
        return drafts.delete_draft(house, name, deleted=not restore)

    row = desk.run(work, model=False)
    desk.answer(row, [f"{row.name} is {'back' if restore else 'in the bin'}."])


def _show(
    ctx: typer.Context, work: "Callable[[House], Awaitable[DraftShown]]", *, model: bool = False
) -> None:
    desk = at(ctx)
    shown = desk.run(work, model=model)
    desk.answer(shown, lambda: _lines(shown))


def _lines(shown: "DraftShown") -> Iterator[str]:
    yield f"{shown.name} ({shown.id}, version {shown.version})"
    for found in shown.findings:
        where = ".".join(map(str, found.where))
        yield f"{found.severity}: {where + ': ' if where else ''}{found.message}"
    for clue in shown.clues:
        ways = ", ".join(way.by for way in clue.ways) or "no way leads there"
        yield f"{'  ' if clue.enough else '! '}{clue.text} <- {ways}"
    if shown.ok:
        yield "Nothing is wrong with what is written."
