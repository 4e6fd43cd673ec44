"""What the settings make of the assistant's sources: the shelf of sheets, notes, and rulebooks."""

from collections.abc import Sequence
from pathlib import Path

from freeform.assistant.notes.campaign import campaign_notes
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.rulebook.catalogue import is_rulebook, rows_of, version_of
from freeform.assistant.rulebook.source import RulebookSource
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.shelf import SheetShelf
from freeform.assistant.sheet.source import SheetSource
from freeform.core.errors import NotFound
from freeform.engine.ports import StateStore
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


def sheet_source(settings: Settings, ref: str) -> SheetSource:
    """A sheet by id, name or file."""
    try:
        return SheetSource(sheets(settings).get(ref))
    except NotFound:
        if Path(ref).is_file():
            return SheetSource(read_sheet(Path(ref).read_bytes(), Path(ref).name))
        raise


async def notes_source(
    settings: Settings, ref: str, store: StateStore | None = None
) -> NotesSource:
    """Notes by folder or file, by the name of notes under the home, or of a campaign in the store."""
    for place in (Path(ref), settings.home / "notes" / ref):
        if place.exists():
            return NotesSource(read_notes(place), label=place.name)
    if store is None:
        raise NotFound(
            f"there are no notes '{ref[:80]}'; give a folder of Markdown, or a campaign's id"
        )
    return NotesSource(await campaign_notes(ref, store), label=f"{ref} (campaign)")


async def campaign_character(campaign: str, store: StateStore) -> SheetSource:
    """The player's character of a campaign, as it stands."""
    return SheetSource(campaign_sheet(await store.get_state(campaign)))
