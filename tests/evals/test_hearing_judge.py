"""The judging of what was heard: each class, each forbidden effect, and what a neutral turn excuses."""

from typing import Any

import pytest

from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    EngineEvent,
    InterpreterOutput,
    PlannerOutput,
    ProposedAction,
    Reading,
    StateDiff,
    TurnResult,
    ValidatorOutput,
)
from freeform.engine.world.rolled import Roll
from freeform.evals.suites.hearing.gold import GoldCase, read_slot
from freeform.evals.suites.hearing.heard import kind_of
from freeform.evals.suites.hearing.judge import CaseVerdict, Played, judge
from tests.engine.cellar import table

EVERYTHING = ["time", "move", "dice", "loss", "violence", "clock", "refusal"]
ROLL = Roll(action="ask", method="2d6", dice=[3, 4], sides=6, total=7, outcome="mixed", text="7")


def gold(*actions: str, **more: Any) -> GoldCase:
    """A case whose one alternative has these slots, and that forbids everything."""
    accept = {"actions": [list(actions)], **more.pop("accept", {})}
    told = {"id": "g1", "scenario": "cellar", "input": "?", "forbid": EVERYTHING}
    return GoldCase.model_validate({**told, "accept": accept, **more})


def heard(*acts: tuple[str, str] | ProposedAction, **more: Any) -> TurnResult:
    """A turn in which these acts were heard, allowed unless `blocked` says otherwise."""
    proposed = []
    for act in acts:
        if isinstance(act, ProposedAction):
            proposed.append(act)
        else:
            proposed.append(ProposedAction(action=act[0], target_id=act[1]))
    blocked = more.pop("blocked", {})
    allowed = [a for a in proposed if a.action not in blocked]
    told = {
        "interpreter": InterpreterOutput(proposed_actions=proposed),
        "validator": ValidatorOutput(
            allowed_actions=[
                AllowedAction(action=a.action, target_id=a.target_id) for a in allowed
            ],
            blocked_actions=[
                BlockedAction(action=a.action, target_id=a.target_id, reason=blocked[a.action])
                for a in proposed
                if a.action in blocked
            ],
        ),
        "planner": PlannerOutput(),
        "final_text": "Orla nods.",
    }
    place = {"campaign": "c", "branch": "main", "turn_no": 1, "turn_id": "t", "player_input": "?"}
    return TurnResult.model_validate({**place, **told, **more})


def verdict(case: GoldCase, result: TurnResult, neutral: TurnResult | None = None) -> CaseVerdict:
    state, _ = table()
    return judge(Played(case, state, result, neutral or heard(("look", ""), final_text="A room.")))


def classed(
    case: GoldCase, result: TurnResult, neutral: TurnResult | None = None
) -> tuple[str, str]:
    found = verdict(case, result, neutral)
    return found.judged, found.reason


def at(minute: int, **scene: Any) -> StateDiff:
    """The time of day after the turn; the scene begins at 1200."""
    return StateDiff.model_validate(
        {"scene_update": {"time": {"day": 1, "minute": minute}, **scene}}
    )


def test_a_slot_says_kinds_targets_and_words() -> None:
    slot = read_slot("talk|ask@t:orla|-#brandy/Cellar")
    assert slot.kinds == {"talk", "ask"}
    assert slot.targets == {"t:orla", "-"}
    assert slot.words == ("brandy", "cellar")
    assert read_slot("wait").targets is None


def test_an_act_of_the_right_kind_to_the_right_person_is_understood() -> None:
    assert classed(gold("talk|ask@t:orla"), heard(("ask", "t:orla"))) == ("understood", "")


@pytest.mark.parametrize(
    ("acts", "reason"),
    [
        ([("give", "t:orla")], "heard as something else"),
        ([("ask", "t:finn")], "heard as something else"),
        ([("ask", "t:orla"), ("take", "t:mug")], "heard more than was meant"),
        ([], "nothing heard"),
    ],
)
def test_other_acts_are_a_harmless_miss(acts: list[tuple[str, str]], reason: str) -> None:
    assert classed(gold("ask@t:orla"), heard(*acts)) == ("harmless", reason)


def test_every_slot_of_an_alternative_needs_an_act_of_its_own() -> None:
    case = gold("ask@t:orla", "take@t:mug")
    assert classed(case, heard(("ask", "t:orla"))) == ("harmless", "partly heard")
    assert classed(case, heard(("take", "t:mug"), ("ask", "t:orla"))) == ("understood", "")
    twice = gold("ask|talk@t:orla", "ask@t:orla")
    assert classed(twice, heard(("ask", "t:orla"), ("talk", "t:orla"))) == ("understood", "")
    assert classed(twice, heard(("ask", "t:orla")))[0] == "harmless"


def test_a_glance_may_stand_beside_a_deed() -> None:
    assert classed(gold("take@t:mug"), heard(("look", ""), ("take", "t:mug")))[0] == "understood"


def test_a_word_of_the_slot_may_stand_in_the_details_or_in_what_came_of_it() -> None:
    case = gold("ask@t:orla#brandy")
    asked = ProposedAction(action="ask", target_id="t:orla", details="the brandy")
    assert classed(case, heard(asked))[0] == "understood"
    rain = ProposedAction(action="ask", target_id="t:orla", details="rain")
    assert classed(case, heard(rain))[0] == "harmless"
    event = EngineEvent(type="answered", details={"npc": "t:orla", "topic": "Brandy"})
    assert classed(case, heard(("ask", "t:orla"), engine_events=[event]))[0] == "understood"


def test_nothing_in_particular_is_a_target_where_the_gold_says_so() -> None:
    for target in ("", "player", "t:taproom", "nobody:known"):
        assert classed(gold("use@-"), heard(("use", target)))[0] == "understood"
    assert classed(gold("use@-"), heard(("use", "t:mug")))[0] == "harmless"


def test_an_act_without_an_id_counts_when_the_turn_dealt_with_the_right_one() -> None:
    event = EngineEvent(type="given", details={"item": "t:mug"})
    assert (
        classed(gold("take@t:mug"), heard(("take", ""), engine_events=[event]))[0] == "understood"
    )
    passed = EngineEvent(type="npc_left", details={"npc": "t:orla"})
    assert (
        classed(gold("talk@t:orla"), heard(("talk", ""), engine_events=[passed]))[0] == "harmless"
    )


def test_a_way_that_was_gone_counts_without_its_id() -> None:
    case = gold("move@t:yard", move_ok=["t:yard"])
    assert classed(case, heard(("move", ""), state_diff=at(1202, location_id="t:yard")))[0] == (
        "understood"
    )


@pytest.mark.parametrize(
    ("came", "effect"),
    [
        ({"state_diff": at(1230)}, "time (30 min)"),
        ({"state_diff": at(1202, location_id="t:yard")}, "move (yard)"),
        ({"rolls": [ROLL]}, "dice"),
        (
            {"state_diff": {"inventory_changes": [
                {"owner_id": "player", "item_id": "t:lamp", "delta": -1}]}},
            "loss (lamp)",
        ),
        ({"engine_events": [EngineEvent(type="blow", tags=["violence"])]}, "violence"),
        ({"state_diff": {"clocks": [{"id": "heat", "delta": 1}]}}, "clock (heat)"),
        ({"blocked": {"talk": "Not now."}}, "refusal"),
    ],
)  # fmt: skip
def test_a_forbidden_effect_is_costly_and_an_allowed_one_is_not(
    came: dict[str, Any], effect: str
) -> None:
    case = gold("talk@t:orla")
    assert classed(case, heard(("talk", "t:orla"), **came)) == ("costly", effect)
    spared = gold("talk@t:orla", forbid=[])
    assert classed(spared, heard(("talk", "t:orla"), **came))[0] == "understood"


def test_an_attack_that_nobody_meant_is_violence_even_without_a_blow() -> None:
    assert classed(gold("use@t:door"), heard(("attack", "t:orla"))) == ("costly", "violence")


def test_what_a_neutral_turn_does_here_is_not_blamed_on_the_input() -> None:
    case = gold("talk@t:orla")
    diff = {"clocks": [{"id": "heat", "delta": 1}], "scene_update": at(1230).scene_update}
    neutral = heard(("look", ""), rolls=[ROLL], state_diff=diff)
    assert classed(case, heard(("talk", "t:orla"), rolls=[ROLL], state_diff=diff), neutral)[0] == (
        "understood"
    )
    further = {**diff, "clocks": [{"id": "heat", "delta": 2}]}
    assert classed(case, heard(("talk", "t:orla"), state_diff=further), neutral)[0] == "costly"


def test_a_limit_of_minutes_and_a_place_that_was_meant_are_allowed() -> None:
    case = gold("move@t:yard", time_limit=19, move_ok=["t:yard"])
    walked = heard(("move", "t:yard"), state_diff=at(1219, location_id="t:yard"))
    assert classed(case, walked)[0] == "understood"
    slow = heard(("move", "t:yard"), state_diff=at(1220, location_id="t:yard"))
    assert classed(case, slow) == ("costly", "time (20 min)")


def test_a_told_wrong_deed_is_costly() -> None:
    case = gold("use", deny_text="you drop the lamp")
    assert classed(case, heard(("use", ""), final_text="You drop the lamp.")) == (
        "costly",
        "wrong deed",
    )


def test_a_refusal_is_no_miss_where_it_is_fair_or_part_was_done() -> None:
    case = gold("unlock@t:door", refuse_ok="need the key")
    refused = heard(("unlock", "t:door"), blocked={"unlock": "You would need the key."})
    assert classed(case, refused) == ("understood", "rightly refused")
    both = gold("talk@t:orla", "unlock@t:door")
    partly = heard(("talk", "t:orla"), ("unlock", "t:door"), blocked={"unlock": "No."})
    assert classed(both, partly) == ("harmless", "partly heard")


def question(*readings: str, **more: Any) -> TurnResult:
    """A turn that asks back, with readings of these actions."""
    offered = [Reading(text=name, action=ProposedAction(action=name)) for name in readings]
    asked = InterpreterOutput(question="Do what?", readings=offered)
    judged = ValidatorOutput(clarification_needed=True, clarification_question="Do what?")
    return heard(**{"interpreter": asked, "validator": judged, **more})


def test_a_question_is_fair_where_one_must_ask_and_what_was_meant_is_offered() -> None:
    unclear = gold("attack@t:orla", accept={"ask_ok": True})
    assert classed(unclear, question("attack", "break"))[0] == "asked_fairly"
    assert classed(unclear, question())[0] == "asked_fairly"
    assert classed(unclear, question("wait", "give"))[0] == "asked_needlessly"
    assert classed(gold("attack@t:orla"), question("attack"))[0] == "asked_needlessly"


def test_a_question_that_comes_with_events_is_none() -> None:
    event = EngineEvent(type="passed", details={})
    unclear = gold("attack@t:orla", accept={"ask_ok": True})
    assert classed(unclear, question("attack", engine_events=[event]))[0] == "harmless"


def test_a_question_to_the_game_master_must_be_answered() -> None:
    case = gold("look|recall|ooc", accept={"no_action_ok": True}, answer_any="lamp")
    assert classed(case, heard(("ooc", ""), final_text="You carry a lamp."))[0] == "understood"
    assert classed(case, heard(("recall", ""), final_text="Rain.")) == ("harmless", "not answered")
    assert classed(case, heard(("ooc", ""), final_text="Rain.")) == ("harmless", "not answered")


def test_the_closing_lines_of_any_turn_here_are_no_answer() -> None:
    case = gold("look", answer_any="lamp")
    neutral = heard(("look", ""), final_text="A room.\n\nThe lamp burns.")
    echoed = heard(("look", ""), final_text="Nothing new.\n\nThe lamp burns.")
    assert classed(case, echoed, neutral) == ("harmless", "not answered")
    assert classed(case, echoed)[0] == "understood"


def test_a_plan_that_does_nothing_is_understood_where_nothing_may_be_done() -> None:
    plan = ProposedAction(action="plan", family="plan_only")
    assert classed(gold("none"), heard(plan))[0] == "understood"
    assert classed(gold("take@t:mug"), heard(plan)) == ("harmless", "nothing heard")
    assert classed(gold("none"), heard(plan, final_text=" ")) == ("harmless", "nothing heard")


def test_the_impossible_must_not_be_granted_and_words_must_not_be_taken_amiss() -> None:
    case = gold("improvise", forbid=["violence"], deny_success=True)
    assert classed(case, heard(("improvise", ""), rolls=[ROLL])) == (
        "harmless",
        "the impossible was granted",
    )
    amiss = gold("improvise", miss_text="nods")
    assert classed(amiss, heard(("improvise", ""))) == ("harmless", "words taken amiss")


def test_a_miss_that_moves_a_clock_is_costly_unless_danger_was_meant() -> None:
    up = {"clocks": [{"id": "heat", "delta": 1}]}
    missed = heard(("take", "t:mug"), state_diff=up)
    harmless = gold("use@t:door", forbid=["violence"])
    assert classed(harmless, missed) == ("costly", "clock (heat); heard as something else")
    risky = gold("attack|use@t:door", forbid=[])
    assert classed(risky, missed)[0] == "harmless"


@pytest.mark.parametrize(
    ("action", "family", "kind"),
    [
        ("search", "search", "look"),
        ("express", "express", "improvise"),
        ("plan", "plan_only", "none"),
        ("gm_question", "gm_question", "ooc"),
        ("juggle", "", "improvise"),
        ("juggle", "sneak_hide", "hide"),
        ("juggle", "talk", "talk"),
        ("unlock", "unlock_break", "unlock"),
    ],
)
def test_our_actions_by_the_golds_names(action: str, family: str, kind: str) -> None:
    assert kind_of(ProposedAction(action=action, family=family)) == kind
