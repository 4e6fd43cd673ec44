"""What every PassageIndex promises: one suite, run on each way of having one."""

from array import array
from pathlib import Path

import pytest

from freeform.adapters.chroma.passages import ChromaPassages
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.retrieval.model import GM, PLAYER, Viewer
from freeform.retrieval.ports import PassageIndex, Signals, Where
from tests.retrieval.shelf import (
    CHEN,
    DRAGON,
    GUILD,
    HARBOUR,
    SHELF,
    VIKTOR,
    HashedWords,
    document,
    fill,
)

EVERYTHING = Where(viewer=GM)


@pytest.fixture(params=["file", "memory", "chroma"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> PassageIndex:
    if request.param == "chroma":
        pytest.importorskip("chromadb", reason="the extra `chroma` is not installed")
        return ChromaPassages(
            SqlitePassages(tmp_path / "index" / "a.db"), tmp_path / "index" / "chroma", "a"
        )
    return SqlitePassages(tmp_path / "index" / "a.db" if request.param == "file" else None)


async def test_a_title_counts_more_than_the_text(index: PassageIndex) -> None:
    await fill(index)
    hits = await index.words("who owns the Neon Dragon", EVERYTHING, 10)
    assert hits[0].id == "neo:neon_dragon:overview"


async def test_an_alias_finds_the_entry(index: PassageIndex) -> None:
    await fill(index)
    hits = await index.words("Chen", EVERYTHING, 3)
    assert hits[0].id.startswith("neo:agent_chen:")


async def test_words_are_found_in_other_forms(index: PassageIndex) -> None:
    await fill(index)
    hits = await index.words("smuggler", EVERYTHING, 3)
    assert [hit.id for hit in hits] == ["coast:harbour:overview"]


@pytest.mark.parametrize(
    "typed", ['"', "NEAR(", "a AND", "text: *", "' or 1=1 --", "", "\0", "title^2 -x"]
)
async def test_what_people_type_is_never_an_operator(index: PassageIndex, typed: str) -> None:
    await fill(index)
    assert isinstance(await index.words(typed, EVERYTHING, 5), list)


async def test_filters_narrow_both_words_and_vectors(index: PassageIndex) -> None:
    embedder = HashedWords()
    await fill(index, embedder=embedder)
    (vector,) = await embedder.embed(["dock night bar"])
    filters = {
        Where(viewer=GM, packs=("coast",)): {"coast:harbour"},
        Where(viewer=GM, types=("faction",)): {"neo:guild"},
        Where(viewer=GM, tags=("fixer",)): {"neo:viktor"},
        Where(viewer=GM, locations=("neon_dragon",)): {"neo:neon_dragon", "neo:viktor"},
        Where(viewer=GM, entities=("neo:guild",)): {"neo:guild", "neo:neon_dragon"},
        Where(viewer=GM, entities=("other:guild",)): set(),
        Where(viewer=GM, any_of=Signals(threads=("main_case",), tags=("docks",))): {
            "neo:viktor",
            "coast:harbour",
        },
        Where(viewer=GM, corpora=("history",)): set(),
    }
    for where, wanted in filters.items():
        near = await index.near(vector, embedder.name, where, 100)
        assert {hit.id.rpartition(":")[0] for hit in near} == wanted
        words = await index.words(
            "dock bar night corporate owner market traders viktor", where, 100
        )
        assert {hit.id.rpartition(":")[0] for hit in words} == wanted
        assert {chunk.document for chunk in await index.find(where, 100)} == wanted


async def test_vectors_are_compared_exactly(index: PassageIndex) -> None:
    embedder = HashedWords()
    await fill(index, embedder=embedder)
    (asked,) = await embedder.embed(["cards and a long night"])
    hits = await index.near(asked, embedder.name, EVERYTHING, 4)
    texts = await index.get([hit.id for hit in hits])
    vectors = await embedder.embed([chunk.embedded_text for chunk in texts])
    cosines = [
        sum(a * b for a, b in zip(array("f", asked), array("f", v), strict=True)) for v in vectors
    ]
    assert [hit.score for hit in hits] == pytest.approx(cosines, abs=1e-4)
    assert cosines == sorted(cosines, reverse=True)


async def test_a_player_is_given_nothing_for_the_game_master(index: PassageIndex) -> None:
    embedder = HashedWords()
    await fill(index, embedder=embedder)
    where = Where(viewer=PLAYER)
    (vector,) = await embedder.embed(["his own debt to Zenith Industries"])
    found = [
        *(
            hit.id
            for hit in await index.words("debt Zenith bankrupt masters vault comm unit", where, 100)
        ),
        *(hit.id for hit in await index.near(vector, embedder.name, where, 100)),
        *(chunk.id for chunk in await index.find(where, 100)),
    ]
    assert found and not [
        id for id in found if id.rpartition(":")[2] in ("withholds", "knows", "secrets")
    ]


async def test_an_npc_is_given_its_own_knowledge_and_no_one_elses(index: PassageIndex) -> None:
    embedder = HashedWords()
    await fill(index, embedder=embedder)
    where = Where(viewer=Viewer(kind="npc", id="neo:viktor"))
    (vector,) = await embedder.embed(["debt"])
    words = [
        hit.id
        for hit in await index.words("debt to Zenith, delivery, vault code, bankrupt", where, 100)
    ]
    near = [hit.id for hit in await index.near(vector, embedder.name, where, 100)]
    found = [chunk.id for chunk in await index.find(where, 100)]
    for ids in (words, near, found):
        assert {"neo:viktor:withholds", "neo:viktor:knows"} <= set(ids)
        assert not {"neo:agent_chen:knows", "neo:agent_chen:withholds", "neo:guild:secrets"} & set(
            ids
        )


async def test_neighbours_are_those_the_viewer_may_see(index: PassageIndex) -> None:
    await fill(index)
    asked = ["neo:viktor:disposition"]
    assert await index.beside(asked, EVERYTHING) == {
        asked[0]: ["neo:viktor:overview", "neo:viktor:knows"]
    }
    assert await index.beside(asked, Where(viewer=PLAYER)) == {
        asked[0]: ["neo:viktor:overview", "neo:viktor:capabilities"]
    }


async def test_chunks_come_back_as_they_were_written(index: PassageIndex) -> None:
    await fill(index)
    (chunk,) = await index.get(["neo:neon_dragon:history", "neo:nothing:here"])
    assert (chunk.section_path, chunk.file_path) == (
        "The Neon Dragon > History",
        "locations/neon_dragon.md",
    )
    assert chunk.metadata.entity_ids == ["neo:jin", "neo:viktor"]
    assert chunk.metadata.location_ids == ["neo:neon_dragon"]
    assert chunk.aliases == ["the Dragon"]
    assert type(chunk).model_validate(chunk.model_dump()) == chunk


async def test_only_what_changed_is_written_again(index: PassageIndex) -> None:
    embedder = HashedWords()
    await fill(index, embedder=embedder)
    embedder.asked.clear()
    changed = VIKTOR.model_copy(
        update={
            "sections": [
                *VIKTOR.sections[:-1],
                VIKTOR.sections[-1].model_copy(update={"text": "Was a diver."}),
            ]
        }
    )
    result = await fill(index, [DRAGON, changed, CHEN, GUILD], embedder)
    assert (result.changed, result.removed, result.documents) == (1, 1, 4)
    assert len(embedder.asked) == 1 and "Was a diver." in embedder.asked[0]
    assert await index.words("crane harbour", EVERYTHING, 10) == []
    assert [hit.id for hit in await index.words("diver", EVERYTHING, 10)] == [
        "neo:viktor:background"
    ]
    (vector,) = await embedder.embed(["Was a diver"])
    assert (await index.near(vector, embedder.name, EVERYTHING, 1))[0].id == "neo:viktor:background"


async def test_a_changed_index_is_the_same_as_one_made_at_once(index: PassageIndex) -> None:
    embedder = HashedWords()
    fresh = SqlitePassages()
    await fill(fresh, [DRAGON, CHEN, HARBOUR], embedder)
    for documents in (SHELF, [GUILD], [HARBOUR, CHEN], [CHEN, DRAGON, HARBOUR]):
        await fill(index, documents, embedder)
    (vector,) = await embedder.embed(["a grey dock"])
    for where in (EVERYTHING, Where(viewer=PLAYER)):
        words = "grey coat dock bar manager"
        assert await index.words(words, where, 50) == await fresh.words(words, where, 50)
        mine, theirs = [await i.near(vector, embedder.name, where, 50) for i in (index, fresh)]
        assert mine == theirs and mine


async def test_another_embedder_embeds_everything_again(index: PassageIndex) -> None:
    await fill(index, embedder=HashedWords("one"))
    two = HashedWords("two")
    result = await fill(index, embedder=two)
    assert result.changed == 0 and result.embedded == len(two.asked) > 0
    assert (await index.stats(None, "two")).without_vector == 0
    (vector,) = await two.embed(["bar"])
    assert await index.near(vector, "two", EVERYTHING, 1)


async def test_passages_indexed_without_an_embedder_get_vectors_later(index: PassageIndex) -> None:
    await fill(index)
    embedder = HashedWords()
    assert (await index.stats(None, embedder.name)).without_vector > 0
    result = await fill(index, embedder=embedder)
    assert result.changed == 0 and result.embedded > 0
    assert (await index.stats(None, embedder.name)).without_vector == 0


async def test_sources_are_kept_apart(index: PassageIndex) -> None:
    await fill(index, [DRAGON, VIKTOR], source="neo")
    await fill(index, [HARBOUR], source="coast")
    assert await index.sources() == ["coast", "neo"]
    assert (await index.stats("coast")).documents == 1
    await fill(index, [], source="neo")
    assert await index.sources() == ["coast"]
    assert (await index.stats()).documents == 1


async def test_a_run_that_was_cut_off_is_noticed(index: PassageIndex) -> None:
    await fill(index)
    assert not (await index.stats()).unfinished
    await index.begin("shelf")
    assert (await index.stats()).unfinished
    await fill(index)
    assert not (await index.stats()).unfinished


async def test_signals_shared_by_more_come_first(index: PassageIndex) -> None:
    both = document(
        "both", "Both", "item", [], "A coin.", related_entities=["viktor"], tags=["market"]
    )
    await fill(index, [DRAGON, GUILD, both])
    where = Where(viewer=GM, any_of=Signals(entities=("viktor",), tags=("market",)))
    assert (await index.find(where, 1))[0].document == "neo:both"
