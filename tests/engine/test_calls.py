"""Who is elsewhere is reached by a thing at hand that reaches far: asked or told, by voice or in
writing; they answer from their mind and keep what they were told; or why nobody answers."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform import wiring
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.minds.reply import HEARD
from freeform.engine.rules.wishes.far import SPOKEN_TO, things_that_reach
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.settings import Settings
from tests.engine.cellar import CELLAR
from tests.engine.cellar import table as bare_cellar

BRANDY = {
    "id": "finn_brandy",
    "topics": ["brandy", "casks"],
    "says": ['Finn scratches his ear. "It comes by the well," he says, "after dark."'],
}


ASKED = "I call Finn on the set and ask about the brandy"


def cellar(**attrs: Any) -> Scenario:
    """The cellar, where the lamp is a field set; `t_yard=`, `t_finn=` … say more of the others."""
    made = deepcopy(CELLAR)
    more = {"t:lamp": {"aliases": ["set", "field set"], "reach": "far"}}
    more |= {id.replace("_", ":"): said for id, said in attrs.items()}
    for row in made["entities"]:
        row["attrs"] = {**row.get("attrs", {}), **more.get(row["id"], {}), "known": True}
        row["name"] = "field set" if row["id"] == "t:lamp" else row["name"]
    people = made.setdefault("people", {})
    people["t:finn"] = {**people.get("t:finn", {}), "knows": [BRANDY]}
    made["opening"] += " Finn is in the yard."
    return Scenario.model_validate(made)


async def begun(home: Path, scenario: Scenario) -> Table:
    table = wiring.headless(Settings(home=home, model="offline"))
    await begin(scenario, "c", 7, Answers(), table)
    return table


async def typed(table: Table, text: str) -> TurnResult:
    return await take_turn(Say(campaign="c", text=text), table)


def kinds(result: TurnResult) -> list[str]:
    return [event.type for event in result.engine_events]


async def test_a_question_reaches_who_is_elsewhere_and_only_a_voice_comes_back(
    tmp_path: Path,
) -> None:
    table = await begun(tmp_path, cellar())
    result = await typed(table, "I call Finn on the set and ask about the brandy")
    assert kinds(result)[:2] == ["called", "told"]
    assert "It comes by the well, after dark" in result.final_text
    assert "scratches" not in result.final_text
    assert "Orla" not in result.final_text.partition("after dark")[0]


@pytest.mark.parametrize(
    "said",
    [
        "msg finn on the set: orla has locked the cellar",
        "send Finn a message that Orla has locked the cellar",
        "I use the field set to tell Finn that Orla has locked the cellar",
    ],
)
async def test_what_they_are_told_they_keep(tmp_path: Path, said: str) -> None:
    table = await begun(tmp_path, cellar())
    result = await typed(table, said)
    state = await table.store.get_state("c")
    kept = [str(f.object["value"]) for f in state.facts_of("t:finn") if f.predicate[:6] == HEARD]
    assert "called" in kinds(result)
    assert [text.lower() for text in kept] == ["orla has locked the cellar"]
    assert not [f for f in state.facts_of("t:orla") if f.predicate.startswith(HEARD)]


async def test_without_such_a_thing_one_is_told_why_not(tmp_path: Path) -> None:
    table = await begun(tmp_path, cellar(t_lamp={"reach": "none"}))
    result = await typed(table, "I ring Finn and ask about the brandy")
    (blocked,) = result.validator.blocked_actions
    assert blocked.reason.startswith("Finn is not here, and you have nothing with you")


async def test_where_nothing_reaches_nobody_answers(tmp_path: Path) -> None:
    table = await begun(tmp_path / "here", cellar(t_taproom={"reach": "none"}))
    result = await typed(table, "I ring Finn on the set")
    assert "no signal" in result.validator.blocked_actions[0].reason
    table = await begun(tmp_path / "there", cellar(t_yard={"reach": "none"}))
    assert kinds(await typed(table, "I ring Finn on the set"))[:2] == ["called", "no_reply"]


@pytest.mark.parametrize("answer", ["2", "Call Finn on the field set"])
async def test_the_call_that_is_offered_is_made_with_what_was_asked(
    tmp_path: Path, answer: str
) -> None:
    table = await begun(tmp_path, cellar())
    offered = await typed(table, "I ask Finn about the brandy")
    assert "Call Finn on the field set" in [one.text for one in offered.validator.readings]
    result = await typed(table, answer)
    assert kinds(result)[:2] == ["called", "told"]
    assert "It comes by the well" in result.final_text


def knowing(says: str, effects: list[dict[str, Any]]) -> Scenario:
    made = cellar().model_dump(mode="json", exclude_unset=True, by_alias=True)
    made["people"]["t:finn"]["knows"] = [{**BRANDY, "says": [says], "effects": effects}]
    return Scenario.model_validate(made)


@pytest.mark.parametrize(
    "says",
    [
        "Finn tells you that it comes over the moor on a cart.",
        'He says that it comes over the moor on a cart. "Not a word," he adds.',
    ],
)
async def test_what_is_told_in_no_words_of_theirs_is_told(tmp_path: Path, says: str) -> None:
    result = await typed(await begun(tmp_path, knowing(says, [])), ASKED)
    assert "it comes over the moor on a cart" in result.final_text


@pytest.mark.parametrize("effect", [{"go": "t:yard"}, {"join": "t:finn"}, {"harm": 1}])
async def test_what_takes_more_than_words_waits_until_one_meets(
    tmp_path: Path, effect: dict[str, Any]
) -> None:
    table = await begun(tmp_path, knowing('"By the well."', [effect]))
    assert kinds(await typed(table, ASKED)) == ["called", "put_off"]
    state = await table.store.get_state("c")
    assert state.scene.location_id == "t:taproom"
    assert not state.value("t:finn", "told:finn_brandy")


async def test_of_who_does_not_answer_nothing_says_that_they_heard_it(tmp_path: Path) -> None:
    table = await begun(tmp_path, cellar(t_finn={"reach": "none"}))
    for _ in range(2):
        result = await typed(table, "I call Finn on the set and tell him to run")
        assert result.engine_events[0].details["answered"] is False
        assert "Run" not in result.final_text


async def test_what_is_threatened_in_a_message_binds_nobody_here(tmp_path: Path) -> None:
    result = await typed(await begun(tmp_path, cellar()), "I text Finn: I'm going to kill Orla")
    assert "called" in kinds(result)
    assert "ruled" not in kinds(result)


async def test_a_deed_is_no_call_for_a_word_in_it(tmp_path: Path) -> None:
    table = await begun(tmp_path, cellar())
    for said in (
        *("I reach for Finn", "I call Finn a liar", "I write Finn a message in chalk on the wall"),
        *("I reach the ledge and I pull myself up", "I ring the bell, and I run"),
    ):
        result = await typed(table, said)
        assert "called" not in kinds(result), said
        spoken = [act for act in result.interpreter.proposed_actions if act.action in SPOKEN_TO]
        assert not any(act.called_to for act in spoken), said


async def test_who_bids_another_to_call_and_who_tells_of_a_call_calls_nobody(
    tmp_path: Path,
) -> None:
    table = await begun(tmp_path, cellar())
    for said in ("Orla, call Finn for me", "I ask Orla if she rang Finn", "I call Orla over"):
        assert "called" not in kinds(await typed(table, said))


def test_a_thing_reaches_far_by_what_it_is_where_no_author_says() -> None:
    rows = deepcopy(CELLAR["entities"])
    next(row for row in rows if row["id"] == "t:mug").update(name="marine radio", attrs={})
    state, rules = bare_cellar(entities=rows)
    assert things_that_reach(state, replace(rules, sense=wiring.sense())) == ["t:mug"]
