"""Questions to the game master: answered from what the character perceives and knows, for free."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.core.chance import Chance
from freeform.engine.knowledge.background import Background
from freeform.engine.knowledge.evidence import AnswerSource, Evidence
from freeform.engine.knowledge.reply import reply_from
from freeform.engine.knowledge.viewpoint import Viewpoint, proper_forms
from freeform.engine.ports import TurnText
from freeform.engine.rules.change import apply
from freeform.engine.rules.checks import bare
from freeform.engine.rules.effects import go
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, PlannerOutput, ProposedAction
from freeform.engine.world.state import PLAYER, GameState
from tests.engine.asking import answer, event, opening, said
from tests.engine.cellar import CELLAR, after, table

ASKED = Path(__file__).parent / "asked"
SCENARIOS = ("dead_drop", "drowned_bell")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who is here?", "Orla is here."),
        ("How many people are here?", "One besides you: Orla."),
        ("What am I carrying?", "You carry the brass lamp."),
        ("Do I have a light?", "You have the brass lamp."),
        ("Do I have a sword?", "No. You carry the brass lamp."),
        ("Where can I go?", "A way leads to the yard. The cellar is shut to you now."),
        ("What can I take?", "Within reach: the pewter mug."),
        ("What time is it?", "It is 20:00 on day 1 of the story."),
        ("Am I hurt?", "You are unhurt."),
        ("Is the cellar door locked?", "The cellar door is locked."),
        ("Who is Orla?", "A broad woman."),
        ("What does it smell like?", "A low room that smells of wet wool."),
        ("Is there a fire?", "There is the hearth. Ash, and one glowing log."),
        ("Are there any horses?", "You see no horses here."),
        ("Sorry, is Orla a person or a place?", "Orla is a person."),
        ("Is the yard a person or a place?", "The yard is a place."),
        ("How far is the yard?", "To the yard it is about 10 minutes, and as long back."),
    ],
)
def test_what_structure_knows_is_said_outright(question: str, words: str) -> None:
    moment = table()
    assert answer(moment, question) == words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How long until midnight?", "That leaves 4 hours."),
        ("How many hours until six?", "That leaves 10 hours."),
        ("How long until six hours have passed?", "It is 20:00 on day 1 of the story."),
    ],
)
def test_what_is_left_till_an_hour_is_counted(question: str, words: str) -> None:
    assert words in answer(table(), question)


def test_how_long_until_something_is_told_with_what_is_known_of_it() -> None:
    moment = opening("drowned_bell")
    known = Background(
        told=[TurnText(turn_no=1, player_input="", final_text="The tide turns at dawn.", focus=[])]
    )
    told = answer(moment, "How long until the tide?", background=known)
    assert told.startswith("The tide turns at dawn.")


def test_who_asks_two_things_is_told_both() -> None:
    assert answer(table(), "What time is it, and who is here?") == (
        "It is 20:00 on day 1 of the story. Orla is here."
    )
    assert answer(table(), "Who is here? What am I carrying?") == (
        "Orla is here. You carry the brass lamp."
    )


def test_an_answer_names_its_sources() -> None:
    asked = event(table(), "Is the cellar door locked?")
    assert asked.type == "answered" and asked.tags == ["free"]
    assert asked.details["question"] == "Is the cellar door locked?"
    assert asked.details["sources"] == [{"kind": "fact", "id": "f_door"}] or asked.details[
        "sources"
    ] == [{"kind": "way", "id": "t:cellar"}]


def test_what_was_told_lately_is_known_and_names_its_turn() -> None:
    told = [
        TurnText(
            turn_no=3,
            player_input="look",
            final_text="A grey mare stands by the pump, steaming.",
            focus=[],
        )
    ]
    asked = event(table(), "Where is the mare?", background=Background(told=told))
    assert asked.details["text"] == "A grey mare stands by the pump, steaming."
    assert asked.details["sources"] == [{"kind": "turn", "id": "3"}]


def test_whom_the_listener_points_at_is_meant() -> None:
    asked = event(table(), "What does she look like?", target="t:orla")
    assert asked.details["text"] == "A broad woman."


def test_what_nothing_answers_is_said_to_be_unknown() -> None:
    texts = {answer(table(), f"Is Orla {word}?") for word in ("married", "rich", "lying", "cruel")}
    assert all("Orla" in text and "look" in text for text in texts), texts
    assert "broad" not in " ".join(texts)


def test_why_and_who_are_not_answered_by_what_only_has_the_words() -> None:
    text = answer(table(), "Why is the cellar door locked?")
    assert text.endswith("The cellar door is locked.") and text != "The cellar door is locked."


def test_a_detail_that_would_reveal_something_is_only_named() -> None:
    moment = opening("dead_drop")
    assert answer(moment, "Is there a phone?") == "There is the telephone under the bar."
    state, rules = moment
    told = after(state, facts_update=[{"id": "f_credit_calls", "visibility": "known"}])
    assert "caller strip" in answer((told, rules), "Is there a phone?")


def test_where_an_untried_way_leads_is_not_given_away() -> None:
    state, rules = _at("neo_seattle:night_market", opening("dead_drop"))
    for question in (
        "Where does the pump-house door lead?",
        "Where can I go?",
        "What is behind it?",
    ):
        assert "datahaven" not in answer((state, rules), question)


def test_a_question_about_several_things_is_answered_by_one_that_speaks_of_all() -> None:
    text = answer(opening("dead_drop"), "Does Dutch know Jin?")
    assert "stools" not in text and "package" not in text


def test_free_turns_change_nothing_but_their_count() -> None:
    state, rules = moment = table()
    came = said(moment, "Who is here?")
    assert not came.rolls
    now = apply(state, came.state_diff)
    assert now.value("campaign", "free_turns") == 1
    assert (now.scene, now.clocks, now.threads, now.inventory) == (
        state.scene,
        state.clocks,
        state.threads,
        state.inventory,
    )
    assert {f.id for f in now.facts.values()} - {f.id for f in state.facts.values()} == {
        "campaign#free_turns"
    }
    again = apply(now, said((now, rules), "Who is here?").state_diff)
    assert again.value("campaign", "free_turns") == 2
    assert again.at_turn(5).played == 3


def _at(place: str, moment: tuple[GameState, Rules]) -> tuple[GameState, Rules]:
    """The moment after going there."""
    state, rules = moment
    page = Ledger(state)
    go(place, page, rules)
    return apply(state, page.diff), rules


SHAPES = (
    "Is it true that {text}",
    "What do I know about {subject}?",
    "Who is {subject}?",
    "Where is {subject}?",
    "Why {text}",
    "Tell me the secret of {subject}.",
    "{words}?",
)


def _prying(state: GameState) -> Iterator[str]:
    """Questions over what is hidden, in the words of what is hidden."""
    for id in sorted(state.hidden):
        fact = state.facts[id]
        text = str(fact.object.get("text") or "")
        words = " ".join(text.split()[:6])
        for shape in SHAPES:
            yield shape.format(text=text, subject=state.name(fact.subject_id), words=words)


def _unlearnt(moment: tuple[GameState, Rules]) -> set[str]:
    """Names that nothing shown to the player has: counted here anew, from the texts alone."""
    state, rules = moment
    here = state.scene.location_id
    place = rules.place(here)
    known = [
        str(fact.object["text"])
        for fact in state.facts.values()
        if fact.visibility == "known" and fact.object.get("text")
    ]
    ways = [way.name + way.blocked for way in rules.exits(here, state)]
    details = [detail.name + detail.text for detail in place.details]
    shown = [
        rules.begun.opening,
        place.description,
        *place.atmosphere,
        *known,
        *ways,
        *details,
        state.name(here),
        *(state.name(who) for who in state.scene.present_entity_ids),
        str(state.entities[PLAYER].attrs["concept"]),
    ]
    seen = " ".join(shown)
    names: set[str] = set()
    for entity in state.entities.values():
        if entity.type in ("npc", "faction"):
            names.update(form for form in proper_forms(entity) if form not in seen)
        elif entity.type == "item" and " " in bare(entity.name):
            carried = (PLAYER, entity.id) in state.inventory
            if bare(entity.name) not in seen and not carried:
                names.add(bare(entity.name))
    return names


@pytest.mark.parametrize("name", SCENARIOS)
def test_questions_over_hidden_facts_bring_out_neither_them_nor_unlearnt_names(name: str) -> None:
    moment = opening(name)
    state, rules = moment
    limits = SafetyLimits.of(rules.begun.calibration, state)
    hidden = [str(state.facts[id].object.get("text") or "") for id in state.hidden]
    names = _unlearnt(moment)
    questions = list(_prying(state))
    assert len(questions) >= 140 and names and hidden
    for question in questions:
        text = answer(moment, question)
        assert not any(secret and secret in text for secret in hidden), (question, text)
        assert not limits.leaks(text), (question, text)
        leaked = {name for name in names if name in text}
        assert not leaked, (question, text, leaked)


@pytest.mark.parametrize("name", SCENARIOS)
def test_in_every_place_prying_brings_out_no_hidden_fact(name: str) -> None:
    start = opening(name)
    for place in start[1].scenario.places:
        moment = _at(place, start)
        state, rules = moment
        limits = SafetyLimits.of(rules.begun.calibration, state)
        for question in list(_prying(state))[::11]:
            text = answer(moment, question)
            assert not limits.leaks(text), (place, question, text)


ODD = (
    "",
    "?",
    "???",
    "🙂🙂🙂",
    "who " * 900,
    "¿Dónde está el bar?",
    "{text} {name}",
    "_ _ _",
    "a\\nb",
)


@given(st.text(max_size=60) | st.sampled_from(ODD))
@settings(deadline=None, max_examples=60)
def test_whatever_is_asked_there_is_one_answer_and_nothing_moves(words: str) -> None:
    state, rules = moment = opening("dead_drop")
    for action in ("gm_question", "ooc"):
        wished = ProposedAction(action=action, details=words)
        judged = validate(InterpreterOutput(proposed_actions=[wished]), state, rules)
        came = resolve(state, judged, PlannerOutput(), rules, Chance(1, words))
        (happened,) = came.engine_events
        assert happened.details["text"].strip() and happened.tags == ["free"]
        assert apply(state, came.state_diff).scene == state.scene
    assert moment == opening("dead_drop")


@pytest.mark.parametrize("name", SCENARIOS)
def test_words_of_the_place_asked_in_any_order_break_nothing(name: str) -> None:
    moment = opening(name)
    words = dict.fromkeys(moment[1].place(moment[0].scene.location_id).description.split())
    shapes = (
        "What did {} say?",
        "What is in {}?",
        "Where does {} lead?",
        "Who is {}?",
        "Is {} open?",
    )
    for word in words:
        for shape in shapes:
            assert answer(moment, shape.format(word))


def test_a_stranger_is_called_by_how_they_look_until_named() -> None:
    state, rules = _at("neo_seattle:kettle_row", opening("dead_drop"))
    assert answer((state, rules), "Who is here?") == "A woman in a good grey coat is here."
    told = [TurnText(turn_no=1, player_input="", final_text='"Agent Chen," she says.', focus=[])]
    named = answer((state, rules), "Who is here?", background=Background(told=told))
    assert named == "Agent Chen is here."
    assert not Viewpoint(state, rules).knows_name("neo_seattle:agent_chen")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_question_of_the_blind_sets_has_an_answer_of_at_most_a_few_sentences(
    name: str,
) -> None:
    moment = opening(name)
    asked = yaml.safe_load((ASKED / f"{name}.yaml").read_text(encoding="utf-8"))
    for question in asked["gm"]:
        happened = event(moment, question)
        assert 0 < len(happened.details["text"].split()) <= 70, question
        assert happened.details["sources"], question


@pytest.mark.parametrize(
    ("attrs", "met", "at", "told"),
    [
        ({"whereabouts": "open"}, False, "t:yard", "Finn is at the yard."),
        ({"whereabouts": "open"}, False, "t:well", ""),
        ({"fate_told": "Nobody has seen Finn."}, False, "t:yard", "Nobody has seen Finn."),
        ({"fate_told": "Nobody has seen Finn."}, True, "t:yard", "Finn is at the yard."),
    ],
)
def test_where_somebody_is_follows_what_is_so_now(
    attrs: dict[str, str], met: bool, at: str, told: str
) -> None:
    """Whoever fled is not where everybody knew them; who is found is lost no more."""
    entities = [
        {**one, "attrs": {**one["attrs"], **attrs, "known": True}} if one["id"] == "t:finn" else one
        for one in CELLAR["entities"]
    ]
    state, rules = table(entities=entities)
    page = Ledger(state)
    page.note("t:finn", "at", at)
    page.note("t:finn", "met", met)
    said = answer((page.state, rules), "Where is Finn?")
    assert told in said and ("yard" in said) == ("yard" in told)


def test_what_two_sources_say_is_said_once() -> None:
    told = [Evidence("Finn is in the yard.", AnswerSource("turn", turn)) for turn in "21"]
    reply = reply_from([*told, Evidence("He is a groom.", AnswerSource("person", "t:finn"))])
    assert reply.text == "Finn is in the yard. He is a groom." and len(reply.sources) == 3
