"""What one does with a story one owns: name it, copy it, put it away, delete it, take it back."""

from pathlib import Path
from tempfile import TemporaryDirectory

from freeform import wiring
from freeform.core.errors import Conflict, UserError
from freeform.core.text import visible
from freeform.services.campaigns import campaign_view, check_campaign, free_name, story_rows
from freeform.services.house import House
from freeform.services.pictures.kept import copy_pictures
from freeform.services.stories.cards import StoryCard, StoryRow, read_card, write_card

LONGEST_NAME = 120


async def rename_story(house: House, campaign: str, name: str) -> StoryRow:
    """Another name from now on; an empty one gives back the name it began with."""
    wanted = " ".join(visible(name).split())
    if len(wanted) > LONGEST_NAME:
        raise UserError(f"a name has at most {LONGEST_NAME} letters; this one has {len(wanted)}")
    return await _change(house, campaign, name=wanted)


async def archive_story(house: House, campaign: str, archived: bool) -> StoryRow:
    """Puts a story away, or back among those one plays."""
    return await _change(house, campaign, archived=archived)


async def delete_story(house: House, campaign: str) -> StoryRow:
    """Puts a story in the bin. Nothing of it is lost until it is removed for good."""
    row = await show_story(house, campaign)
    if row.party:
        raise Conflict(f"'{campaign}' is the story of an AI party, which would lose its table")
    if row.deleted_at:
        return row
    now = house.table.clock.now().isoformat(timespec="seconds")
    return await _change(house, campaign, deleted_at=now)


async def restore_story(house: House, campaign: str) -> StoryRow:
    """Takes a story out of the bin."""
    return await _change(house, campaign, deleted_at="")


async def remove_story(house: House, campaign: str) -> StoryRow:
    """Removes a story for good: its file, branches, tapes. Only what lies in the bin."""
    row = await show_story(house, campaign)
    if not row.deleted_at:
        raise Conflict(f"'{campaign}' is not in the bin; delete it first, then remove it for good")
    wiring.campaign_files(house.settings).remove(campaign)
    return row


async def copy_story(house: House, campaign: str, name: str = "") -> StoryRow:
    """The same story once more, with all branches, takes and tapes, under an id of its own."""
    view = await campaign_view(house, campaign)
    id = await free_name(house, campaign)
    files = wiring.campaign_files(house.settings)
    with TemporaryDirectory(prefix="freeform-copy-") as folder:
        copy = Path(folder) / "table.db"
        files.copy_out(campaign, copy)
        files.take_in(copy, campaign, id)
    copy_pictures(house.settings.home, campaign, id)
    card = StoryCard(name=name or f"{view.name} (copy)"[:LONGEST_NAME])
    write_card(house.settings.home, id, card)
    return await show_story(house, id)


async def _change(house: House, campaign: str, **what: str | bool) -> StoryRow:
    await check_campaign(house, campaign)
    home = house.settings.home
    card = read_card(home, campaign)
    write_card(home, campaign, card.model_copy(update=what))
    return await show_story(house, campaign)


async def show_story(house: House, campaign: str) -> StoryRow:
    """A story with what its owner has said of it."""
    await check_campaign(house, campaign)
    rows = await story_rows(house)
    return next(row for row in rows if row.id == campaign)
