"""What may be tried, and why not."""

import pytest

from freeform.engine.rules.validate import validate
from freeform.engine.world.model import InterpreterOutput, ProposedAction, ValidatorOutput
from freeform.engine.world.state import PLAYER, GameState
from tests.engine.cellar import CELLAR, after, table


def judged(
    state: GameState,
    rules: object,
    *actions: tuple[str, ...],
    says: str = "",
    assumes: tuple[str, ...] = (),
) -> ValidatorOutput:
    proposed = [
        ProposedAction(
            action=a[0], target_id=a[1] if len(a) > 1 else "", details=a[2] if len(a) > 2 else ""
        )
        for a in actions
    ]
    heard = InterpreterOutput(proposed_actions=proposed, assumptions=list(assumes))
    return validate(heard, state, rules, says)  # type: ignore[arg-type]


def one_block(output: ValidatorOutput) -> tuple[str, str, str]:
    assert not output.allowed_actions
    (blocked,) = output.blocked_actions
    return blocked.rule, blocked.reason, blocked.because


def test_talking_to_someone_absent_is_blocked_with_the_fact_of_where_they_are() -> None:
    state, rules = table()
    met = {"id": "t:finn#met", "subject_id": "t:finn", "predicate": "met"}
    met |= {"object": {"value": True}, "visibility": "engine"}
    state = after(state, facts_add=[met])
    rule, reason, because = one_block(judged(state, rules, ("ask", "t:finn", "the well")))
    assert (rule, because) == ("presence", "t:finn#at")
    assert reason == "Finn is not here; Orla is here."


def test_a_deed_to_whom_nobody_here_answers_is_done_to_nobody() -> None:
    state, rules = table()
    for action in ("heal", "attack", "improvise"):
        deed = ProposedAction(action=action, details="my sister", called_to="my sister")
        output = validate(InterpreterOutput(proposed_actions=[deed]), state, rules)
        assert one_block(output)[:2] == ("presence", "You see no sister here; Orla is here.")


def test_the_absence_of_someone_never_tells_where_they_are() -> None:
    state, rules = table()
    assert "yard" not in one_block(judged(state, rules, ("ask", "t:finn")))[1]


def test_who_follows_somebody_goes_where_they_are_known_to_be() -> None:
    state, rules = table()
    seen = [("t:finn", "met"), (state.where("t:finn"), "visited")]
    facts = [
        {
            "id": f"{subject}#{predicate}",
            "subject_id": subject,
            "predicate": predicate,
            "object": {"value": True},
            "visibility": "engine",
        }
        for subject, predicate in seen
    ]
    unknown = judged(state, rules, ("follow", "t:finn"), says="I follow Finn")
    assert not unknown.allowed_actions
    known = judged(after(state, facts_add=facts), rules, ("follow", "t:finn"), says="I follow Finn")
    (going,) = known.allowed_actions
    assert (going.action, going.target_id) == ("move", "t:yard")


def test_one_thing_is_gone_through_in_less_time_than_a_place() -> None:
    state, rules = table()
    place, thing = (
        judged(state, rules, ("search", target), says="I search").allowed_actions[0]
        for target in ("", "t:lamp")
    )
    assert thing.minutes < place.minutes


def test_using_an_item_one_does_not_own_is_blocked() -> None:
    state, rules = table()
    rule, reason, because = one_block(judged(state, rules, ("break", "t:door", "with t:key")))
    assert (rule, because) == ("inventory", "t:key")
    assert "brass lamp" in reason, "it says what one does carry"


@pytest.mark.parametrize("action", ["give", "show"])
def test_what_one_never_found_is_neither_given_nor_shown_and_its_whole_name_stays_unsaid(
    action: str,
) -> None:
    state, rules = table()
    rule, reason, _ = one_block(judged(state, rules, (action, "t:orla", "the ledger")))
    assert (rule, reason) == ("inventory", "You have no ledger; you carry the brass lamp.")


def test_waiting_takes_as_long_as_was_said_within_reason() -> None:
    state, rules = table()
    for said, taken in ((0, 30), (10, 10), (9_000, 480)):
        heard = InterpreterOutput(
            proposed_actions=[ProposedAction(action="wait", estimated_minutes=said)]
        )
        assert validate(heard, state, rules).allowed_actions[0].minutes == taken


def test_gear_that_the_words_take_for_granted_must_be_carried() -> None:
    state, rules = table()
    rule, reason, _ = one_block(
        judged(state, rules, ("attack", "t:orla"), says="I draw my gun and shoot Orla")
    )
    assert (rule, reason) == ("inventory", "You have no gun; you carry the brass lamp.")
    assert judged(state, rules, ("look",), says="I light my lamp and look").allowed_actions


def test_a_thing_the_player_says_they_have_must_be_carried_by_deeds_of_the_hands() -> None:
    state, rules = table()
    out = judged(
        state,
        rules,
        ("attack", "t:orla"),
        ("ask", "t:orla", "the well"),
        assumes=("I have a katana",),
    )
    assert [blocked.reason for blocked in out.blocked_actions] == [
        "You have no katana; you carry the brass lamp."
    ]
    assert [allowed.action for allowed in out.allowed_actions] == ["ask"], "words need no katana"
    assert judged(state, rules, ("attack", "t:orla"), assumes=("I have a lamp",)).allowed_actions


def test_reasons_read_as_sentences() -> None:
    state, rules = table()
    mother = one_block(judged(state, rules, ("use", "", "my mother")))[1]
    assert mother == "You see no mother here; you do see the pewter mug and the hearth."
    assert "to the window;" in one_block(judged(state, rules, ("move", "", "out of the window")))[1]
    called = judged(state, rules, ("talk", "", "be let in"), says="I shout to be let in")
    assert all("called" not in blocked.reason for blocked in called.blocked_actions)


def test_waiting_takes_as_long_as_the_player_says() -> None:
    state, rules = table()
    heard = InterpreterOutput(
        proposed_actions=[ProposedAction(action="wait", estimated_minutes=60)]
    )
    assert validate(heard, state, rules, "").allowed_actions[0].minutes == 60


def test_going_where_no_way_leads_is_blocked_and_says_where_one_can_go() -> None:
    state, rules = table()
    rule, reason, because = one_block(judged(state, rules, ("move", "t:well")))
    assert (rule, because) == ("location", "t:taproom")
    assert "the yard and the cellar" in reason


def test_a_closed_way_is_blocked_with_the_authors_reason_and_the_fact_behind_it() -> None:
    state, rules = table()
    assert one_block(judged(state, rules, ("move", "t:cellar"))) == (
        "location",
        "The cellar door is locked.",
        "f_door",
    )


def test_contradicting_a_known_fact_is_blocked_by_that_fact() -> None:
    state, rules = table()
    blocked = judged(state, rules, ("open", "t:door"), assumes=("the cellar door is unlocked",))
    rule, reason, because = one_block(blocked)
    assert (rule, because) == ("contradiction", "f_door")
    assert "The cellar door is locked." in reason


def test_whoever_stands_here_is_not_dead_and_a_lock_the_rules_keep_is_locked() -> None:
    state, rules = table()
    dead = judged(state, rules, ("give", "t:orla", "lamp"), assumes=("Orla is dead",))
    assert one_block(dead)[::2] == ("contradiction", "t:orla#at")
    kept = {
        "id": "f_well",
        "subject_id": "t:mug",
        "predicate": "locked",
        "object": {"value": True},
        "visibility": "engine",
    }
    state = after(state, facts_add=[kept])
    shut = judged(state, rules, ("use", "t:mug"), assumes=("the pewter mug is unlocked",))
    assert one_block(shut)[::2] == ("contradiction", "f_well")


def test_a_hidden_fact_denies_nothing_since_that_would_tell_it() -> None:
    state, rules = table()
    state = after(
        state,
        facts_add=[
            {
                "id": "f_x",
                "subject_id": "t:finn",
                "predicate": "status",
                "object": {"value": "dead"},
                "visibility": "hidden",
            }
        ],
    )
    assert judged(state, rules, ("look",), assumes=("Finn is alive",)).allowed_actions


def test_the_dead_do_not_answer() -> None:
    state, rules = table()
    state = after(
        state,
        facts_add=[
            {
                "id": "f_d",
                "subject_id": "t:orla",
                "predicate": "status",
                "object": {"value": "dead"},
            }
        ],
    )
    assert one_block(judged(state, rules, ("ask", "t:orla", "rain")))[0] == "contradiction"


def test_actions_are_judged_in_order_on_the_state_the_ones_before_lead_to() -> None:
    state, rules = table()
    both = judged(state, rules, ("move", "t:yard"), ("ask", "t:finn", "horses"))
    assert [a.action for a in both.allowed_actions] == ["move", "ask"]


def test_what_follows_a_blocked_way_does_not_happen() -> None:
    state, rules = table()
    output = judged(state, rules, ("move", "t:cellar"), ("search", "", "casks"))
    assert [b.rule for b in output.blocked_actions] == ["location", "order"]


def test_two_people_and_no_name_is_one_question() -> None:
    state, rules = table()
    state = after(state, scene_update={"present_entity_ids": [PLAYER, "t:orla", "t:finn"]})
    output = judged(state, rules, ("ask", "", "the weather"), ("ask", "", "the well"))
    assert output.clarification_needed
    assert output.clarification_question == "Whom do you mean: Orla or Finn?"
    assert not output.allowed_actions


def test_one_person_present_needs_no_question() -> None:
    state, rules = table()
    (action,) = judged(state, rules, ("ask", "", "the weather")).allowed_actions
    assert action.target_id == "t:orla"


def test_someone_who_does_not_exist_is_not_here() -> None:
    state, rules = table()
    rule, reason, _ = one_block(
        judged(state, rules, ("talk", "", "Gandalf"), says="I talk to Gandalf")
    )
    assert (rule, reason) == ("presence", "There is no one called Gandalf here; Orla is here.")


def test_an_id_that_does_not_exist_is_blocked() -> None:
    state, rules = table()
    assert one_block(judged(state, rules, ("ask", "t:nobody")))[0] == "presence"


def test_taking_what_someone_holds_asks_whether_to_ask_or_to_steal() -> None:
    state, rules = table()
    output = judged(state, rules, ("take", "t:key"))
    assert output.clarification_question == (
        "Orla has the iron key. Ask for it, or take it unasked?"
    )
    assert [(one.action.action, one.action.target_id) for one in output.readings] == [
        ("ask", "t:orla"),
        ("steal", "t:orla"),
    ]


def test_what_lies_here_is_taken_up_for_a_free_deed_and_not_to_be_given_away() -> None:
    state, rules = table()
    deed = judged(state, rules, ("improvise", "", "prop the window open with t:mug"))
    assert [one.action for one in deed.allowed_actions] == ["improvise"]
    gift = judged(state, rules, ("give", "t:orla", "with t:mug"))
    assert one_block(gift)[0] == "inventory"


@pytest.mark.parametrize("when", [[{"has": "t:key"}], []])
def test_what_an_author_wrote_on_taking_comes_before_a_gift_of_what_lies_here(
    when: list[dict[str, str]],
) -> None:
    state, rules = table()
    (plain,) = judged(state, rules, ("give", "t:orla", "the mug")).allowed_actions
    assert (plain.action, plain.affordance) == ("give", "")
    told = {"id": "take_mug", "action": "take", "target": "t:mug", "when": when}
    told |= {"blocked": "Orla's hand is on it.", "outcomes": {"success": {"text": ["Yours."]}}}
    state, rules = table(affordances=[*CELLAR["affordances"], told])
    gift = judged(state, rules, ("give", "t:orla", "the mug"))
    if when:
        assert one_block(gift)[1] == "Orla's hand is on it."
    else:
        assert [one.affordance for one in gift.allowed_actions] == ["take_mug"]
    held = [{"owner_id": PLAYER, "item_id": "t:mug"}]
    own = judged(after(state, inventory_add=held), rules, ("give", "t:orla", "the mug"))
    assert [one.action for one in own.allowed_actions] == ["give"]


def test_a_hidden_thing_is_not_here_even_in_its_own_place() -> None:
    state, rules = table()
    state = after(state, scene_update={"location_id": "t:cellar", "present_entity_ids": [PLAYER]})
    blocked = judged(state, rules, ("take", "t:ledger"), says="I take the ledger")
    assert one_block(blocked)[1] == "You see no ledger here.", (
        "in the player's words: its name would tell"
    )
    assert one_block(judged(state, rules, ("take", "t:ledger")))[1] == "You see no such thing here."


def test_an_affordance_without_its_tool_is_blocked_in_the_authors_words() -> None:
    state, rules = table()
    assert one_block(judged(state, rules, ("unlock", "t:door"))) == (
        "inventory",
        "You would need the key.",
        "t:key",
    )


def test_costs_are_assigned_on_the_attempt() -> None:
    state, rules = table()
    (action,) = judged(state, rules, ("attack", "t:orla")).allowed_actions
    assert (action.costs.heat, action.costs.rep) == (1, 1)


def test_what_crosses_a_line_of_the_table_is_not_tried() -> None:
    state, rules = table(calibration={"lines": ["torture"]})
    rule, reason, _ = one_block(judged(state, rules, ("threaten", "t:orla"), says="I torture Orla"))
    assert (rule, reason) == ("line", "This table keeps 'torture' out of play.")


def test_a_verb_nobody_authored_is_improvised() -> None:
    state, rules = table()
    (action,) = judged(state, rules, ("yodel", "", "")).allowed_actions
    assert (action.action, action.details) == ("improvise", "yodel")


@pytest.mark.parametrize("count", [7, 40])
def test_more_actions_than_a_moment_holds_are_put_off(count: int) -> None:
    state, rules = table()
    output = judged(state, rules, *[("look",)] * count)
    assert len(output.allowed_actions) == 6
    assert {b.rule for b in output.blocked_actions} == {"order"}
