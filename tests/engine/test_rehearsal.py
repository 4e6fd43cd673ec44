"""Suggestions are tried before they are shown, and a question brings its answers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.rehearsal import SuggestionTrial
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.offline.model import hearing
from tests.engine.cellar import CELLAR, scenario
from tests.engine.cellar import table as first_moment
from tests.engine.tables import ScriptedModel, answers, table

LOOK = {"action": "look"}
HEAR = hearing()


async def played(home: Path, authored: Scenario, *ideas: str, **action: Any) -> TurnResult:
    """One turn with a model that suggests these."""
    model = ScriptedModel(answers(action or LOOK, suggested_actions=list(ideas)))
    at = with_ear(table(home, model))
    await begin(authored, "c", 7, Answers(), at)
    result = await take_turn(Say(campaign="c", text="I look about"), at)
    passes = [question.pass_.id for question in model.asked]
    assert passes == ["engine/interpreter", "engine/planner", "engine/narrator"], (
        "no model is asked what a suggestion means"
    )
    return result


def with_ear(at: Table) -> Table:
    return replace(at, ear=HEAR)


async def test_a_models_suggestions_that_would_be_refused_are_replaced(tmp_path: Path) -> None:
    ideas = ("Go to the cellar", "Ask Finn about the horses", "Take the mug", "Draw my gun")
    shown = (await played(tmp_path, scenario(), *ideas)).suggested_actions
    assert "Take the mug" in shown
    assert not {"Go to the cellar", "Ask Finn about the horses", "Draw my gun"} & set(shown)
    assert len(shown) == 3


async def test_no_more_are_shown_than_were_thought_of(tmp_path: Path) -> None:
    assert (await played(tmp_path, scenario())).suggested_actions == []
    one = (await played(tmp_path / "b", scenario(), "Go to the old well")).suggested_actions
    assert len(one) == 1
    assert one != ["Go to the old well"]


@pytest.mark.parametrize("said", ["", "???", "xyzzy plugh", "Go to the cellar", "open", "use"])
def test_what_is_not_understood_refused_or_asked_back_does_not_pass(said: str) -> None:
    state, rules = first_moment()
    assert not SuggestionTrial(HEAR, state, rules).passes(said)


@pytest.mark.parametrize("said", ["Look around", "Talk to Orla", "Go to the yard", "Take the mug"])
def test_what_would_simply_be_done_passes(said: str) -> None:
    state, rules = first_moment()
    assert SuggestionTrial(HEAR, state, rules).passes(said)


def test_nothing_is_changed_by_a_trial() -> None:
    state, rules = first_moment()
    before = state.document()
    SuggestionTrial(HEAR, state, rules).choose(["Take the mug", "Attack Orla"])
    assert state.document() == before


async def test_an_authors_first_suggestions_are_tried_when_a_campaign_begins(
    tmp_path: Path,
) -> None:
    authored = scenario(opening_suggestions=["Look around", "Go to the cellar"])
    at = with_ear(table(tmp_path, ScriptedModel(answers(LOOK))))
    begun = await begin(authored, "c", 7, Answers(), at)
    assert begun.suggested_actions == ["Look around"]


async def test_a_question_has_its_readings_as_suggestions(tmp_path: Path) -> None:
    facts = [
        *CELLAR["facts"],
        {
            "id": "f_finn",
            "subject_id": "t:finn",
            "predicate": "at",
            "object": {"value": "t:taproom"},
            "visibility": "engine",
        },
    ]
    entities = [
        {**row, "attrs": {**row.get("attrs", {}), "location": "t:taproom"}}
        if row["id"] == "t:finn"
        else row
        for row in CELLAR["entities"]
    ]
    authored = scenario(facts=facts, entities=entities)
    result = await played(tmp_path, authored, "Look around", action="ask", details="the weather")
    assert result.clarification_question == "Whom do you mean: Finn or Orla?"
    assert result.suggested_actions == ["Ask Finn about the weather", "Ask Orla about the weather"]
    readings = [(r.action.action, r.action.target_id) for r in result.validator.readings]
    assert readings == [("ask", "t:finn"), ("ask", "t:orla")]


async def test_a_question_of_things_offers_what_is_at_hand(tmp_path: Path) -> None:
    result = await played(tmp_path, scenario(), action="use")
    assert result.clarification_question == "What do you want to use?"
    assert result.suggested_actions == ["Use the brass lamp", "Use the pewter mug"]


async def test_a_question_of_ways_offers_the_open_ones(tmp_path: Path) -> None:
    result = await played(tmp_path, scenario(), action="move")
    assert result.clarification_question == "Where to: the yard or the cellar?"
    assert result.suggested_actions == ["Go to the yard"], "the cellar is locked"
