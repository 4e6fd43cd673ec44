"""The suite `promises`: the share of promises, debts, loans, deaths, shut doors and insults that
are kept."""

from collections.abc import Callable, Sequence
from typing import Any

from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport
from freeform.evals.suites.promises.campaign import KINDS, Probe, PromiseJob

SEED = 2_000
Play = Callable[[Sequence[PromiseJob]], list[list[Probe]]]
"""Plays every job, in this process or in several."""


def run_promises(campaigns: int, turns: int, play: Play, seed: int = SEED) -> SuiteReport:
    """Generated campaigns, seeded: the same numbers give the same figure."""
    jobs = [PromiseJob(seed=seed + number, turns=turns) for number in range(campaigns)]
    played = play(jobs)
    probes = [probe for found in played for probe in found]
    kinds = {kind: [probe for probe in probes if probe.kind == kind] for kind in KINDS}
    return SuiteReport(
        suite="promises",
        n=len(probes),
        metrics={
            "kept": share(sum(probe.kept for probe in probes), len(probes)),
            "kept_by_kind": {
                kind: share(sum(p.kept for p in rows), len(rows)) for kind, rows in kinds.items()
            },
            "campaigns": campaigns,
            "turns": turns,
            "turns_between": _span(probes),
        },
        cases=[
            {"campaign": job.seed, **probe.model_dump(mode="json")}
            for job, found in zip(jobs, played, strict=True)
            for probe in found
        ],
    )


def _span(probes: Sequence[Probe]) -> dict[str, Any]:
    gaps = [probe.probed - probe.planted for probe in probes] or [0]
    return {"min": min(gaps), "avg": round(sum(gaps) / len(gaps), 1), "max": max(gaps)}
