"""What comes of a fight beside its dice: who may act, who gives up, how one gets out, and what is written down."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.core.errors import BadFile
from freeform.engine.authored.library import load_system
from freeform.engine.authored.script import Effect
from freeform.engine.authored.system import System
from freeform.engine.rules.change import apply
from freeform.engine.rules.effects import perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.resolve import TurnResolution, resolve
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction, PlannerOutput, ValidatorOutput
from freeform.engine.world.rolled import RollPart
from freeform.engine.world.state import PLAYER, Entity, GameState
from tests.engine.fights.bridge import begun, bridge
from tests.engine.fights.test_worked_rolls import GivenDice


def turn(
    state: GameState, rules: Rules, dice: Sequence[int], *acts: dict[str, Any]
) -> tuple[TurnResolution, GameState]:
    actions = [AllowedAction.model_validate({"minutes": 1, **act}) for act in acts]
    judged = ValidatorOutput(allowed_actions=actions)
    came = resolve(state, judged, PlannerOutput(), rules, GivenDice(list(dice)))
    after = apply(state, came.state_diff)
    return came, after.at_turn(after.turn_no + 1)


ATTACK = {"action": "attack", "target_id": "snag"}
KIT_FIRST = [20, 1]
"""Initiative: the hero before the goblin."""


def kinds(came: TurnResolution) -> list[str]:
    return [event.type for event in came.engine_events]


def test_a_fight_is_fought_in_turns_until_one_side_is_down() -> None:
    state, rules = begun(bridge())
    came, state = turn(state, rules, [*KIT_FIRST, 2, 18, 4], ATTACK)
    assert kinds(came)[:3] == ["fight_began", "struck", "foe_struck"]
    assert state.value(PLAYER, "hit_points") == 12 - 6
    came, state = turn(state, rules, [20, 8, 8], ATTACK)
    assert state.value("snag", "condition") == "dead"
    assert kinds(came)[-1] == "fight_ended"
    came, _ = turn(state, rules, [], {"action": "wait"})
    assert [roll.kind for roll in came.rolls] == []


def test_in_a_fight_there_is_time_for_one_deed_and_for_what_is_quick() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 18, 4], ATTACK)
    came, _ = turn(state, rules, [6, 2, 2], {"action": "second_wind"}, ATTACK, ATTACK)
    assert [roll.kind for roll in came.rolls] == ["healing", "attack", "attack"]
    assert [roll.by for roll in came.rolls] == ["", "", "snag"]
    assert "interrupted" in kinds(came)


def test_who_walks_away_is_struck_at_and_who_flees_well_is_not() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    came, away = turn(state, rules, [18, 1], {"action": "move", "target_id": "bank"})
    assert [roll.by for roll in came.rolls if roll.kind == "attack"] == ["snag"]
    assert away.scene.location_id == "bank"
    assert not away.value("campaign", "fight")
    came, away = turn(state, rules, [19], {"action": "flee"})
    assert (away.scene.location_id, [roll.kind for roll in came.rolls]) == ("bank", [""])
    _, still = turn(state, rules, [3, 2], {"action": "flee"})
    assert still.scene.location_id == "span"


def test_what_could_not_be_tried_costs_no_round_and_no_hour() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    came, after = turn(state, rules, [])
    assert came.rolls == []
    came, after = turn(state, rules, [2], {"action": "short_rest", "minutes": 60})
    assert after.scene.time == state.scene.time
    assert "interrupted" in kinds(came)


def test_a_guard_taken_up_lasts_until_ones_next_deed() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    came, state = turn(state, rules, [20, 2], {"action": "dodge"})
    assert "the lower" in came.rolls[-1].text
    came, _ = turn(state, rules, [2], {"action": "wait"})
    assert came.rolls[-1].text == "1d20 (2) + 4 = 6 vs 18 failure"


def test_who_surrenders_is_struck_no_more() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    came, state = turn(state, rules, [], {"action": "surrender"})
    assert "gave_up" in kinds(came)
    assert state.value(PLAYER, "captive") == "snag"
    came, _ = turn(state, rules, [], {"action": "wait"})
    assert came.rolls == []


def test_a_foe_who_is_talked_round_lays_down_arms() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 2, 2], ATTACK)
    threat = {"action": "threaten", "target_id": "snag", "details": "drop it"}
    came, state = turn(state, rules, [17], threat)
    assert "foe_surrendered" in kinds(came)
    assert state.value("snag", "surrendered") is True
    assert not state.value("campaign", "fight")


@pytest.mark.parametrize(("lethality", "looks"), [("medium", "dead"), ("low", "unconscious")])
def test_a_table_without_death_knows_only_the_unconscious(lethality: str, looks: str) -> None:
    state, rules = begun(bridge(), lethality)
    _, state = turn(state, rules, [*KIT_FIRST, 20, 8, 8], ATTACK)
    assert state.value("snag", "condition") == looks


def test_who_is_struck_down_to_be_spared_lives() -> None:
    state, rules = begun(bridge())
    _, state = turn(state, rules, [*KIT_FIRST, 20, 8, 8], {**ATTACK, "action": "subdue"})
    assert state.value("snag", "condition") == "unconscious"


def test_an_author_can_begin_a_fight_set_a_trap_pay_and_teach() -> None:
    state, rules = begun(bridge())
    page = Ledger(state)
    effects = [
        {"fight": "snag"},
        {"hurt": {"damage": ["4 fire"], "text": "the oil"}},
        {"gain": {"id": "gold", "amount": 5}},
        {"award": 300},
    ]
    perform([Effect.model_validate(effect) for effect in effects], page, rules, "test")
    after = page.state
    assert after.value("campaign", "fight")["foes"] == ["snag"]
    assert after.value(PLAYER, "hit_points") == 8
    assert (after.value(PLAYER, "gold"), after.value(PLAYER, "level")) == (5, 2)
    came, _ = turn(after, rules, [2, 19, 15, 1], {"action": "wait"})
    assert [roll.kind for roll in came.rolls] == ["initiative", "initiative", "attack", "damage"]


def rolled(how: dict[str, Any], dice: list[int], stats: dict[str, int], **throw: Any) -> str:
    system = System.model_validate({"id": "t", "name": "t", "resolution": how, "stats": ["s"]})
    hero = Entity(id=PLAYER, type="pc", name="Nan", attrs={"stats": stats})
    state = GameState(campaign_id="t", entities={PLAYER: hero})
    given = GivenDice(dice)
    text = roll(Throw("a", "", "s", 0, **throw), system, state, given).text
    assert given.left == []
    return text


UNDER = {
    "method": "roll_under",
    "dice_count": 1,
    "die_type": 20,
    "advantage": "twice",
    "bands": [{"outcome": "failure", "at_least": -99}, {"outcome": "success", "at_least": 0}],
}
SIXES = {
    "method": "dice_pool",
    "die_type": 6,
    "base_pool": 0,
    "difficulty_range": [2, 6],
    "difficulty_default": 6,
    "pool_outcome_thresholds": {"success": 1, "critical": 3},
}
SUM = {
    "method": "sum_bands",
    "dice_count": 2,
    "die_type": 6,
    "advantage": "die",
    "bands": [{"outcome": "failure", "at_least": 0}, {"outcome": "success", "at_least": 8}],
}


def test_roll_under_succeeds_at_the_score_and_advantage_keeps_the_lower() -> None:
    assert rolled(UNDER, [12], {"s": 12}) == "1d20 (12) = 12 under 12: success"
    assert rolled(UNDER, [13], {"s": 12}) == "1d20 (13) = 13 under 12: failure"
    shown = rolled(UNDER, [17, 4], {"s": 12}, advantage=1)
    assert shown == "1d20 (17 / 4, the lower) = 4 under 12: success"


def test_dice_that_explode_are_thrown_once_more_and_those_again() -> None:
    how = {**SIXES, "explodes": 6}
    assert rolled(how, [6, 2, 6, 1], {"s": 2}) == "2d6 (6,2,6,1) at 6: 2 successes, success"
    how = {**SUM, "explodes": 6}
    assert rolled(how, [6, 1, 3], {"s": 0}) == "2d6 (6,1,3) = 10 success"


def test_advantage_as_a_die_keeps_as_many_as_there_were() -> None:
    shown = rolled(SUM, [1, 3, 6], {"s": 0}, advantage=1)
    assert shown == "2d6 (1,3,6, highest 2) = 9 success"
    shown = rolled(SUM, [5, 5, 1], {"s": 0}, advantage=-1)
    assert shown == "2d6 (5,5,1, lowest 2) = 6 failure"


def test_a_sum_against_someones_roll_must_beat_it() -> None:
    theirs = (RollPart(label="watch", value=9, source="their roll"),)
    assert rolled(SUM, [6, 3], {"s": 0}, against=theirs) == "2d6 (6,3) = 9 vs 9 failure"
    assert rolled(SUM, [6, 4], {"s": 0}, against=theirs) == "2d6 (6,4) = 10 vs 9 success"


def test_a_system_may_lie_in_several_files_but_not_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "systems").mkdir()
    file = tmp_path / "systems" / "odd.yaml"
    (tmp_path / "outside.yaml").write_text("creatures: {rat: {hp: 3}}", encoding="utf-8")
    for part in ("missing", "../outside"):
        text = f'id: odd\nname: Odd\ninherits: pbta\nincludes: ["{part}"]\n'
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BadFile, match=f"includes '{part}'"):
            load_system("odd", tmp_path)
    (tmp_path / "systems" / "odd").mkdir()
    rats = tmp_path / "systems" / "odd" / "rats.yaml"
    rats.write_text("creatures: {rat: {hp: 3}}", encoding="utf-8")
    file.write_text("id: odd\nname: Odd\ninherits: pbta\nincludes: [odd/rats]\n", encoding="utf-8")
    assert load_system("odd", tmp_path).creatures["rat"].hp == 3


def test_the_same_seed_gives_the_same_fight() -> None:
    state, rules = begun(bridge())
    judged = ValidatorOutput(allowed_actions=[AllowedAction(action="attack", target_id="snag")])
    twice = [resolve(state, judged, PlannerOutput(), rules, Chance(7)) for _ in range(2)]
    assert twice[0] == twice[1]
