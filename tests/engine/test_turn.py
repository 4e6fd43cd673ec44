"""One turn from words to canon: what is written, in which order, and what survives a stop in between."""

from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import Conflict, UserError
from freeform.core.record import canonical
from freeform.engine.campaign.timeline import (
    branch,
    redo,
    switch,
    undo,
)
from freeform.engine.campaign.why import why
from freeform.engine.campaign.x_card import x_card
from freeform.engine.log import Narrated, Resolved
from freeform.engine.prose import LONGEST_PROSE
from freeform.engine.signals import Again, Facts, Prose, Signal, TurnDone
from freeform.engine.turn import Say, finish, retry, take_turn
from tests.engine.tables import ScriptedModel, answers, started, table

ASK = {"action": "ask", "target_id": "t:orla", "details": "the weather"}
GO = {"action": "move", "target_id": "t:yard"}
HIDE = {"action": "hide"}


def say(text: str = "I ask Orla about the weather", **more: Any) -> Say:
    return Say(campaign="c", text=text, **more)


async def test_a_turn_commits_its_facts_then_its_prose(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(ASK, tells="Orla looks up. Rain till Sunday."))
    seen: list[Signal] = []
    result = await take_turn(say(), at, seen.append)
    assert [type(signal) for signal in seen[:1] + seen[-1:]] == [Facts, TurnDone]
    assert "".join(s.piece for s in seen if isinstance(s, Prose)).strip() == result.final_text
    kinds = [type(logged.entry) for logged in await at.store.read("c", 1)]
    assert kinds == [Resolved, Narrated]
    assert result.turn_no == 1
    assert result.usage.calls == 3
    assert set(result.prompt_versions) == {
        "engine/interpreter",
        "engine/planner",
        "engine/narrator",
    }


async def test_the_same_turn_id_again_is_the_same_turn(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(GO))
    first = await take_turn(say(turn_id="t1"), at)
    again = await take_turn(say(turn_id="t1"), at)
    assert again == first
    assert (await at.store.head("c")).turn_no == 1


async def test_a_stop_before_the_prose_loses_words_and_nothing_else(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(pass_id: str, input: Any) -> Any:
        return Stopped() if pass_id == "engine/narrator" else answers(GO)(pass_id, input)

    at = await started(tmp_path, stop)
    with pytest.raises(Stopped):
        await take_turn(say(turn_id="t1"), at)
    state = await at.store.get_state("c")
    assert state.scene.location_id == "t:yard", "the facts stand"

    healed = table(tmp_path, ScriptedModel(answers(GO, tells="You stand in the yard.")))
    result = await take_turn(say(turn_id="t1"), healed)
    assert result.final_text == "You stand in the yard."
    assert canonical((await healed.store.get_state("c")).document()) == canonical(state.document())
    assert len(await healed.store.read("c", 1)) == 2


async def test_a_new_turn_first_finishes_the_one_whose_prose_is_missing(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    at = await started(
        tmp_path, lambda id, i: Stopped() if id == "engine/narrator" else answers(GO)(id, i)
    )
    with pytest.raises(Stopped):
        await take_turn(say(), at)
    healed = table(tmp_path, ScriptedModel(answers(ASK)))
    shown: list[str] = []
    await take_turn(
        say("hello", turn_id="next"), healed, lambda signal: shown.append(type(signal).__name__)
    )
    assert shown == ["Facts", "Prose", "TurnDone"] * 2, "whoever watches sees it"
    kinds = [(e.turn_no, type(e.entry)) for e in await healed.store.read("c", 1)]
    assert kinds == [(1, Resolved), (1, Narrated), (2, Resolved), (2, Narrated)]
    assert await finish("c", healed) is None


async def test_undo_takes_the_world_back_byte_for_byte_and_redo_brings_it_again(
    tmp_path: Path,
) -> None:
    at = await started(tmp_path, answers(GO))
    documents = [canonical((await at.store.get_state("c")).document())]
    script = at.gateway._models.default  # type: ignore[attr-defined]
    for action in (GO, HIDE, {"action": "wait"}):
        script.script = answers(action)
        await take_turn(say("on"), at)
        documents.append(canonical((await at.store.get_state("c")).document()))
    await undo("c", 2, at.store)
    assert canonical((await at.store.get_state("c")).document()) == documents[1]
    for number in (2, 3):
        await redo("c", at.store)
        assert canonical((await at.store.get_state("c")).document()) == documents[number]
    for number in range(4):
        assert canonical((await at.store.get_state("c", number)).document()) == documents[number]


async def test_a_retry_rolls_anew_and_keeps_the_old_take(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(HIDE))
    first = await take_turn(say("I hide"), at)
    second = await retry("c", at)
    assert (first.take, second.take) == (1, 2)
    assert first.rolls != second.rolls
    assert second.player_input == "I hide"
    takes = await at.store.takes("c", 1)
    assert [t.entry.rolls for t in takes if isinstance(t.entry, Resolved)] == [
        first.rolls,
        second.rolls,
    ]


async def test_the_same_words_after_an_undo_fall_the_same_way(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(HIDE))
    first = await take_turn(say("I hide"), at)
    await undo("c", 1, at.store)
    second = await take_turn(say("I hide"), at)
    assert (second.rolls, second.engine_events, second.state_diff) == (
        first.rolls,
        first.engine_events,
        first.state_diff,
    )


async def test_branches_hold_their_own_worlds(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(GO))
    await take_turn(say("go"), at)
    await branch("c", at.store, turn_no=0, name="stay")
    assert (await at.store.get_state("c")).scene.location_id == "t:taproom"
    await switch("c", "main", at.store)
    assert (await at.store.get_state("c")).scene.location_id == "t:yard"


async def test_what_the_narrator_claims_against_canon_is_recorded_and_not_committed(
    tmp_path: Path,
) -> None:
    lie = [{"subject_id": "t:door", "predicate": "state", "detail": "wide open"}]
    at = await started(tmp_path, answers({"action": "look"}, established_facts=lie))
    result = await take_turn(say("look"), at)
    assert [r.because for r in result.rejected] == ["f_door"]
    assert (await at.store.get_state("c")).facts["f_door"].object["value"] == "locked"


async def test_the_narrator_is_never_sent_what_the_player_must_not_learn(tmp_path: Path) -> None:
    at = await started(
        tmp_path, answers({"action": "ask", "target_id": "t:orla", "details": "the brandy"})
    )
    await take_turn(say("I ask Orla about the brandy"), at)
    asked = at.gateway._models.default.asked  # type: ignore[attr-defined]
    sent = {q.pass_.id: q.text for q in asked}
    assert "smuggles brandy" not in sent["engine/narrator"]
    assert "smuggles brandy" not in sent["engine/interpreter"]
    assert "smuggles brandy" in sent["engine/planner"]


async def test_lines_hold_in_what_is_streamed_and_in_what_is_kept(tmp_path: Path) -> None:
    from tests.engine.cellar import scenario

    authored = scenario(calibration={"lines": ["spiders"]})
    at = await started(
        tmp_path, answers({"action": "look"}, tells="Dust. A spider waits there. Rain."), authored
    )
    seen: list[Signal] = []
    result = await take_turn(say("look"), at, seen.append)
    assert result.final_text == "Dust. Rain."
    assert "spider" not in "".join(s.piece for s in seen if isinstance(s, Prose))


async def test_the_x_card_takes_the_turn_back_and_keeps_the_thing_out(tmp_path: Path) -> None:
    at = await started(tmp_path, answers({"action": "look"}, tells="A clown grins. Rain."))
    await take_turn(say("look"), at)
    await x_card("c", "clowns", at)
    assert (await at.store.head("c")).turn_no == 0
    result = await take_turn(say("look"), at)
    assert result.final_text == "Rain."
    await undo("c", 1, at.store)
    assert (await take_turn(say("look"), at)).final_text == "Rain.", (
        "an undo does not bring it back"
    )


async def test_two_tables_on_one_campaign_never_both_win(tmp_path: Path) -> None:
    class Slow(ScriptedModel):
        """While it thinks, someone else plays."""

        async def reply(self, question: Any, listen: Any = None) -> Any:
            if question.pass_.id == "engine/planner":
                await take_turn(say("I ask", turn_id="rival"), rival)
            return await super().reply(question, listen)

    rival = await started(tmp_path, answers(ASK))
    slow = table(tmp_path, Slow(answers(GO)))
    with pytest.raises(Conflict, match="moved on"):
        await take_turn(say("I go", turn_id="slow"), slow)
    assert [
        e.entry.turn_id for e in await rival.store.read("c", 1) if isinstance(e.entry, Resolved)
    ] == ["rival"]


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\n\t "])
async def test_an_empty_line_does_nothing(tmp_path: Path, text: str) -> None:
    at = await started(tmp_path, answers(GO))
    with pytest.raises(UserError, match="say what your character does"):
        await take_turn(say(text), at)
    assert (await at.store.head("c")).turn_no == 0


async def test_a_hundred_kilobytes_are_too_much_for_one_turn(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(GO))
    with pytest.raises(UserError, match="100,000 characters"):
        await take_turn(say("x" * 100_000), at)


async def test_a_fact_knows_where_it_comes_from(tmp_path: Path) -> None:
    at = await started(tmp_path, answers({"action": "search", "details": "behind the casks"}))
    await at.store.append(
        "c",
        [_in_the_cellar()],
        after=await at.store.head("c"),
    )
    await take_turn(say("I search behind the casks"), at)
    told = await why("c", "f_ledger", at)
    assert [step["what"] for step in told["chain"]] == ["scenario", "revealed"]
    assert told["chain"][-1]["turn_no"] == 1
    assert told["chain"][-1]["method"] == "searching: search behind the casks"
    # Whatever `state` lists has a story, the engine's own notes included.
    for fact_id in (await at.store.get_state("c")).facts:
        assert (await why("c", fact_id, at))["chain"]


def _in_the_cellar() -> Any:
    from freeform.engine.log import Changed
    from freeform.engine.world.model import SceneUpdate, StateDiff

    moved = SceneUpdate(location_id="t:cellar", present_entity_ids=["player"])
    return Changed(why="a test", state_diff=StateDiff(scene_update=moved))


async def test_prose_that_starts_over_is_shown_as_such(tmp_path: Path) -> None:
    from freeform.core.errors import BadReply

    class Breaking(ScriptedModel):
        async def reply(self, question: Any, listen: Any = None) -> Any:
            if question.pass_.id == "engine/narrator":
                listen("Half a sentence. And ")
                raise BadReply("it broke")
            return await super().reply(question, listen)

    at = table(
        tmp_path, Breaking(answers(GO)), offline=ScriptedModel(answers(GO, tells="Whole. Good."))
    )
    from freeform.engine.campaign.begin import Answers, begin
    from tests.engine.cellar import scenario

    await begin(scenario(), "c", 7, Answers(), at)
    seen: list[Signal] = []
    result = await take_turn(say("go"), at, seen.append)
    assert any(isinstance(s, Again) for s in seen)
    assert result.final_text == "Whole. Good."
    assert len(result.degraded) == 1


async def test_prose_without_end_ends_at_a_sentence(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(ASK, tells="Orla goes on about the rain. " * 900))
    seen: list[Signal] = []
    result = await take_turn(say(), at, seen.append)
    assert len(result.final_text) <= LONGEST_PROSE
    assert result.final_text.endswith("about the rain.")
    assert "".join(s.piece for s in seen if isinstance(s, Prose)).strip() == result.final_text


async def test_one_sentence_without_end_is_cut_at_a_word(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(ASK, tells="and so on " * 900))
    result = await take_turn(say(), at)
    assert LONGEST_PROSE - 20 < len(result.final_text) <= LONGEST_PROSE
    assert result.final_text.endswith(("and…", "so…", "on…"))


async def test_beats_reach_the_narrator_two_at_most_and_nothing_hidden(tmp_path: Path) -> None:
    beats = [
        "Orla smuggles brandy through the cellar at night.",
        "She glances at the black ledger.",
        "Orla watches the door.",
        "The rain grows louder.",
        "A third one.",
    ]

    def script(pass_id: str, input: Any) -> dict[str, Any]:
        if pass_id == "engine/planner":
            return {"beats": beats, "tension_move": "knock"}
        return answers(ASK)(pass_id, input)

    at = await started(tmp_path, script)
    await take_turn(say(), at)
    model = at.gateway._models.default  # type: ignore[attr-defined]
    plan = model.asked[-1].input.planner_output
    assert (plan.beats, plan.tension_move) == (beats[2:4], "")
    assert "Orla watches the door." in model.asked[-1].text


async def test_the_narrator_knows_those_present_and_no_secret_of_theirs(tmp_path: Path) -> None:
    def script(pass_id: str, input: Any) -> dict[str, Any]:
        heard = {"referenced_entities": ["t:orla"]} if pass_id == "engine/interpreter" else {}
        return {**answers(ASK)(pass_id, input), **heard}

    at = await started(tmp_path, script)
    await take_turn(say("I ask Orla about the weather"), at)
    await take_turn(say("I ask Orla about the rain"), at)
    model = at.gateway._models.default  # type: ignore[attr-defined]
    (orla,) = model.asked[-1].input.cast
    assert orla["who"] == "A broad woman."
    assert orla["manner"].startswith("Brisk")
    assert orla["wants"] == "Get rid of the collector before midnight."
    assert orla["knows"] == [{"id": "rain", "about": ["rain", "weather"], "told": True}]
    assert orla["withholds"] == [{"id": "brandy", "until": ["persuade", "threaten", "deceive"]}]
    assert orla["player_said"] == ["I ask Orla about the weather"]
    assert "as you play them" in model.asked[-1].text
    assert "It comes at night" not in model.asked[-1].text
