"""Work shared out among processes gives what one process gives."""

from pathlib import Path

from freeform import wiring
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.evals.processes import in_processes
from freeform.evals.replay import Overrides, outcomes
from freeform.evals.suites.promises.campaign import PromiseJob
from freeform.services.measure.jobs import ReplayJob, play_promises, replay_stretch
from freeform.settings import Settings
from tests.engine.cellar import scenario
from tests.evals.played import LINES


async def a_campaign(home: Path, turns: int) -> Settings:
    settings = Settings.model_validate({"home": home, "model": "offline"})
    async with wiring.opened(settings) as table:
        await begin(scenario(), "a", 7, Answers(), table)
        for number in range(turns):
            await take_turn(Say(campaign="a", text=LINES[number % len(LINES)]), table)
    return settings


async def test_a_replay_in_two_parts_is_the_replay_in_one(tmp_path: Path) -> None:
    settings = await a_campaign(tmp_path, 12)

    def job(first: int, last: int) -> ReplayJob:
        return ReplayJob(
            settings=settings, campaign="a", overrides=Overrides(), first=first, last=last
        )

    both = in_processes(replay_stretch, [job(1, 6), job(7, 12)], 2)
    async with wiring.opened(settings) as table:
        alone = await outcomes("a", table, wiring.bench(settings), Overrides(), 1, 12)
    assert [outcome for part in both for outcome in part] == alone


def test_results_come_in_the_order_of_the_jobs() -> None:
    jobs = [PromiseJob(seed=seed, turns=66) for seed in (5, 6, 7)]
    assert in_processes(play_promises, jobs, 2) == [play_promises(job) for job in jobs]
