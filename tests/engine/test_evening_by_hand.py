"""An evening answered by a large model by hand, played again: every answer as it was written, through the
reader of answers, the checks, the dice and the telling."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.adapters.models.answer import read_answer
from freeform.core.llm.gateway import Listen, ModelSaid, Out, Question, Usage
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.engine.two_calls import REFEREE
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER
from freeform.evals.replay import replay
from tests.evals.played import bench, memory_table

HERE = Path(__file__).parent
EVENING = json.loads((HERE / "evening_by_hand.json").read_text(encoding="utf-8"))
SECOND = json.loads((HERE / "second_evening_by_hand.json").read_text(encoding="utf-8"))


ROLLED_THEN = (16, 30)
"""Turns whose first ruling asked for no dice, which the rules of that evening rolled all the same."""


def as_then(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers with those dice asked for, so that the evening takes its course."""
    told = [dict(turn) for turn in turns]
    for number in ROLLED_THEN:
        said = told[number - 1]["referee"].replace('"needs_roll":false', '"needs_roll":true', 1)
        told[number - 1]["referee"] = said.replace('"difficulty":0', '"difficulty":1', 1)
    return told


class ByHand:
    """Gives the answers that were written for each turn, in their order."""

    name = "by hand"

    def __init__(self, turns: list[dict[str, Any]]) -> None:
        self._told = {number: list(turn["teller"]) for number, turn in enumerate(turns, start=1)}
        self._ruled = {number: turn["referee"] for number, turn in enumerate(turns, start=1)}
        self.asked: list[str] = []

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        number = question.call.turn_no
        self.asked.append(question.text)
        is_ruling = question.pass_.id == REFEREE.id
        written = self._ruled[number] if is_ruling else self._told[number].pop(0)
        output = read_answer(written, question.pass_)
        if listen:
            listen(question.pass_.streamed(output))
        return ModelSaid(output, Usage(calls=1))


async def test_the_evening_comes_out_and_canon_holds() -> None:
    model = ByHand(EVENING["turns"])
    table = replace(memory_table(model), passes="two")
    await begin(load_scenario(EVENING["scenario"]), "c", EVENING["seed"], Answers(), table)
    told: list[TurnResult] = []
    for turn in EVENING["turns"]:
        told.append(await take_turn(Say(campaign="c", text=turn["input"]), table))

    assert [result.usage.calls for result in told] == [2] * 6 + [3] + [2] * 7
    assert not any(result.degraded for result in told)
    assert not any(result.validator.blocked_actions for result in told), "no wrong refusal"

    seventh = told[6].final_text
    assert "dies of fright" not in seventh and "tongue in your hand" not in seventh
    state = await table.store.get_state("c")
    assert state.threads["t_walkers"].status == "active"
    assert state.value("saltmarch:obed_crake", "status") != "dead"
    assert state.threads["t_obed"].status == "resolved"

    ruled = {ruling.reading: ruling.outcome for result in told for ruling in result.rulings}
    assert ruled["tie Obed to oneself"] == "success"
    assert {"saltmarch:obed_crake", "saltmarch:wick"} <= set(state.scene.present_entity_ids)
    assert state.scene.location_id == "saltmarch:undercroft"
    assert state.value("player", "promise:wick_shall_pull")["to"] == "saltmarch:wick"
    assert state.facts["f_tongue"].visibility == "known"

    at_the_hard = next(text for text in model.asked if "Place: saltmarch:hard" in text)
    assert "- saltmarch:captain_voss | Captain Voss: " in at_the_hard, "a card for whoever is new"

    eighth = told[7].final_text
    assert "You know this now" in eighth, (
        "the telling forgot what was learnt; it is told all the same"
    )
    assert "greeted" not in {event.type for event in told[10].engine_events}

    report = await replay("c", table, bench())
    assert report.changed == []


async def test_a_second_evening_of_free_deeds_comes_out() -> None:
    table = replace(memory_table(ByHand(as_then(SECOND["turns"]))), passes="two")
    await begin(load_scenario(SECOND["scenario"]), "c", SECOND["seed"], Answers(), table)
    told: list[TurnResult] = []
    for turn in SECOND["turns"]:
        told.append(await take_turn(Say(campaign="c", text=turn["input"]), table))

    assert not any(result.degraded for result in told)
    assert not any(result.validator.blocked_actions for result in told), "no wrong refusal"
    ruled = [ruling for result in told for ruling in result.rulings]
    fallen = [ruling.why for ruling in ruled if not ruling.outcome]
    assert set(fallen) == {
        "'saltmarch:obed_crake' is not here",
        "'drowned_bell:rope_girl' is not here",
        "there is no a warm roll here",
        "a ruling moves a clock by one, onward",
    }
    assert len(fallen) == 6 and len(ruled) > 30
    state = await table.store.get_state("c")
    assert state.value(PLAYER, "promise:p_who_barred")["to"] == "drowned_bell:rope_girl"
    assert ("drowned_bell:rope_girl", "saltmarch:causeway/marens_scarf") in state.inventory
    assert state.scene.location_id == "saltmarch:bell_tower"

    report = await replay("c", table, bench())
    assert report.changed == []
