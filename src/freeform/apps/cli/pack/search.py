"""The verb `pack search`: finds passages in packs and in what happened."""

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.pack.packs import books_of, pack

if TYPE_CHECKING:
    from freeform.engine.table import Table
    from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Passage, Viewer


class Corpus(StrEnum):
    """Where to look."""

    authored = "authored"
    history = "history"
    all = "all"


def add_to(app: typer.Typer) -> None:
    """The verb belongs to the group `pack`, which another file adds."""
    pack.command(epilog='Example: freeform-rpg pack search "who owns the Neon Dragon" --json')(
        search
    )


def search(
    ctx: typer.Context,
    query: Annotated[
        list[str], typer.Argument(help="What you look for, in your own words.", metavar="QUERY")
    ],
    packs: Annotated[
        list[str], typer.Option("--pack", help="Only in this pack; may be given again.")
    ] = [],  # noqa: B006
    types: Annotated[
        list[str], typer.Option("--type", help="Only entries of this type, e.g. npc.")
    ] = [],  # noqa: B006
    tags: Annotated[list[str], typer.Option("--tag", help="Only entries with this tag.")] = [],  # noqa: B006
    entities: Annotated[
        list[str], typer.Option("--entity", help="Only what is about this entity.")
    ] = [],  # noqa: B006
    locations: Annotated[
        list[str], typer.Option("--location", help="Only what is about this place.")
    ] = [],  # noqa: B006
    corpus: Annotated[
        Corpus, typer.Option(help="Packs, what happened in a campaign, or both.")
    ] = Corpus.all,
    campaign: Annotated[
        str, typer.Option(help="With that campaign's packs and history, as it stands.")
    ] = "",
    viewer: Annotated[
        str,
        typer.Option(
            "--as", help="Whose eyes: player, gm or npc:ID; else gm, with --campaign player."
        ),
    ] = "",
    k: Annotated[int, typer.Option(help="At most so many passages.", min=1, max=200)] = 10,
    max_tokens: Annotated[int, typer.Option(help="At most so many tokens of text.", min=1)] = 3000,
) -> None:
    """Finds passages by words and meaning, best first."""
    from freeform.retrieval.model import LoreRetrievalQuery

    desk = at(ctx)
    asked = LoreRetrievalQuery(
        keywords=" ".join(query),
        packs=packs,
        types=types,
        tags=tags,
        entities=entities,
        locations=locations,
        corpus=corpus.value,
        k=k,
        max_tokens=max_tokens,
    )
    found = _find(desk, asked, _viewer(viewer or ("player" if campaign else "gm")), campaign)
    for note in found.notes:
        desk.note(note)
    none = ["Nothing fits. Fewer or other words may find more."]
    desk.answer(found, lambda: [line for each in found.chunks for line in _lines(each)] or none)


def _find(
    desk: Desk, asked: "LoreRetrievalQuery", viewer: "Viewer", campaign: str
) -> "LoreRetrievalResult":
    from freeform.engine.shelf import pack_install

    with desk.progress("Indexing") as bar:
        if not campaign:
            return asyncio.run(pack_install.search(books_of(desk), asked, viewer, bar))

        async def work(table: "Table") -> "LoreRetrievalResult":
            books = table.lore.books if table.lore else books_of(desk)
            return await pack_install.search(
                books, asked, viewer, bar, campaign=campaign, store=table.store
            )

        return desk.run(work)


def _viewer(text: str) -> "Viewer":
    from freeform.core.errors import UserError
    from freeform.retrieval.model import Viewer

    if text not in ("player", "gm") and not (text.startswith("npc:") and text != "npc:"):
        raise UserError(f"'{text}' is nobody; --as takes player, gm or npc:ID")
    return Viewer.parse(text)


def _lines(found: "Passage") -> list[str]:
    from freeform.core.text import shorten

    book = (
        f"{found.metadata['book']}, page {found.metadata['page']}; "
        if found.metadata.get("book")
        else ""
    )
    where = (
        f"{found.metadata['section_path']}  ({book}{found.pack_id}, {found.metadata['file_path']})"
    )
    return [where, f"  {shorten(' '.join(found.text.split()), 280)}", ""]
