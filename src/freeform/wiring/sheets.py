"""What the settings make of the assistant's sources: the shelf of sheets, and rulebooks."""

from collections.abc import Sequence

from freeform.assistant.rulebook.catalogue import is_rulebook, rows_of, version_of
from freeform.assistant.rulebook.source import RulebookSource
from freeform.assistant.sheet.shelf import SheetShelf
from freeform.engine.shelf.books import Books
from freeform.engine.shelf.catalogue import Catalogue
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer
from freeform.settings import Settings


def sheets(settings: Settings) -> SheetShelf:
    """The sheets under the home."""
    return SheetShelf(settings.home)


def rulebook(books: Books, packs: Sequence[str] = ()) -> RulebookSource:
    """The named packs as one rulebook; without names, all that say they are rulebooks, the bundled digest too.

    The index behind it is brought up to date when it is first searched.
    """
    chosen = (
        books.newest(packs) if packs else [each for each in books.newest() if is_rulebook(each)]
    )
    opened: list[LoreRetriever] = []

    async def find(query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
        if not opened:
            opened.append(await Catalogue(books).searcher())
        return await opened[0].query(query, viewer=viewer)

    version = "|".join(f"{each.manifest.id}@{version_of(books.shelf, each)}" for each in chosen)
    return RulebookSource(rows_of(books.shelf, chosen), find, version)
