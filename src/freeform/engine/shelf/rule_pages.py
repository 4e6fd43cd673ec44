"""What a campaign's rulebooks say on a question of rules: what a player may read, and where."""

from collections.abc import Sequence

from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.engine.shelf.scene_lore import SceneLoreKeeper
from freeform.packs.lock import Locked
from freeform.packs.model import ContentPackManifest
from freeform.retrieval.model import PLAYER, LoreRetrievalQuery, Passage

_MOST, _TOKENS = 6, 1500


class RulePage(Record):
    """A passage of a rulebook and where it stands."""

    text: str
    name: str = ""
    """What the passage goes by: `Grappling`."""
    pack: str
    file: str = ""
    section: str = ""
    book: str = ""
    page: int = 0


async def find_rules(
    asked: Sequence[str], packs: dict[str, Locked], lore: SceneLoreKeeper | None
) -> list[RulePage]:
    """The passages that fit best; none where no rulebook is on the shelf, or it does not open."""
    if lore is None or not asked:
        return []
    books = lore.books
    try:
        rulebooks = [s.manifest.id for s in books.locked(packs) if _is_rulebook(s.manifest)]
        if not rulebooks:
            return []
        reader = await books.reader(packs)
        query = LoreRetrievalQuery(
            keywords=" ".join(asked),
            corpus="authored",
            packs=rulebooks,
            k=_MOST,
            max_tokens=_TOKENS,
        )
        found = await reader.query(query, viewer=PLAYER)
    except FreeformError:
        return []
    return [_page(passage) for passage in found.chunks]


def _is_rulebook(manifest: ContentPackManifest) -> bool:
    """A pack that says so, or one read from a book of rules; adventures are kept from players."""
    if manifest.layer == "adventure":
        return False
    marked = bool(manifest.extra.get("rulebook")) or "rulebook" in manifest.tags
    return marked or bool(manifest.system and "ingested" in manifest.tags)


def _page(passage: Passage) -> RulePage:
    about = passage.metadata
    return RulePage(
        text=passage.text,
        name=str(about.get("name") or about.get("heading") or ""),
        pack=passage.pack_id,
        file=str(about.get("file_path") or ""),
        section=str(about.get("section_path") or ""),
        book=str(about.get("book") or ""),
        page=int(about.get("page") or 0),
    )
