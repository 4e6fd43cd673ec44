"""The verb `pack search`: finds passages in packs and in what happened."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.pack.packs import pack

if TYPE_CHECKING:
    from freeform.retrieval.model import LoreRetrievalResult, Passage
    from freeform.services.house import House


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
    from freeform.services.packs import search_packs

    desk = at(ctx)
    wanted = LoreRetrievalQuery(
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

    async def work(house: "House") -> "LoreRetrievalResult":
        with desk.progress("Indexing") as bar:
            return await search_packs(house, wanted, viewer, campaign, bar)

    found = desk.run(work, model=False)
    for note in found.notes:
        desk.note(note)
    desk.answer(found, lambda: _all_lines(found))


def _all_lines(found: "LoreRetrievalResult") -> list[str]:
    lines: list[str] = []
    for passage in found.chunks:
        lines += _lines(passage)
    return lines or ["Nothing fits. Fewer or other words may find more."]


def _lines(found: "Passage") -> list[str]:
    from freeform.core.text import shorten

    told = found.metadata
    book = f"{told['book']}, page {told['page']}; " if told.get("book") else ""
    where = f"{told['section_path']}  ({book}{found.pack_id}, {told['file_path']})"
    return [where, f"  {shorten(' '.join(found.text.split()), 280)}", ""]
