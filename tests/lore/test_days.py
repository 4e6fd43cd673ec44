"""Budgets, sleep, forks and old checkpoints: the researcher's day, with a clock set by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, NotFound, Unavailable, UserError
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.text import count_tokens
from freeform.lore.daemon.checkpoint import VERSION, read_checkpoint
from freeform.lore.daemon.daemon import advance, begin
from freeform.lore.errand import ResearchLimits
from freeform.lore.messages import RESEARCHER, MessageEnvelope
from freeform.lore.ports import SearchHit, WebSearch
from freeform.offline.model import OfflineModel
from tests.lore.emberfall import GAME, ports_on, run


class Metered:
    """Answers as the offline model does, and counts the words like a model that is paid for."""

    name = "metered"

    def __init__(self) -> None:
        self.calls, self._offline = 0, OfflineModel()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        self.calls += 1
        said = await self._offline.reply(question, listen)
        used = count_tokens(question.text) + count_tokens(question.prompt.system)
        answered = count_tokens(said.output.model_dump_json())
        return ModelSaid(
            said.output, Usage(calls=1, input_tokens=used, output_tokens=min(answered, 800))
        )


async def test_a_day_without_tokens_left_sleeps_until_the_next_even_through_a_restart(
    tmp_path: Path,
) -> None:
    clock, model = HandClock(), Metered()
    limits = ResearchLimits(ask_at_forks=False, daily_tokens=40_000)
    ports = ports_on(tmp_path / "l.db", limits=limits, clock=clock, model=model)
    outcome = await run(ports, ["Ashmoor"])
    assert outcome.what == "sleeps"
    assert outcome.until == "2091-03-16T00:00:00+00:00"
    assert 0 < await ports.store.spent(GAME, day="2091-03-15") <= 40_000
    again = ports_on(tmp_path / "l.db", limits=limits, clock=clock, model=model)
    before = model.calls
    assert (await advance(GAME, again)).what == "sleeps"
    assert model.calls == before
    clock.advance(6 * 3600)
    assert (await advance(GAME, again)).what == "worked"
    point = await again.store.load_checkpoint(GAME)
    assert (
        point is not None and point.sleeping_until == "" and point.last_reset_date == "2091-03-16"
    )


@pytest.mark.parametrize("per_cycle", [1_200, 3_000, 5_000])
async def test_a_cycle_never_spends_more_than_its_tokens_and_the_zone_is_finished_in_later_ones(
    tmp_path: Path, per_cycle: int
) -> None:
    ports = ports_on(
        tmp_path / "l.db",
        limits=ResearchLimits(ask_at_forks=False, per_cycle_tokens=per_cycle),
        model=Metered(),
    )
    await run(ports, ["Ashmoor"])
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None
    spent = [await ports.store.spent(GAME, cycle=cycle) for cycle in range(point.cycle + 1)]
    assert max(spent) <= per_cycle
    assert "Ashmoor" in point.completed_zones
    package = await ports.store.package(GAME, "ashmoor")
    assert package is not None and package.claims, (
        "what could be read without a model is there, and cited"
    )


async def test_a_zone_too_large_for_a_cycle_is_reviewed_once_and_ends(tmp_path: Path) -> None:
    asked: list[str] = []

    class Reviewing(Metered):
        async def reply(
            self, question: Question[Out], listen: Listen | None = None
        ) -> ModelSaid[Out]:
            if question.pass_.id == "lore/review_zone":
                asked.append(question.text)
            return await super().reply(question, listen)

    limits = ResearchLimits(roam=False, per_cycle_tokens=5_000, daily_tokens=0, pass_tokens=300)
    ports = ports_on(tmp_path / "l.db", limits=limits, model=Reviewing())
    await run(ports, ["Ashmoor"], most=100)
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and point.completed_zones == ["Ashmoor"]
    assert asked and len(set(asked)) == len(asked), "no piece is paid for twice"


async def test_a_call_is_paid_once_however_often_its_step_is_done_again(tmp_path: Path) -> None:
    model = Metered()
    ports = ports_on(tmp_path / "l.db", model=model)
    point = await begin(GAME, ["Ashmoor"], ports)
    await advance(GAME, ports)
    from freeform.lore.daemon.work_zone import STEPS, key_of

    point = await ports.store.load_checkpoint(GAME)
    assert point is not None
    from freeform.lore.daemon.gathered import Gathered
    from freeform.lore.errand import Errand

    spent = []
    for _ in range(3):
        await STEPS[1][1](Errand(ports, point, key_of(point, 2)), Gathered.of(point))
        spent.append((model.calls, await ports.store.spent(GAME)))
    assert spent[0][0] > 0 and spent[0] == spent[1] == spent[2]


async def test_a_fork_waits_while_other_zones_go_on_and_an_answer_counts_once(
    tmp_path: Path,
) -> None:
    heard: list[str] = []
    ports = ports_on(
        tmp_path / "l.db",
        limits=ResearchLimits(),
        log=lambda event, level="info", **fields: heard.append(event),
    )
    outcome = await run(ports, ["Ashmoor", "Greyford"])
    assert outcome.what == "waits for a decision"
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None
    assert point.completed_zones == ["Ashmoor", "Greyford"], (
        "the second zone did not wait for the fork of the first"
    )
    [decision] = await ports.store.decisions(GAME, open_only=True)
    assert decision.options == ["Sunken Vale", "Tarn Heights"]
    assert "another zone goes on" in decision.context
    assert {"fork_detected", "user_decision_requested"} <= set(heard)

    answer = ports.store.answer
    await answer(decision.decision_id, "tarn heights", by="cli", at=ports.now())
    again = await answer(decision.decision_id, "2", by="discord", at=ports.now())
    assert (again.choice, again.answered_by) == ("Tarn Heights", "cli")
    assert len(await ports.store.waiting(RESEARCHER)) == 1
    with pytest.raises(Conflict, match="already"):
        await answer(decision.decision_id, "Sunken Vale", by="web", at=ports.now())
    with pytest.raises(UserError, match="options"):
        await answer(decision.decision_id, "Narnia", by="web", at=ports.now())
    with pytest.raises(NotFound):
        await answer("no-such-decision", "1", by="web", at=ports.now())
    await run(ports_on(tmp_path / "l.db", limits=ResearchLimits()), [])
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None
    assert point.completed_zones == ["Ashmoor", "Greyford", "Tarn Heights", "Sunken Vale"]


async def test_answers_by_the_bus_count_once_and_strange_ones_are_set_aside(tmp_path: Path) -> None:
    heard: list[str] = []
    ports = ports_on(
        tmp_path / "l.db",
        limits=ResearchLimits(),
        log=lambda event, level="info", **fields: heard.append(
            str(fields.get("error_type", event))
        ),
    )
    await run(ports, ["Ashmoor"])
    [decision] = await ports.store.decisions(GAME, open_only=True)

    def said(number: int, decision_id: str, choice: str) -> MessageEnvelope:
        return MessageEnvelope(
            message_id=f"bus{number}", source_agent="discord", target_agent=RESEARCHER, correlation_id=decision_id,
            message_type="user_decision_response", timestamp=ports.clock.now(),
            payload={"decision_id": decision_id, "choice": choice},
        )  # fmt: skip

    letters = [
        (decision.decision_id, "Greyford"),
        (decision.decision_id, "Tarn Heights"),
        ("none", "x"),
    ]
    for number, (decision_id, choice) in enumerate([*letters, (decision.decision_id, "Narnia")]):
        await ports.store.accept(said(number, decision_id, choice))
    await run(ports, [])
    [done] = [
        each
        for each in await ports.store.decisions(GAME)
        if each.decision_id == decision.decision_id
    ]
    assert (done.choice, done.answered_by) == ("Greyford", "discord")
    assert heard.count("user_decision_received") == 1
    assert heard.count("refused_answer") == 2 and heard.count("unknown_decision") == 1
    assert await ports.store.waiting(RESEARCHER) == []
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and point.completed_zones[:2] == ["Ashmoor", "Greyford"]
    assert sorted(point.completed_zones) == sorted({*point.completed_zones})


async def test_a_fork_with_a_deadline_takes_its_default(tmp_path: Path) -> None:
    clock = HandClock()
    ports = ports_on(tmp_path / "l.db", limits=ResearchLimits(decision_hours=2), clock=clock)
    await run(ports, ["Ashmoor"])
    [decision] = await ports.store.decisions(GAME, open_only=True)
    clock.advance(3 * 3600)
    await run(ports, [])
    [done] = [
        each
        for each in await ports.store.decisions(GAME)
        if each.decision_id == decision.decision_id
    ]
    assert (done.choice, done.answered_by) == (decision.default, "deadline")


def test_a_checkpoint_of_the_seeds_nine_fields_is_brought_up_to_date() -> None:
    old = {
        "zone_name": "Ashmoor", "current_step": 4, "step_data": {"x": 1}, "progression_queue": ["Greyford"],
        "priority_queue": [], "completed_zones": ["Farreach"], "failed_zones": ["Nowhere"], "daily_tokens_used": 7,
        "last_reset_date": "2091-03-01",
    }  # fmt: skip
    point = read_checkpoint(old, GAME)
    assert (point.version, point.game, point.zone_name, point.current_step) == (
        VERSION,
        GAME,
        "Ashmoor",
        0,
    )
    assert point.progression_queue == ["Greyford"]
    assert point.failed_zones[0].zone_name == "Nowhere"


@pytest.mark.parametrize(
    "raw", [{"version": 99}, {"version": "x"}, {"version": 1, "current_step": "four"}]
)
def test_a_checkpoint_that_cannot_be_read_says_so(raw: dict[str, object]) -> None:
    with pytest.raises(UserError, match="checkpoint of 'Emberfall'"):
        read_checkpoint(raw, GAME)


async def test_a_second_researcher_on_one_game_is_told(tmp_path: Path) -> None:
    from freeform.lore.daemon.checkpoint import advanced
    from freeform.lore.ports import StepCommit

    ports = ports_on(tmp_path / "l.db")
    point = await begin(GAME, ["Ashmoor"], ports)
    await advance(GAME, ports)
    stale = StepCommit(key="other", agent=RESEARCHER, game=GAME, checkpoint=advanced(point))
    with pytest.raises(Conflict, match="another researcher"):
        await ports.store.commit_step(stale)


class Down:
    """A search that is away until it is told to come back."""

    def __init__(self, search: WebSearch) -> None:
        self.search_when_up, self.up = search, False

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        if not self.up:
            raise Unavailable("the search is away", passing=False)
        return await self.search_when_up.search(query, limit)


async def test_an_outage_is_no_failure_the_zone_waits_longer_each_time_and_is_then_read(
    tmp_path: Path,
) -> None:
    clock = HandClock()
    ports = ports_on(tmp_path / "l.db", clock=clock)
    down = Down(ports.search)
    ports = replace(ports, search=down)
    first = await run(ports, ["Greyford"])
    assert first.what == "sleeps" and "Greyford" in first.why
    assert first.until == "2091-03-15T19:01:00+00:00"
    clock.advance(61)
    second = await run(ports, [])
    assert second.until == "2091-03-15T19:03:01+00:00"
    down.up = True
    clock.advance(200)
    await run(ports, [])
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and "Greyford" in point.completed_zones and not point.failed_zones
