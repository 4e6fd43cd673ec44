"""What a real game leaves in memory, by rule; told again, it is a rehearsal and not a second fact."""

from pathlib import Path

import pytest

from freeform import wiring
from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import EngineEvent
from freeform.players.memory.learning import Witnessed, facts_of_events, facts_of_turn, learn, rules
from freeform.players.memory.model import MemoryFact
from freeform.players.memory.ports import When
from freeform.settings import Settings

DEEDS = [
    "Look around",
    "Ask Viktor about the delivery",
    "Buy Dutch a drink",
    "Search under the ice well",
]


_PLAYED: dict[str, list[MemoryFact]] = {}


async def played(tmp_path: Path, deeds: list[str] = DEEDS) -> list[MemoryFact]:
    """A short real game, and what Mira remembers of it; played once for all tests that want it."""
    if (key := "|".join(deeds)) in _PLAYED:
        return _PLAYED[key]
    table = wiring.headless(Settings.model_validate({"home": str(tmp_path), "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 7, Answers(), table)
    facts: list[MemoryFact] = []
    for n, text in enumerate(deeds):
        result = await take_turn(Say(campaign="a", text=text, turn_id=f"t{n}"), table)
        facts += facts_of_turn(result, await table.store.get_state("a"), session=2, actor="Mira")
    _PLAYED[key] = facts
    return facts


async def test_a_game_leaves_facts_with_their_details(tmp_path: Path) -> None:
    facts = await played(tmp_path)
    route = next(
        fact for fact in facts if "side door" in fact.text and fact.text.startswith("On Monday")
    )
    assert {slot.text: slot.kind for slot in route.slots} == {
        "On Monday": "order",
        "ten": "number",
        "Jin": "name",
        "the side door": "name",
        route.text: "gist",
    }
    assert route.episode.session == 2 and route.episode.turn == 2 and route.source_id == "t1"
    assert route.importance == rules()["fact_learned"].importance
    met = next(fact for fact in facts if fact.predicate == "met")
    assert met.text == "Mira met Viktor at the Neon Dragon."
    assert "Mira" not in [slot.text for slot in met.slots], (
        "nobody forgets that it was they who acted"
    )


async def test_nothing_hidden_is_remembered(tmp_path: Path) -> None:
    facts = await played(tmp_path, ["Look around", "Wait"])
    assert not any(
        "jacket was not Jin" in fact.text or "body" in fact.text.lower() for fact in facts
    )


async def test_every_slot_stands_in_its_sentence(tmp_path: Path) -> None:
    for fact in await played(tmp_path):
        assert all(slot.text in fact.text for slot in fact.slots)


def gained(id: str, day: float, item: str = "lamp") -> list[MemoryFact]:
    event = EngineEvent(
        type="item_gained", details={"item": item, "name": "the lamp", "qty": 1, "source": "orla"}
    )
    return facts_of_events(
        [event], Witnessed(id=id, day=day, actor="Mira", things={"orla": "Orla"})
    )


def test_an_event_without_words_or_without_a_rule_leaves_nothing() -> None:
    seen = Witnessed(id="t1")
    events = [
        EngineEvent(type="fact_learned", details={"fact_id": "f", "text": " "}),
        EngineEvent(type="time_passed"),
    ]
    assert facts_of_events(events, seen) == []


async def test_what_is_known_already_is_told_again_and_not_written_twice(tmp_path: Path) -> None:
    store = SqliteMemories(tmp_path / "m.db")
    (first,) = gained("t1", 1.0)
    assert first.text == "Mira got the lamp from Orla."
    await learn([first], store, ["alex", "mira"])
    await learn(gained("t2", 5.0), store, ["alex", "mira"])
    assert await store.count(["campaign_main"]) == 1
    (told,) = (await store.rehearsals("alex", [first.id]))[first.id]
    assert (told.how, told.day) == ("told", 5.0)
    await store.close()


async def test_learning_a_turn_twice_learns_it_once(tmp_path: Path) -> None:
    store = SqliteMemories(tmp_path / "m.db")
    for _ in range(2):
        await learn(gained("t1", 1.0), store, ["alex"])
    assert await store.count(["campaign_main"]) == 1
    assert await store.rehearsals("alex", ["t1.0"]) == {}
    await store.close()


async def test_a_thing_that_changes_hands_ends_the_older_fact(tmp_path: Path) -> None:
    store = SqliteMemories(tmp_path / "m.db")
    await learn(gained("t1", 1.0), store)
    event = EngineEvent(
        type="item_lost", details={"item": "lamp", "name": "the lamp", "qty": 1, "to": "viktor"}
    )
    closed = await learn(facts_of_events([event], Witnessed(id="t2", day=9.0, actor="Mira")), store)
    assert closed == ["t1.0"]
    (now,) = await store.as_of(["campaign_main"], When(known_at=9.0), "lamp", "held_by")
    assert now.value == "viktor" and now.text == "Mira no longer has the lamp."
    await store.close()


@pytest.mark.parametrize("kind", sorted(rules()))
def test_every_rule_is_about_something_and_says_something(kind: str) -> None:
    rule = rules()[kind]
    assert 0 <= rule.importance <= 1 and -1 <= rule.feeling <= 1
    assert rule.about and rule.as_ and rule.is_ and rule.text
