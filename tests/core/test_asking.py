"""The gateway: which model is asked, with which words, how often, and what is kept of it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform.core.clock import HandClock
from freeform.core.errors import BadReply, BudgetSpent, NotFound, Unavailable
from freeform.core.llm.budget import BudgetLimits
from freeform.core.llm.gateway import Call, Listen, Model, ModelSaid, Out, Question, Usage
from freeform.core.llm.line import CallLine, LineLimits, MemoryCounts, PlaceInLine, asking_for
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes, TapeModel
from tests.core.scripted import NOTE, TELL, Asked, Ear, HandSleep, Scripted, prompts

CALL = Call(campaign="c1", turn_id="t1", turn_no=1, seed="7")
HELLO = Asked(text="The lamp is lit.")


class Table:
    """A gateway with everything round it in reach."""

    def __init__(self, folder: Path, model: Model, versions: int = 1, **more: Any) -> None:
        self.clock, self.tapes = more.pop("clock", HandClock()), MemoryTapes()
        self.sleep = HandSleep(self.clock)
        self.offline = Scripted("offline", "The lamp is lit, they say.")
        offline, by_role = more.pop("offline", self.offline), more.pop("models", {})
        policy = more.pop("patience", RetryPolicy())
        self.asking = LiveGateway(
            ModelsByRole(model, offline, by_role),
            tapes=self.tapes,
            prompts=prompts(folder, versions),
            clock=self.clock,
            patience=Patience(policy, self.sleep, more.pop("line", None)),
            **more,
        )

    async def taped(self) -> list[tuple[str, bool, str]]:
        """Each tape's model, whether it holds an answer, and its error."""
        return [(t.model, t.output is not None, t.error) for t in await self.tapes.of_turn("c1")]


async def test_an_answer_is_typed_heard_and_taped(tmp_path: Path) -> None:
    use = Usage(calls=1, input_tokens=90, output_tokens=9, cost_usd=0.001)
    table, ear = Table(tmp_path, Scripted("m", "Warm light everywhere.", usage=use)), Ear()
    answer = await table.asking.ask(TELL, HELLO, CALL, ear)
    assert (answer.output.prose, answer.model, answer.degraded) == (
        "Warm light everywhere.",
        "m",
        "",
    )
    assert (ear.heard, ear.void) == ("Warm light everywhere.", [])
    (tape,) = await table.tapes.of_turn("c1", 1)
    assert tape.output == {"mood": "", "prose": "Warm light everywhere.", "exits": []}
    assert (tape.usage, tape.prompt, tape.text) == (
        use,
        answer.prompt,
        "Tell this: The lamp is lit.",
    )
    assert await table.tapes.find("c1", tape.key) == tape


async def test_each_role_has_its_model_and_others_take_the_default(tmp_path: Path) -> None:
    table = Table(tmp_path, Scripted("plain", "P"), models={"narrator": Scripted("fine", "F")})
    assert (await table.asking.ask(TELL, HELLO, CALL)).model == "fine"
    assert (await table.asking.ask(NOTE, HELLO, CALL)).model == "plain"


async def test_the_newest_prompt_is_taken_unless_an_older_is_pinned(tmp_path: Path) -> None:
    model = Scripted("m", "Yes.")
    table = Table(tmp_path, model, versions=3)
    await table.asking.ask(TELL, HELLO, CALL)
    await table.asking.ask(TELL, HELLO, CALL.model_copy(update={"pins": {"test/tell": 1}}))
    assert [question.prompt.version for question in model.questions] == [2, 1]


async def test_a_passing_failure_is_tried_again_with_growing_waits(tmp_path: Path) -> None:
    down = Unavailable("it is down")
    table, ear = Table(tmp_path, Scripted("m", down, down, "At last there is light.")), Ear()
    answer = await table.asking.ask(TELL, HELLO, CALL, ear)
    assert answer.output.prose == ear.heard == "At last there is light."
    assert ear.void == ["it is do", "it is do"]
    first, second = table.sleep.slept
    assert 0.5 < first < 1.0 < second < 2.0, "not to the second: many tables ask again"
    (tape,) = await table.tapes.of_turn("c1")
    assert tape.tries == 3


async def test_the_wait_a_provider_asks_for_is_kept(tmp_path: Path) -> None:
    table = Table(tmp_path, Scripted("m", Unavailable("busy", retry_after=7.0), "Yes."))
    await table.asking.ask(TELL, HELLO, CALL)
    assert 7.0 < table.sleep.slept[0] < 8.0


@pytest.mark.parametrize(
    "failure",
    [
        BadReply("no prose"),
        Unavailable("wrong key", passing=False),
        Unavailable("come back tomorrow", retry_after=9999),
    ],
)
async def test_what_will_not_pass_degrades_at_once_and_says_why(
    tmp_path: Path, failure: Exception
) -> None:
    table, ear = Table(tmp_path, Scripted("m", failure)), Ear()
    answer = await table.asking.ask(TELL, HELLO, CALL, ear)
    assert table.sleep.slept == []
    assert answer.degraded == f"test/tell: m failed ({failure}); offline answered instead"
    assert (answer.model, ear.heard) == ("offline", "The lamp is lit, they say.")
    assert ear.void == [str(failure)[:8]]
    assert await table.taped() == [("m", False, str(failure)), ("offline", True, "")]


async def test_a_caller_who_may_not_degrade_gets_the_failure(tmp_path: Path) -> None:
    table = Table(tmp_path, Scripted("m", Unavailable("it is down")))
    with pytest.raises(Unavailable, match="it is down"):
        await table.asking.ask(TELL, HELLO, CALL.model_copy(update={"may_degrade": False}))
    assert len(table.sleep.slept) == RetryPolicy().tries - 1
    assert await table.taped() == [("m", False, "it is down")]


async def test_a_model_that_hangs_is_given_up_after_the_time_limit(tmp_path: Path) -> None:
    table = Table(tmp_path, Scripted("m", 60.0), patience=RetryPolicy(seconds=0.05))
    answer = await table.asking.ask(TELL, HELLO, CALL)
    assert "no answer within 0.05 s (setting `time_limit_s`)" in answer.degraded
    assert table.sleep.slept == []


async def test_what_failed_tries_cost_is_on_the_bill(tmp_path: Path) -> None:
    use = Usage(calls=3, input_tokens=300, output_tokens=30)
    table = Table(tmp_path, Scripted("m", BadReply("no prose", usage=use, tries=3)))
    await table.asking.ask(TELL, HELLO, CALL)
    (failed, _) = await table.tapes.of_turn("c1")
    assert (failed.usage, failed.tries) == (use, 3)
    assert await table.tapes.spent("c1", "2091-01-01") == use


async def test_a_cancelled_call_leaves_one_honest_tape(tmp_path: Path) -> None:
    model = Scripted("m", 60.0)
    table = Table(tmp_path, model)
    task = asyncio.create_task(table.asking.ask(TELL, HELLO, CALL))
    await model.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await table.taped() == [("m", False, "cancelled before it was answered")]


async def test_no_call_is_made_once_the_turn_is_out_of_tokens(tmp_path: Path) -> None:
    model = Scripted("m", "Yes.", usage=Usage(calls=1, input_tokens=900, output_tokens=50))
    table = Table(tmp_path, model, limits=BudgetLimits(turn_tokens=1500))
    await table.asking.ask(TELL, HELLO, CALL)
    with pytest.raises(
        BudgetSpent, match=r"1500 tokens per turn .* 950 are used .*`budget_turn_tokens`"
    ):
        await table.asking.ask(TELL, HELLO, CALL)
    await table.asking.ask(TELL, HELLO, CALL.model_copy(update={"turn_id": "t2", "turn_no": 2}))
    assert len(model.questions) == 2


async def test_a_day_ends_at_midnight_and_counts_every_campaign(tmp_path: Path) -> None:
    model = Scripted("m", "Yes.", usage=Usage(calls=1, input_tokens=900, cost_usd=0.9))
    table = Table(tmp_path, model, limits=BudgetLimits(day_cost_usd=1.0))
    await table.asking.ask(TELL, HELLO, Call())
    with pytest.raises(
        BudgetSpent, match=r"\$1.00 per day .* \$0.9000 is spent .*`budget_day_cost_usd`"
    ):
        await table.asking.ask(TELL, HELLO, CALL)
    table.clock.advance(24 * 3600)
    await table.asking.ask(TELL, HELLO, CALL)


async def test_offline_play_needs_no_budget(tmp_path: Path) -> None:
    offline = Scripted("offline", "It is dark.", usage=Usage(calls=1, input_tokens=99))
    table = Table(tmp_path, offline, offline=offline, limits=BudgetLimits(turn_tokens=1))
    assert (await table.asking.ask(TELL, HELLO, CALL)).model == "offline"


async def test_calls_a_minute_are_held_to(tmp_path: Path) -> None:
    table = Table(tmp_path, Scripted("m", "Yes."), patience=RetryPolicy(calls_per_minute=2))
    for _ in range(4):
        await table.asking.ask(TELL, HELLO, CALL)
    assert table.sleep.slept == [pytest.approx(30), pytest.approx(30)]


async def test_a_replay_answers_from_tape_and_never_makes_anything_up(tmp_path: Path) -> None:
    live = Table(tmp_path, Scripted("m", Unavailable("down", passing=False)))
    told = await live.asking.ask(TELL, HELLO, CALL)
    again, ear = Table(tmp_path, TapeModel(live.tapes)), Ear()
    replayed = await again.asking.ask(TELL, HELLO, CALL, ear)
    assert (replayed.output, ear.heard) == (told.output, told.output.prose)
    with pytest.raises(
        NotFound, match=r"pass 'test/tell' of turn 1 with prompt test/tell@0#\w{12}"
    ):
        await again.asking.ask(TELL, Asked(text="Something else."), CALL)
    with pytest.raises(NotFound):
        await again.asking.ask(TELL, HELLO, CALL.model_copy(update={"seed": "8"}))


class _Slow(Scripted):
    """Takes a second and a quarter by the clock, and says what it was not asked."""

    clock: HandClock

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        self.clock.advance(1.25)
        return replace(await super().reply(question, listen), note="only half of it")


async def test_what_a_call_took_and_what_it_left_out_is_told_and_taped(tmp_path: Path) -> None:
    model = _Slow("m", "Yes.")
    table = Table(tmp_path, model)
    model.clock = table.clock
    answer = await table.asking.ask(TELL, HELLO, CALL)
    (tape,) = await table.tapes.of_turn("c1")
    assert answer.ms == tape.ms == 1250
    assert answer.degraded == tape.degraded == "test/tell: only half of it"
    assert (tape.tries, answer.offline) == (1, False)


@pytest.mark.parametrize("seconds", [0.0, 0.5, 59.0, 3599.0])
async def test_a_day_begins_with_its_first_moment(tmp_path: Path, seconds: float) -> None:
    model = Scripted("m", "Yes.", usage=Usage(calls=1, input_tokens=900, cost_usd=0.9))
    table = Table(tmp_path, model, limits=BudgetLimits(day_cost_usd=1.0))
    table.clock.advance(5 * 3600 + seconds)  # it stood at seven in the evening
    await table.asking.ask(TELL, HELLO, Call())
    table.clock.advance(8 * 3600)
    with pytest.raises(BudgetSpent):
        await table.asking.ask(TELL, HELLO, CALL)


def test_a_role_without_a_model_of_its_own_is_offline_where_the_default_is(tmp_path: Path) -> None:
    offline, wide = Scripted("offline", "O"), Scripted("m", "M")
    wide.window = 4096  # type: ignore[attr-defined]
    asking = Table(tmp_path, offline, offline=offline, models={"narrator": wide}).asking
    assert (asking.is_offline("cheap"), asking.is_offline("narrator")) == (True, False)
    assert (asking.window("cheap"), asking.window("narrator")) == (0, 4096)


async def test_who_waits_sees_their_place_and_a_table_and_a_person_have_lines_and_days_of_their_own(
    tmp_path: Path,
) -> None:
    limits = LineLimits(per_minute=60, person_per_minute=1, person_day_tokens=4_100)
    clock = HandClock()
    line = CallLine(MemoryCounts(clock), limits, clock)
    said = Scripted("m", "Yes.", usage=Usage(calls=1, input_tokens=2_000))
    table = Table(tmp_path, said, line=line, clock=clock)
    places: list[PlaceInLine] = []
    with asking_for("c1/p2", places.append):
        await table.asking.ask(TELL, HELLO, CALL)
        await table.asking.ask(TELL, HELLO, CALL)
    assert places[0] == PlaceInLine(place=1, seconds=60.0, limit="person")
    assert sum(table.sleep.slept) == pytest.approx(60) and places[-1].seconds < places[0].seconds
    with asking_for("c1/p3", places.append):
        await table.asking.ask(TELL, HELLO, CALL)
    assert sum(table.sleep.slept) == pytest.approx(60), "another person does not wait"
    with asking_for("c1/p2"), pytest.raises(BudgetSpent, match="this person may use 4100"):
        await table.asking.ask(TELL, HELLO, CALL)
