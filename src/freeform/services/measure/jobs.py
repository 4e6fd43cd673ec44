"""Work that measuring shares out among processes: each builds its own table and closes it."""

import asyncio
import tempfile

from freeform import wiring
from freeform.core.record import Record
from freeform.engine.authored.library import load_scenario
from freeform.evals.replay import Overrides, TurnOutcome, outcomes
from freeform.evals.suites.nightly import NightJob, NightResult, play_night
from freeform.evals.suites.promises.campaign import Probe, PromiseJob, play_campaign
from freeform.settings import Settings


class ReplayJob(Record):
    """A stretch of one campaign to replay."""

    settings: Settings
    campaign: str
    overrides: Overrides
    first: int
    last: int


def replay_stretch(job: ReplayJob) -> list[TurnOutcome]:
    """The turns of the stretch, replayed."""

    async def work() -> list[TurnOutcome]:
        async with wiring.opened(job.settings) as table:
            bench = wiring.bench(job.settings)
            return await outcomes(job.campaign, table, bench, job.overrides, job.first, job.last)

    return asyncio.run(work())


def play_promises(job: PromiseJob) -> list[Probe]:
    """One campaign of the probe."""
    with tempfile.TemporaryDirectory() as home:
        return asyncio.run(play_campaign(job, wiring.headless(_offline(home))))


def play_one_night(job: NightJob) -> NightResult:
    """One campaign of the nightly party."""
    with tempfile.TemporaryDirectory() as home:
        table = wiring.headless(_offline(home))
        return asyncio.run(play_night(job, load_scenario(job.scenario), table))


def _offline(home: str) -> Settings:
    return Settings.model_validate({"home": home, "model": "offline"})
