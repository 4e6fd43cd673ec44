"""Who may know what: nothing secret changes anything a player or another NPC is given."""

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import (
    PLAYER,
    Document,
    DocumentSection,
    LoreRetrievalQuery,
    LoreRetrievalResult,
    Viewer,
)
from tests.retrieval.happened import happened
from tests.retrieval.shelf import (
    CHEN,
    DRAGON,
    GUILD,
    HARBOUR,
    SHELF,
    VIKTOR,
    HashedWords,
    fill,
    searching,
)

WORDS = [
    "viktor",
    "debt",
    "bar",
    "dragon",
    "dock",
    "guild",
    "zenith",
    "comm",
    "vault",
    "night",
    "cards",
]
SECRET = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join)
QUERY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
JIN = Viewer(kind="npc", id="neo:jin")


def with_secrets(
    documents: list[Document], secrets: list[str], hidden: list[str]
) -> list[Document]:
    """The documents with more GM-only sections in each, and GM-only documents beside them."""
    longer = []
    for number, document in enumerate(documents):
        kept = list(document.sections)
        for at, text in enumerate(secrets):
            heading = ("Secrets", "History", "Withholds", "Discoverable")[(number + at) % 4]
            secret = DocumentSection(
                path=f"{document.name} > {heading}",
                heading=heading,
                level=2,
                text=text,
                gm_only=True,
            )
            kept.insert((number + at) % (len(kept) + 1), secret)
        longer.append(document.model_copy(update={"sections": kept}))
    facts = [
        happened("camp", "fact", f"f{n}", text, turn_no=n, hidden=True)
        for n, text in enumerate(hidden)
    ]
    return [*longer, *facts]


async def seen(documents: list[Document], viewer: Viewer, text: str) -> list[LoreRetrievalResult]:
    index, embedder = SqlitePassages(), HashedWords()
    await fill(index, documents, embedder)
    search = searching(index, embedder)
    lore = LoreRetriever(search)
    return [
        await search.search(LoreRetrievalQuery(keywords=text), viewer),
        await search.search(
            LoreRetrievalQuery(keywords=text, entity_ids=["viktor"], thread_tags=["bar"]), viewer
        ),
        await search.search(LoreRetrievalQuery(location_id="neon_dragon"), viewer),
        await lore.retrieve_for_entity("neo:viktor", viewer),
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SECRET, max_size=3), st.lists(SECRET, max_size=3), QUERY)
def test_secret_text_never_changes_what_a_player_finds(
    secrets: list[str], hidden: list[str], query: str
) -> None:
    plain = asyncio.run(seen(SHELF, PLAYER, query))
    assert asyncio.run(seen(with_secrets(SHELF, secrets, hidden), PLAYER, query)) == plain


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SECRET, max_size=3), st.lists(SECRET, max_size=3), QUERY)
def test_others_secrets_never_change_what_an_npc_finds(
    secrets: list[str], hidden: list[str], query: str
) -> None:
    viktor, others = Viewer(kind="npc", id="neo:viktor"), [CHEN, DRAGON, GUILD, HARBOUR]
    plain = asyncio.run(seen([VIKTOR, *others], viktor, query))
    assert (
        asyncio.run(seen([VIKTOR, *with_secrets(others, secrets, hidden)], viktor, query)) == plain
    )


async def test_an_npc_finds_its_own_secret_first() -> None:
    index = SqlitePassages()
    await fill(index)
    query = LoreRetrievalQuery(keywords="debt to Zenith")
    own = await searching(index).search(query, Viewer(kind="npc", id="viktor"))
    assert own.chunks[0].chunk_id == "neo:viktor:withholds"
    assert (await searching(index).search(query, JIN)).chunks == []


async def test_what_happened_is_known_to_the_player_and_to_those_who_were_there() -> None:
    index = SqlitePassages()
    events = [
        happened(
            "camp",
            "event",
            "e1",
            "The lamp was smashed in the alley.",
            turn_no=3,
            known_by=["neo:jin"],
        ),
        happened("camp", "fact", "f1", "The lamp held a listening device.", turn_no=4, hidden=True),
    ]
    await fill(index, events)
    query = LoreRetrievalQuery(keywords="lamp", corpus="history")
    search = searching(index)
    told = {
        str(viewer.id or viewer.kind): [
            c.metadata["type"] for c in (await search.search(query, viewer)).chunks
        ]
        for viewer in (Viewer(), PLAYER, JIN, Viewer(kind="npc", id="neo:viktor"))
    }
    assert told == {
        "gm": ["event", "fact"],
        "player": ["event"],
        "neo:jin": ["event"],
        "neo:viktor": [],
    }


def test_an_unknown_viewer_sees_no_more_than_a_player() -> None:
    assert [
        Viewer.parse(text).kind for text in ("gm", "player", "npc:viktor", "npc:", "root", "")
    ] == [
        "gm",
        "player",
        "npc",
        "player",
        "player",
        "player",
    ]
