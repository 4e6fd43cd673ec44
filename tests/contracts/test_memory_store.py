"""What every MemoryStore promises: one suite, run on each way of having one."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from freeform.players.memory.model import Belief, MemoryFact, Rehearsal
from freeform.players.memory.ports import MemoryStore, When
from tests.memory_stores import KUZU, STORES, open_store
from tests.patience import PATIENCE
from tests.players.memory.facts import fact, plain
from tests.retrieval.shelf import HashedWords


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MemoryStore]:
    async with open_store(request.param, tmp_path) as opened:
        yield opened


ALEX, MIRA, ALL = "agent_alex", "agent_mira", "campaign_main"


def ids(facts: list[MemoryFact]) -> list[str]:
    return [found.id for found in facts]


def price(id: str, value: str, day: float, **other: Any) -> MemoryFact:
    """What the sword costs, from some day on."""
    text = f"The sword costs {value} gold."
    given = {
        "subject": "sword",
        "predicate": "costs",
        "value": value,
        "valid_at": day,
        "created_at": day,
    }
    return plain(id, text, **{**given, **other})


async def test_a_fact_comes_back_as_it_was(store: MemoryStore) -> None:
    whole = fact(
        "fact_ä",
        text="“Viktor” offered 50 gold pieces at the Broken Crown – twice.",
        importance=0.9,
        feeling=-0.4,
        invalid_at=12.5,
        expired_at=13.25,
        source="talk",
        source_id="entry_7",
        claim_of="fact_0",
        many=True,
        episode={"session": 3, "turn": 17},
    )
    bare = plain("fact_2", "It rains.")
    await store.add([whole, bare])
    assert await store.get(["fact_2", "nobody", "fact_ä"]) == [bare, whole]


async def test_adding_again_changes_nothing(store: MemoryStore) -> None:
    first = price("a", "50", 1)
    assert await store.add([first, first]) == []
    assert await store.add([first.model_copy(update={"text": "Something else."})]) == []
    assert await store.get(["a"]) == [first]
    assert await store.count([ALEX]) == 1


async def test_a_newer_value_closes_the_older_one_and_loses_nothing(store: MemoryStore) -> None:
    await store.add([price("a", "50", 1)])
    assert await store.add([price("b", "40", 5, created_at=6.0)]) == ["a"]
    (old, new) = await store.get(["a", "b"])
    assert (old.invalid_at, old.expired_at) == (5, 6)
    assert (new.invalid_at, new.expired_at) == (None, None)
    assert old.text == "The sword costs 50 gold."


async def test_only_the_same_group_subject_and_predicate_contradict(store: MemoryStore) -> None:
    await store.add([price("a", "50", 1)])
    closed = await store.add(
        [
            price("other_group", "40", 2, group=MIRA),
            price("other_subject", "40", 2, subject="shield"),
            price("other_predicate", "40", 2, predicate="weighs"),
            price("same_value", "50", 2),
        ]
    )
    assert closed == []


async def test_a_claim_never_closes_the_truth_and_is_never_closed_by_it(store: MemoryStore) -> None:
    await store.add([price("true", "50", 1)])
    assert await store.add([price("claim", "40", 2, source="claim", claim_of="true")]) == []
    assert await store.add([price("newer", "60", 3)]) == ["true"]
    (claim,) = await store.get(["claim"])
    assert claim.invalid_at is None and claim.claim_of == "true"


async def test_facts_that_may_be_many_stand_beside_each_other(store: MemoryStore) -> None:
    await store.add([price("a", "50", 1, many=True)])
    assert await store.add([price("b", "40", 2, many=True)]) == []
    assert await store.add([price("c", "30", 3)]) == []


async def test_news_of_the_past_ends_where_what_came_after_begins(store: MemoryStore) -> None:
    await store.add([price("now", "50", 10)])
    assert await store.add([price("then", "20", 3, created_at=12.0)]) == []
    (then, now) = await store.get(["then", "now"])
    assert (then.valid_at, then.invalid_at) == (3, 10)
    assert now.invalid_at is None


async def test_what_held_and_what_was_known_are_two_things(store: MemoryStore) -> None:
    await store.add([price("a", "50", 1)])
    await store.add([price("b", "40", 5, created_at=8.0)])

    async def at(known: float | None, valid: float | None) -> list[str]:
        return ids(
            await store.as_of([ALEX], When(known_at=known, valid_at=valid), "sword", "costs")
        )

    assert await at(7, None) == ["a"], "on day 7 the change was not known yet"
    assert await at(8, None) == ["b"]
    assert await at(None, 4) == ["a"] and await at(None, 5) == ["b"]
    assert await at(0, None) == []
    assert await at(None, None) == ["b", "a"]


async def test_as_of_takes_the_newest_and_only_what_is_asked_for(store: MemoryStore) -> None:
    await store.add(
        [plain(f"f{n}", f"Thing {n}.", created_at=float(n), subject=f"s{n % 2}") for n in range(6)]
    )
    assert ids(await store.as_of([ALEX], When(known_at=4.0), most=2)) == ["f4", "f3"]
    assert ids(await store.as_of([ALEX], When(), subject="s1")) == ["f5", "f3", "f1"]
    assert ids(await store.as_of([ALEX], When(), predicate="is", most=1)) == ["f5"]


async def test_sessions_give_the_most_important_first_then_the_newest(store: MemoryStore) -> None:
    rows = [(1, 0.9, 1.0), (2, 0.5, 2.0), (2, 0.5, 3.0), (3, 0.8, 4.0), (4, 1.0, 5.0)]
    await store.add(
        [
            plain(
                f"f{n}",
                f"Thing {n}.",
                episode={"session": session},
                importance=importance,
                created_at=day,
            )
            for n, (session, importance, day) in enumerate(rows)
        ]
    )
    assert ids(await store.in_sessions([ALEX], 2, 3)) == ["f3", "f2", "f1"]
    assert ids(await store.in_sessions([ALEX], 1, 100, most=2)) == ["f4", "f0"]
    assert ids(await store.in_sessions([ALEX], 1, 4, When(known_at=3.0))) == ["f0", "f2", "f1"]
    assert await store.in_sessions([ALEX], 7, 3) == []


async def test_recent_is_newest_first(store: MemoryStore) -> None:
    await store.add([plain(f"f{n}", f"Thing {n}.", created_at=float(n)) for n in range(6)])
    assert ids(await store.recent([ALEX], 3.0)) == ["f5", "f4", "f3"]
    assert ids(await store.recent([ALEX], 1.0, When(known_at=4.0), most=2)) == ["f4", "f3"]


async def test_a_group_that_is_not_named_is_not_looked_into(store: MemoryStore) -> None:
    await store.add(
        [
            plain("mine", "A red door.", ALEX),
            plain("hers", "A red door.", MIRA),
            plain("ours", "Red.", ALL),
        ]
    )
    for found in (
        await store.in_sessions([ALEX, ALL], 1, 1),
        await store.recent([ALEX, ALL], 0),
        await store.as_of([ALEX, ALL], When()),
    ):
        assert set(ids(found)) == {"mine", "ours"}
    assert {hit.id for hit in await store.words("red", [ALEX, ALL])} == {"mine", "ours"}
    assert await store.recent([], 0) == [] and await store.words("red", []) == []
    assert (
        await store.as_of(["agent_nobody"], When()) == []
        and await store.words("red", ["agent_nobody"]) == []
    )


async def test_words_find_what_they_stand_in_and_forms_of_them(store: MemoryStore) -> None:
    await store.add(
        [
            plain("a", "The merchants were trading lanterns."),
            plain("b", "A storm came in from the sea.", episode={"session": 2}),
            plain("c", "Nothing happened at all.", episode={"session": 3}),
        ]
    )
    assert (await store.words("merchant lantern trade", [ALEX]))[0].id == "a"
    assert [hit.id for hit in await store.words("Is there a STORM?", [ALEX])] == ["b"]
    assert await store.words("dragon", [ALEX]) == []
    assert await store.words('" OR * NEAR(', [ALEX]) == []


async def test_other_groups_change_neither_hits_nor_scores(store: MemoryStore) -> None:
    mine = [
        plain(f"f{n}", text, episode={"session": n})
        for n, text in enumerate(["A red door.", "A red key on a red string.", "A blue hat."])
    ]
    await store.add(mine)
    before = await store.words("red key", [ALEX])
    await store.add([plain(f"x{n}", "A red key, a red key, a red key.", MIRA) for n in range(30)])
    assert await store.words("red key", [ALEX]) == before
    assert before[0].id == "f1"


async def test_a_fact_is_found_by_the_words_around_it_in_its_session(store: MemoryStore) -> None:
    said = [
        "Did you sell the lantern?",
        "Yes, for nine coins.",
        "Good.",
        "I bought bread.",
        "And cheese.",
    ]
    for n, text in enumerate(said):
        await store.add([plain(f"f{n}", text)])
    await store.add([plain("elsewhere", "No.", episode={"session": 2})])
    assert [hit.id for hit in await store.words("lantern", [ALEX])][:1] == ["f0"]
    assert {hit.id for hit in await store.words("lantern", [ALEX])} == {"f0", "f1", "f2"}
    await store.add([plain("f5", "Who has the candle?")])
    assert {hit.id for hit in await store.words("candle", [ALEX])} == {"f3", "f4", "f5"}


async def test_words_respect_the_moment(store: MemoryStore) -> None:
    await store.add([price("a", "50", 1)])
    await store.add([price("b", "40", 5)])
    assert [hit.id for hit in await store.words("sword", [ALEX], When(known_at=2.0))] == ["a"]
    assert [hit.id for hit in await store.words("sword", [ALEX], When(known_at=6.0))] == ["b"]


async def test_vectors_find_the_nearest_of_the_groups(store: MemoryStore) -> None:
    embedder = HashedWords()
    facts = [
        plain("a", "a red iron door"),
        plain("b", "a blue wool hat"),
        plain("c", "a red iron door", MIRA),
        plain("d", "a red iron key", expired_at=3.0),
    ]
    await store.add(facts)
    assert {f.id for f in await store.without_vector("m", [ALEX], 10)} == {"a", "b", "d"}
    vectors = await embedder.embed([f.text for f in facts])
    await store.add_vectors("m", [(f.id, vector) for f, vector in zip(facts, vectors, strict=True)])
    assert await store.without_vector("m", [ALEX, MIRA], 10) == []
    (asked,) = await embedder.embed(["a red iron door"])
    hits = await store.near(asked, "m", [ALEX])
    assert [hit.id for hit in hits][:2] == ["a", "d"] and hits[0].score == pytest.approx(
        1, abs=1e-3
    )
    assert [hit.id for hit in await store.near(asked, "m", [ALEX], When(known_at=5.0))] == [
        "a",
        "b",
    ]
    assert [hit.id for hit in await store.near(asked, "m", [ALEX], most=1)] == ["a"]
    lent = await store.near(asked, "m", [ALEX], beside=0.5)
    both = {hit.id: hit.score for hit in hits}
    assert {hit.id: hit.score for hit in lent}["b"] == pytest.approx(
        both["b"] + 0.5 * (both["a"] + both["d"]), abs=1e-3
    )
    assert (
        await store.near(asked, "another model", [ALEX]) == []
        and await store.near(asked, "m", []) == []
    )


async def test_similar_facts_share_a_subject_or_a_predicate_and_are_near_in_time(
    store: MemoryStore,
) -> None:
    centre = plain("x", "X.", subject="viktor", predicate="offered", created_at=10.0)
    await store.add(
        [
            centre,
            plain("far", "F.", subject="viktor", created_at=1.0),
            plain("near", "N.", subject="orla", predicate="offered", created_at=9.0),
            plain("after", "A.", subject="viktor", predicate="wants", created_at=12.0),
            plain("later", "L.", subject="viktor", predicate="left", created_at=30.0),
            plain("other", "O.", subject="orla", predicate="sings", created_at=10.0),
            plain("hers", "H.", MIRA, subject="viktor", predicate="offered", created_at=10.0),
        ]
    )
    assert ids(await store.similar(centre, [ALEX], before=20.0)) == ["near", "after", "far"]
    assert ids(await store.similar(centre, [ALEX], before=20.0, most=1)) == ["near"]
    assert ids(await store.similar(centre, [ALEX], before=9.5)) == ["near", "far"]
    assert ids(await store.similar(centre, [MIRA], before=20.0)) == ["hers"]


async def test_what_is_learnt_later_does_not_change_what_was_similar(store: MemoryStore) -> None:
    centre = plain("x", "X.", subject="viktor", created_at=30.0)
    await store.add(
        [
            centre,
            *(plain(f"old{n}", "O.", subject="viktor", created_at=float(n)) for n in range(10)),
        ]
    )
    before = ids(await store.similar(centre, [ALEX], before=31.0))
    await store.add(
        [plain(f"new{n}", "N.", subject="viktor", created_at=32.0 + n) for n in range(10)]
    )
    assert ids(await store.similar(centre, [ALEX], before=31.0)) == before


async def test_rehearsals_are_kept_once_and_in_order(store: MemoryStore) -> None:
    await store.add([plain("a", "A."), plain("b", "B.")])
    late = Rehearsal(agent="alex", fact_id="a", day=9.5, how="said", session=2)
    early = Rehearsal(agent="alex", fact_id="a", day=3.0, how="told", no=1)
    first = Rehearsal(agent="alex", fact_id="a", day=3.0, how="said")
    hers = Rehearsal(agent="mira", fact_id="a", day=1.0, how="told")
    lost = Rehearsal(agent="alex", fact_id="nothing", day=1.0, how="told")
    await store.rehearse([late, early, first, hers, lost])
    await store.rehearse([late])
    assert await store.rehearsals("alex", ["a", "b"]) == {"a": [first, early, late]}
    assert await store.rehearsals("alex", ["a"], until=5.0) == {"a": [first, early]}
    assert await store.rehearsals("mira", ["a"]) == {"a": [hers]}


def belief(
    fact_id: str, error: Any, confidence: float, agent: str = "alex", day: float = 1.0
) -> Belief:
    said = "Wrong." if error else "Right."
    return Belief(
        agent=agent,
        fact_id=fact_id,
        day=day,
        believed=said,
        confidence=confidence,
        corruption_type=error,
        truth="Right.",
    )


async def test_figures_count_the_last_belief_of_each_fact(store: MemoryStore) -> None:
    await store.add([plain(name, name) for name in "abcd"])
    assert (await store.figures("alex")).recalled == 0
    await store.note(
        [belief("a", None, 0.9), belief("b", "conflation", 0.9), belief("c", None, 0.35)]
    )
    await store.note(
        [belief("c", "detail_drift", 0.35, day=5.0), belief("d", None, 1.0, agent="mira")]
    )
    found = await store.figures("alex")
    assert (found.recalled, found.right, found.by_type) == (
        3,
        1,
        {"conflation": 1, "detail_drift": 1},
    )
    assert found.confidence == pytest.approx((0.9 + 0.9 + 0.35) / 3, abs=1e-4)
    assert found.brier == pytest.approx((0.01 + 0.81 + 0.1225) / 3, abs=1e-4)
    assert found.ece == pytest.approx((abs(1.8 - 1) + 0.35) / 3, abs=1e-4)
    assert [bin.n for bin in found.bins] == [1, 2]
    assert (await store.figures("mira")).ece == 0


async def test_facts_are_there_after_the_store_was_closed(tmp_path: Path) -> None:
    for name in STORES:
        place = tmp_path / name
        async with open_store(name, place) as opened:
            await opened.add([plain("a", "A red door.")])
        async with open_store(name, place) as opened:
            assert ids(await opened.get(["a"])) == ["a"]
            assert [hit.id for hit in await opened.words("door", [ALEX])] == ["a"]


def test_all_of_it_holds_on_graphiti_with_kuzu_in_a_process_of_its_own() -> None:
    but_this = ["-k", "not in_a_process_of_its_own"]
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-rs",
        *but_this,
        __file__,
    ]
    done = subprocess.run(
        run, env={**os.environ, KUZU: "1"}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "kuzu are not installed" not in done.stdout or not os.environ.get("REQUIRE_ALL")
