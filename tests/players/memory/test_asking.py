"""Memory as a party uses it: believed and not true, explained when asked, unchanged by asking."""

from pathlib import Path

import pytest

from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.core.chance import Chance
from freeform.offline.players import memory as players_memory
from freeform.players.memory.ask_memory import MemoryQuestion, ask_memory, memory_lines
from freeform.players.memory.consolidation import end_of_session
from freeform.players.memory.model import CAMPAIGN, Episode, MemoryFact, Mind, Slot, agent_group
from freeform.players.memory.ports import When
from freeform.players.memory.recall import believe, recall
from freeform.players.memory.retelling import say_aloud, spoken_of
from freeform.players.memory.search import embed_facts, find
from freeform.players.memory.testimony import (
    RewordInput,
    RewordReply,
    TalkInput,
    facts_of_talk,
    reworded,
)
from tests.players.memory.facts import MERCHANT, fact, plain
from tests.retrieval.shelf import HashedWords

ALEX = Mind(agent="alex", percentile=20, strength=1.0, seed=1)
GROUPS = [CAMPAIGN, agent_group("alex")]


@pytest.fixture
async def store(tmp_path: Path) -> SqliteMemories:
    """Forty evenings of offers, and one private thought."""
    opened = SqliteMemories(tmp_path / "m.db")
    offers = [
        fact(
            f"offer_{n}",
            subject=f"buyer_{n}",
            created_at=float(n),
            valid_at=float(n),
            episode={"session": 1 + n // 10},
            text=f"Viktor offered {10 + n} gold pieces at the Broken Crown.",
            slots=(
                MERCHANT[0],
                Slot(name="price", kind="number", text=f"{10 + n} gold pieces"),
                MERCHANT[2],
            ),
        )
        for n in range(40)
    ]
    await opened.add([*offers, plain("mine", "I do not trust Viktor.", created_at=2.0)])
    await opened.add([plain("hers", "Mira hides a red key.", "agent_mira", created_at=2.0)])
    return opened


async def test_memory_answers_in_the_words_of_the_contract(store: SqliteMemories) -> None:
    document = await ask_memory(MemoryQuestion(at=90), ALEX, GROUPS, store)
    assert {
        "fact_id",
        "believed",
        "confidence",
        "valid_at",
        "invalid_at",
        "corruption_type",
    } <= set(document["memories"][0])
    assert not any("truth" in row or "audit" in row for row in document["memories"])
    explained = await ask_memory(MemoryQuestion(at=90, explain=True), ALEX, GROUPS, store)
    wrong = [row for row in explained["memories"] if row["truth"] != row["believed"]]
    assert wrong and {"retrievability", "threshold", "cause"} <= set(wrong[0]["audit"][0])
    assert [row["believed"] for row in explained["memories"]] == [
        row["believed"] for row in document["memories"]
    ]
    lines = memory_lines(explained)
    assert any("in truth" in line for line in lines) and any(
        "faded on day" in line for line in lines
    )


async def test_at_strength_zero_everything_is_as_it_was(store: SqliteMemories) -> None:
    perfect = ALEX.model_copy(update={"strength": 0.0})
    document = await ask_memory(MemoryQuestion(at=90, explain=True), perfect, GROUPS, store)
    assert document["memories"] and all(
        row["truth"] == row["believed"] for row in document["memories"]
    )


async def test_asking_changes_nothing(store: SqliteMemories) -> None:
    first = await ask_memory(MemoryQuestion(at=90, explain=True), ALEX, GROUPS, store)
    for day in (30, 200, 90):
        await ask_memory(MemoryQuestion(at=day, query="gold"), ALEX, GROUPS, store)
    assert await ask_memory(MemoryQuestion(at=90, explain=True), ALEX, GROUPS, store) == first


async def test_as_of_a_day_only_what_was_known_then_is_believed(store: SqliteMemories) -> None:
    document = await ask_memory(MemoryQuestion(at=5, most=100), ALEX, GROUPS, store)
    assert {row["fact_id"] for row in document["memories"]} == {f"offer_{n}" for n in range(6)} | {
        "mine"
    }
    then = {row["fact_id"]: row["believed"] for row in document["memories"]}
    much_later = await ask_memory(MemoryQuestion(at=5, most=100), ALEX, GROUPS, store, now=400)
    assert {row["fact_id"]: row["believed"] for row in much_later["memories"]} == then


async def test_nobody_is_asked_for_what_another_keeps_to_themselves(store: SqliteMemories) -> None:
    document = await ask_memory(
        MemoryQuestion(query="red key", at=90, most=100), ALEX, GROUPS, store
    )
    assert "hers" not in {row["fact_id"] for row in document["memories"]}
    assert "Mira hides" not in str(document)


async def test_a_session_and_a_query_narrow_the_answer(store: SqliteMemories) -> None:
    session = await ask_memory(MemoryQuestion(session=2, at=90, most=100), ALEX, GROUPS, store)
    assert {row["session"] for row in session["memories"]} == {2} and len(session["memories"]) == 10
    both = await ask_memory(
        MemoryQuestion(session=1, query="trust Viktor", at=90), ALEX, GROUPS, store
    )
    assert both["memories"][0]["fact_id"] == "mine" and both["memories"][0]["score"] > 0
    assert {row["session"] for row in both["memories"]} == {1}


async def test_figures_tell_sure_from_right(store: SqliteMemories) -> None:
    await ask_memory(MemoryQuestion(at=90, most=100), ALEX, GROUPS, store)
    assert (await store.figures("alex")).recalled == 0, "looking changes no figure"
    facts = await store.as_of(GROUPS, When(known_at=90.0), most=100)
    await store.note(await believe(ALEX, facts, 90.0, GROUPS, store))
    figures = await store.figures("alex")
    assert figures.recalled == 41 and 0 < figures.right < 41
    assert sum(figures.by_type.values()) == 41 - figures.right
    assert 0 <= figures.brier <= 1 and 0 <= figures.ece <= 1


async def test_beliefs_do_not_change_when_more_is_learnt(store: SqliteMemories) -> None:
    facts = await store.in_sessions([CAMPAIGN], 1, 4, most=100)
    before = await believe(ALEX, facts, 60, GROUPS, store)
    assert any(audit.error == "conflation" for belief in before for audit in belief.audit)
    await store.add([fact(f"new_{n}", subject="buyer_3", created_at=61.0 + n, text="Orla offered 9 pence at Rye.",
                          slots=()) for n in range(20)])  # fmt: skip
    assert await believe(ALEX, facts, 60, GROUPS, store) == before


async def test_words_and_vectors_find_together(store: SqliteMemories) -> None:
    embedder = HashedWords()
    assert await embed_facts(GROUPS, store, embedder) == 41
    assert await embed_facts(GROUPS, store, embedder) == 0
    found = await find("whom do I not trust", GROUPS, store, embedder)
    assert found[0][0].id == "mine"
    assert (
        await find("  ", GROUPS, store, embedder) == []
        and await find("trust", [], store, embedder) == []
    )


def lost_offer() -> MemoryFact:
    return next(f for f in (fact(f"f{n}") for n in range(99)) if not recall(ALEX, f, 30).correct)


def test_saying_it_right_tells_the_others_again() -> None:
    perfect = ALEX.model_copy(update={"strength": 0.0})
    about = {
        "speaker": "alex",
        "name": "Kit",
        "hearers": ["alex", "mira"],
        "day": 30.0,
        "episode": Episode(session=4),
    }
    claims, rehearsals = say_aloud(
        recall(perfect, fact(), 30), fact(), group=CAMPAIGN, id="m1", **about
    )  # type: ignore[arg-type]
    assert claims == []
    assert [(r.agent, r.how) for r in rehearsals] == [("alex", "said"), ("mira", "told")]


async def test_saying_it_wrong_is_a_claim_beside_the_truth(tmp_path: Path) -> None:
    truth = lost_offer()
    belief = recall(ALEX, truth, 30)
    about = {
        "speaker": "alex",
        "name": "Kit",
        "hearers": ["mira"],
        "day": 30.0,
        "episode": Episode(session=4, turn=9),
    }
    (claim,), rehearsals = say_aloud(belief, truth, group=CAMPAIGN, id="m1", **about)  # type: ignore[arg-type]
    assert claim.source == "claim" and claim.claim_of == truth.id and claim.id == "m1"
    assert claim.text == f"Kit said: {belief.believed}"
    assert [(r.agent, r.how, r.fact_id) for r in rehearsals] == [("alex", "said", truth.id)], (
        "nobody was told the truth"
    )
    store = SqliteMemories(tmp_path / "m.db")
    await store.add([truth])
    assert await store.add([claim]) == []
    assert await store.get([truth.id]) == [truth]
    assert [f.id for f in await store.similar(truth, [CAMPAIGN], before=40)] == ["m1"], (
        "hearers may mix it up with that"
    )
    await store.close()


def test_what_was_said_is_matched_to_what_is_remembered() -> None:
    perfect = ALEX.model_copy(update={"strength": 0.0})
    beliefs = [recall(perfect, f, 30) for f in (fact(), plain("p", "A storm sank the ferry."))]
    known = [{"fact_id": b.fact_id, "believed": b.believed} for b in beliefs]
    assert spoken_of("Viktor offered us 50 gold pieces at that Broken Crown!", known) == ["fact_1"]
    assert spoken_of("Nice weather.", known) == []


async def test_the_end_of_a_session_tells_what_mattered_again_and_sums_it_up(
    tmp_path: Path,
) -> None:
    store = SqliteMemories(tmp_path / "m.db")
    facts = [
        plain(f"f{n}", f"Thing {n} happened.", CAMPAIGN, importance=n / 10, created_at=3.0)
        for n in range(10)
    ]
    await store.add(facts)
    done = await end_of_session(1, 4.0, ["alex", "mira"], store)
    assert done.told == ["f9", "f8", "f7", "f6", "f5"] and done.facts == 10
    assert done.recap.startswith("Thing 5 happened. Thing 6")
    (summary,) = await store.get([done.summary])
    assert summary.source == "summary" and summary.text.startswith("Session 1: Thing 5")
    assert set(await store.rehearsals("mira", [f.id for f in facts])) == set(done.told)
    assert await end_of_session(1, 4.0, ["alex", "mira"], store) == done
    assert await store.count([CAMPAIGN]) == 11
    assert (await end_of_session(7, 4.0, ["alex"], store)).told == []
    await store.close()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I owe Viktor fifty credits, and he knows it.", ["Mira owes Viktor fifty credits."]),
        ("Agent Chen works for Zenith. Maybe she lies.", ["Agent Chen works for Zenith."]),
        ("My brother is in the Lullaby House.", ["Mira's brother is in the Lullaby House."]),
        (
            "We left the brass key in locker 17 because it rained.",
            ["The party left the brass key in locker 17."],
        ),
        ("Should we go in?", []),
        ("If Viktor is honest, I am the queen.", []),
        ("Let's run! Now!", []),
        ("", []),
    ],
)
def test_what_is_stated_in_talk_becomes_facts(said: str, expected: list[str]) -> None:
    heard = TalkInput(speaker="Mira", text=said, names=["Viktor", "Agent Chen"])
    reply = players_memory.remember(heard, Chance(1))
    assert [
        f.text for f in facts_of_talk(reply, heard, id="m", day=1.0, episode=Episode())
    ] == expected


def test_a_row_with_words_that_nobody_said_is_dropped() -> None:
    heard = TalkInput(speaker="Mira", text="I owe Viktor fifty credits.", names=["Viktor"])
    reply = players_memory.remember(heard, Chance(1))
    (row,) = reply.facts
    for wrong in ("Viktor fifty dragons", "Viktor 80 credits", "Zenith fifty credits"):
        invented = reply.model_copy(
            update={
                "facts": [row.model_copy(update={"value": wrong, "text": f"Mira owes {wrong}."})]
            }
        )
        assert facts_of_talk(invented, heard, id="m", day=1.0, episode=Episode()) == []


def test_debts_have_one_value_and_deeds_may_be_many() -> None:
    heard = TalkInput(
        speaker="Mira", text="I owe Viktor fifty credits. I met Moth.", names=["Viktor", "Moth"]
    )
    facts = facts_of_talk(
        players_memory.remember(heard, Chance(1)), heard, id="m", day=1.0, episode=Episode()
    )
    assert [(f.predicate, f.many) for f in facts] == [("owes", False), ("met", True)]


def test_a_memory_may_be_put_in_other_words_and_not_in_other_facts() -> None:
    truth = next(f for f in (fact(f"f{n}") for n in range(999)) if recall(ALEX, f, 30).audit[1].error == "detail_drift"
                 and recall(ALEX, f, 30).audit[1].level == 1)  # fmt: skip
    belief = recall(ALEX, truth, 30)
    wrong = belief.audit[1].believed
    fair = f"Honestly? {belief.believed}"
    assert reworded(belief, RewordReply(text=fair)) == fair
    healed = belief.believed.replace(wrong, "50 gold pieces")
    for bad in (
        healed,
        "It was something.",
        f"{belief.believed} And 7 dragons.",
        f"{belief.believed} said Zorba.",
        "",
    ):
        assert reworded(belief, RewordReply(text=bad)) == belief.believed
    said = players_memory.reword(
        RewordInput(believed=belief.believed, confidence=belief.confidence), Chance(2)
    )
    assert reworded(belief, said) == said.text
