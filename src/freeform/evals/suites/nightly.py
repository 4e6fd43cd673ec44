"""The nightly party: many headless campaigns of the bundled scenarios, and every metric over all of their turns."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field

from freeform.core.chance import Chance
from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.evals.metrics import Finding, findings, sum_up
from freeform.evals.report import SuiteReport
from freeform.evals.suites.wanderer import next_line

SEED = 7_000


class NightJob(Record):
    """One campaign."""

    scenario: str
    seed: int
    turns: int


class NightResult(Record):
    """What came of it. `problem`: why it stopped early."""

    job: NightJob
    found: list[Finding] = Field(default_factory=list)
    endings: list[str] = Field(default_factory=list)
    problem: str = ""


Night = Callable[[Sequence[NightJob]], list[NightResult]]


async def play_night(job: NightJob, scenario: Scenario, table: Table) -> NightResult:
    """Plays one campaign with a wanderer, and looks at every turn."""
    name = f"{job.scenario}-{job.seed}"
    begun = await begin(scenario, name, job.seed, Answers(), table)
    rules, suggested, problem = Rules.of(begun), begun.suggested_actions, ""
    for number in range(1, job.turns + 1):
        state = await table.store.get_state(name)
        line = next_line(state, rules, suggested, Chance(job.seed, "wanderer", number))
        try:
            result = await take_turn(
                Say(campaign=name, text=line, turn_id=f"{name}/{number}"), table
            )
        except FreeformError as wrong:
            problem = f"turn {number}, '{line}': {wrong}"
            break
        suggested = result.suggested_actions
    entries = [logged.entry for logged in await table.store.read(name)]
    state = await table.store.get_state(name)
    ended = [e.id for e in scenario.endings if state.value("campaign", f"ended:{e.id}")]
    return NightResult(job=job, found=findings(begun, entries), endings=ended, problem=problem)


def run_nightly(
    scenarios: Sequence[str], campaigns: int, turns: int, play: Night, seed: int = SEED
) -> SuiteReport:
    """So many campaigns, shared out among the scenarios."""
    jobs = [
        NightJob(scenario=scenarios[number % len(scenarios)], seed=seed + number, turns=turns)
        for number in range(campaigns)
    ]
    results = play(jobs)
    everything = [finding for result in results for finding in result.found]
    return SuiteReport(
        suite="nightly",
        n=len(results),
        metrics={
            **sum_up(everything),
            "stopped_early": sum(bool(result.problem) for result in results),
        },
        cases=[_case(result) for result in results],
    )


def _case(result: NightResult) -> dict[str, Any]:
    faults = [
        {"turn_no": found.turn_no, **{name: value for name, value in kinds.items() if value}}
        for found in result.found
        if any(
            (
                kinds := {
                    "contradicted": found.contradicted,
                    "accepted": found.accepted,
                    "refused_wrongly": found.refused_wrongly,
                    "leaked": found.leaked,
                }
            ).values()
        )
    ]
    told = {"endings": result.endings, "problem": result.problem, "faults": faults}
    return {**result.job.model_dump(), **sum_up(result.found), **told}
