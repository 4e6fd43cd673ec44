"""The two-call form: a referee and a teller; what the log holds, what only grows, what replays."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from freeform.core.errors import Unavailable
from freeform.core.llm.gateway import Call, Question
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Narrated, Resolved
from freeform.engine.story.transcript import STRETCH, StoryReader, first_told, superseded
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.two_calls import REFEREE, TELLER, RefereeOutput
from freeform.evals.replay import replay
from freeform.offline.model import OfflineModel
from freeform.settings import Settings
from freeform.wiring import build
from tests.engine.cellar import after as became
from tests.engine.cellar import scenario
from tests.engine.cellar import table as cellar
from tests.engine.tables import ScriptedModel, started, table
from tests.evals.played import LINES, bench, memory_table, played

ASKED = {"action": "ask", "target_id": "t:orla", "details": "the weather", "topic": "none"}


def script(pass_id: str, input: Any) -> dict[str, Any]:
    if pass_id == REFEREE.id:
        minds = [{"id": "t:orla", "intent": "polishes and waits"}]
        return {"proposed_actions": [ASKED], "beats": ["rain", "the lamp", "x"], "people": minds}
    return {"final_text": f'"Wet," says Orla, the {len(input.story)}th time.'}


async def at_two(home: Path, answer: Any = script) -> tuple[Table, ScriptedModel]:
    at = replace(await started(home, answer), passes="two")
    model = at.gateway._models.default  # type: ignore[attr-defined]
    return at, model


async def test_a_turn_takes_two_calls_and_leaves_the_records_of_three(tmp_path: Path) -> None:
    at, model = await at_two(tmp_path)
    result = await take_turn(Say(campaign="c", text="Nasty night, Orla?"), at)
    assert [question.pass_.id for question in model.asked] == [REFEREE.id, TELLER.id]
    assert result.usage.calls == 2
    assert result.interpreter.proposed_actions[0].target_id == "t:orla"
    assert result.planner.beats == ["rain", "t:orla: polishes and waits"]
    assert "polishes and waits" in model.asked[1].text
    assert [event.type for event in result.engine_events][-1] == "said", "no word is put into her"
    logged = [row.entry for row in await at.store.read("c")]
    facts = next(entry for entry in logged if isinstance(entry, Resolved))
    words = next(entry for entry in logged if isinstance(entry, Narrated))
    assert set(facts.prompt_versions) == {REFEREE.id} and set(words.prompt_versions) == {TELLER.id}


async def test_a_topic_named_by_its_id_is_told_whatever_the_words(tmp_path: Path) -> None:
    asked = {**ASKED, "details": "so, what gives"}

    def named(pass_id: str, input: Any) -> dict[str, Any]:
        return {"proposed_actions": [asked]} if pass_id == REFEREE.id else {"final_text": "So."}

    at, _ = await at_two(tmp_path, named)
    rules = at.rules(await at.store.begun("c"), await at.store.get_state("c"))
    ids = [known.id for known in rules.person("t:orla").knows]
    assert ids, "the inn's Orla knows something"
    asked["topic"] = ids[0]
    result = await take_turn(Say(campaign="c", text="So, Orla, what gives?"), at)
    assert "told" in [event.type for event in result.engine_events]


async def test_the_story_only_grows_within_a_stretch(tmp_path: Path) -> None:
    at, model = await at_two(tmp_path)
    for number in range(1, STRETCH + 3):
        await take_turn(Say(campaign="c", text=f"Nasty night number {number}, Orla?"), at)
    for pass_ in (REFEREE, TELLER):
        told = [question for question in model.asked if question.pass_.id == pass_.id]
        for before, after in pairwise(told):
            if first_told(after.call.turn_no) == first_told(before.call.turn_no):
                assert after.input.story.startswith(before.input.story)
            assert after.text.startswith(after.stable_text) and after.stable_text.endswith(
                after.input.story
            )
    assert "> Nasty night number 1, Orla?" in told[1].input.story


async def test_what_only_a_game_master_knows_is_not_in_a_tellers_question(tmp_path: Path) -> None:
    at, model = await at_two(tmp_path)
    await take_turn(Say(campaign="c", text="Nasty night, Orla?"), at)
    state = await at.store.get_state("c")
    hidden = [str(state.facts[id].object.get("text")) for id in state.hidden]
    referee, teller = (question.text for question in model.asked)
    assert any(text in referee for text in hidden if text)
    assert not any(text in teller for text in hidden if text)


async def test_two_calls_replay_byte_by_byte() -> None:
    at = replace(memory_table(), passes="two")
    await played(STRETCH + 4, at)
    report = await replay("c", at, bench())
    assert report.changed == [] and len(report.turns) == STRETCH + 4


async def test_a_referee_who_fails_is_replaced_for_that_turn(tmp_path: Path) -> None:
    def down(pass_id: str, input: Any) -> Exception:
        return Unavailable("away", passing=False)

    at = replace(table(tmp_path, ScriptedModel(down), OfflineModel()), passes="two")
    await begin(scenario(), "c", 7, Answers(), at)
    result = await take_turn(Say(campaign="c", text=LINES[1]), at)
    assert result.final_text and len(result.degraded) == 2
    assert result.interpreter.proposed_actions[0].target_id == "t:orla"


def test_an_answer_may_hold_little() -> None:
    heard = RefereeOutput.model_validate({"question": "Which door?"}).heard()
    assert heard.question == "Which door?" and not heard.proposed_actions
    plan = RefereeOutput(beats=["a", " ", "b", "c"]).planned()
    assert plan.beats == ["a", "b"]


def test_a_prompt_without_a_place_for_it_marks_nothing() -> None:
    prompt = bundled().get("engine/narrator")
    assert prompt.render_up_to("story", {}) == ""
    assert Question(TELLER, TELLER.takes.model_construct(), prompt, Call()).prompt is prompt


async def test_what_the_words_call_for_is_looked_up_and_its_source_is_logged(
    tmp_path: Path,
) -> None:
    at = replace(await build(Settings(home=tmp_path, model="offline")), passes="two")
    await begin(load_scenario("dead_drop"), "c", 7, Answers(), at)
    await take_turn(Say(campaign="c", text="Viktor, what did the Shimizu Accords settle?"), at)
    facts = next(r.entry for r in await at.store.read("c") if isinstance(r.entry, Resolved))
    sources = [piece["source"] for piece in facts.lore["recalled"]]
    assert "neo_seattle:shimizu_accords:what_they_settled" in sources
    await take_turn(Say(campaign="c", text="I wait"), at)
    last = (await at.store.read("c"))[-2].entry
    assert isinstance(last, Resolved) and last.lore["recalled"] == []


def test_what_was_known_and_is_so_no_longer_is_named() -> None:
    state, rules = cellar()
    stuck = {"id": "f_stuck", "subject_id": "t:orla", "predicate": "stuck"}
    said = {"value": True, "text": "Orla is stuck behind the bar."}
    before = became(state, facts_add=[{**stuck, "object": said, "visibility": "known"}])
    reader = StoryReader(rules, {}, rules.limits(state))
    assert superseded(before, before, reader) == []
    free = {"id": "f_stuck", "object": {"value": False, "text": "Orla is free."}}
    now = became(before, facts_update=[free])
    assert superseded(before, now, reader) == ["Orla is stuck behind the bar."]
