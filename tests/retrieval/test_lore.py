"""What the game master reads on entering a scene, about someone, and at the start of a night."""

import pytest

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.retrieval.briefing import (
    DiscoverableNote,
    brief,
    discoverables,
    items,
    thread_lines,
)
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.lore import LoreRetriever, SceneSignal, ThreadSignal
from freeform.retrieval.model import PLAYER, ContentPackChunk, LoreRetrievalQuery
from freeform.retrieval.search import within
from tests.retrieval.happened import happened
from tests.retrieval.shelf import SHELF, document, fill, searching

SCENE = SceneSignal(location_id="neo:neon_dragon", present_entity_ids=["neo:viktor", "player"])
CASE = ThreadSignal(id="main_case", title="Who took Jin?", tags=["investigation"])


@pytest.fixture
async def lore() -> LoreRetriever:
    index = SqlitePassages()
    past = [
        happened("camp", "summary", f"s{n}", f"Night {n}: they asked about Jin.", turn_no=n)
        for n in range(12)
    ]
    await fill(index, SHELF)
    await fill(index, past, source="camp")
    return LoreRetriever(searching(index))


async def test_a_scene_is_told_by_the_sections_of_its_entries(lore: LoreRetriever) -> None:
    scene = await lore.retrieve_for_scene(SCENE, [CASE])
    assert scene.atmosphere == ["Blue haze under red lamps.", "The fans have not turned for years."]
    assert scene.npc_briefings["neo:viktor"].model_dump() == {
        "disposition": "Nervous tonight; he keeps looking at the door.",
        "knows": ["the route of Jin's last delivery", "who pays Agent Chen"],
        "withholds": ["his own debt to Zenith Industries"],
        "capabilities": "No fighter. Knows every fixer of the district.",
        "voice": "",
        "who": "The owner of the Neon Dragon, broad, soft-spoken and always counting.",
    }
    assert [found.model_dump() for found in scene.discoverable] == [
        {"trigger": "search behind the bar", "content": "a spare comm unit wrapped in cloth"},
        {"trigger": "look up", "content": "a dead camera"},
    ]
    assert scene.thread_connections == {"main_case": "Jin was last seen at the corner table"}
    assert list(scene.npc_briefings) == ["neo:viktor"]


async def test_short_ids_give_the_same_scene(lore: LoreRetriever) -> None:
    short = await lore.retrieve_for_scene(
        SceneSignal(location_id="neon_dragon", present_entity_ids=["viktor"]), [CASE]
    )
    full = await lore.retrieve_for_scene(SCENE, [CASE])
    assert short.npc_briefings["viktor"] == full.npc_briefings["neo:viktor"]
    assert (short.atmosphere, short.discoverable) == (full.atmosphere, full.discoverable)


async def test_a_scene_keeps_to_its_tokens(lore: LoreRetriever) -> None:
    scene = await lore.retrieve_for_scene(SCENE, [CASE], max_tokens=30)
    assert 0 < scene.total_tokens <= 30 and scene.npc_briefings["neo:viktor"].disposition


async def test_an_unknown_place_gives_an_empty_scene(lore: LoreRetriever) -> None:
    assert (await lore.retrieve_for_scene(SceneSignal(location_id="void"))).sources == []
    assert (await lore.retrieve_for_scene(SceneSignal())).sources == []


async def test_an_entity_is_told_by_its_own_entry_first(lore: LoreRetriever) -> None:
    chunks = (await lore.retrieve_for_entity("neo:viktor")).chunks
    own = [chunk.chunk_id.startswith("neo:viktor:") for chunk in chunks]
    assert own[0] and own == sorted(own, reverse=True) and not all(own)


async def test_a_query_holds_the_players_words_and_the_scene_as_signals() -> None:
    query = LoreRetriever.build_query(SCENE, [CASE], "ask about Jin's last delivery")
    assert query == LoreRetrievalQuery(
        location_id="neo:neon_dragon",
        entity_ids=["neo:viktor", "player"],
        thread_ids=["main_case"],
        thread_tags=["investigation"],
        keywords="ask about Jin's last delivery",
    )
    assert (
        "Who took Jin?"
        in LoreRetriever.build_query(SCENE, [CASE], "  ", ["The Neon Dragon"]).keywords
    )


async def test_the_corpus_and_the_tokens_of_a_query_can_be_overridden(lore: LoreRetriever) -> None:
    result = await lore.query(LoreRetrievalQuery(keywords="Jin"), "history", 30)
    assert {chunk.source for chunk in result.chunks} == {"history"} and result.total_tokens <= 30


async def test_a_night_begins_with_the_world_and_the_newest_of_the_past(
    lore: LoreRetriever,
) -> None:
    night = await lore.retrieve_for_session("camp", PLAYER, max_tokens=120)
    assert night.setting and all(chunk.source == "authored" for chunk in night.setting)
    assert night.history[-1].text == "Night 11: they asked about Jin."
    assert night.total_tokens <= 120


def test_finds_are_read_in_the_ways_people_write_them() -> None:
    lines = [
        "**Search the desk**: a key",
        "`lift the rug` → a trapdoor",
        "If someone tastes the soup, it is poisoned.",
        "dust",
    ]
    text = "\n".join(f"- {line}" for line in lines)
    assert discoverables(text) == [
        DiscoverableNote(trigger="Search the desk", content="a key"),
        DiscoverableNote(trigger="lift the rug", content="a trapdoor"),
        DiscoverableNote(trigger="tastes the soup", content="it is poisoned."),
        DiscoverableNote(trigger="search", content="dust"),
    ]


def test_items_may_run_over_lines_and_prose_counts_by_paragraph() -> None:
    assert items("- one\n  goes on\n- two") == ["one goes on", "two"]
    assert items("First\nstill first.\n\nSecond.") == ["First still first.", "Second."]


def chunk(name: str, text: str, tokens: int = 10) -> ContentPackChunk:
    about = document("mill", "Mill", "location", [(name, text)])
    (made,) = [each for each in chunk_document(about) if not each.id.endswith("overview")]
    metadata = made.metadata.model_copy(update={"token_count": tokens})
    return made.model_copy(update={"metadata": metadata})


def overview(text: str) -> list[ContentPackChunk]:
    return chunk_document(document("mill", "Mill", "location", [], overview=text))


def test_a_place_without_a_mood_of_its_own_is_told_by_its_overview() -> None:
    told = brief([*overview("An old mill."), chunk("History", "It burned.")], "mill", [], [], 99)
    assert told.atmosphere == ["An old mill."] and told.sources == ["neo:mill:overview"]
    own = brief([*overview("An old mill."), chunk("Atmosphere", "Dust.")], "mill", [], [], 99)
    assert own.atmosphere == ["Dust."]
    assert own.total_tokens == 2


@pytest.mark.parametrize(("tokens", "fits"), [(9, True), (10, True), (11, False)])
def test_a_passage_that_just_fits_is_taken(tokens: int, fits: bool) -> None:
    one = chunk("Atmosphere", "Dust.", tokens)
    assert bool(brief([one], "mill", [], [], 10).atmosphere) is fits
    assert (within([one], 10, 1) == [one]) is fits
    assert within([one, one], 10, 0) == []
    small = chunk("Atmosphere", "Sun.", 1)
    assert within([one, small], 10, 2)[-1:] == ([one] if tokens == 10 else [small])


def test_what_two_people_say_of_a_thread_stands_together() -> None:
    said = [chunk("Threads", "- main_case: he spoke to Jin last\n- other: nothing")]
    told = brief(said, "mill", ["mill"], ["main_case"], 99)
    assert told.thread_connections == {"main_case": "he spoke to Jin last"}
    assert thread_lines("- **Main Case** → twice", ["main_case"]) == {"main_case": "twice"}
