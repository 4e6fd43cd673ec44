"""The verbs of `pack`, all but `search`: list, info, validate, install, remove, new, import …"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.shelf.pack_install import Shelving
    from freeform.packs.model import PackValidation, Problem
    from freeform.packs.verbs import PackRow
    from freeform.services.house import House

PackId = Annotated[str, typer.Argument(help="A pack's id.", metavar="ID")]
PackPath = Annotated[
    Path, typer.Argument(help="A pack's folder, a folder of Markdown notes, or a lorebook.")
]
Version = Annotated[str, typer.Option(help="Which version, or a range such as '>=1.0'.")]
WORDS_ALONE = "Indexed by words alone; `freeform-rpg models get-embedder` adds search by meaning."

pack = typer.Typer(
    help="Books of the world: what the game master reads from.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(pack, name="pack")


@pack.command("list", epilog="Example: freeform-rpg pack list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the packs on the shelf: those that came with the program, and those installed."""
    from freeform.services.packs import list_packs

    desk = at(ctx)
    found = desk.run(list_packs, model=False)
    desk.answer(found, [_row(row) for row in found.packs])


@pack.command(epilog="Example: freeform-rpg pack info neo_seattle")
def info(ctx: typer.Context, id: PackId, version: Version = "*") -> None:
    """Shows one pack: its manifest and its entries."""
    from freeform.services.packs import pack_info

    desk = at(ctx)
    found = desk.run(lambda house: pack_info(house, id, version), model=False)
    lines = [*map(_row, found.packs), found.manifest.description, ""]
    for row in found.contents:
        secret = " (GM only)" if row.gm_only else ""
        lines.append(f"{row.type:<10} {row.name}{secret}")
    lines += _problems("error", found.errors)
    lines += _problems("warning", found.warnings)
    desk.answer(found, lines)


@pack.command(epilog="Example: freeform-rpg pack validate ./my_pack")
def validate(ctx: typer.Context, path: PackPath) -> None:
    """Says what is wrong with a pack, with file, line and fix. Exit code 1 when something is."""
    from freeform.services.packs import validate_path

    async def work(house: "House") -> "PackValidation":
        return validate_path(house, path)

    desk = at(ctx)
    found = desk.run(work, model=False)
    lines = [*_problems("error", found.errors), *_problems("warning", found.warnings)]
    if found.ok:
        desk.answer(found, [*lines, "The pack is in order."])
        return
    desk.answer(found, [*lines, "The pack has errors: put right what is named above."])
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
    from freeform.services.packs import has_meaning, install_pack

    desk = at(ctx)

    async def work(house: "House") -> "tuple[Shelving, bool]":
        with desk.progress(f"Indexing {path.name}") as bar:
            done = await install_pack(house, path, strict=strict, progress=bar)
        return done, has_meaning(house)

    _report(desk, desk.run(work, model=False), "Installed")


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
    from freeform.services.packs import remove_pack

    desk = at(ctx)
    done = desk.run(lambda house: remove_pack(house, id, version, force=force), model=False)
    desk.answer(done, [shelving_line(done, "Removed")])


@pack.command(epilog="Example: freeform-rpg pack reindex neo_seattle")
def reindex(ctx: typer.Context, id: PackId) -> None:
    """Makes a pack's index anew."""
    from freeform.services.packs import has_meaning, reindex_pack

    desk = at(ctx)

    async def work(house: "House") -> "tuple[Shelving, bool]":
        with desk.progress(f"Indexing {id}") as bar:
            done = await reindex_pack(house, id, bar)
        return done, has_meaning(house)

    _report(desk, desk.run(work, model=False), "Indexed")


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
    from freeform.services.packs import new_pack

    made = new_pack(folder, id, name=name, layer=layer)
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
    from freeform.services.packs import notes_as_pack

    made = notes_as_pack(path, folder, pack=id, name=name)
    lines = [*_problems("error", made.errors), *_problems("warning", made.warnings)]
    counted = ", ".join(f"{number} {kind}" for kind, number in made.counts.items())
    lines += [f"Wrote {made.path}: {counted}.", f"freeform-rpg pack install {made.path}"]
    at(ctx).answer(made, lines)


def _report(desk: Desk, came: "tuple[Shelving, bool]", verb: str) -> None:
    """What came of it, with what was wrong on standard error."""
    done, by_meaning = came
    note_problems(desk, done)
    note_words_alone(desk, done, by_meaning)
    desk.answer(done, [shelving_line(done, verb)])


def note_problems(desk: Desk, done: "Shelving") -> None:
    """What was wrong with a pack that was put on the shelf."""
    for line in (*_problems("error", done.errors), *_problems("warning", done.warnings)):
        desk.note(line)
    for note in done.notes:
        desk.note(note)


def note_words_alone(desk: Desk, done: "Shelving", by_meaning: bool) -> None:
    """Says how search by meaning is had, where the index lacks it and nothing else was said."""
    if not by_meaning and not done.notes:
        desk.note(WORDS_ALONE)


def shelving_line(done: "Shelving", verb: str) -> str:
    """What was done with a pack, as a person reads it."""
    said = "Already there" if done.already else verb
    size = f"{done.chunks} passages, {done.tokens} tokens, {done.seconds:.1f} s"
    return f"{said}: {done.id} {done.version} ({size})."


def _row(row: "PackRow") -> str:
    terms = ""
    if row.license:
        terms = f", {row.license.type}"
    elif row.private:
        terms = ", private: no known licence"
    about = f"{row.name} ({row.layer}, {row.genre or 'any genre'}{terms})"
    size = f"{row.entries} entries, {row.chunks} passages"
    return f"{row.id} {row.version}  {about}: {size}, {row.origin}"


def _problems(kind: str, problems: "Iterable[Problem]") -> list[str]:
    return [f"{kind}: {problem}" for problem in problems]
