"""What happens: costs, dice, effects, consequences, clocks."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_system
from freeform.engine.authored.system import OUTCOMES
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import TurnResolution, resolve
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.world.costs import Costs
from freeform.engine.world.model import (
    AllowedAction,
    PlannerOutput,
    ValidatorOutput,
)
from freeform.engine.world.state import PLAYER
from tests.engine.cellar import after, table

PBTA, WOD, D20 = (load_system(name) for name in ("pbta", "world_of_darkness", "d20"))


def act(action: str, target: str = "", details: str = "", **more: Any) -> AllowedAction:
    return AllowedAction(action=action, target_id=target, details=details, **more)


def play(
    state: Any, rules: Any, *actions: AllowedAction, seed: int = 1, plan: str = ""
) -> TurnResolution:
    allowed = ValidatorOutput(allowed_actions=list(actions))
    return resolve(state, allowed, PlannerOutput(tension_move=plan), rules, Chance(seed))


def types(resolution: TurnResolution) -> list[str]:
    return [event.type for event in resolution.engine_events]


def seed_for(state: Any, rules: Any, outcome: str, *actions: AllowedAction) -> int:
    """A seed whose first roll ends so."""
    return next(
        s for s in range(500) if play(state, rules, *actions, seed=s).rolls[0].outcome == outcome
    )


def test_costs_are_paid_whatever_comes_of_the_attempt() -> None:
    state, rules = table()
    attempt = act("attack", "t:orla", costs=Costs(heat=1))
    for outcome in ("failure", "success"):
        came = play(state, rules, attempt, seed=seed_for(state, rules, outcome, attempt))
        assert came.engine_events[0].type == "clock_advanced"
        assert came.engine_events[0].details["id"] == "heat"


def test_moving_brings_the_player_among_whoever_is_there() -> None:
    state, rules = table()
    came = play(state, rules, act("move", "t:yard", minutes=10))
    now = apply(state, came.state_diff)
    assert now.scene.location_id == "t:yard"
    assert now.scene.present_entity_ids == [PLAYER, "t:finn"]
    assert now.scene.time == {"day": 1, "minute": 1210}
    moved = next(e for e in came.engine_events if e.type == "moved")
    assert moved.details["first"] and moved.details["text"] == "Mud and a lantern."


def test_midnight_is_another_day() -> None:
    state, rules = table()
    state = after(state, scene_update={"time": {"day": 1, "minute": 1435}})
    now = apply(state, play(state, rules, act("wait", minutes=30)).state_diff)
    assert now.scene.time == {"day": 2, "minute": 25}


def test_people_tell_what_they_know_and_withhold_what_they_keep() -> None:
    state, rules = table()
    told = play(state, rules, act("ask", "t:orla", "the weather"))
    assert [e.details["text"] for e in told.engine_events if e.type == "told"] == [
        '"It\'ll rain till Sunday."'
    ]
    kept = play(state, rules, act("ask", "t:orla", "the brandy"))
    assert "withheld" in types(kept)
    assert "told" not in types(kept)
    assert apply(state, kept.state_diff).facts["f_smuggling"].visibility == "hidden"


def test_who_is_told_goodbye_says_it_too_and_greets_nobody() -> None:
    state, rules = table()
    parted = play(state, rules, act("talk", "t:orla", "Goodbye, then"))
    assert [e.details["text"] for e in parted.engine_events if e.type == "greeted"] == [
        '"Mind the step," says Orla.'
    ]


def test_small_deeds_need_no_dice_and_pockets_can_be_counted() -> None:
    state, rules = table()
    warmed = play(state, rules, act("improvise", "", "warm my hands by the fire"))
    assert not warmed.rolls and "gestured" in types(warmed)
    assert play(state, rules, act("improvise", "", "juggle the knives")).rolls
    counted = play(state, rules, act("look", "", "inventory"))
    assert [e.details["things"] for e in counted.engine_events if e.type == "checked"] == [
        ["brass lamp"]
    ]


def test_leverage_makes_someone_yield_and_the_fact_is_learnt_with_its_turn() -> None:
    state, rules = table()
    state = after(
        state, inventory_changes=[{"owner_id": PLAYER, "item_id": "t:ledger", "delta": 1}]
    )
    came = play(state, rules, act("ask", "t:orla", "the brandy"))
    assert "told" in types(came)
    learnt = apply(state, came.state_diff).facts["f_smuggling"]
    assert (learnt.visibility, learnt.discovered_turn, learnt.discovery_method) == (
        "known",
        1,
        "told by Orla",
    )


def test_a_good_roll_makes_someone_yield_and_a_bad_one_costs_trust() -> None:
    state, rules = table()
    attempt = act("persuade", "t:orla", "the brandy")
    won = play(state, rules, attempt, seed=seed_for(state, rules, "success", attempt))
    assert apply(state, won.state_diff).facts["f_smuggling"].visibility == "known"
    lost = play(state, rules, attempt, seed=seed_for(state, rules, "failure", attempt))
    after_loss = apply(state, lost.state_diff)
    assert after_loss.facts["f_smuggling"].visibility == "hidden"
    assert after_loss.relationships["t:orla", PLAYER, "trust"].intensity == -1


def test_an_authored_action_changes_the_facts_it_says() -> None:
    state, rules = table()
    state = after(state, inventory_changes=[{"owner_id": PLAYER, "item_id": "t:key", "delta": 1}])
    came = play(
        state, rules, act("unlock", "t:door", affordance="unlock_cellar"), act("move", "t:cellar")
    )
    now = apply(state, came.state_diff)
    assert now.facts["f_door"].object["value"] == "unlocked"
    assert now.scene.location_id == "t:cellar"


def test_searching_the_right_spot_finds_what_lies_there_once() -> None:
    state, rules = table()
    state = after(state, scene_update={"location_id": "t:cellar", "present_entity_ids": [PLAYER]})
    wrong = play(state, rules, act("search", "", "under the stairs"))
    assert "discovered" not in types(wrong)
    right = play(state, rules, act("search", "", "behind the casks"))
    now = apply(state, right.state_diff)
    assert (PLAYER, "t:ledger") in now.inventory
    assert now.facts["f_ledger"].visibility == "known"
    assert "discovered" not in types(play(now, rules, act("search", "", "behind the casks")))


def test_a_clock_fires_what_was_authored_for_each_value_it_reaches_just_once() -> None:
    state, rules = table()
    state = after(state, clocks=[{"id": "heat", "delta": 1}])
    came = play(state, rules, act("look"), act("attack", "t:orla", costs=Costs(heat=1)), seed=4)
    fired = [e.details["at"] for e in came.engine_events if e.type == "clock_triggered"]
    assert fired[:1] == [2]
    now = apply(state, came.state_diff)
    assert now.value("campaign", "situation:watched") == "active"
    again = after(now, clocks=[{"id": "heat", "delta": -1}])
    assert 2 not in [
        e.details["at"]
        for e in play(again, rules, act("wait", costs=Costs(heat=1))).engine_events
        if e.type == "clock_triggered"
    ]


def test_a_full_clock_can_end_the_story() -> None:
    state, rules = table()
    state = after(state, clocks=[{"id": "heat", "delta": 3}])
    came = play(state, rules, act("wait", costs=Costs(heat=1)))
    assert types(came)[-2:] == ["thread_changed", "ending"]


def test_failures_in_a_row_bind_a_consequence_and_the_count_starts_over() -> None:
    state, rules = table()
    attempt = act("hide")
    state = after(
        state,
        facts_add=[
            {"id": "player#failure_streak", "subject_id": "player", "predicate": "failure_streak",
             "object": {"value": 2}, "visibility": "engine"}
        ],
    )  # fmt: skip
    came = play(state, rules, attempt, seed=seed_for(state, rules, "failure", attempt))
    assert "streak_broke" in types(came)
    assert apply(state, came.state_diff).value(PLAYER, "failure_streak") == 0


def test_a_success_breaks_the_streak() -> None:
    state, rules = table()
    attempt = act("hide")
    came = play(state, rules, attempt, seed=seed_for(state, rules, "success", attempt))
    assert apply(state, came.state_diff).value(PLAYER, "failure_streak") == 0


def test_people_escalate_from_soft_to_hard_to_lethal() -> None:
    state, rules = table()
    attempt = act("threaten", "t:orla", "the brandy")
    levels = []
    for _ in range(4):
        came = play(state, rules, attempt, seed=seed_for(state, rules, "failure", attempt))
        state = apply(state, came.state_diff)
        levels += [e.details["level"] for e in came.engine_events if e.type == "escalated"]
    assert levels == ["soft", "hard", "lethal", "lethal"]


def test_a_table_that_plays_without_death_is_never_met_with_the_lethal_step() -> None:
    state, rules = table(calibration={"risk": {"lethality": "low"}})
    attempt = act("threaten", "t:orla", "the brandy")
    for _ in range(4):
        came = play(state, rules, attempt, seed=seed_for(state, rules, "failure", attempt))
        state = apply(state, came.state_diff)
    assert state.value("t:orla", "escalation") == "hard"


def test_a_failure_that_matters_lets_the_game_master_move_as_planned() -> None:
    state, rules = table()
    attempt = act("hide")
    seed = seed_for(state, rules, "failure", attempt)
    came = play(state, rules, attempt, seed=seed, plan="knock")
    assert [e.details["id"] for e in came.engine_events if e.type == "tension_move"] == ["knock"]
    again = play(apply(state, came.state_diff), rules, attempt, seed=seed, plan="knock")
    assert "tension_move" not in types(again), "a move made once is spent"


@pytest.mark.parametrize(
    ("plan", "comes"),
    [
        ("`knock`: There is a knock.", "Someone knocks, three times."),
        ("The lamp goes out by itself.", "The lamp goes out by itself."),
        (
            "It comes out that Orla smuggles brandy through the cellar at night.",
            "Someone knocks, three times.",
        ),
        ("A drowned child looks in at the window.", "Someone knocks, three times."),
    ],
    ids=[
        "an id with more behind it",
        "a sentence of its own",
        "one that tells a secret",
        "one that crosses a line",
    ],
)
def test_a_planner_may_say_its_move_in_words_but_never_what_is_hidden_or_unwanted(
    plan: str, comes: str
) -> None:
    state, rules = table(calibration={"lines": ["drowning"]})
    attempt = act("hide")
    came = play(state, rules, attempt, seed=seed_for(state, rules, "failure", attempt), plan=plan)
    assert [e.details["text"] for e in came.engine_events if e.type == "tension_move"] == [comes]


def test_what_follows_a_failure_is_interrupted() -> None:
    state, rules = table()
    attempt = act("hide")
    seed = seed_for(state, rules, "failure", attempt)
    came = play(state, rules, attempt, act("take", "t:mug"), seed=seed)
    assert "interrupted" in types(came)
    assert (PLAYER, "t:mug") not in apply(state, came.state_diff).inventory


def test_a_threat_comes_due_unless_it_is_averted() -> None:
    move = {
        "id": "knock", "type": "threat", "text": ["Someone knocks."],
        "effects": [{"threat": {"id": "raid", "text": "Boots in the lane.", "turns": 2,
                                "unless": [{"at": "t:yard"}], "then": [{"harm": 1}], "then_text": "The door bursts."}}],
    }  # fmt: skip
    state, rules = table(moves=[move])
    hide = act("hide")
    state = apply(
        state, play(state, rules, hide, seed=seed_for(state, rules, "failure", hide)).state_diff
    )
    stayed = play(state.at_turn(3), rules, act("wait"))
    assert "threat_due" in types(stayed)
    went = play(state.at_turn(3), rules, act("move", "t:yard"))
    assert "threat_averted" in types(went)
    assert "threat_due" not in types(went)


def test_the_same_seed_gives_the_same_turn() -> None:
    state, rules = table()
    attempt = act("persuade", "t:orla", "the brandy")
    assert play(state, rules, attempt, seed=3) == play(state, rules, attempt, seed=3)
    assert len({play(state, rules, attempt, seed=s).rolls[0].text for s in range(20)}) > 5


@pytest.mark.parametrize(
    ("system", "shape"),
    [
        ("pbta", r"2d6 \(\d,\d\)( [+-] \d)? = -?\d+ \w+"),
        ("d20", r"1d20 \(\d+\)( [+-] \d)? = -?\d+ vs 13 \w+"),
        ("world_of_darkness", r"\d+d10 \([\d,]+\) at 6: \d+ success(es)?, \w+"),
    ],
)
def test_dice_are_shown_as_the_table_reads_them(system: str, shape: str) -> None:
    import re

    state, _ = table()
    thrown = roll(Throw("hide", "", "charm", 1), load_system(system), state, Chance(5))
    assert re.fullmatch(shape, thrown.text)
    assert thrown.outcome in OUTCOMES


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(-1, 3))
def test_two_dice_and_bands_decide_as_the_rules_say(seed: int, stat: int) -> None:
    state, _ = table()
    state = after(state, entities_update=[{"id": PLAYER, "attrs": {"stats": {"wits": stat}}}])
    thrown = roll(Throw("hide", "", "wits", 1), PBTA, state, Chance(seed))
    total = sum(thrown.dice) + stat
    bands = (
        "critical"
        if sum(thrown.dice) == 12
        else "success"
        if total >= 10
        else "mixed"
        if total >= 7
        else "failure"
    )
    assert (thrown.total, thrown.outcome) == (total, bands)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_a_pool_counts_successes_less_ones_and_botches_on_ones_alone(seed: int) -> None:
    state, _ = table()
    thrown = roll(Throw("hide", "", "nerve", 1), WOD, state, Chance(seed))
    hits, ones = sum(d >= 6 for d in thrown.dice), thrown.dice.count(1)
    assert thrown.total == (0 if hits == 0 else max(0, hits - ones))
    if hits == 0 and ones:
        assert thrown.outcome == "botch"
    else:
        assert thrown.outcome == {0: "failure", 1: "mixed", 2: "success", 3: "success"}.get(
            thrown.total, "critical"
        )


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_a_d20_meets_its_number(seed: int) -> None:
    state, _ = table()
    thrown = roll(Throw("hide", "", "nerve", 2), D20, state, Chance(seed))
    assert thrown.difficulty == 16
    if thrown.dice == [1]:
        assert thrown.outcome == "botch"
    elif thrown.dice == [20]:
        assert thrown.outcome == "critical"
    else:
        margin = thrown.total - 16
        assert thrown.outcome == (
            "success" if margin >= 0 else "mixed" if margin >= -3 else "failure"
        )
