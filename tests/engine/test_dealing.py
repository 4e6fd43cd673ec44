"""An offer is answered and kept to, proof counts, an insult is remembered, an end is an end."""

import pytest

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import trust
from freeform.engine.minds.terms import amount_in, terms_of
from freeform.engine.rules.change import apply
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


def test_numbers_are_read_in_words_and_figures() -> None:
    assert [amount_in(text) for text in ("twenty five", "two hundred", "40 cred", "no")] == [
        25, 200, 40, 0,
    ]  # fmt: skip


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
