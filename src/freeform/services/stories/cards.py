"""The card of a story: what its owner calls it and where they keep it; a small file beside the log.

The log says what happened and is never rewritten, so a new name or a place in the bin is no entry
of it: `campaigns/<id>/card.json`. A card that does not read is as good as none; the story is whole.
"""

from pathlib import Path

from pydantic import ValidationError

from freeform.core.record import Record
from freeform.engine.ports import CampaignRow
from freeform.packs.lock import write_atomically

_FILE = "card.json"


class StoryCard(Record):
    """What the owner has said of a story."""

    name: str = ""
    """Another name than the one it began with; '' for that one."""
    archived: bool = False
    deleted_at: str = ""
    """When it was put in the bin; '' when it is not there."""
    draft: str = ""
    """The draft it is a preview of; such are on no shelf."""


class StoryRow(CampaignRow):
    """A campaign on its owner's shelf."""

    archived: bool = False
    deleted_at: str = ""
    party: bool = False
    """Played by AI players."""
    draft: str = ""


def read_card(home: Path, campaign: str) -> StoryCard:
    """The card of a story; a blank one where there is none."""
    try:
        return StoryCard.model_validate_json((_folder(home, campaign) / _FILE).read_bytes())
    except (OSError, ValidationError):
        return StoryCard()


def write_card(home: Path, campaign: str, card: StoryCard) -> None:
    """Keeps a card, whole or not at all."""
    write_atomically(_folder(home, campaign) / _FILE, card.model_dump_json(indent=1).encode())


def story_row(home: Path, row: CampaignRow) -> StoryRow:
    """A campaign with what its owner has said of it."""
    card = read_card(home, row.id)
    shown = row.model_dump()
    shown["name"] = card.name or row.name
    return StoryRow(
        **shown,
        archived=card.archived,
        deleted_at=card.deleted_at,
        draft=card.draft,
        party=(home / "parties" / row.id / "party.db").is_file(),
    )


def _folder(home: Path, campaign: str) -> Path:
    return home / "campaigns" / campaign
