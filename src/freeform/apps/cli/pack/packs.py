"""The verbs of `pack`: list, info, validate, install, remove, reindex, new, import. (`search` has its own file.)"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.shelf.books import Books
    from freeform.engine.shelf.pack_install import Shelving
    from freeform.packs.model import Problem
    from freeform.packs.verbs import PackRow

PackId = Annotated[str, typer.Argument(help="A pack's id.", metavar="ID")]
PackPath = Annotated[
    Path, typer.Argument(help="A pack's folder, a folder of Markdown notes, or a lorebook.")
]
Version = Annotated[str, typer.Option(help="Which version, or a range such as '>=1.0'.")]

pack = typer.Typer(
    help="Books of the world: what the game master reads from.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(pack, name="pack")


def books_of(desk: Desk) -> "Books":
    """The shelf the settings name."""
    from freeform import wiring

    return wiring.books(desk.settings)


@pack.command("list", epilog="Example: freeform-rpg pack list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the packs on the shelf: those that came with the program, and those installed."""
    from freeform.engine.shelf import pack_install

    desk = at(ctx)
    found = asyncio.run(pack_install.listed(books_of(desk)))
    desk.answer(found, [_row(row) for row in found.packs])


@pack.command(epilog="Example: freeform-rpg pack info neo_seattle")
def info(ctx: typer.Context, id: PackId, version: Version = "*") -> None:
    """Shows one pack: its manifest and its entries."""
    from freeform.engine.shelf import pack_install

    desk = at(ctx)
    found = asyncio.run(pack_install.info(books_of(desk), id, version))
    lines = [*map(_row, found.packs), found.manifest.description, ""]
    lines += [
        f"{row.type:<10} {row.name}{' (GM only)' if row.gm_only else ''}" for row in found.contents
    ]
    desk.answer(
        found, [*lines, *_problems("error", found.errors), *_problems("warning", found.warnings)]
    )


@pack.command(epilog="Example: freeform-rpg pack validate ./my_pack")
def validate(ctx: typer.Context, path: PackPath) -> None:
    """Says what is wrong with a pack, with file, line and fix. Exit code 1 when something is."""
    from freeform.engine.shelf import pack_install

    desk = at(ctx)
    found = pack_install.validate(books_of(desk), path)
    verdict = (
        "The pack is in order."
        if found.ok
        else "The pack has errors: put right what is named above."
    )
    desk.answer(
        found, [*_problems("error", found.errors), *_problems("warning", found.warnings), verdict]
    )
    if not found.ok:
        raise typer.Exit(1)


@pack.command(epilog="Example: freeform-rpg pack install ./my_pack")
def install(
    ctx: typer.Context,
    path: PackPath,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse the pack if anything in it is wrong.")
    ] = False,
) -> None:
    """Puts a pack on the shelf and indexes it. Notes and lorebooks are made into a pack first."""
    desk = at(ctx)
    report(desk, installed(desk, path, strict=strict), "Installed")


def installed(desk: Desk, path: Path, *, strict: bool = False, pack_id: str = "") -> "Shelving":
    """Installs, with a bar while it is indexed."""
    from freeform.engine.shelf import pack_install

    with desk.progress(f"Indexing {path.name}") as bar:
        work = pack_install.install(books_of(desk), path, bar, strict=strict, pack_id=pack_id)
        return asyncio.run(work)


@pack.command(epilog="Example: freeform-rpg pack remove my_pack --version 1.0.0")
def remove(
    ctx: typer.Context,
    id: PackId,
    version: Version = "*",
    force: Annotated[
        bool, typer.Option("--force", help="Even if a campaign was begun with it.")
    ] = False,
) -> None:
    """Takes a pack off the shelf. Refused while a campaign plays with it."""
    from freeform.engine.shelf import pack_install

    desk = at(ctx)
    report(
        desk, asyncio.run(pack_install.remove(books_of(desk), id, version, force=force)), "Removed"
    )


@pack.command(epilog="Example: freeform-rpg pack reindex neo_seattle")
def reindex(ctx: typer.Context, id: PackId) -> None:
    """Makes a pack's index anew."""
    from freeform.engine.shelf import pack_install

    desk = at(ctx)
    with desk.progress(f"Indexing {id}") as bar:
        done = asyncio.run(pack_install.reindex(books_of(desk), id, bar))
    report(desk, done, "Indexed")


@pack.command(epilog="Example: freeform-rpg pack new my_pack")
def new(
    ctx: typer.Context,
    id: PackId,
    folder: Annotated[Path, typer.Option(help="Where its folder is made; else here.")] = Path(),
    name: Annotated[str, typer.Option(help="The name people read.")] = "",
    layer: Annotated[
        str, typer.Option(help="core, setting, regional, adventure or homebrew.")
    ] = "homebrew",
) -> None:
    """Writes a small valid pack to begin from."""
    from freeform.core.errors import UserError
    from freeform.packs.model import LAYERS
    from freeform.packs.verbs import pack_new

    chosen = next((each for each in LAYERS if each == layer), None)
    if chosen is None:
        raise UserError(f"no layer '{layer}'; it is one of {', '.join(LAYERS)}")
    made = pack_new(folder, id, name=name, layer=chosen)
    at(ctx).answer(
        made,
        [f"Wrote {made.path}: {', '.join(made.files)}.", f"freeform-rpg pack install {made.path}"],
    )


@pack.command("import", epilog="Example: freeform-rpg pack import ./vault --folder ./packs")
def import_(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(help="A folder of Markdown notes, or a lorebook.")],
    folder: Annotated[
        Path, typer.Option(help="Where the pack's folder is made; else here.")
    ] = Path(),
    id: Annotated[str, typer.Option(help="The pack's id; else from the name.")] = "",
    name: Annotated[str, typer.Option(help="The pack's name; else from the source.")] = "",
) -> None:
    """Writes notes or a lorebook as a pack, to be looked over and installed."""
    from freeform.packs.verbs import pack_import

    made = pack_import(path, folder, pack_id=id, name=name)
    lines = [*_problems("error", made.errors), *_problems("warning", made.warnings)]
    counted = ", ".join(f"{number} {kind}" for kind, number in made.counts.items())
    at(ctx).answer(
        made, [*lines, f"Wrote {made.path}: {counted}.", f"freeform-rpg pack install {made.path}"]
    )


def report(desk: Desk, done: "Shelving", verb: str) -> None:
    """What came of it, with what was wrong on standard error."""
    for line in (
        *_problems("error", done.errors),
        *_problems("warning", done.warnings),
        *done.notes,
    ):
        desk.note(line)
    said = "Already there" if done.already else verb
    if verb != "Removed" and not done.notes and books_of(desk).embedder is None:
        desk.note(
            "Indexed by words alone; `freeform-rpg models get-embedder` adds search by meaning."
        )
    size = f"{done.chunks} passages, {done.tokens} tokens, {done.seconds:.1f} s"
    desk.answer(done, [f"{said}: {done.id} {done.version} ({size})."])


def _row(row: "PackRow") -> str:
    terms = (
        f", {row.license.type}"
        if row.license
        else ", private: no known licence"
        if row.private
        else ""
    )
    size = f"{row.entries} entries, {row.chunks} passages"
    return f"{row.id} {row.version}  {row.name} ({row.layer}, {row.genre or 'any genre'}{terms}): {size}, {row.origin}"


def _problems(kind: str, problems: "Iterable[Problem]") -> list[str]:
    return [f"{kind}: {problem}" for problem in problems]
