"""A draft played at once, from any of its places, and thrown away by the next time."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from freeform import wiring
from freeform.core.errors import BadFile, UserError
from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Scenario
from freeform.services.campaigns import CampaignBegun, begin_campaign, free_name, story_rows
from freeform.services.desk.blank import as_yaml
from freeform.services.desk.drafts import folder_of
from freeform.services.house import House
from freeform.services.stories.cards import StoryCard, write_card

_LONGEST_PART = 32
"""So much of a draft's id is in a preview's: a campaign's has at most 64 characters."""


async def preview_draft(
    house: House,
    draft: str,
    place: str = "",
    stop: Callable[[str], Awaitable[object]] | None = None,
) -> CampaignBegun:
    """Begins a campaign of a draft as it stands, at a place of it; then earlier previews of it go.

    Each has a name that no other had: a page left open never shows another's story. `stop` ends
    what is being told at a table before it goes. UserError says what keeps it from being played.
    """
    scenario = await asyncio.to_thread(_playable, house, draft)
    if place:
        if not any(each.id == place and each.type == "location" for each in scenario.entities):
            raise UserError(f"there is no place '{place}' in this draft to begin at")
        start = scenario.start.model_copy(update={"location": place})
        scenario = scenario.model_copy(update={"start": start})
    earlier = [row.id for row in await story_rows(house) if row.draft == draft]
    fresh = house.table.ids.new("preview").rpartition("_")[2]
    name = await free_name(house, f"preview-{draft[:_LONGEST_PART].strip('_')}-{fresh}")
    files = wiring.campaign_files(house.settings)
    # The card first: whatever happens next, this is on no shelf.
    write_card(house.settings.home, name, StoryCard(draft=draft))
    try:
        begun = await begin_campaign(house, scenario, campaign=name)
    except BaseException:
        files.remove(name)
        raise
    for old in earlier:
        if stop:
            await stop(old)
        await asyncio.to_thread(files.remove, old)
    return begun


def _playable(house: House, draft: str) -> Scenario:
    """The draft, read as play reads any file."""
    data = folder_of(house, draft).head().scenario
    with tempfile.TemporaryDirectory(prefix="freeform-preview-") as scratch:
        path = Path(scratch) / "draft.yaml"
        path.write_text(as_yaml(data), encoding="utf-8")
        try:
            return load_scenario(str(path), house.settings.home)
        except BadFile as wrong:
            raise UserError(f"it cannot be played yet: {wrong.reason}") from None
