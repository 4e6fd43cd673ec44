"""Refusals keep secrets, give their reason and a way on; and what needs no thing is not refused."""

import pytest

from freeform.engine.rules.known import as_subject, called, inside, with_article
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, ProposedAction, ValidatorOutput
from freeform.engine.world.state import PLAYER, GameState
from tests.engine.cellar import CELLAR, after, table


def judged(
    state: GameState, rules: Rules, said: str, *actions: ProposedAction, assumes: str = ""
) -> ValidatorOutput:
    claims = [assumes] if assumes else []
    heard = InterpreterOutput(proposed_actions=list(actions), assumptions=claims)
    return validate(heard, state, rules, said)


def act(action: str, target: str = "", details: str = "", deed: str = "") -> ProposedAction:
    return ProposedAction(action=action, target_id=target, details=details, deed=deed)


def refused(state: GameState, rules: Rules, said: str, action: ProposedAction) -> str:
    output = judged(state, rules, said, action)
    assert output.allowed_actions == []
    return output.blocked_actions[0].reason


def fact(subject: str, predicate: str, **object: object) -> dict[str, object]:
    return {
        "id": f"{subject}#{predicate}",
        "subject_id": subject,
        "predicate": predicate,
        "object": object,
    }


def test_someone_never_heard_of_is_refused_like_someone_who_does_not_exist() -> None:
    state, rules = table()
    real = refused(state, rules, "I ask Finn about horses", act("ask", "t:finn", "horses"))
    made_up = refused(state, rules, "I talk to Gandalf", act("talk", "", "Gandalf"))
    assert real == "There is no one called Finn here; Orla is here."
    assert made_up.replace("Gandalf", "Finn") == real


def test_someone_seen_and_not_known_by_name_is_called_as_the_player_or_the_story_did() -> None:
    state, rules = table()
    seen = fact("t:finn", "seen", value=True, text="A groom in a red cap crossed the yard.")
    state = after(state, facts_add=[seen])
    asked = judged(state, rules, "I wave to the groom", act("ask", "t:finn"))
    own = asked.clarification_question
    assert own == "The groom is not here; Orla is here. Go to the yard and try it there?"
    assert [reading.action.target_id for reading in asked.readings] == ["t:yard"]
    again = judged(state, rules, "I wave to him", act("ask", "t:finn"))
    assert again.clarification_question == own
    by_name = refused(state, rules, "I call Finn", act("ask", "t:finn"))
    assert by_name == "There is no one called Finn here; Orla is here.", "nobody told the name"
    read = fact("t:orla", "groom", value=True, text="Finn is the groom of the house.")
    rules_know = after(state, facts_add=[{**read, "subject_id": "t:finn", "id": "f_name"}])
    assert called("t:finn", "", rules_know, rules) == "Finn"


def test_a_thing_never_seen_is_not_named_but_in_the_players_words() -> None:
    state, rules = table()
    hidden = act("break", "t:door", "with t:ledger")
    assert refused(state, rules, "I smash the door with it", hidden) == (
        "You do not have that; you carry the brass lamp."
    )
    own = refused(state, rules, "I smash the door with the Ledger", hidden)
    assert own == "You have no Ledger; you carry the brass lamp."
    assert called("t:ledger", "", state, rules) == ""


def test_of_a_place_never_heard_of_nothing_is_told_not_even_where_the_way_begins() -> None:
    state, rules = table()
    real = refused(state, rules, "I go to the old well", act("move", "t:well"))
    made_up = refused(state, rules, "I go to the old mill", act("move", "", "the old mill"))
    assert real.replace("well", "mill") == made_up


def test_nobody_is_followed_to_where_the_player_cannot_know_them_to_be() -> None:
    state, rules = table()
    reason = refused(state, rules, "I go to the groom", act("move", "t:finn"))
    assert reason == "You see no groom here; Orla is here."


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ("I tell Orla the ledger is on a ship", act("talk", "t:orla", "the ledger is on a ship")),
        ("I bribe Orla with the ledger", act("persuade", "t:orla", "with the ledger")),
        ("I lie that I have my gun here", act("deceive", "t:orla", "I have my gun here")),
        ("I threaten Orla with my pistol", act("threaten", "t:orla", "with my pistol")),
        ("I ask Orla for her key", act("ask", "t:orla", "her key")),
        ("I promise her my sword", act("express", "t:orla", "my sword")),
        ("I look for my gun", act("look", "", "my gun")),
        ("I offer Orla the ledger", act("give", "t:orla", "the ledger")),
    ],
)
def test_what_is_only_said_needs_no_thing(said: str, action: ProposedAction) -> None:
    state, rules = table()
    output = judged(state, rules, said, action, assumes="I have a ledger")
    assert output.blocked_actions == []
    assert not output.clarification_needed


def test_a_deed_of_the_hands_still_needs_what_it_claims() -> None:
    state, rules = table()
    said = "I throw my trusty grenade at Orla"
    output = judged(state, rules, said, act("attack", "t:orla", "my trusty grenade"))
    assert output.blocked_actions[0].reason == "You have no grenade; you carry the brass lamp."


def test_a_gun_one_only_tells_of_keeps_no_door_shut() -> None:
    state, rules = table()
    said = "I tell Orla I lost my gun and take the mug"
    told, taken = act("talk", "t:orla", "I lost my gun"), act("take", "t:mug")
    assert judged(state, rules, said, told, taken).blocked_actions == []
    quoted = judged(state, rules, 'I take the mug. "I draw my gun when I must."', taken)
    assert quoted.blocked_actions == []


@pytest.mark.parametrize(
    ("action", "details"),
    [("use", "both fists"), ("take", "off my coat"), ("use", "my left boot"), ("open", "my hand")],
)
def test_what_everyone_has_on_them_is_never_missing(action: str, details: str) -> None:
    state, rules = table()
    output = judged(state, rules, f"I {action} {details}", act(action, "", details))
    assert [allowed.target_id for allowed in output.allowed_actions] == [""]
    claimed = judged(state, rules, "I bang", act("improvise", "", "bang"), assumes="I have a fists")
    assert claimed.allowed_actions


def test_what_the_place_is_said_to_have_may_be_handled() -> None:
    state, rules = table()
    place = {"description": "A low room. A stool stands by a bucket of ash.", "exits": []}
    state, rules = table(places={**CELLAR["places"], "t:taproom": place})
    assert judged(state, rules, "I take the stool", act("take", "", "the stool")).allowed_actions
    gone = refused(state, rules, "I take the harp", act("take", "", "the harp"))
    assert gone.startswith("You see no harp here")


def test_kicking_at_the_stones_is_no_attack_on_the_one_person_there() -> None:
    place = {"description": "A low room with loose stones in the floor.", "exits": []}
    state, rules = table(places={**CELLAR["places"], "t:taproom": place})
    output = judged(state, rules, "I kick at the stones", act("attack", "", "at the stones"))
    (allowed,) = output.allowed_actions
    assert (allowed.action, allowed.target_id) == ("improvise", "")


def test_words_to_a_thing_are_said_to_nobody() -> None:
    state, rules = table()
    (allowed,) = judged(
        state, rules, "I sing to the mug", act("talk", "t:mug", "a song")
    ).allowed_actions
    assert allowed.target_id == ""
    asked = refused(state, rules, "I ask the mug", act("ask", "t:mug", "the time"))
    assert asked == "The pewter mug is no one you can ask; Orla is here."


DEEDS = [
    {
        "id": "ring",
        "action": "talk",
        "words": ["gate", "shout at the gate", "somebody at the gate"],
        "outcomes": {"success": {"text": ["The gate opens."]}},
    },
    {
        "id": "comfort",
        "action": "improvise",
        "target": "t:orla",
        "words": ["comfort", "dry her tears"],
        "outcomes": {"success": {"text": ["She sniffs."]}},
    },
    {
        "id": "polish",
        "action": "use",
        "target": "t:mug",
        "words": ["polish the mug"],
        "outcomes": {"success": {"text": ["It shines."]}},
    },
    {
        "id": "later",
        "action": "use",
        "target": "t:mug",
        "when": [{"has": "t:key"}],
        "outcomes": {"success": {"text": ["Never yet."]}},
    },
]


@pytest.mark.parametrize(
    ("action", "deed"),
    [
        (act("talk", "t:orla", "I will come back to this gate and carve your name on it"), ""),
        (act("talk", "t:orla", "we shall all shout at the gate of heaven one day, you and I"), ""),
        (act("talk", "", "shout at the gate"), "ring"),
        (act("talk", "t:orla", "somebody at the gate"), "ring"),
        (act("improvise", "t:orla", "wrap my coat around Orla"), ""),
        (
            act("improvise", "t:orla", "comfort her a little while the rain falls outside"),
            "comfort",
        ),
        (act("improvise", "t:orla", "lean over the counter and dry her tears"), "comfort"),
        (act("use", "t:lamp", "to see the pewter mug better"), ""),
        (act("use", "t:mug", ""), "polish"),
        (act("look", "t:orla", "", deed="comfort"), "comfort"),
        (act("use", "t:mug", "", deed="later"), "polish"),
        (act("talk", "t:orla", "hello", deed="nonsense"), ""),
    ],
)
def test_an_authored_deed_is_taken_by_its_id_or_when_it_fits_and_never_by_a_stray_word(
    action: ProposedAction, deed: str
) -> None:
    state, rules = table(affordances=DEEDS)
    (allowed,) = judged(state, rules, "", action).allowed_actions
    assert allowed.affordance == deed


def test_a_deed_named_by_its_id_is_of_its_own_kind_and_done_to_its_own_target() -> None:
    state, rules = table(affordances=DEEDS)
    (allowed,) = judged(
        state, rules, "", act("attack", "t:door", "x", deed="polish")
    ).allowed_actions
    assert (allowed.action, allowed.target_id, allowed.affordance) == ("use", "t:mug", "polish")


def test_a_deed_named_by_its_id_is_done_though_it_sounds_like_a_mere_gesture() -> None:
    state, rules = table(affordances=DEEDS)
    gesture = act("improvise", "t:orla", "comfort her", deed="comfort").model_copy(
        update={"family": "express"}
    )
    (allowed,) = judged(state, rules, "I comfort her", gesture).allowed_actions
    assert (allowed.affordance, allowed.family) == ("comfort", "")


def test_a_deed_cannot_be_named_where_its_target_is_not() -> None:
    state, rules = table(affordances=DEEDS)
    state = after(state, scene_update={"location_id": "t:yard", "present_entity_ids": [PLAYER]})
    reason = refused(state, rules, "I polish the mug", act("use", "t:mug", deed="polish"))
    assert reason.startswith("You see no mug here")


def test_a_free_deed_that_takes_or_leaves_a_thing_is_judged_as_such() -> None:
    state, rules = table()
    lent = refused(state, rules, "I drop the key", act("improvise", "", "I drop the iron key"))
    assert lent == "You do not have the iron key; you carry the brass lamp."
    held = judged(state, rules, "I grab the key", act("improvise", "", "I grab the iron key"))
    assert held.clarification_question.startswith("Orla has the iron key.")
    gone = refused(state, rules, "I take the ledger", act("improvise", "", "take the ledger"))
    assert gone.startswith("You see no ledger here")
    breath = judged(state, rules, "", act("improvise", "", "take a deep breath"))
    assert [allowed.action for allowed in breath.allowed_actions] == ["improvise"]


def test_what_speaks_of_someone_far_off_is_not_done_to_them() -> None:
    state, rules = table()
    carving = act("improvise", "t:finn", "carve the groom's name into the bar")
    (allowed,) = judged(state, rules, "I carve the groom's name", carving).allowed_actions
    assert allowed.target_id == ""


def test_what_cannot_be_carried_is_no_tool_one_lacks() -> None:
    state, rules = table()
    door = state.entities["t:mug"].model_copy(
        update={"attrs": {"aliases": ["tape"], "portable": False}}
    )
    state = state.but(entities={**state.entities, "t:mug": door})
    act_ = act("improvise", details="rehangs the hasp from behind with tape")
    assert judged(state, rules, "I rehang the hasp with tape", act_).blocked_actions == []


def test_a_thing_is_named_with_one_article_at_most() -> None:
    named = {
        "Some rope": "some rope",
        "some straw": "some straw",
        "The bell": "the bell",
        "oar": "the oar",
    }
    assert {name: with_article(name) for name in named} == named
    assert (inside("Some rope"), as_subject("Some rope")) == ("some rope", "Some rope")
    assert inside("Somerset") == with_article("Somerset") == "Somerset"
