"""Every metric moves when its fault is planted, and stands still when it is not."""

from collections.abc import Callable
from typing import Any

import pytest

from freeform.engine.log import Begun, Entry, Narrated, Resolved
from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    EngineEvent,
    InterpreterOutput,
    ProposedAction,
    Rejected,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.state import Fact
from freeform.evals.metrics import findings, measure, sum_up
from freeform.evals.walk import walk
from tests.evals.played import played

Plant = Callable[[Resolved, Narrated], tuple[Resolved, Narrated]]


async def a_log(turns: int = 10) -> tuple[Begun, list[Entry]]:
    table = await played(turns)
    return await table.store.begun("c"), [logged.entry for logged in await table.store.read("c")]


def planted(entries: list[Entry], turn_no: int, plant: Plant) -> list[Entry]:
    """The log with one turn changed."""
    facts = next(e for e in entries if isinstance(e, Resolved) and e.turn_no == turn_no)
    words = next(e for e in entries if isinstance(e, Narrated) and e.turn_no == turn_no)
    new = plant(facts, words)
    return [new[0] if e is facts else new[1] if e is words else e for e in entries]


def told(text: str) -> Plant:
    return lambda facts, words: (facts, words.model_copy(update={"final_text": text}))


def judged(action: ProposedAction, validator: ValidatorOutput) -> Plant:
    heard = InterpreterOutput(proposed_actions=[action])
    patch: dict[str, Any] = {"interpreter": heard, "validator": validator, "player_input": "so"}
    return lambda facts, words: (facts.model_copy(update=patch), words)


async def test_honest_play_has_no_fault() -> None:
    figures = measure(*await a_log(20))
    clean = ("contradiction_rate", "secret_leak_rate")
    assert [figures[name] for name in clean] == [0.0, 0.0]
    assert not figures["invalid_action_acceptance"]
    assert figures["refusal_precision"] in (None, 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "The cellar door is open.",
        "You go through the open cellar door.",
        "The cellar door stands wide open.",
    ],
)
async def test_prose_against_canon_is_a_contradiction(text: str) -> None:
    begun, entries = await a_log()
    assert measure(begun, entries)["contradiction_rate"] == 0.0
    assert measure(begun, planted(entries, 4, told(text)))["contradiction_rate"] == 0.1


async def test_what_people_say_in_quotes_and_what_is_so_are_no_contradictions() -> None:
    begun, entries = await a_log()
    for text in (
        '"The cellar door is open," Orla lies.',
        "The cellar door is locked.",
        "You open your bag.",
    ):
        assert measure(begun, planted(entries, 4, told(text)))["contradiction_rate"] == 0.0


async def test_a_claim_that_canon_refused_counts_as_a_contradiction() -> None:
    begun, entries = await a_log()
    no = Rejected(claim="door state: open", reason="canon says: locked", because="f_door")

    def plant(facts: Resolved, words: Narrated) -> tuple[Resolved, Narrated]:
        return facts, words.model_copy(update={"rejected": [no]})

    assert measure(begun, planted(entries, 2, plant))["contradiction_rate"] == 0.1


async def test_the_dead_who_speak_are_a_contradiction() -> None:
    begun, entries = await a_log()
    dead = Fact(
        id="t:finn#status", subject_id="t:finn", predicate="status", object={"value": "dead"}
    )

    def die(facts: Resolved, words: Narrated) -> tuple[Resolved, Narrated]:
        return facts.model_copy(update={"state_diff": StateDiff(facts_add=[dead])}), words

    killed = planted(entries, 3, die)
    assert measure(begun, killed)["contradiction_rate"] in (0.0, 0.1)
    before = measure(begun, planted(killed, 7, told("It rains.")))["contradiction_rate"]
    after = measure(begun, planted(killed, 7, told('Finn says, "Good evening."')))[
        "contradiction_rate"
    ]
    assert after == round(before + 0.1, 4)


async def test_an_impossible_action_that_was_let_through_is_counted() -> None:
    begun, entries = await a_log()
    wish = ProposedAction(action="talk", target_id="t:finn")
    through = ValidatorOutput(allowed_actions=[AllowedAction(action="talk", target_id="t:finn")])
    figures = measure(begun, planted(entries, 1, judged(wish, through)))
    assert figures["invalid_action_acceptance"] > 0
    refused = ValidatorOutput(
        blocked_actions=[BlockedAction(action="talk", target_id="t:finn", reason="not here")]
    )
    assert not measure(begun, planted(entries, 1, judged(wish, refused)))[
        "invalid_action_acceptance"
    ]


async def test_a_refusal_of_something_legal_lowers_precision() -> None:
    begun, entries = await a_log()
    wish = ProposedAction(action="talk", target_id="t:orla")
    wrong = ValidatorOutput(
        blocked_actions=[BlockedAction(action="talk", target_id="t:orla", reason="no")]
    )
    found = findings(begun, planted(entries, 1, judged(wish, wrong)))
    assert found[0].refused_wrongly == ["talk t:orla: no"]
    assert sum_up(found)["refusal_precision"] < 1.0
    away = ProposedAction(action="talk", target_id="t:finn")
    right = ValidatorOutput(
        blocked_actions=[BlockedAction(action="talk", target_id="t:finn", reason="not here")]
    )
    assert findings(begun, planted(entries, 1, judged(away, right)))[0].refused_wrongly == []


async def test_a_question_counts_as_a_clarification() -> None:
    begun, entries = await a_log()
    asked = ValidatorOutput(clarification_needed=True, clarification_question="Which?")
    plant = judged(ProposedAction(action="look"), asked)
    assert measure(begun, entries)["clarification_rate"] == 0.0
    assert measure(begun, planted(entries, 5, plant))["clarification_rate"] == 0.1


async def test_length_is_counted_in_words() -> None:
    begun, entries = await a_log(2)
    texts = planted(planted(entries, 1, told("one two three")), 2, told("one two three four five"))
    assert measure(begun, texts)["length_stats"] == {"min": 3, "avg": 4.0, "max": 5}


async def test_a_secret_that_is_told_is_a_leak_and_a_known_fact_is_none() -> None:
    begun, entries = await a_log()
    hidden = next(
        f for f in begun.state_diff.facts_add if f.visibility == "hidden" and f.object.get("text")
    )
    known = next(
        f for f in begun.state_diff.facts_add if f.visibility == "known" and f.object.get("text")
    )
    leaked = planted(entries, 4, told(f"Listen. {hidden.object['text']}"))
    last = list(walk(begun, leaked))[3].after
    assert last.facts[hidden.id].visibility == "hidden", "else it would be no secret by then"
    assert measure(begun, leaked)["secret_leak_rate"] == 0.1
    assert (
        measure(begun, planted(entries, 4, told(str(known.object["text"]))))["secret_leak_rate"]
        == 0.0
    )


async def test_sentences_told_twice_are_repetition() -> None:
    begun, entries = await a_log(4)
    texts = (
        "The rain falls on the roof.",
        "Nobody else is here now.",
        "the rain falls on the roof!",
        "You wait.",
    )
    for number, text in enumerate(texts, start=1):
        entries = planted(entries, number, told(text))
    assert measure(begun, entries)["repetition_rate"] == round(1 / 3, 4), (
        "a short line is no repetition"
    )


async def test_lore_is_relevant_when_it_is_about_what_is_in_play() -> None:
    begun, entries = await a_log(4)

    def lore(sources: list[str], hit: bool) -> Plant:
        notes = {"hit": hit, "scene": "scene_1", "sources": sources}
        return lambda facts, words: (facts.model_copy(update={"lore": notes}), words)

    assert measure(begun, entries)["lore_relevance_rate"] is None, (
        "a table without books has no such figure"
    )
    entries = planted(entries, 1, lore(["inn:orla:knows", "inn:dragon:history"], hit=False))
    entries = planted(entries, 2, lore(["inn:taproom:mood", "inn:orla:knows"], hit=True))
    figures = measure(begun, entries)
    assert (figures["lore_relevance_rate"], figures["lore_cache_hit_rate"]) == (0.75, 0.5)


async def test_a_range_counts_only_its_turns() -> None:
    begun, entries = await a_log()
    wrong = planted(entries, 4, told("The cellar door is open."))
    assert measure(begun, wrong, first=5)["contradiction_rate"] == 0.0
    assert measure(begun, wrong, first=4, last=5)["contradiction_rate"] == 0.5


@pytest.mark.parametrize(
    "sentence",
    [
        "Finn nods to you from the corner.",
        "Orla dies on the spot.",
        "You take the black ledger from the shelf.",
        "The cellar door is open.",
        "You are in the yard now.",
    ],
)
async def test_prose_against_the_state_is_seen_sentence_by_sentence(sentence: str) -> None:
    begun, entries = await a_log(1)
    assert measure(begun, entries)["prose_against_state"] == 0
    faulty = planted(entries, 1, told(f"The rain keeps falling on the old roof. {sentence}"))
    assert findings(begun, faulty)[0].not_so[0].startswith(sentence)
    assert measure(begun, faulty)["prose_against_state"] == 0.5


async def test_an_answer_beside_the_question_is_seen() -> None:
    begun, entries = await a_log(2)
    assert measure(begun, entries)["answers_beside"] in (0, None)
    action = AllowedAction(
        action="ask", target_id="t:orla", details="the dead man is Ota, not the courier you paid"
    )
    about = {"npc": "t:orla", "name": "Orla", "topic": "bar", "text": "I won it at cards."}

    def plant(facts: Resolved, words: Narrated) -> tuple[Resolved, Narrated]:
        event = EngineEvent(type="told", details=about)
        judged = ValidatorOutput(allowed_actions=[action])
        patch = {"validator": judged, "engine_events": [event]}
        return facts.model_copy(update=patch), words

    figures = measure(begun, planted(entries, 2, plant))
    assert figures["answers_beside"] == 1
    by_id = action.model_copy(update={"topic": "k_bar"})
    action = by_id
    assert measure(begun, planted(entries, 2, plant))["answers_beside"] == 0, "a listener said so"


async def test_a_refusal_without_a_fact_behind_it_is_seen() -> None:
    begun, entries = await a_log(1)
    wish = ProposedAction(action="use", details="my flashbang")
    for because, share in (("t:lamp", 0), ("", 1)):
        no = BlockedAction(
            action="use", reason="You have no coat.", rule="inventory", because=because
        )
        faulty = planted(entries, 1, judged(wish, ValidatorOutput(blocked_actions=[no])))
        assert measure(begun, faulty)["refusals_unfounded"] == share
