"""Use cases of the house, one after another: what each gives back, and the sentence where it refuses."""

from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.core.clock import HandClock
from freeform.core.errors import FreeformError
from freeform.core.ids import CountedIds
from freeform.engine.authored.library import content_folder
from freeform.services import campaigns, limits, packs, play, sessions
from freeform.services.desk import drafts
from freeform.services.gm import behind, oracle
from freeform.services.house import House, opened_house
from freeform.services.stories import owned
from freeform.settings import Settings
from tests.snapshots.keeping import cut, plain, without

TICKING = (
    "timings_ms",
    "seconds",
    "at",
    "created_at",
    "updated_at",
    "deleted_at",
    "path",
    "digest",
    "prompt_versions",
    "usage",
    "model",
)
INPUTS = ("look around", "talk to somebody", "go outside", "search the room")


async def services(folder: Path) -> dict[str, Any]:
    """Stories as things one owns, the log's moves, nights, limits, the oracle, the screen, packs, drafts."""
    async with opened_house(Settings(home=folder, model="offline")) as house:
        house.table = replace(house.table, ids=CountedIds(), clock=HandClock())
        told: dict[str, Any] = {}
        for part in (_stories, _moves, _nights, _shelf):
            told[part.__name__.strip("_")] = [await given(step, folder) for step in part(house)]
        return told


async def given(step: Awaitable[Any], folder: Path) -> Any:
    try:
        return cut(without(plain(await step), *TICKING))
    except FreeformError as refused:
        return f"{type(refused).__name__}: {refused}".replace(str(folder), "HOME")


def _stories(house: House) -> list[Awaitable[Any]]:
    return [
        campaigns.begin_campaign(house, "first_night", campaign="a", seed=7),
        campaigns.begin_campaign(house, "first_night", campaign="a", seed=7),
        campaigns.begin_campaign(house, "last_night", campaign="b"),
        owned.rename_story(house, "a", "  Winter   sands "),
        owned.rename_story(house, "a", " "),
        owned.copy_story(house, "a"),
        owned.copy_story(house, "a", "Another"),
        owned.archive_story(house, "a-2", True),
        owned.remove_story(house, "a-2"),
        owned.delete_story(house, "a-2"),
        campaigns.list_campaigns(house),
        campaigns.list_deleted(house),
        owned.restore_story(house, "a-2"),
        owned.delete_story(house, "nobody"),
        campaigns.free_name(house, "a"),
        campaigns.campaign_view(house, "a"),
    ]


def _moves(house: House) -> list[Awaitable[Any]]:
    return [
        *(_turn(house, text) for text in INPUTS),
        play.undo(house, "a", 2),
        play.redo(house, "a"),
        play.redo(house, "a"),
        play.redo(house, "a"),
        play.undo(house, "a", 99),
        play.retry_turn(house, "a"),
        play.list_takes(house, "a", 4),
        play.choose_take(house, "a", 4, 1),
        play.choose_take(house, "a", 4, 9),
        play.start_branch(house, "a", 2, "other"),
        play.start_branch(house, "a", 2, "other"),
        _turn(house, "wait"),
        play.list_branches(house, "a"),
        play.switch_branch(house, "a", "main"),
        play.switch_branch(house, "a", "nowhere"),
        play.other_words(house, "a", 4, "look around again"),
        play.use_x_card(house, "a", "spiders"),
        limits.show_limits(house, "a"),
        campaigns.read_story(house, "a", before=3, limit=1),
        campaigns.world_view(house, "a"),
        campaigns.map_view(house, "a"),
        campaigns.diverged(house, "a"),
    ]


def _nights(house: House) -> list[Awaitable[Any]]:
    return [
        sessions.end_session(house, "a"),
        sessions.start_session(house, "a"),
        sessions.start_session(house, "a"),
        _turn(house, "look at the door"),
        sessions.open_night(house, "a"),
        sessions.end_session(house, "a"),
        sessions.list_sessions(house, "a"),
        sessions.recap(house, "a"),
        oracle.ask_oracle(house, "a", "is somebody there?", "likely"),
        oracle.ask_oracle(house, "a", "is somebody there?", "purple"),
        oracle.list_tables(house, "a"),
        behind.behind_screen(house, "a"),
    ]


def _shelf(house: House) -> list[Awaitable[Any]]:
    new = house.settings.home / "new"
    return [
        packs.list_packs(house),
        packs.pack_info(house, "saltmarch"),
        packs.pack_info(house, "sweetmarch"),
        _now(packs.validate_path, house, content_folder("packs") / "saltmarch"),
        _now(packs.validate_pack, house, "nowhere"),
        _now(packs.new_pack, new, "mine"),
        _now(packs.new_pack, new, "mine"),
        packs.install_pack(house, new / "mine"),
        packs.install_pack(house, new / "nothing"),
        packs.remove_pack(house, "saltmarch"),
        packs.remove_pack(house, "mine"),
        packs.remove_pack(house, "mine"),
        _now(play.roll_dice, "2d6+3", 4),
        _now(play.roll_dice, "d", 4),
        _now(drafts.list_drafts, house),
    ]


async def _turn(house: House, text: str) -> Any:
    result = await play.take_turn(house, await play.say_of(house, "a", text))
    return [result.turn_no, *(event.type for event in result.engine_events)]


async def _now(do: Any, *given: Any) -> Any:
    return do(*given)
