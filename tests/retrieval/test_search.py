"""One search: what it finds, in which order, within which budget, and what it says about itself."""

import pytest

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.errors import Unavailable
from freeform.retrieval.fuse import fuse, lend
from freeform.retrieval.model import GM, LoreRetrievalQuery
from freeform.retrieval.ports import Vector
from freeform.retrieval.search import NO_EMBEDDER, Search
from tests.retrieval.shelf import SHELF, HashedWords, document, fill, searching


class Unplugged(HashedWords):
    """An embedder whose server has gone away."""

    async def embed(self, texts: object) -> list[Vector]:
        raise Unavailable("the embedder at http://127.0.0.1:1 does not answer; is it running?")


@pytest.fixture
async def shelf() -> Search:
    index, embedder = SqlitePassages(), HashedWords()
    await fill(index, embedder=embedder)
    return searching(index, embedder)


async def test_the_owner_of_the_neon_dragon_is_found_first(shelf: Search) -> None:
    result = await shelf.search(LoreRetrievalQuery(keywords="who owns the Neon Dragon"), GM)
    assert result.chunks[0].chunk_id == "neo:neon_dragon:overview"
    assert result.chunks[0].metadata["file_path"] == "locations/neon_dragon.md"
    assert result.chunks[0].metadata["section_path"] == "The Neon Dragon"
    assert (result.degraded, result.notes) == (False, [])


async def test_scores_fall_from_one_to_none(shelf: Search) -> None:
    scores = [
        c.relevance_score
        for c in (await shelf.search(LoreRetrievalQuery(keywords="Viktor"), GM)).chunks
    ]
    assert scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)


async def test_the_scene_filters_what_is_looked_at(shelf: Search) -> None:
    query = LoreRetrievalQuery(
        keywords="night dock bar", location_id="neon_dragon", entity_ids=["viktor"]
    )
    found = {c.chunk_id.split(":")[1] for c in (await shelf.search(query, GM)).chunks}
    assert found == {"neon_dragon", "viktor"}


async def test_when_the_scene_knows_nothing_everything_is_searched_and_it_says_so(
    shelf: Search,
) -> None:
    query = LoreRetrievalQuery(keywords="tides and old cranes", location_id="nowhere_at_all")
    result = await shelf.search(query, GM)
    assert (
        result.chunks[0].chunk_id == "coast:harbour:overview"
        or "harbour" in result.chunks[0].chunk_id
    )
    assert result.notes == ["little was found about the scene itself, so everything was searched"]


@pytest.mark.parametrize("budget", [0, 20, 60, 120, 3000])
async def test_the_token_budget_is_kept(shelf: Search, budget: int) -> None:
    result = await shelf.search(
        LoreRetrievalQuery(keywords="Viktor bar market night", max_tokens=budget), GM
    )
    assert result.total_tokens == sum(c.metadata["token_count"] for c in result.chunks) <= budget
    assert bool(result.chunks) is (budget > 0)


async def test_no_more_than_k_come_back(shelf: Search) -> None:
    assert len((await shelf.search(LoreRetrievalQuery(keywords="Viktor", k=2), GM)).chunks) == 2


async def test_without_an_embedder_words_answer_and_it_says_so() -> None:
    index = SqlitePassages()
    await fill(index)
    result = await searching(index).search(LoreRetrievalQuery(keywords="Neon Dragon"), GM)
    assert result.chunks[0].chunk_id == "neo:neon_dragon:overview"
    assert (result.degraded, result.notes) == (True, [NO_EMBEDDER])


async def test_when_the_embedder_fails_words_answer_and_it_says_why() -> None:
    index = SqlitePassages()
    made = await fill(index, embedder=Unplugged())
    assert made.chunks > 0 and "does not answer" in made.notes[0]
    result = await searching(index, Unplugged()).search(
        LoreRetrievalQuery(keywords="Neon Dragon"), GM
    )
    assert result.chunks and result.degraded and "does not answer" in result.notes[0]


async def test_missing_vectors_are_told() -> None:
    index = SqlitePassages()
    await fill(index)
    result = await searching(index, HashedWords()).search(LoreRetrievalQuery(keywords="bar"), GM)
    assert ["run `pack reindex`" in note for note in result.notes] == [True]


async def test_a_question_asked_twice_is_embedded_once(shelf: Search) -> None:
    embedder = shelf.embedder
    assert isinstance(embedder, HashedWords)
    embedder.asked.clear()
    for pack in ("neo", "coast", "neo"):
        await shelf.search(LoreRetrievalQuery(keywords="a night on the docks", packs=[pack]), GM)
    assert embedder.asked == ["a night on the docks"]


async def test_a_kept_result_is_not_given_after_the_index_changed(shelf: Search) -> None:
    query = LoreRetrievalQuery(keywords="lighthouse")
    before = await shelf.search(query, GM)
    light = document(
        "light", "The Lighthouse", "location", [], "It has been dark for a year.", pack="coast"
    )
    await fill(shelf.index, [*SHELF, light], shelf.embedder)
    after = await shelf.search(query, GM)
    assert "coast:light:overview" not in [c.chunk_id for c in before.chunks]
    assert after.chunks[0].chunk_id == "coast:light:overview"


def test_first_in_both_lists_is_worth_one_and_ties_go_by_name() -> None:
    worth = fuse([["b", "a"], ["b", "c"]], steepness=10)
    assert worth == {"b": 1.0, "a": pytest.approx(11 / 24, abs=1e-6), "c": worth["a"]}
    assert list(fuse([["b", "a"], ["a", "b"]])) == ["a", "b"]
    assert fuse([[], []]) == {}


def test_a_neighbour_is_worth_a_share_of_its_hit_if_it_is_not_better_itself() -> None:
    assert lend({"a": 1.0, "b": 0.5}, {"a": ["b", "z"], "b": ["a"]}, 0.4) == {
        "a": 1.0,
        "b": 0.5,
        "z": 0.4,
    }


async def test_the_neighbours_of_a_hit_are_found_too() -> None:
    index = SqlitePassages()
    await fill(index)
    result = await searching(index).search(
        LoreRetrievalQuery(keywords="lost two fingers to a crane"), GM
    )
    found = [c.chunk_id for c in result.chunks]
    assert found[0] == "neo:viktor:background" and "neo:viktor:capabilities" in found
