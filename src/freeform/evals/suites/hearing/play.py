"""Plays the cases of one scene: the set-up once, then each input from the same spot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import LogPosition
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.evals.suites.hearing.gold import GoldCase
from freeform.evals.suites.hearing.judge import CaseVerdict, Played, judge

SEED = 3
NEUTRAL = "look around"
CAMPAIGN = "hearing"
MOST_CASES = 20
"""Cases of one scene that one process plays; more are another job."""


class HearingJob(Record):
    """Cases that are typed at the same spot, and the scenario by id or by file."""

    scenario: str
    setup: list[str]
    cases: list[GoldCase]


@dataclass(frozen=True)
class _Spot:
    """Where the set-up led, and what a neutral turn does there."""

    position: LogPosition
    before: GameState
    neutral: TurnResult


def jobs_of(cases: Iterable[GoldCase]) -> list[HearingJob]:
    """The cases by scenario and set-up, in pieces that processes can share."""
    scenes: dict[tuple[str, ...], list[GoldCase]] = {}
    for case in cases:
        scenes.setdefault((case.scenario, *case.setup), []).append(case)
    jobs = []
    for (scenario, *setup), together in scenes.items():
        for first in range(0, len(together), MOST_CASES):
            piece = together[first : first + MOST_CASES]
            jobs.append(HearingJob(scenario=scenario, setup=setup, cases=piece))
    return jobs


async def play_cases(job: HearingJob, scenario: Scenario, table: Table) -> list[CaseVerdict]:
    """Every case of the job, judged."""
    await begin(scenario, CAMPAIGN, SEED, Answers(), table)
    try:
        spot = await _reach(job.setup, table)
    except FreeformError as wrong:
        return _not_scored(job.cases, f"the set-up failed: {wrong}")
    here = spot.before.scene.location_id
    verdicts = []
    for case in job.cases:
        if case.at and case.at != here:
            why = f"the set-up ended at {here}, not {case.at}"
            verdicts += _not_scored([case], why)
        else:
            verdicts.append(await _play_one(case, spot, table))
    return verdicts


async def _reach(setup: Sequence[str], table: Table) -> _Spot:
    for text in setup:
        await take_turn(Say(campaign=CAMPAIGN, text=text), table)
    position = await table.store.head(CAMPAIGN)
    before = await table.store.get_state(CAMPAIGN)
    return _Spot(position, before, await _type(NEUTRAL, position, table))


async def _play_one(case: GoldCase, spot: _Spot, table: Table) -> CaseVerdict:
    try:
        result = await _type(case.input, spot.position, table)
    except FreeformError as wrong:
        return _not_scored([case], f"not played: {wrong}")[0]
    return judge(Played(case, spot.before, result, spot.neutral))


async def _type(text: str, spot: LogPosition, table: Table) -> TurnResult:
    """One turn from the spot, whatever was typed there before."""
    head = await table.store.head(CAMPAIGN)
    await table.store.move(CAMPAIGN, spot.entry, after=head)
    return await take_turn(Say(campaign=CAMPAIGN, text=text), table)


def _not_scored(cases: Iterable[GoldCase], why: str) -> list[CaseVerdict]:
    return [CaseVerdict(id=case.id, judged="not_scored", reason=why) for case in cases]
