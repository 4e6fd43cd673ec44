"""Measuring a campaign: its turns replayed, where a check broke, and its figures."""

import asyncio
from typing import Any

from pydantic import Field

from freeform.core.llm.prompts import with_own
from freeform.core.record import Record
from freeform.evals.bisect import Broken, bisect
from freeform.evals.checks import read_check
from freeform.evals.metrics import Finding, findings, sum_up
from freeform.evals.processes import in_processes
from freeform.evals.replay import Overrides, ReplayReport, TurnOutcome, notes, report_of
from freeform.services.house import House, opened_house
from freeform.services.measure.jobs import ReplayJob, replay_stretch
from freeform.settings import Settings

STRETCH = 150
"""From this many turns on, a replay is worth a second process."""


class TurnRange(Record):
    """Which turns; the last is None where all that follow are meant."""

    first: int = 1
    last: int | None = None

    def up_to(self, last_played: int) -> tuple[int, int]:
        """First and last, where so many were played."""
        return self.first, last_played if self.last is None else self.last


class ReplayRequest(Record):
    """What is replayed, what is changed, and how many processes share the turns."""

    campaign: str
    turns: TurnRange = Field(default_factory=TurnRange)
    changed: Overrides = Field(default_factory=Overrides)
    processes: int = 2


class CampaignMetrics(Record):
    """The figures of a campaign, and what each turn adds to them."""

    campaign: str
    metrics: dict[str, Any]
    turns: list[Finding]


def replay_campaign(settings: Settings, request: ReplayRequest) -> ReplayReport:
    """Plays recorded turns again from their tapes and says what differs, or would."""
    for id, version in request.changed.prompts.items():
        with_own(settings.home).get(id, version)
    last_played, told = asyncio.run(_look(settings, request.campaign))
    first, last = request.turns.up_to(last_played)
    turns = _replayed(settings, request, first, last)
    return report_of(request.campaign, request.changed, turns, told)


async def _look(settings: Settings, campaign: str) -> tuple[int, list[str]]:
    async with opened_house(settings) as house:
        head = await house.table.store.head(campaign)
        return head.turn_no, await notes(campaign, house.table)


def _replayed(
    settings: Settings, request: ReplayRequest, first: int, last: int
) -> list[TurnOutcome]:
    # A person's own model answers one call after another; only tapes are shared out.
    alone = request.changed.model or last - first < STRETCH
    parts = 1 if alone else request.processes
    size = max(1, -(-(last - first + 1) // parts))
    jobs = [
        ReplayJob(
            settings=settings,
            campaign=request.campaign,
            overrides=request.changed,
            first=start,
            last=min(last, start + size - 1),
        )
        for start in range(first, max(last, first) + 1, size)
    ]
    turns: list[TurnOutcome] = []
    for stretch in in_processes(replay_stretch, jobs, parts):
        turns += stretch
    return turns


async def bisect_campaign(
    house: House, campaign: str, check: str, good: int | None = None, bad: int | None = None
) -> Broken:
    """The turn, and the pass in it, where something that should be so was broken."""
    return await bisect(campaign, read_check(check), house.table, good, bad)


async def measure_campaign(house: House, campaign: str, turns: TurnRange) -> CampaignMetrics:
    """Contradictions, refusals, questions, length, lore, leaks, repetition."""
    store = house.table.store
    begun = await store.begun(campaign)
    first, last = turns.up_to((await store.head(campaign)).turn_no)
    entries = [logged.entry for logged in await store.read(campaign, 0, last)]
    rows = findings(begun, entries, first, last, house.table.sense)
    return CampaignMetrics(campaign=campaign, metrics=sum_up(rows), turns=rows)
