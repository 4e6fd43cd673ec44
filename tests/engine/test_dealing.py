"""An offer is answered and kept to, proof counts, an insult is remembered, an end is an end."""

from dataclasses import replace
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import trust
from freeform.engine.authored.opposition import Resource
from freeform.engine.minds.terms import amount_in, terms_of
from freeform.engine.rules.change import apply
from freeform.engine.rules.dealing.keeping import is_done
from freeform.engine.rules.resolve import resolve
from freeform.engine.world.model import (
    AllowedAction,
    EngineEvent,
    PlannerOutput,
    ValidatorOutput,
)
from freeform.engine.world.state import GameState
from tests.engine.cellar import after
from tests.engine.test_told import Moment, how, inn, said

__all__ = ["inn"]
OFFER = "I'll give you my brass lamp if you tell me about the brandy"


def done(moment: Moment, *acts: AllowedAction) -> tuple[list[EngineEvent], GameState]:
    """What comes of acts of one turn, and the state after."""
    state, rules = moment
    validated = ValidatorOutput(allowed_actions=list(acts))
    came = resolve(state.at_turn(state.turn_no + 1), validated, PlannerOutput(), rules, Chance(1))
    return came.engine_events, apply(state, came.state_diff)


def fact(predicate: str, value: Any) -> dict[str, Any]:
    """Something noted of Orla."""
    return {
        "id": f"x:{predicate}", "subject_id": "t:orla", "predicate": predicate,
        "object": {"value": value},
    }  # fmt: skip


def moved(item: str, source: str, to: str) -> dict[str, Any]:
    """A thing goes from one to another."""
    owners = [(source, -1), (to, 1)]
    changes = [{"owner_id": id, "item_id": item, "delta": delta} for id, delta in owners]
    return {"inventory_changes": changes}


def given(item: str) -> AllowedAction:
    return AllowedAction(action="give", target_id="t:orla", details=item)


@pytest.mark.parametrize(
    ("words", "mine", "theirs"),
    [
        ("I'll see you home if you say who paid", "I'll see you home", "you say who paid"),
        ("twenty coins for the key", "twenty coins", "the key"),
        ("help me and I will say nothing", "I will say nothing", "help me"),
        ("if I find him will you talk to me?", "I find him", "will you talk to me"),
        ("three gold and my bread", "three gold my bread", ""),
    ],
)
def test_an_offer_has_two_sides(words: str, mine: str, theirs: str) -> None:
    terms = terms_of(words)
    assert (terms.mine, terms.theirs) == (mine, theirs)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twenty five", 25), ("two hundred", 200), ("40 cred", 40), ("no", 0), ("1,000 coins", 1000),
        ("5-10 coins", 5), ("five or ten", 5), ("two hundred thousand", 200_000), ("፩ gold", 0),
        ("three hundred and fifty-two", 352), ("the one with the scar, twenty gold", 20),
        ("1.250.000", 1_250_000),
    ],
)  # fmt: skip
def test_numbers_are_read_in_words_and_figures(text: str, number: int) -> None:
    assert amount_in(text) == number


def test_a_number_is_kept_whole_in_an_offer() -> None:
    assert terms_of("1,000 coins for the key").amount == 1000


def with_coins(moment: Moment, count: int) -> Moment:
    """The same where experience comes before coins, and one has so many of them."""
    state, rules = moment
    counted = {
        "xp": Resource(name="experience", start=50),
        "coin": Resource(name="coins", start=count, money=True),
    }
    system = rules.system.model_copy(update={"resources": counted})
    return state, replace(rules, system=system)


def deal(moment: Moment) -> dict[str, Any]:
    return dict(moment[0].value("t:orla", "bargain") or {})


def test_a_sum_is_paid_in_money_once_and_no_haggling_lowers_what_is_asked(inn: Moment) -> None:
    inn = with_coins(inn, 20)
    _, state = said(inn, "I'll give you three coins if you tell me about the brandy")
    _, state = said((state, inn[1]), "I'll give you two coins if you tell me about the brandy")
    assert deal((state, inn[1]))["sum"] == 5, "not 60 % of what was once agreed"
    _, unpaid = said((state, inn[1]), "I did my part, now keep your word")
    assert unpaid.value("player", "coin") is None, "nobody had agreed to it"
    _, state = said((state, inn[1]), "agreed, it's a deal")
    assert state.value("player", "coin") == 15 and state.value("player", "xp") is None
    assert state.facts["f_smuggling"].visibility == "known"
    _, state = said((state, inn[1]), "agreed, it's a deal")
    assert state.value("player", "coin") == 15


@pytest.mark.parametrize(
    ("offer", "change", "spoken"),
    [
        (
            "I'll give you my brass lamp for the iron key",
            moved("t:key", "t:orla", "t:yard"),
            "void",
        ),
        (OFFER, {"facts_add": [fact("told:brandy", 1)]}, "void_told"),
    ],
)
def test_nobody_pays_for_what_can_be_had_no_more(
    inn: Moment, offer: str, change: dict[str, Any], spoken: str
) -> None:
    _, state = said(inn, offer)
    moment = after(state, **change), inn[1]
    for paid in (lambda: said(moment, "agreed, it's a deal"), lambda: done(moment, given("lamp"))):
        events, state = paid()
        assert ("offer", spoken) in how(events)
        assert ("player", "t:lamp") in state.inventory
        assert deal((state, inn[1]))["is"] == "void"


def test_who_lies_there_keeps_no_bargain_until_they_are_up(inn: Moment) -> None:
    _, state = said(inn, OFFER)
    paid = moved("t:lamp", "player", "t:orla")
    wait = AllowedAction(action="wait", minutes=1)
    down = after(state, **paid, facts_add=[fact("condition", "unconscious")])
    fights = {**fact("fight", {"foes": ["t:orla"]}), "subject_id": "campaign"}
    for held_back in (down, after(state, **paid, facts_add=[fights])):
        _, later = done((held_back, inn[1]), wait)
        assert later.facts["f_smuggling"].visibility == "hidden"
    _, later = done((after(state, **paid), inn[1]), wait)
    assert later.facts["f_smuggling"].visibility == "known"


@pytest.mark.parametrize("mine", [{"thing": "t:lamp"}, {"sum": 5, "of": "coin"}, {"trust": 9}])
def test_whoever_begins_as_a_friend_does_not_wait(inn: Moment, mine: dict[str, Any]) -> None:
    struck = {"is": "agreed", "does": "tell", "id": "brandy", "mine": "it", "paid": "owed", **mine}
    assert is_done("t:orla", after(inn[0], facts_add=[fact("bargain", struck)]))


@pytest.mark.parametrize(
    ("holder", "is_it"), [("t:cellar", False), ("player", False), ("t:orla", True)]
)
def test_what_is_brought_is_there_once_it_is_handed_over(
    inn: Moment, holder: str, is_it: bool
) -> None:
    promised = {"t:ledger": ["t:orla", False], "t:gone": ["player"]}
    struck = {"is": "agreed", "does": "tell", "id": "brandy", "mine": "it", "deed": promised}
    brought = moved("t:ledger", "t:cellar", holder)
    state = after(inn[0], facts_add=[fact("bargain", struck)], **brought)
    assert is_done("t:orla", state) is is_it


def test_finding_somebody_who_was_met_is_no_price(inn: Moment) -> None:
    offer = "I'll find Finn if you tell me about the brandy"
    _, state = said(inn, offer)
    assert deal((state, inn[1]))["deed"] == {"t:finn": ["player", False]}
    met = {**fact("met", True), "subject_id": "t:finn"}
    _, state = said((after(inn[0], facts_add=[met]), inn[1]), offer)
    assert "deed" not in deal((state, inn[1]))


def test_what_was_agreed_is_done_once_the_price_is_paid(inn: Moment) -> None:
    events, state = said(inn, OFFER)
    assert how(events) == [("offer", "agreed")]
    assert state.facts["f_smuggling"].visibility == "hidden"
    events, state = done((state, inn[1]), given("brass lamp"))
    assert ("t:orla", "t:lamp") in state.inventory
    assert state.facts["f_smuggling"].visibility == "known"
    assert state.value("t:orla", "bargain")["is"] == "kept"
    again, _ = said((state, inn[1]), "I did my part, now keep your word")
    assert how(again)[-1] == ("offer", "had"), "no new price afterwards"


def test_a_word_alone_is_met_with_a_price_that_stands_and_is_paid_on_the_word(
    inn: Moment,
) -> None:
    events, state = said(inn, "I will say nothing to anybody if you tell me about the brandy")
    assert how(events) == [("offer", "price")]
    events, same = said((state, inn[1]), "you first")
    assert how(events) == [("offer", "stands")]
    assert same.facts["f_smuggling"].visibility == "hidden"
    events, state = said((same, inn[1]), "agreed, it's a deal")
    assert state.facts["f_smuggling"].visibility == "known"
    assert ("player", "t:lamp") not in state.inventory


def test_a_thing_changes_hands_for_another(inn: Moment) -> None:
    _, state = said(inn, "I'll give you my brass lamp for the iron key")
    _, state = done((state, inn[1]), given("brass lamp"))
    assert ("player", "t:key") in state.inventory and ("t:orla", "t:lamp") in state.inventory


def test_what_is_not_for_sale_gets_a_plain_no(inn: Moment) -> None:
    state, rules = inn
    (kept,) = rules.person("t:orla").withholds
    people = {**rules.scenario.people}
    firm = kept.model_copy(update={"yields_to": []})
    people["t:orla"] = people["t:orla"].model_copy(update={"withholds": [firm]})
    scenario = rules.scenario.model_copy(update={"people": people})
    moment = state, type(rules)(scenario, rules.system, rules.begun, rules.topics, rules.sense)
    events, state = said(moment, OFFER)
    assert how(events)[0][1].startswith("no") and not state.value("t:orla", "bargain")


def test_proof_held_up_counts_and_words_alone_do_not(inn: Moment) -> None:
    words = "you smuggle brandy through the cellar at night"
    events, bare = said(inn, words)
    assert [event.type for event in events] == ["withheld"]
    ledger = {"owner_id": "player", "item_id": "t:ledger"}
    moment = after(inn[0], inventory_add=[ledger]), inn[1]
    shown = AllowedAction(action="show", target_id="t:orla", details="the black ledger")
    talk = AllowedAction(action="talk", target_id="t:orla", details=words)
    events, state = done(moment, shown, talk)
    assert [event.details["how"] for event in events if event.type == "faced"] == ["broken"]
    assert state.facts["f_smuggling"].visibility == "known"
    assert bare.facts["f_smuggling"].visibility == "hidden"


def test_leverage_breaks_nobody_before_it_is_in_the_hand(inn: Moment) -> None:
    lies_here = {"owner_id": "t:taproom", "item_id": "t:ledger"}
    moment = after(inn[0], inventory_add=[lies_here]), inn[1]
    events, state = said(moment, "the black ledger shows that you smuggle brandy")
    assert events and state.facts["f_smuggling"].visibility == "hidden"


def test_an_insult_is_remembered_until_one_is_sorry_and_that_wins_nothing(inn: Moment) -> None:
    _, state = said(inn, "you stupid old hag")
    assert state.value("t:orla", "bond:insulted") == 1
    events, _ = said((state, inn[1]), OFFER)
    assert how(events) == [("offer", "cold")]
    events, state = said((state, inn[1]), "I'm sorry, that was rude of me")
    assert how(events) == [("sorry", "forgiven")] and trust("t:orla", state) == 0
    events, _ = said((state, inn[1]), OFFER)
    assert how(events) == [("offer", "agreed")]


def test_after_an_ending_nothing_presses(inn: Moment) -> None:
    ended = {"id": "missing_brandy", "status": "failed"}
    moment = after(inn[0], threads_update=[ended]), inn[1]
    wait = AllowedAction(action="wait", minutes=60)
    events, state = done(moment, wait)
    assert "ending" in {event.type for event in events}
    quiet = state.value("campaign", "quiet")
    events, state = done((state, inn[1]), wait)
    types = {event.type for event in events}
    assert "epilogue" in types and not types & {"ending", "tension_move", "clock_triggered"}
    assert state.value("campaign", "quiet") == quiet
