"""The narrator's pen in a person's hand: other words for a turn, the same told anew, a passage of
one's own. Each is logged, read by whoever tells next, and undone."""

from pathlib import Path

import pytest

from freeform.core.errors import NotFound, UserError
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign import timeline
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.campaign.limits import LimitChange, change_limits
from freeform.engine.hand.pen import retell, reword, write_turn
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn, told_lately
from freeform.offline.model import OfflineModel
from freeform.services.views.story import story
from tests.engine.cellar import CELLAR
from tests.engine.tables import ScriptedModel, answers, table


async def offline(home: Path) -> Table:
    at = table(home, OfflineModel())
    await begin(Scenario.model_validate(CELLAR), "c", 7, Answers(), at)
    return at


async def play(at: Table, *texts: str) -> list[str]:
    return [(await take_turn(Say(campaign="c", text=text), at)).final_text for text in texts]


async def reads(at: Table) -> list[str]:
    """The story as a reader sees it."""
    return [turn.final_text for turn in story(await at.store.read("c"), {}, await at.store.get_state("c"))]  # fmt: skip


async def test_a_corrected_turn_is_read_so_by_everybody_and_undone_alone(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    first, second = await play(at, "I look around", "I wait")
    before = (await at.store.get_state("c")).document()
    await reword("c", "A lamp smokes.\n\nNobody speaks.", 1, at)
    assert await reads(at) == ["A lamp smokes.\n\nNobody speaks.", second]
    assert [turn.final_text for turn in await told_lately("c", at)] == await reads(at)
    await play(at, "I look around")
    await timeline.undo("c", 1, at.store)
    assert (await reads(at))[0].startswith("A lamp smokes.")
    await timeline.undo("c", 1, at.store)
    assert await reads(at) == [first, second]
    assert (await at.store.get_state("c")).document() == before
    await timeline.redo("c", at.store)
    assert (await reads(at))[0].startswith("A lamp smokes.")


async def test_what_a_narrator_remembers_is_the_corrected_text(tmp_path: Path) -> None:
    model = ScriptedModel(answers({"action": "wait"}, tells="The wind turns."))
    at = table(tmp_path, model)
    await begin(Scenario.model_validate(CELLAR), "c", 7, Answers(), at)
    await play(at, "I wait")
    await reword("c", "The bell answers.", 0, at)
    await play(at, "I wait")
    asked = [each.input for each in model.asked if each.pass_.id == "engine/narrator"]
    assert asked[-1].told_before == ["The bell answers."]


async def test_a_retelling_has_the_same_facts_in_other_words(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    (first,) = await play(at, "I look around")
    await play(at, "I wait")
    old, state = await reads(at), await at.store.get_state("c")
    await retell("c", at)
    new, now = await reads(at), await at.store.get_state("c")
    assert new[0] == first and new[1] != old[1]
    assert {**now.document(), "facts": 0} == {**state.document(), "facts": 0}
    await timeline.undo("c", 1, at.store)
    assert await reads(at) == old


async def test_a_passage_of_ones_own_is_a_turn_and_what_it_states_is_so(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    await write_turn("c", "A crash from the cellar. Orla is dead.", at)
    state = await at.store.get_state("c")
    assert state.turn_no == 1 and state.value("t:orla", "status") == "dead"
    assert await reads(at) == ["A crash from the cellar. Orla is dead."]
    (told,) = await play(at, "I ask Orla about the cellar")
    assert "dead" in told
    await timeline.undo("c", 2, at.store)
    assert (await at.store.get_state("c")).value("t:orla", "status") != "dead"


async def test_the_pen_keeps_the_lines_of_the_table(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    await play(at, "I wait")
    await change_limits("c", LimitChange(lines=["spiders"]), at)
    for work in (
        write_turn("c", "Spiders pour out of the wall.", at),
        reword("c", "Spiders pour out of the wall.", 1, at),
    ):
        with pytest.raises(UserError, match="crosses a line"):
            await work
    with pytest.raises(NotFound, match="no turn 9"):
        await reword("c", "Rain.", 9, at)
    with pytest.raises(UserError, match="no words"):
        await write_turn("c", " \n ", at)


async def test_going_on_brings_what_is_due(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    told = await take_turn(Say(campaign="c", text="I wait and see what happens.", goes_on=True), at)
    state = await at.store.get_state("c")
    moved = [fact for fact in state.facts_of("campaign") if fact.predicate.startswith("moved:")]
    assert moved and told.final_text
