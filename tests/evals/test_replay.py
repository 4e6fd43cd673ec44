"""Replay: exact from tapes, changed where something was changed, and nowhere else."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from freeform.core.errors import NotFound, UserError
from freeform.core.llm.tape import MemoryTapes
from freeform.engine.campaign.timeline import undo
from freeform.engine.log import Changed, Resolved
from freeform.engine.turn import Say, retry, take_turn
from freeform.engine.world.model import ClockDelta, StateDiff
from freeform.evals.replay import Overrides, replay, rerun_turn, rerun_turns
from freeform.evals.replay_page import replay_page
from tests.evals.played import (
    NEWER,
    TwoVersions,
    bench,
    memory_table,
    played,
    with_second_narrator,
)


async def test_thirty_turns_come_out_the_same_thirty_times() -> None:
    table = await played(30)
    before = [logged.model_dump_json() for logged in await table.store.read("c")]
    report = await replay("c", table, bench())
    assert [turn.turn_no for turn in report.turns] == list(range(1, 31))
    assert [turn.turn_no for turn in report.turns if not turn.same] == []
    assert all(turn.asked == [] for turn in report.turns)
    assert report.metrics == report.recorded_metrics
    assert [logged.model_dump_json() for logged in await table.store.read("c")] == before, (
        "the campaign stays"
    )


async def test_with_one_prompt_overridden_the_changed_turns_and_nothing_else_differ(
    tmp_path: Path,
) -> None:
    table, prompts = await played(12), with_second_narrator(tmp_path / "prompts")
    changed = Overrides(prompts={"engine/narrator": NEWER})
    report = await replay("c", table, bench(TwoVersions(), prompts), changed)
    assert report.changed == [3, 6, 9, 12]
    assert {diff.part for turn in report.turns for diff in turn.diffs} == {"narrator", "final_text"}
    assert all(turn.asked == ["engine/narrator"] for turn in report.turns)
    assert len(report.side_by_side) == 12
    third = report.side_by_side[2]
    assert (third.replayed, third.same) == ("It is told otherwise.", False)
    assert third.recorded != third.replayed


async def test_a_newer_prompt_does_not_disturb_what_was_played_with_the_older_one(
    tmp_path: Path,
) -> None:
    table = await played(4)
    report = await replay("c", table, bench(prompts=with_second_narrator(tmp_path / "prompts")))
    assert report.changed == []


async def test_a_missing_tape_is_named_by_pass_and_turn() -> None:
    table = await played(5)
    kept = MemoryTapes()
    for tape in await table.tapes.of_turn("c"):
        if (tape.turn_no, tape.pass_id) != (3, "engine/planner"):
            await kept.add(tape)
    with pytest.raises(NotFound, match="no tape answers pass 'engine/planner' of turn 3"):
        await replay("c", replace(table, tapes=kept), bench())


async def test_other_dice_leave_what_was_understood_as_it_was() -> None:
    table = await played(20)
    report = await replay("c", table, bench(), Overrides(seed=99))
    assert report.changed, "some roll of twenty turns falls otherwise"
    parts = {diff.part for turn in report.turns for diff in turn.diffs}
    assert "rolls" in parts
    assert not parts & {"interpreter", "validator"}


async def test_another_model_is_asked_everything_and_shown_beside_the_first() -> None:
    table = await played(3)
    report = await replay("c", table, bench(), Overrides(model="offline"))
    assert [len(turn.asked) for turn in report.turns] == [3, 3, 3]
    assert [side.turn_no for side in report.side_by_side] == [1, 2, 3]
    assert report.changed == [], "the offline model says the same to the same"


async def test_a_range_of_turns_is_replayed_from_the_state_before_it() -> None:
    table = await played(9)
    report = await replay("c", table, bench(), first=4, last=6)
    assert [(turn.turn_no, turn.same) for turn in report.turns] == [(4, True), (5, True), (6, True)]
    for wrong in ((0, 3), (4, 99), (6, 4)):
        with pytest.raises(UserError, match="choose from 1 to 9"):
            await replay("c", table, bench(), first=wrong[0], last=wrong[1])


async def test_one_turn_again_gives_the_recorded_result() -> None:
    table = await played(6)
    again = await rerun_turn("c", 4, table, bench())
    facts = (await table.store.read("c", 4, 4))[0].entry
    assert isinstance(facts, Resolved)
    assert (again.rolls, again.engine_events, again.player_input) == (
        facts.rolls,
        facts.engine_events,
        facts.player_input,
    )
    assert [result.turn_no for result in await rerun_turns("c", 2, 5, table, bench())] == [
        2,
        3,
        4,
        5,
    ]


async def test_retries_and_changes_between_turns_are_replayed_as_they_stand() -> None:
    table = await played(5)
    await retry("c", table)
    head = await table.store.head("c")
    person = Changed(
        why="correction", state_diff=StateDiff(clocks=[ClockDelta(id="heat", delta=2)])
    )
    await table.store.append("c", [person], after=head)
    await take_turn(Say(campaign="c", text="look around"), table)
    await undo("c", 1, table.store)
    await take_turn(Say(campaign="c", text="ask Orla about Finn"), table)
    report = await replay("c", table, bench())
    assert [turn.same for turn in report.turns] == [True] * 6


async def test_a_tampered_log_is_noticed() -> None:
    table = await played(3)
    log = [logged.entry for logged in await table.store.read("c")]
    forged = memory_table()
    at = await forged.store.create("c", await table.store.begun("c"))
    for entry in log[1:]:
        if isinstance(entry, Resolved) and entry.turn_no == 2:
            entry = entry.model_copy(update={"engine_events": entry.engine_events[:-1]})
        at = await forged.store.append("c", [entry], after=at)
    report = await replay("c", replace(forged, tapes=table.tapes), bench())
    assert report.changed == [2]
    assert {diff.part for diff in report.turns[1].diffs} == {"engine_events"}


async def test_a_campaign_without_turns_has_nothing_to_replay() -> None:
    with pytest.raises(UserError, match="no turn has been played"):
        await replay("c", await played(0), bench())


class _Links(HTMLParser):
    """Everything a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [
            value or "" for name, value in attrs if name in ("src", "href", "srcset", "action")
        ]


async def test_the_page_shows_both_texts_and_fetches_nothing(tmp_path: Path) -> None:
    table, prompts = await played(6), with_second_narrator(tmp_path / "prompts")
    changed = Overrides(prompts={"engine/narrator": NEWER})
    report = await replay("c", table, bench(TwoVersions(), prompts), changed)
    side = report.side_by_side[2].model_copy(
        update={"recorded": "<script>alert(1)</script> & rain"}
    )
    report = report.model_copy(
        update={"side_by_side": [*report.side_by_side[:2], side, *report.side_by_side[3:]]}
    )
    page = replay_page(report)
    seen = _Links()
    seen.feed(page)
    assert seen.fetched == []
    assert "script" not in seen.tags, "what a model said must not run"
    assert {"ins", "del"} <= set(seen.tags)
    assert "prefers-color-scheme: dark" in page
    assert "url(" not in page and "@import" not in page
