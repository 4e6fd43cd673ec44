"""How a fight ends beside blows: foes who are paid, begged or called on to give up answer, and the state says so."""

from dataclasses import replace
from typing import Any

import pytest

from freeform.engine.authored.scenario import Affordance
from freeform.engine.rules.wishes.among_foes import among_foes
from freeform.engine.rules.wishes.feats import beyond_anyone
from freeform.engine.world.model import (
    AllowedAction,
    InterpreterOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.state import PLAYER
from freeform.wiring import sense
from tests.engine.cellar import after as changed
from tests.engine.fights.bridge import begun, bridge
from tests.engine.fights.test_fights import ATTACK, KIT_FIRST, kinds, turn

GOBLIN_FIRST = [1, 20]


def test_foes_who_are_begged_let_go_or_fight_on() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    begging = {"action": "plead", "target_id": "snag", "details": "spare me"}
    came, after = turn(state, rules, [20], begging)
    assert kinds(came) == ["let_go", "fight_ended"]
    assert not after.value("campaign", "fight") and not after.value(PLAYER, "captive")
    came, after = turn(state, rules, [1, 2], begging)
    assert "not_let_go" in kinds(came) and "foe_struck" in kinds(came)
    assert after.value("campaign", "fight")["foes"]


def test_quicker_foes_hold_their_blow_until_they_have_heard() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*GOBLIN_FIRST, 2, 2], ATTACK)
    begging = {"action": "plead", "target_id": "snag", "details": "spare me"}
    came, _ = turn(state, rules, [20], begging)
    assert "foe_struck" not in kinds(came)
    came, _ = turn(state, rules, [1, 2], begging)
    assert kinds(came)[:2] == ["not_let_go", "foe_struck"]


def test_what_foes_do_not_take_is_not_lost() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    offer = {"action": "pay_off", "target_id": "snag", "details": "take my shield and go"}
    came, after = turn(state, rules, [1, 2, 2], offer)
    assert "not_bought" in kinds(came) and after.value("campaign", "fight")["foes"]
    assert (PLAYER, "targe") in after.inventory
    came, after = turn(state, rules, [20, 2], offer)
    assert "bought_off" in kinds(came) and not after.value("campaign", "fight")
    assert ("snag", "targe") in after.inventory and (PLAYER, "sword") in after.inventory


def test_who_gives_up_lays_down_arms_where_they_stand() -> None:
    state, rules = begun(bridge())
    arms = [item for owner, item in state.inventory if owner == PLAYER]
    weapons = [item for item in arms if state.entities[item].attrs.get("weapon")]
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    _, state = turn(state, rules, [], {"action": "surrender"})
    here = state.scene.location_id
    assert weapons and all((here, item) in state.inventory for item in weapons)


def offering(words: str) -> dict[str, Any]:
    return {"action": "pay_off", "target_id": "snag", "details": words}


@pytest.mark.parametrize(
    ("words", "left", "given"),
    [
        ("I pay fifty gold", 150, set()),
        ("the one with the scar, twenty gold", 180, set()),
        ("1,000 gold pieces, leave us be", 0, set()),
        ("pay \u1369 gold", 100, set()),
        ("take a few gold and go", 100, set()),
        ("all my gold for our lives", 0, set()),
        ("five gold, but not my shield", 195, set()),
        ("take the shield and not my sword", 200, {"targe"}),
    ],
)
def test_foes_take_what_was_offered_and_no_more(words: str, left: int, given: set[str]) -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    purse = {"id": "purse", "subject_id": PLAYER, "predicate": "gold", "object": {"value": 200}}
    came, after = turn(changed(state, facts_add=[purse]), rules, [20, 20], offering(words))
    assert "bought_off" in kinds(came)
    assert after.value(PLAYER, "gold") == left
    assert {item for owner, item in after.inventory if owner == "snag"} == given


def test_nobody_quick_is_held_off_with_empty_hands() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*GOBLIN_FIRST, 2, 2], ATTACK)
    came, _ = turn(state, rules, [2], offering("I pay them off"))
    assert kinds(came)[:2] == ["nothing_to_pay", "foe_struck"]


def test_what_was_for_one_round_is_over_though_one_only_talks() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    _, state = turn(state, rules, [2, 2], {"action": "dodge"})
    begging = {"action": "plead", "target_id": "snag", "details": "spare me"}
    came, _ = turn(state, rules, [1, 2], begging)
    struck = [roll for roll in came.rolls if roll.by == "snag"]
    assert [len(roll.dice) for roll in struck] == [1], "no disadvantage any more"


@pytest.mark.parametrize(("using", "deed"), [("targe", ""), ("", "bribe")])
def test_no_heirloom_is_given_that_nobody_spoke_of(using: str, deed: str) -> None:
    outcomes = {"success": {"text": ["They take it."]}}
    bribe = {"id": "bribe", "action": "give", "target": "snag", "using": using, "words": ["relic"]}
    authored = Affordance.model_validate({**bribe, "outcomes": outcomes})
    scenario = bridge().model_copy(update={"affordances": [authored]})
    state, rules = begun(scenario)
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    typed = "I offer them money to let us pass"
    heard = InterpreterOutput(proposed_actions=[ProposedAction(action="talk", target_id="snag")])
    meant = among_foes(heard, state, replace(rules, sense=sense()), typed).proposed_actions
    assert [(act.action, act.deed) for act in meant] == [("give" if deed else "pay_off", deed)]


def test_what_an_author_wrote_is_beyond_nobody() -> None:
    state, rules = begun(bridge("osr", {}))
    rules, typed = replace(rules, sense=sense()), "I flap my arms and fly over the roofs"
    heard = InterpreterOutput(proposed_actions=[ProposedAction(action="improvise", details=typed)])
    plain = AllowedAction(action="improvise", details=typed)
    for act in (plain, plain.model_copy(update={"affordance": "wings"})):
        judged = ValidatorOutput(allowed_actions=[act])
        now = beyond_anyone(judged, heard, state, rules, typed)
        assert bool(now.blocked_actions) is not bool(act.affordance)
