"""A draft played at once, from any of its places, and thrown away by the next time."""

import tempfile
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


async def preview_draft(house: House, draft: str, place: str = "") -> CampaignBegun:
    """Begins a campaign of a draft as it stands, at a place of it; the last preview of the draft
    goes. UserError says what keeps it from being played."""
    scenario = _playable(house, draft)
    if place:
        if not any(each.id == place and each.type == "location" for each in scenario.entities):
            raise UserError(f"there is no place '{place}' in this draft to begin at")
        start = scenario.start.model_copy(update={"location": place})
        scenario = scenario.model_copy(update={"start": start})
    await drop_previews(house, draft)
    name = await free_name(house, f"preview-{draft}")
    begun = await begin_campaign(house, scenario, campaign=name)
    write_card(house.settings.home, name, StoryCard(draft=draft))
    return begun


async def drop_previews(house: House, draft: str) -> None:
    """Removes what was played of a draft."""
    files = wiring.campaign_files(house.settings)
    for row in await story_rows(house):
        if row.draft == draft:
            files.remove(row.id)


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
