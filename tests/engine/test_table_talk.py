"""Words out of character: rules with their source, commands, and a word in kind; all for free."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform import wiring
from freeform.core.chance import Chance
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario, load_system
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.knowledge.background import Background
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.shelf.rule_pages import RulePage, find_rules
from freeform.engine.table import Rules
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import (
    InterpreterOutput,
    PlannerOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.state import PLAYER
from freeform.settings import Settings
from tests.engine.asking import answer, event, opening, said
from tests.engine.cellar import after, begun, table
from tests.engine.inn_pack import at_the_inn, inn, install, write_pack
from tests.engine.tables import ScriptedModel, answers, started
from tests.engine.test_resolve import act, play, types


@pytest.mark.parametrize(
    ("system", "words", "said_of_it"),
    [
        ("pbta", "What dice do we use?", "You roll 2d6 and add a stat: 6 or less is a failure"),
        ("d20", "what dice do we use?", "You roll 1d20 and add a stat, against 10 for a safe deed"),
        ("osr", "what dice do we use?", "against 11 for a safe deed"),
        ("world_of_darkness", "how do dice work?", "each die of the difficulty or more is a"),
        ("pbta", "how does harm work", "Wounds fill 'Harm', 4 steps"),
        ("world_of_darkness", "how does harm work", "Bruised 0, Hurt -1"),
        ("pbta", "what do I roll to sneak?", "To hide you roll finesse, a risky deed"),
        ("d20", "what do I roll to sneak?", "To hide you roll agility, a risky deed"),
        ("pbta", "does being drunk give me a penalty?", "Nothing else gives or takes."),
        ("d20", "is this a wisdom check?", "The stats are might, agility, lore"),
        ("pbta", "What happens if I fail a roll?", "failing a risky deed costs heat 1 and time 1"),
        ("osr", "what is a mixed success?", "a roll succeeds or fails"),
        ("d20", "What happens on a natural 20?", "a natural 20 is a critical"),
        ("pbta", "how many failures before something bad happens?", "3 failures in a row"),
        ("pbta", "can I die?", "medium lethality, and loss is for good"),
    ],
)
def test_a_rule_is_said_with_its_source(system: str, words: str, said_of_it: str) -> None:
    rules = replace(table()[1], system=load_system(system))
    happened = event((table()[0], rules), words, "ooc")
    text = happened.details["text"]
    assert said_of_it in text
    assert f"(Rules: {rules.system.name}, " in text
    assert happened.type == "table_talk" and happened.details["topic"] == "rule"
    assert happened.details["sources"][0]["kind"] == "rules"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("undo that please", "/undo"),
        ("how do I save?", "/save"),
        ("how do i quit", "/quit"),
        ("help", "/help"),
        ("can I see my character sheet?", "/status"),
        ("inventory", "/inventory"),
        ("(OOC: can we rewind one turn?)", "/undo"),
        ("I'm new to this", "/undo"),
        ("can we skip this, I am not comfortable with it", "/x"),
    ],
)
def test_what_the_program_does_is_answered_by_the_command_for_it(words: str, command: str) -> None:
    happened = event(opening("dead_drop"), words, "ooc")
    assert f"`{command}`" in happened.details["text"]
    assert happened.details["topic"] == "help"


def test_remarks_get_a_short_word_in_kind_that_varies_and_claims_nothing() -> None:
    moment = opening("drowned_bell")
    thanked = {answer(moment, words, "ooc") for words in ("thanks", "thank you", "ty", "thanks gm")}
    assert len(thanked) > 1
    for words in ("brb", "lol", "sorry my cat walked over the keyboard", "my sister says hi"):
        happened = event(moment, words, "ooc")
        assert happened.details["topic"] == "remark" and happened.details["sources"] == []
        assert len(happened.details["text"].split()) <= 15


def test_what_no_rule_covers_is_said_so() -> None:
    text = answer(opening("dead_drop"), "How does multiclassing work with psionics?", "ooc")
    assert "freeform-rpg ask" in text


def test_a_question_of_the_world_asked_out_of_character_is_answered_from_the_world() -> None:
    happened = event(opening("dead_drop"), "(what time is it?)", "ooc")
    assert happened.type == "answered" and "21:30" in happened.details["text"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("What are my odds of sneaking past him?", ["To hide you roll finesse", " % badly"]),
        ("am I better off bluffing Chen or scaring her?", ["To deceive you", "to threaten you"]),
        (
            "how likely is it I could get by? would that be finesse or nerve?",
            ["With finesse", "nerve"],
        ),
        ("what are my chances?", ["go well", "at a price"]),
    ],
)
def test_who_asks_for_odds_is_told_the_roll_and_how_it_mostly_falls(
    words: str, told: list[str]
) -> None:
    happened = event(opening("dead_drop"), words, "gm_question")
    assert happened.type == "table_talk"
    for part in told:
        assert part in happened.details["text"]


def test_odds_are_counted_with_the_dice_of_the_system() -> None:
    state, rules = opening("dead_drop")
    told = answer((state, rules), "what are my odds of hiding?", "ooc")
    said_of_it = {how: int(part) for part, how in re.findall(r"(\d+) % ([a-z ]+)", told)}
    bonus = state.entities[PLAYER].attrs["stats"]["finesse"]
    totals = [one + two + bonus for one in range(1, 7) for two in range(1, 7)]
    well = 100 * sum(total >= 10 for total in totals) / 36
    badly = 100 * sum(total <= 6 for total in totals) / 36
    assert abs(said_of_it["go well"] - well) < 3
    assert abs(said_of_it["badly"] - badly) < 3


def test_whether_another_lies_is_no_matter_of_ones_own_odds() -> None:
    text = answer(opening("dead_drop"), "how likely is it that Viktor lies?", "ooc")
    assert "%" not in text


def test_a_stat_that_is_asked_for_is_explained() -> None:
    text = answer(opening("dead_drop"), "What does nerve +2 mean?", "gm_question")
    assert "It is rolled to" in text and "threaten" in text


def test_a_rule_asked_as_if_it_were_of_the_world_is_answered_from_the_rules() -> None:
    for words, said_of_it in (
        ("How does harm work?", "Wounds fill"),
        ("What's a mixed success?", "at a price"),
        ("How do I undo that?", "/undo"),
    ):
        happened = event(opening("dead_drop"), words)
        assert happened.type == "table_talk" and said_of_it in happened.details["text"]


def test_a_page_of_a_rulebook_answers_with_book_and_section() -> None:
    page = RulePage(
        text="Swim half your speed. A drowning creature can hold its breath for a minute.",
        name="Suffocating",
        pack="srd",
        file="rules/suffocating.md",
        section="Adventuring > Suffocating",
    )
    happened = event(
        table(), "How long can a creature hold its breath?", "ooc", Background(pages=[page])
    )
    assert "can hold its breath for a minute" in happened.details["text"]
    assert "(Rules: srd, Adventuring > Suffocating.)" in happened.details["text"]
    assert happened.details["sources"] == [
        {"kind": "book", "id": "srd", "where": "rules/suffocating.md, Adventuring > Suffocating"}
    ]


BREATH = """\
---
id: breath
type: culture
tags: [rule]
---

# Holding your breath

A creature can hold its breath for a number of minutes equal to one plus its toughness.
"""
DROWNED = """\
---
id: drowned
type: culture
gm_only: true
tags: [rule]
---

# Drowned ones

Drowned ones hold their breath for good: they never breathe at all.
"""


def rulebook(folder: Path, tag: str) -> Path:
    """A pack of two rules, one of which only the game master may read."""
    write_pack(folder)
    head = f"{(folder / 'pack.yaml').read_text()}tags: [{tag}]\n"
    (folder / "pack.yaml").write_text(head, encoding="utf-8")
    (folder / "culture").mkdir()
    (folder / "culture" / "breath.md").write_text(BREATH, encoding="utf-8")
    (folder / "culture" / "drowned.md").write_text(DROWNED, encoding="utf-8")
    return folder


async def test_rules_are_looked_up_in_the_rulebooks_of_the_campaign_alone(tmp_path: Path) -> None:
    for tag, found in (("rulebook", True), ("mystery", False)):
        async with at_the_inn(tmp_path / tag) as at:
            install(at, rulebook(tmp_path / f"book_{tag}", tag))
            await begin(inn(), "c", 7, Answers(), at)
            packs = (await at.store.begun("c")).packs
            pages = await find_rules(["how long can I hold my breath?"], packs, at.lore)
            assert bool(pages) is found
            assert not any("never breathe" in page.text for page in pages)
            assert await find_rules([], packs, at.lore) == []
            assert await find_rules(["breath"], packs, None) == []


async def test_a_turn_that_asks_for_a_rule_tells_the_page_and_costs_nothing(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as at:
        install(at, rulebook(tmp_path / "book", "rulebook"))
        await begin(inn(), "c", 7, Answers(), at)
        asks = answers({"action": "ooc", "details": "for how many minutes can I hold my breath?"})
        model = ScriptedModel(asks)
        gateway = LiveGateway(
            ModelsByRole(model, model), prompts=bundled(), tapes=at.tapes, clock=at.clock
        )
        before = await at.store.get_state("c")
        said_ = Say(campaign="c", text="for how many minutes can I hold my breath?")
        turn = await take_turn(said_, replace(at, gateway=gateway))
        (talk,) = turn.engine_events
        assert talk.type == "table_talk" and "one plus its toughness" in talk.details["text"]
        assert talk.details["sources"][0]["where"].startswith("culture/breath.md")
        after_it = await at.store.get_state("c")
        assert after_it.scene.time == before.scene.time and after_it.clocks == before.clocks


async def test_a_planner_cannot_turn_an_answer_into_a_question(tmp_path: Path) -> None:
    def script(pass_id: str, input: Any) -> dict[str, Any]:
        match pass_id:
            case "engine/interpreter":
                return {"proposed_actions": [{"action": "ooc", "details": "thanks"}]}
            case "engine/planner":
                return {"clarification_question": "What do you mean?"}
            case _:
                return {"final_text": "Gladly."}

    at = await started(tmp_path, script)
    turn = await take_turn(Say(campaign="c", text="thanks"), at)
    assert not turn.clarification_question and turn.engine_events[0].type == "table_talk"


def test_words_at_the_table_are_not_refused_for_what_they_take_for_granted() -> None:
    state, rules = table()
    wished = InterpreterOutput(
        proposed_actions=[
            ProposedAction(action="gm_question", target_id="nowhere", details="can I use my gun?"),
            ProposedAction(action="move", target_id="t:cellar"),
            ProposedAction(action="ooc", details="how does harm work?"),
        ],
        assumptions=["the cellar door is open", "I have a gun"],
    )
    judged = validate(wished, state, rules, "can I use my gun?")
    assert [allowed.action for allowed in judged.allowed_actions] == ["gm_question", "ooc"]
    assert [blocked.action for blocked in judged.blocked_actions] == ["move"]


def test_a_deed_beside_an_answer_costs_what_it_costs() -> None:
    state, rules = table()
    came = play(state, rules, act("ooc", "", "thanks"), act("move", "t:yard", minutes=10))
    assert types(came)[0] == "table_talk" and "moved" in types(came)
    now = apply(state, came.state_diff)
    assert now.scene.time["minute"] == 1210 and now.value("campaign", "free_turns") is None


def test_a_question_is_answered_even_after_a_deed_that_failed() -> None:
    state, rules = table()
    tried = [act("attack", "t:orla"), act("ooc", "", "thanks"), act("take", "t:mug")]
    for seed in range(40):
        came = play(state, rules, *tried, seed=seed)
        if came.rolls[0].outcome == "failure":
            assert "table_talk" in types(came) and "interrupted" in types(came)
            return
    raise AssertionError("nothing failed in forty seeds")


def test_free_turns_bring_no_threat_nearer() -> None:
    state, rules = table()
    threat = {"due": 3, "threat": {"id": "raid", "text": "Boots.", "turns": 2}}
    fact = {
        "id": "b",
        "subject_id": "campaign",
        "predicate": "threat:raid",
        "tags": ["threat"],
        "object": {"value": threat, "text": "Boots."},
        "visibility": "engine",
    }
    state = after(state, facts_add=[fact])
    for turn_no in range(1, 6):
        came = said((state.at_turn(turn_no), rules), "thanks", "ooc")
        assert types(came) == ["table_talk"]
        state = apply(state.at_turn(turn_no), came.state_diff)
    for turn_no, due in ((6, False), (7, False), (8, True)):
        came = play(state.at_turn(turn_no), rules, act("look"))
        assert ("threat_due" in types(came)) is due
        state = apply(state.at_turn(turn_no), came.state_diff)


def test_a_question_of_the_game_masters_own_brings_no_threat_nearer_either() -> None:
    state, rules = table()
    unclear = ValidatorOutput(clarification_needed=True, clarification_question="Whom?")
    came = resolve(state, unclear, PlannerOutput(), rules, Chance(1))
    assert not came.engine_events
    assert apply(state, came.state_diff).value("campaign", "free_turns") == 1


def test_a_campaign_begun_before_there_were_such_kinds_answers_too() -> None:
    old = begun()
    kinds = {n: k for n, k in old.system.action_types.items() if n not in ("ooc", "gm_question")}
    rules = Rules.of(
        old.model_copy(update={"system": old.system.model_copy(update={"action_types": kinds})})
    )
    assert answer((table()[0], rules), "Who is here?") == "Orla is here."
    assert event((table()[0], rules), "thanks", "ooc").type == "table_talk"


@pytest.mark.parametrize(
    ("words", "said_of_it"),
    [
        ("Do I have to pick one of the numbers or can I type anything?", "in your own words"),
        ("could a friend of mine join in?", "Others can join"),
        ("is there some way of winning", "no right answer"),
        ("Hi, what am I supposed to be doing here?", "Viktor is paying you"),
        ("is anybody listening in on us", "Dutch and Viktor are here"),
    ],
)
async def test_what_no_example_says_is_known_by_meaning(
    words: str, said_of_it: str, tmp_path: Path
) -> None:
    bar = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 3, Answers(), bar)
    told = await take_turn(Say(campaign="a", text=f"({words})"), bar)
    assert said_of_it in told.final_text


@pytest.mark.parametrize(
    "words", ["who was here yesterday?", "who is hunting me?", "is it cold outside?"]
)
async def test_what_only_begins_like_a_question_about_how_things_stand_is_none(
    words: str, tmp_path: Path
) -> None:
    bar = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 3, Answers(), bar)
    told = await take_turn(Say(campaign="a", text=words), bar)
    assert not told.final_text.startswith(("Dutch and Viktor are here", "It is 21:30"))


@pytest.mark.parametrize(
    ("words", "family"),
    [("What is the point of this evening?", "gm_question"), ("Dutch, what is going on?", "ask")],
)
async def test_how_things_stand_is_asked_of_nobody_who_is_not_called(
    words: str, family: str, tmp_path: Path
) -> None:
    bar = wiring.headless(Settings.model_validate({"home": tmp_path, "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 3, Answers(), bar)
    told = await take_turn(Say(campaign="a", text=words), bar)
    assert [act.family for act in told.validator.allowed_actions] == [family]
