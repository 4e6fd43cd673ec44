"""The laws of belief: pure, stable, only ever worse, mended by being told, made firm by being said."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.evals.suites.forgetting import only_worse, run_forgetting
from freeform.players.memory.errors import LIKE_ENOUGH, similarity
from freeform.players.memory.model import Belief, MemoryFact, Mind, Rehearsal, Slot
from freeform.players.memory.recall import recall
from tests.players.memory.facts import days, fact, facts, life, minds

SCATTERED = Mind(agent="alex", percentile=10, strength=1.0, seed=3, detail_oriented=0.1)
MARKET = fact(
    "fact_market",
    subject="orla",
    text="Orla offered 30 gold pieces at the Salt Market.",
    slots=(
        Slot(name="who", kind="name", text="Orla"),
        Slot(name="price", kind="number", text="30 gold pieces"),
        Slot(name="where", kind="place", text="the Salt Market"),
    ),
)


def one_slot(n: int, kind: str = "name", text: str = "Marrow", **other: object) -> MemoryFact:
    sentence = f"They spoke of {text} that night."
    slots = (Slot(name="it", kind=kind, text=text),)  # type: ignore[arg-type]
    return fact(f"one_{n}", text=sentence, slots=slots, **other)


def first_wrong(day: float, mind: Mind = SCATTERED, kind: str = "name") -> MemoryFact:
    return next(
        f for f in (one_slot(n, kind) for n in range(999)) if not recall(mind, f, day).correct
    )


@settings(deadline=None)
@given(data=st.data(), mind=minds, fact=facts, day=days)
def test_the_same_question_has_the_same_answer(
    data: st.DataObject, mind: Mind, fact: MemoryFact, day: float
) -> None:
    lived = data.draw(life(mind.agent, fact.id))
    again = data.draw(st.permutations(lived))
    assert recall(mind, fact, day, lived, [MARKET]) == recall(mind, fact, day, again, [MARKET])


@settings(deadline=None)
@given(mind=minds, fact=facts, when=st.lists(days, min_size=2, max_size=6))
def test_an_untouched_memory_only_gets_worse(
    mind: Mind, fact: MemoryFact, when: list[float]
) -> None:
    assert only_worse([recall(mind, fact, day, (), [MARKET]) for day in sorted(when)])


@settings(deadline=None)
@given(data=st.data(), mind=minds, fact=facts, when=st.lists(days, min_size=2, max_size=6))
def test_between_rehearsals_a_memory_only_gets_worse(
    data: st.DataObject, mind: Mind, fact: MemoryFact, when: list[float]
) -> None:
    lived = data.draw(life(mind.agent, fact.id))
    beliefs = [recall(mind, fact, day, lived, [MARKET]) for day in sorted(when)]
    for earlier, later in pairwise(beliefs):
        if earlier.audit[0].epoch == later.audit[0].epoch:
            assert only_worse([earlier, later])


@settings(deadline=None)
@given(data=st.data(), mind=minds, fact=facts, day=days)
def test_what_comes_later_does_not_change_what_was_believed(
    data: st.DataObject, mind: Mind, fact: MemoryFact, day: float
) -> None:
    lived = data.draw(life(mind.agent, fact.id))
    until = [r for r in lived if r.day <= day]
    newer = MARKET.model_copy(update={"id": "fact_newer", "created_at": day + 1.0})
    assert recall(mind, fact, day, lived, [MARKET, newer]) == recall(
        mind, fact, day, until, [MARKET]
    )


@settings(deadline=None)
@given(data=st.data(), mind=minds, fact=facts, day=days)
def test_others_rehearsals_and_other_facts_do_not_matter(
    data: st.DataObject, mind: Mind, fact: MemoryFact, day: float
) -> None:
    lived = data.draw(life("somebody else", fact.id)) + data.draw(life(mind.agent, "another fact"))
    assert recall(mind, fact, day, lived) == recall(mind, fact, day)


@settings(deadline=None)
@given(data=st.data(), mind=minds, fact=facts, day=days)
def test_strength_zero_is_perfect_memory(
    data: st.DataObject, mind: Mind, fact: MemoryFact, day: float
) -> None:
    perfect = mind.model_copy(update={"strength": 0.0})
    belief = recall(perfect, fact, day, data.draw(life(mind.agent, fact.id)), [MARKET])
    assert belief.correct and belief.confidence == 1.0 and belief.corruption_type is None


@settings(deadline=None)
@given(mind=minds, fact=facts, day=days, other=st.floats(0, 1))
def test_what_is_lost_at_a_strength_is_lost_at_every_greater_one(
    mind: Mind, fact: MemoryFact, day: float, other: float
) -> None:
    weak, strong = sorted((mind.strength, other))
    less = recall(mind.model_copy(update={"strength": weak}), fact, day)
    more = recall(mind.model_copy(update={"strength": strong}), fact, day)
    assert all(a.level == 0 or b.level > 0 for a, b in zip(less.audit, more.audit, strict=True))


@settings(deadline=None)
@given(mind=minds, fact=facts, day=days)
def test_a_belief_says_why(mind: Mind, fact: MemoryFact, day: float) -> None:
    belief = recall(mind, fact, day, (), [MARKET])
    assert belief.truth == fact.text
    for audit, slot in zip(belief.audit, fact.slots, strict=True):
        assert (audit.level == 0) == (audit.threshold < audit.retrievability)
        assert (audit.error is None) == (audit.level == 0)
        assert audit.level or audit.believed == slot.text
        assert audit.since is None or 0 <= audit.since <= day + 1e-3
    assert (belief.corruption_type is None) == belief.correct


@pytest.mark.parametrize("law", ["human", "seed"])
def test_an_agent_who_has_just_seen_it_knows_it(law: str) -> None:
    mind = Mind(agent="a", strength=1.0, percentile=1, law=law)  # type: ignore[arg-type]
    assert all(recall(mind, one_slot(n), 0.0).correct for n in range(200))


def test_realised_forgetting_is_the_human_curve() -> None:
    report = run_forgetting(None, facts=600)
    assert report.metrics["max_error_points"] <= 6.0, (
        "600 facts scatter by some points; the suite uses 10,000"
    )
    assert report.metrics["non_monotone"] == 0


def test_the_suite_sees_a_memory_that_gets_better_or_changes() -> None:
    lost = first_wrong(30)
    wrong, right = recall(SCATTERED, lost, 30), recall(SCATTERED, lost, 0)
    assert only_worse([right, wrong]) and not only_worse([wrong, right])
    other = wrong.model_copy(
        update={"audit": tuple(a.model_copy(update={"believed": "Barrow"}) for a in wrong.audit)}
    )
    assert not only_worse([wrong, other])


def test_being_told_again_mends_a_memory() -> None:
    lost = first_wrong(30)
    told = Rehearsal(agent="alex", fact_id=lost.id, day=30, how="told")
    assert recall(SCATTERED, lost, 30, [told]).correct
    assert not recall(SCATTERED, lost, 30).correct


def test_saying_it_wrong_makes_the_wrong_version_firm_and_the_speaker_sure() -> None:
    lost = first_wrong(30)
    said = [Rehearsal(agent="alex", fact_id=lost.id, day=day, how="said") for day in (30, 33, 40)]
    before, after = recall(SCATTERED, lost, 41), recall(SCATTERED, lost, 41, said)
    assert after.believed == recall(SCATTERED, lost, 30).believed != lost.text
    assert after.confidence > before.confidence + 0.2
    assert after.corruption_type == "false_confidence"
    assert after.audit[0].error != "false_confidence", (
        "the audit still says what kind of slip it was"
    )
    assert "said so on day 40" in after.audit[0].cause
    told = [*said, Rehearsal(agent="alex", fact_id=lost.id, day=50, how="told")]
    assert recall(SCATTERED, lost, 50, told).correct, "the truth still mends it"


def test_saying_it_right_keeps_it() -> None:
    median = Mind(agent="alex", strength=1.0, seed=5)
    kept = [f for f in (one_slot(n) for n in range(400)) if recall(median, f, 7).correct]
    said = {f.id: [Rehearsal(agent="alex", fact_id=f.id, day=7, how="said")] for f in kept}
    lost_without = sum(not recall(median, f, 60).correct for f in kept)
    lost_with = sum(not recall(median, f, 60, said[f.id]).correct for f in kept)
    assert lost_with < lost_without


def wrong_beliefs(
    facts: list[MemoryFact], mind: Mind, day: float = 200, known: tuple[MemoryFact, ...] = ()
) -> list[Belief]:
    beliefs = [recall(mind, f, day, (), known) for f in facts]
    return [belief for belief in beliefs if not belief.correct]


def test_errors_need_what_makes_them_possible() -> None:
    mind = SCATTERED.model_copy(update={"confidence": 0.3})
    places = wrong_beliefs([one_slot(n, "place", "the mill") for n in range(200)], mind)
    assert {b.corruption_type for b in places} == {"simplification"}, (
        "no neighbour, no number, no feeling"
    )
    numbers = wrong_beliefs([one_slot(n, "number", "40 crowns") for n in range(200)], mind)
    assert {b.corruption_type for b in numbers} == {"simplification", "detail_drift"}
    cold = [one_slot(n, "feeling", "reluctant") for n in range(300)]
    assert {b.corruption_type for b in wrong_beliefs(cold, mind)} == {"simplification"}
    felt = [one_slot(n, "feeling", "reluctant", feeling=-0.8) for n in range(600)]
    coloured = wrong_beliefs(felt, mind.model_copy(update={"emotional_memory": 0.9}), day=2000)
    assert {b.corruption_type for b in coloured} == {"simplification", "emotional_coloring"}
    assert any(word in b.believed for b in coloured for word in ("cold", "hostile", "cruel"))


def test_a_detail_is_mixed_up_with_the_same_kind_of_detail_of_a_similar_memory() -> None:
    assert similarity(fact(), MARKET) > LIKE_ENOUGH
    beliefs = wrong_beliefs([fact(f"f{n}") for n in range(200)], SCATTERED, known=(MARKET,))
    mixed = [a for b in beliefs for a in b.audit if a.error == "conflation"]
    assert mixed
    taken = {slot.kind: slot.text for slot in MARKET.slots}
    assert all(a.believed == taken[a.kind] and a.neighbour == MARKET.id for a in mixed)


def test_a_memory_is_not_mixed_up_with_what_was_learnt_after_it_went_wrong() -> None:
    lost = fact("fact_9")
    day = next(day for day in range(1, 400) if not recall(SCATTERED, lost, day).correct)
    late = MARKET.model_copy(update={"created_at": day + 10.0})
    before = recall(SCATTERED, lost, day, (), [late])
    after = recall(SCATTERED, lost, day + 20, (), [late])
    gone = next(n for n, audit in enumerate(before.audit) if audit.level)
    assert after.audit[gone].error == before.audit[gone].error
    assert after.audit[gone].neighbour == ""


def test_agents_forget_different_things() -> None:
    facts = [one_slot(n) for n in range(100)]
    lost = {
        agent: frozenset(
            b.fact_id for b in wrong_beliefs(facts, Mind(agent=agent, strength=1.0), 30)
        )
        for agent in ("alex", "mira")
    }
    assert lost["alex"] != lost["mira"]


def test_by_the_original_formula_one_detail_of_a_memory_goes_wrong_and_rehearsal_protects() -> None:
    mind = Mind(agent="a", law="seed", strength=1.0, base_decay_rate=1.0, detail_oriented=0.0)
    beliefs = [recall(mind, fact(f"f{n}", importance=0.0), 365) for n in range(200)]
    wrong = [b for b in beliefs if not b.correct]
    assert 120 < len(wrong) <= 200
    assert all(sum(a.level > 0 for a in b.audit) == 1 for b in wrong)
    often = {
        b.fact_id: [Rehearsal(agent="a", fact_id=b.fact_id, day=d, how="said") for d in range(20)]
        for b in wrong
    }
    assert all(
        recall(mind, fact(b.fact_id, importance=0.0), 365, often[b.fact_id]).correct for b in wrong
    )


def test_a_calibrated_mind_is_as_sure_as_it_is_right_and_a_bold_one_surer() -> None:
    facts = [one_slot(n) for n in range(3000)]
    beliefs = [recall(Mind(agent="a", strength=1.0), f, 30) for f in facts]
    right = sum(b.correct for b in beliefs) / len(beliefs)
    assert sum(b.confidence for b in beliefs) / len(beliefs) == pytest.approx(right, abs=0.03)
    bold = recall(Mind(agent="a", strength=1.0, confidence=0.9), facts[0], 30)
    assert bold.confidence > beliefs[0].confidence + 0.1
