"""Plays the cases of the suite `hearing` at tables like a new player's: offline, with the learned
ear, in a home that is thrown away."""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from freeform import wiring
from freeform.core.record import Record
from freeform.engine.authored.library import load_scenario
from freeform.evals.processes import Done, in_processes
from freeform.evals.suites.hearing.judge import CaseVerdict
from freeform.evals.suites.hearing.play import HearingJob, play_cases
from freeform.settings import Settings


class HomedJob(Record):
    """Cases to play, and the folder in which each process has a home."""

    folder: str
    job: HearingJob


def play_in_processes(
    jobs: Sequence[HearingJob], processes: int, done: Done | None
) -> list[list[CaseVerdict]]:
    """Every job, shared out; nothing is left behind."""
    with tempfile.TemporaryDirectory() as folder:
        homed = [HomedJob(folder=folder, job=job) for job in jobs]
        return in_processes(play_homed, homed, processes, done)


def play_homed(homed: HomedJob) -> list[CaseVerdict]:
    """One job. A process keeps its home from job to job, since it holds the index of the packs."""
    home = Path(homed.folder) / str(os.getpid())
    settings = Settings.model_validate({"home": home, "model": "offline"})
    table = wiring.headless(settings)
    scenario = load_scenario(homed.job.scenario)
    return asyncio.run(play_cases(homed.job, scenario, table))
