"""Whoever is told something answers it: what they keep stings, what was found is news, a claim is
taken warily, the same again is met otherwise; and it is remembered."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import trust
from freeform.engine.campaign import timeline
from freeform.engine.minds.question import AskedOfSomeone, asks
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import (
    AllowedAction,
    EngineEvent,
    InterpreterOutput,
    PlannerOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.state import GameState
from freeform.wiring import sense
from tests.engine.cellar import after
from tests.engine.cellar import table as cellar
from tests.engine.test_minds import playing

Moment = tuple[GameState, Rules]
ANSWERS = ("told", "withheld", "spoke", "no_answer", "greeted")
FOUND = {"id": "f_ledger", "visibility": "known", "discovered_turn": 1}


@pytest.fixture
def inn() -> Moment:
    state, rules = cellar()
    return state, replace(rules, sense=sense())


def found(moment: Moment, **fact: Any) -> Moment:
    """The same with a fact that the player has learnt."""
    return after(moment[0], facts_update=[fact]), moment[1]


def said(moment: Moment, words: str, action: str = "talk") -> tuple[list[EngineEvent], GameState]:
    """What Orla answers to it, and the state after."""
    state, rules = moment
    act = AllowedAction(action=action, target_id="t:orla", details=words)
    done = resolve(
        state, ValidatorOutput(allowed_actions=[act]), PlannerOutput(), rules, Chance(1, words)
    )
    events = [event for event in done.engine_events if event.type in ANSWERS]
    return events, apply(state, done.state_diff).at_turn(state.turn_no + 1)


def how(events: list[EngineEvent]) -> list[tuple[str, str]]:
    return [
        (event.details["kind"], event.details["how"]) for event in events if event.type == "spoke"
    ]


@pytest.mark.parametrize(
    "words",
    [
        "I found a dead man behind the casks", "you are lying to me", "I'll pay you if you tell me",
        "to keep an eye on the door tonight", "for having doubted her", "thank you for the beer",
        "my name is Mira", "good evening", "Finn sent me", "explain", "the rain",
        "tell me about the weather", "blue seven lantern",
    ],
)  # fmt: skip
def test_nothing_that_is_said_to_someone_goes_unanswered(inn: Moment, words: str) -> None:
    for action in ("talk", "ask"):
        events, _ = said(inn, words, action)
        assert events, (action, words)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("you are lying to me", "accuse"), ("I'll pay you fifty if you tell me", "offer"),
        ("for having doubted her", "sorry"), ("thank you for the beer", "thanks"),
        ("keep an eye on the door for me", "favour"), ("I saw two men at the bridge", "news"),
    ],
)  # fmt: skip
def test_an_answer_is_to_what_was_done_by_the_words(inn: Moment, words: str, kind: str) -> None:
    events, _ = said(inn, words)
    assert how(events)[0][0] == kind


def test_a_guess_at_what_someone_keeps_stings_and_proves_nothing(inn: Moment) -> None:
    events, state = said(inn, "you smuggle brandy through the cellar at night")
    assert [event.type for event in events] == ["withheld"]
    assert state.facts["f_smuggling"].visibility == "hidden"


def test_with_what_moves_them_in_hand_they_are_shaken_and_tell(inn: Moment) -> None:
    ledger = {"owner_id": "player", "item_id": "t:ledger"}
    state, rules = found(inn, id="f_smuggling", visibility="known", discovered_turn=1)
    moment = after(state, inventory_add=[ledger]), rules
    events, _ = said(moment, "you smuggle brandy through the cellar at night")
    assert how(events) == [("own", "shaken")]
    assert "by the well" in events[-1].details["text"]


def test_what_was_found_is_news_once_and_is_known_from_then_on(inn: Moment) -> None:
    moment = found(inn, **FOUND)
    words = "the ledger shows who owes whom"
    events, state = said(moment, words)
    assert how(events) == [("news", "fresh")]
    assert trust("t:orla", state) == 1 and state.value("t:orla", "told_of:f_ledger")
    again, later = said((state, inn[1]), words)
    assert how(again) == [("news", "again")] and trust("t:orla", later) == 1


def test_what_nobody_can_check_is_a_claim_and_wins_nothing(inn: Moment) -> None:
    events, state = said(inn, "the ledger shows who owes whom")
    assert how(events)[0][1] == "claim" and trust("t:orla", state) == 0
    assert "about" not in events[0].details, "the player has not heard of the ledger"


def test_words_are_said_over_only_as_they_stand(inn: Moment) -> None:
    state, rules = inn
    for words, echo in {
        "Orla, why are you lying to me?": "",
        "What did you see in the mine?": "",
        "Who slid that bar?": "Who slid that bar?",
        "ok orla whats your problem": "",
        "why he lied": "",
    }.items():
        assert AskedOfSomeone(words, "t:orla", state, rules).echo == echo, words


def test_the_name_one_is_called_by_is_no_part_of_the_question(inn: Moment) -> None:
    state, rules = inn
    for words in ("Orla, what's that?", "ok orla what's that?", "orla what's that?"):
        assert AskedOfSomeone(words, "t:orla", state, rules).text == "what's that?"
    assert AskedOfSomeone("her name", "t:orla", state, rules).text == "your name"


def test_what_is_told_may_begin_like_a_question() -> None:
    assert asks("what she had seen") and not asks("what she had seen", is_asked=False)
    assert asks("did you see it", is_asked=False) and asks("what is that", is_asked=False)


def test_another_question_on_what_was_told_gets_another_answer(inn: Moment) -> None:
    _, state = said(inn, "what about the rain?", "ask")
    events, later = said((state, inn[1]), "who was out in the rain on Monday?", "ask")
    assert how(events) == [("had", "all")]
    same, _ = said((later, inn[1]), "what about the rain?", "ask")
    assert same[0].details["as_said"] and same[0].details["text"] == "“It'll rain till Sunday.”"


def test_what_someone_did_before_ones_eyes_can_be_asked_after(inn: Moment) -> None:
    events, _ = said(inn, "why do you polish that glass?", "ask")
    assert how(events) == [("own", "did")]


def test_words_called_to_who_is_not_here_are_answered_by_nobody_here(inn: Moment) -> None:
    state, rules = inn
    act = ProposedAction(action="talk", details="Open up!", called_to="the man at the gate")
    heard = validate(InterpreterOutput(proposed_actions=[act]), state, rules, "I shout")
    assert heard.allowed_actions[0].target_id == ""
    done = resolve(state, heard, PlannerOutput(), rules, Chance(1, "shout"))
    (event,) = [event for event in done.engine_events if event.type in (*ANSWERS, "said")]
    assert (event.type, event.details["to"]) == ("said", "the man at the gate")


async def test_it_is_told_without_the_players_words_and_undone_with_the_turn(
    tmp_path: Path,
) -> None:
    at = await playing(tmp_path)
    await take_turn(Say(campaign="c", text="look around"), at)
    result = await take_turn(Say(campaign="c", text='"You are lying to me, Orla," I say.'), at)
    assert "Orla" in result.final_text and "lying to me" not in result.final_text
    assert (await at.store.get_state("c")).value("t:orla", "hearings") == 1
    await timeline.undo("c", 1, at.store)
    assert (await at.store.get_state("c")).value("t:orla", "hearings") is None


def test_a_bare_topic_is_asked_after_and_never_taken_for_a_deed_of_words(inn: Moment) -> None:
    state, rules = inn
    for words in ("a favour", "about a favour", "favour"):
        action = AllowedAction(action="ask", target_id="t:orla", details=words)
        done = resolve(
            state, ValidatorOutput(allowed_actions=[action]), PlannerOutput(), rules, Chance(1)
        )
        kinds = [event.details["kind"] for event in done.engine_events if event.type == "spoke"]
        assert not {"thanks", "offer", "sorry", "favour"} & {*kinds}, words
