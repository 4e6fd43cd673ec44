"""What a player means, heard by the rules and the shipped ear together: where a story is set, of whom
it tells, and what is not done on a guess."""

from typing import Any

import pytest

from freeform import wiring
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Offer
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ContextPacket, InterpreterOutput, ProposedAction
from freeform.offline.model import hearing

ROWS: list[dict[str, Any]] = [
    {"id": "player", "type": "pc", "name": "Maren Holt", "attrs": {"pronouns": "she/her"}},
    {"id": "ilse", "type": "npc", "name": "Ilse Ward", "attrs": {"pronouns": "she/her"}},
    {"id": "obed", "type": "npc", "name": "Obed Crake", "attrs": {"pronouns": "he/him"}},
    {"id": "wick", "type": "npc", "name": "Tobias Wick", "attrs": {"pronouns": "he/him"}},
    {"id": "inn", "type": "location", "name": "The inn"},
    {"id": "mill", "type": "location", "name": "The mill"},
    {"id": "quay", "type": "location", "name": "The quay"},
]
HERE = ["player", "ilse", "obed", "inn"]
WAYS = [{"to": "mill", "name": "the mill"}, {"to": "quay", "name": "the quay"}]


def heard(text: str, *offers: Offer) -> InterpreterOutput:
    """What is meant at the inn, with Ilse and Obed there and Tobias elsewhere."""
    packet = ContextPacket(
        entities=ROWS, present_entities=HERE, scene={"location_id": "inn", "exits": WAYS}
    )
    verbs = {name: kind.verbs for name, kind in load_system("osr").action_types.items()}
    ear = hearing(wiring.ear())
    asked = InterpreterInput(player_input=text, context_packet=packet, action_types=verbs)
    return ear(asked.model_copy(update={"offers": list(offers)}))


def done(text: str) -> list[tuple[str, str]]:
    return [(act.action, act.target_id) for act in heard(text).proposed_actions]


def act(text: str, *kinds: str) -> ProposedAction:
    """The one act of these kinds."""
    (one,) = [act for act in heard(text).proposed_actions if act.action in kinds]
    return one


@pytest.mark.parametrize(
    ("told", "whom"),
    [
        ("Obed had been staring at the fire all evening. I sat down beside him and asked why.", "obed"),
        ("Ilse was pale tonight. Maren touched her sleeve and asked her who had died.", "ilse"),
    ],
)  # fmt: skip
def test_who_was_told_of_before_the_first_act_is_in_mind(told: str, whom: str) -> None:
    assert act(told, "ask", "talk").target_id == whom


def test_a_name_may_have_any_title() -> None:
    told = 'I shake my head. "You never told us, Ferryman Crake, who paid you."'
    assert act(told, "ask", "talk", "persuade", "threaten").target_id == "obed"


def test_a_story_that_is_set_elsewhere_goes_there() -> None:
    told = "The mill stood dark against the hill. Maren knocked and called for anyone inside."
    assert done(told)[0] == ("move", "mill")
    told = "On the quay the wind was bitter. She found Tobias by the ropes and told him everything."
    assert "obed" not in {target for _, target in done(told)}


def test_who_speaks_with_those_here_is_here() -> None:
    told = "The mill stood dark against the hill. I asked Obed who lived there now."
    assert done(told) == [("ask", "obed")]
    assert ("move", "mill") not in done("The mill is shut at night. I ask Obed who has the key.")


def test_what_is_done_if_it_fails_does_not_hold_the_deed_back() -> None:
    assert done("Go to the mill, and if nobody is there, come straight back.") == [("move", "mill")]
    assert ("move", "mill") not in done("I go to the mill only if Obed comes along.")


@pytest.mark.parametrize(
    "told",
    [
        "On second thought I don't go to the mill alone.",
        "No way am I going to the mill.",
        "After all that we won't go to the quay.",
    ],
)
def test_what_is_denied_anywhere_in_a_sentence_is_not_done(told: str) -> None:
    assert "move" not in {action for action, _ in done(told)}


def test_the_game_master_may_be_asked_to_lead_one_somewhere() -> None:
    assert done("Please take me to the quay") == [("move", "quay")]
    assert ("move", "mill") not in done("Obed, take me to the mill tomorrow")


def test_who_goes_to_talk_to_somebody_elsewhere_goes_to_them_first() -> None:
    assert done("go talk to Tobias about the ferry")[0] == ("move", "wick")


def test_a_lie_that_is_called_one_is_one() -> None:
    told = "Tell Obed that Ilse has confessed everything. It's a bluff."
    assert ("deceive", "obed") in done(told)


def test_a_question_is_no_deed_that_is_done_by_words() -> None:
    assert done("Obed who keeps the key?") == [("ask", "obed")]
    assert done("Ilse, who winds it?") == [("ask", "ilse")]


def test_a_telling_in_which_nobody_acts_costs_nothing() -> None:
    told = "Outside the window the moon burned like a lamp left on for somebody, and nobody came."
    assert {action for action, _ in done(told)} <= {"plan", "express", "look"}
    assert not heard(told).question


def test_words_to_oneself_are_said_to_nobody() -> None:
    told = "I told myself that it was only the wind, and looked at the door."
    assert not {"talk", "ask"} & {action for action, _ in done(told)}


def test_what_is_asked_and_not_said_stands_before_it() -> None:
    asked = act("Which way did the ferry go on Monday? Ask Ilse.", "ask", "talk")
    assert asked.target_id == "ilse"
    assert "ferry" in asked.details


def test_a_search_for_what_is_elsewhere_is_a_search_here() -> None:
    found = act("I search the floor for any trace of Tobias", "search", "look")
    assert found.target_id != "wick"


def test_a_bet_is_no_gift() -> None:
    assert "give" not in {action for action, _ in done("bet Ilse a coin that it will rain")}


def test_whose_name_was_called_is_spoken_to_until_another_is() -> None:
    told = '"How long have you known, Crake?" I asked. I asked it gently. "And who else knows?"'
    assert {target for action, target in done(told) if action == "ask"} == {"obed"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("bluff obed: tell him I saw him on the quay on Monday", "I saw him on the quay on Monday"),
        ("Say: There is a hurt man here", "There is a hurt man here"),
        ("tell Obed that someone cut the rope on purpose", "someone cut the rope on purpose"),
    ],
)  # fmt: skip
def test_what_is_said_is_the_words_and_not_the_instruction(typed: str, said: str) -> None:
    assert act(typed, "talk", "ask", "deceive", "persuade", "threaten").details == said


def test_words_called_to_who_is_not_here_say_so() -> None:
    called = act('I shout through the grille: "Who slid that bar? Open up!"', "talk", "ask")
    assert (called.target_id, called.called_to) == ("", "the grille")
    assert act("I ask Obed who slid that bar", "ask", "talk").called_to == ""
    going = 'I go to the mill and yell through the keyhole "Anyone there?"'
    assert act(going, "talk", "ask").called_to == "", "one is there by then"


@pytest.mark.parametrize(
    ("typed", "whom", "missing"),
    [
        ("I bandage the prior's arm", "", "the prior"),
        ("I carry the old woman to safety", "", "the old woman"),
        ("I punch the guard", "", "the guard"),
        ("I stab Tobias in the back", "", "Tobias"),
        ("I bandage Obed's arm", "obed", ""),
        ("I help the dog", "", ""),
    ],
)
def test_nobody_here_stands_in_for_whom_a_deed_is_done_to(
    typed: str, whom: str, missing: str
) -> None:
    (one,) = heard(typed).proposed_actions
    assert (one.target_id, one.called_to) == (whom, missing)


def test_what_words_are_called_out_for_is_nobodys_name() -> None:
    for typed in ("I call out to see if anyone answers", "I shout to wake the house"):
        assert act(typed, "talk", "ask", "persuade").called_to == ""


@pytest.mark.parametrize(
    ("typed", "heard_as"),
    [
        ("Burn the old letters", "letters"),
        ("Burn the old letters, slowly", "letters"),
        ("Burn the old letters, one after the other", "letters"),
        ("Burn the old letters, but only if Obed agrees", "plan"),
        ("Burn the old letters, unless Ilse minds", "plan"),
        ("Burn the old letters, no wait, I hide", ""),
        ("Burn the old letters, then run to the mill", ""),
    ],
)
def test_a_suggestion_with_more_behind_it_than_a_detail_is_heard_whole(
    typed: str, heard_as: str
) -> None:
    offer = Offer(id="letters", action="break", words=["burn the old letters"])
    acts = heard(typed, offer).proposed_actions
    alone = [act.deed or act.action for act in acts] == [heard_as] and acts[0].details == typed
    assert alone or not heard_as
    assert heard_as or not any(act.deed and act.details == typed for act in acts)


def test_a_charge_is_words_and_a_blow_with_something_in_hand_is_none() -> None:
    assert done("I charge Obed with murder") == [("talk", "obed")]
    assert done("I charge at Obed with my knife") == [("attack", "obed")]


def test_who_walks_away_from_somebody_names_no_way() -> None:
    assert [action for action, _ in done("I walk away from Obed")] == ["express"]
    assert done("I walk to the mill") == [("move", "mill")]


def test_who_somebody_is_is_asked_of_the_game_master() -> None:
    assert done("whos tobias again??") == [("recall", "wick")]
    assert done("I ask Ilse who Tobias is") == [("ask", "ilse")]


def test_a_call_to_whom_nobody_knows_is_answered_by_nobody_here() -> None:
    (call,) = heard("call the medic and ask if anyone is sick").proposed_actions
    assert (call.action, call.target_id, call.called_to) == ("talk", "", "the medic")
