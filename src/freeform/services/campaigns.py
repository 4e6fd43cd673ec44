"""Campaigns: what can be played, beginning one, and looking at one from every side."""

from collections.abc import Sequence
from typing import Any

from freeform.core.errors import NotFound
from freeform.core.llm.prompts import with_own
from freeform.core.llm.tape import Tape
from freeform.core.record import Record
from freeform.engine.authored.library import ScenarioRow, load_scenario, scenarios
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign import begin as beginning
from freeform.engine.campaign import diverged as divergence
from freeform.engine.campaign import inspection
from freeform.engine.campaign import why as provenance
from freeform.engine.campaign.begin import Answers
from freeform.engine.campaign.diverged import Divergence
from freeform.engine.campaign.sessions import active
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState
from freeform.services.house import House
from freeform.services.pictures.kept import illustrated, shown_picture
from freeform.services.pictures.seen import drawn_faces, kept_for
from freeform.services.stories.cards import StoryRow, read_card, story_row
from freeform.services.stories.portraits import portraits_of
from freeform.services.views import player, tapes
from freeform.services.views.map import MapShown, map_of
from freeform.services.views.records import (
    CampaignView,
    PassView,
    ScenarioView,
    Story,
    TableShown,
    WorldShown,
)
from freeform.services.views.story import last_words, story
from freeform.settings import Settings

EVER = "1970-01-01T00:00:00Z"
_LAST_ENTRIES = 200
_SEEDS = 2**31


class CampaignBegun(Record):
    """A campaign that was begun."""

    campaign: str
    scenario: str
    name: str
    seed: int
    opening: str
    suggested_actions: list[str]


def list_scenarios(settings: Settings) -> list[ScenarioRow]:
    """What can be played."""
    return scenarios(settings.home)


def scenario_choices(settings: Settings) -> list[ScenarioView]:
    """What can be played, each with its heroes and the questions of session zero."""
    shelf = scenarios(settings.home)
    return [player.scenario(load_scenario(row.id, settings.home)) for row in shelf]


def find_scenario(house: House, name: str) -> Scenario:
    """A scenario by its id; by its file too, where the one who asks may name files."""
    return load_scenario(name, house.settings.home, files=house.files)


async def begin_campaign(
    house: House,
    scenario: str | Scenario,
    answers: Answers | None = None,
    *,
    campaign: str | None = None,
    seed: int | None = None,
) -> CampaignBegun:
    """Begins a campaign: under a free name where none is wanted, with the seed given or drawn."""
    found = find_scenario(house, scenario) if isinstance(scenario, str) else scenario
    name = campaign or await free_name(house, found.id)
    chosen = house.settings.seed if seed is None else seed
    drawn = draw_seed(house) if chosen is None else chosen
    begun = await beginning.begin(found, name, drawn, answers or Answers(), house.table)
    return CampaignBegun(
        campaign=name,
        scenario=found.id,
        name=begun.name,
        seed=begun.seed,
        opening=begun.opening,
        suggested_actions=begun.suggested_actions,
    )


def draw_seed(house: House) -> int:
    """A seed for what was begun without one."""
    return int(house.table.ids.new("seed").rpartition("_")[2], 16) % _SEEDS


async def free_name(house: House, wanted: str) -> str:
    """The name, or the name with the first free number."""
    taken = {row.id for row in await house.table.store.campaigns()}
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


async def list_campaigns(house: House) -> list[StoryRow]:
    """Every campaign that is not in the bin, nor a draft's preview: last played first, what is put
    away at the end."""
    rows = [row for row in await story_rows(house) if not (row.deleted_at or row.draft)]
    return sorted(rows, key=lambda row: row.archived)


async def list_deleted(house: House) -> list[StoryRow]:
    """What lies in the bin, last thrown out first."""
    rows = [row for row in await story_rows(house) if row.deleted_at]
    return sorted(rows, key=lambda row: row.deleted_at, reverse=True)


async def story_rows(house: House) -> list[StoryRow]:
    """Every campaign with what its owner has said of it, the bin included."""
    home = house.settings.home
    return [story_row(home, row) for row in await house.table.store.campaigns()]


async def check_campaign(house: House, campaign: str) -> None:
    """NotFound when there is no campaign of that name."""
    await house.table.store.head(campaign)


async def campaign_view(house: House, campaign: str) -> CampaignView:
    """A campaign where it stands."""
    store = house.table.store
    begun = await store.begun(campaign)
    head = await store.head(campaign)
    prompt, suggested, pending = last_words(begun, await store.tail(campaign, 1))
    card = read_card(house.settings.home, campaign)
    return CampaignView(
        id=campaign,
        name=card.name or begun.name,
        scenario=begun.scenario.id,
        genre=begun.scenario.genre,
        archived=card.archived,
        deleted_at=card.deleted_at,
        draft=card.draft,
        branch=head.branch,
        turn_no=head.turn_no,
        opening=begun.opening,
        suggested_actions=suggested,
        next_prompt=prompt,
        pending=pending,
        session=active(await store.get_state(campaign)),
    )


async def game_state(house: House, campaign: str, turn_no: int | None = None) -> GameState:
    """The whole state, secrets too: now, or after a turn."""
    return await house.table.store.get_state(campaign, turn_no)


async def table_view(house: House, campaign: str) -> TableShown:
    """The table as the player sees it."""
    state = await house.table.store.get_state(campaign)
    rules = Rules.of(await house.table.store.begun(campaign)).knowing(state)
    seen = player.table(state, rules, await house.table.tapes.spent(campaign, EVER))
    faces = portraits_of(house.settings.home, campaign, state, rules)
    faces |= await drawn_faces(house, campaign)
    return seen.model_copy(update={"portraits": faces}) if faces else seen


async def world_view(house: House, campaign: str) -> WorldShown:
    """Who and what the player has heard of."""
    store = house.table.store
    state = await store.get_state(campaign)
    rules = Rules.of(await store.begun(campaign)).knowing(state)
    return player.world(state, rules, await store.tail(campaign, _LAST_ENTRIES))


async def map_view(house: House, campaign: str) -> MapShown:
    """What the character knows of the world's shape."""
    store = house.table.store
    state = await store.get_state(campaign)
    rules = Rules.of(await store.begun(campaign)).knowing(state)
    return map_of(state, rules, await store.tail(campaign, _LAST_ENTRIES))


async def read_story(
    house: House, campaign: str, *, before: int | None = None, limit: int = 50
) -> Story:
    """Turns of the active branch, oldest first: the last ones, or those before a turn."""
    store = house.table.store
    head = await store.head(campaign)
    last = min(head.turn_no, before - 1) if before else head.turn_no
    first = max(1, last - limit + 1)
    logged = await store.read(campaign, first, last) if last >= 1 else []
    takes = await store.count_takes(campaign, first, last)
    turns = story(logged, takes, await store.get_state(campaign))
    more = first > 1 and last >= 1
    pictures = kept_for(house, campaign)
    if not pictures:
        return Story(turns=turns, more=more)
    opening = [shown_picture(row, campaign) for row in pictures if not row.turn_id and not more]
    return Story(turns=illustrated(turns, pictures, campaign), more=more, pictures=opening)


async def context_of(house: House, campaign: str, text: str) -> dict[str, Any]:
    """The packet that a turn with that text would send, and its weight in tokens."""
    return await inspection.context_for(campaign, text, house.table)


async def recorded_turn(house: House, campaign: str, turn_no: int) -> dict[str, Any]:
    """A turn as it was recorded."""
    return await inspection.recorded(campaign, turn_no, house.table)


async def why(
    house: House, campaign: str, fact_id: str, *, known_only: bool = False
) -> dict[str, Any]:
    """Where a fact comes from. `known_only`: what the player has not learnt is not there."""
    return await provenance.why(campaign, fact_id, house.table, known_only=known_only)


async def diverged(house: House, campaign: str) -> Divergence:
    """What play has changed of what came out of a pack. Tells secrets."""
    return await divergence.diverged(campaign, house.table.store)


async def list_tapes(house: House, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
    """Every call to a model, of a campaign or of one turn."""
    await house.table.store.begun(campaign)  # or NotFound
    return await house.table.tapes.of_turn(campaign, turn_no)


async def asked_in_turn(house: House, campaign: str, turn_no: int) -> list[PassView]:
    """Every question that a turn of the active branch put to a model, word for word."""
    store = house.table.store
    head = await store.head(campaign)
    if not 1 <= turn_no <= head.turn_no:
        raise NotFound(f"no turn {turn_no} in '{campaign}'; it has turns 1 to {head.turn_no}")
    logged = await store.read(campaign, turn_no, turn_no)
    turn_ids = {getattr(row.entry, "turn_id", "") for row in logged}
    recorded = await house.table.tapes.of_turn(campaign, turn_no)
    prompts = with_own(house.settings.home)
    return tapes.passes([tape for tape in recorded if tape.turn_id in turn_ids], prompts)
