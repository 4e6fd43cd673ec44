"""Experiments: every combination of seed, strength and personas, headless, one tidy row per run."""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.record import Record, canonical
from freeform.engine.authored.library import load_scenario
from freeform.evals.processes import in_processes
from freeform.players.model import Party, RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.party import new_party
from freeform.players.party.persona import choose_personas
from freeform.players.party.views import figures
from freeform.settings import Settings
from freeform.wiring.players import redis_url, run_at_workers, scratch

RunJob = tuple[str, str, int, float, int, str]
"""Scenario, players, seed, strength, rounds, home: what goes to another process or machine."""


class GridRequest(Record):
    """What is combined, and who plays the runs."""

    scenario: str
    seeds: list[int]
    strengths: list[float]
    players: list[str] = Field(default_factory=lambda: ["4"])
    rounds: int = 10
    processes: int = 1
    workers: bool = False
    """Share the runs among workers over Redis instead."""


def run_grid(
    settings: Settings, request: GridRequest, tell: Callable[[int, int], None]
) -> list[dict[str, Any]]:
    """Plays every combination. `tell` hears how many of how many runs are done."""
    jobs: list[RunJob] = []
    for players in request.players:
        for strength in request.strengths:
            for seed in request.seeds:
                home = str(settings.home)
                jobs.append((request.scenario, players, seed, strength, request.rounds, home))
    if not request.workers:
        return in_processes(play_one_run, jobs, request.processes)
    patience = 60 + 5 * request.rounds
    return run_at_workers(redis_url(settings), jobs, patience, lambda done: tell(done, len(jobs)))


def play_one_run(job: RunJob) -> dict[str, Any]:
    """Plays a party in memory and gives its figures, flat, with a digest of all that was said.

    It may run in a process of its own: nothing is left behind but its row.
    """
    return asyncio.run(_play(*job))


async def _play(
    scenario: str, players: str, seed: int, strength: float, rounds: int, home: str
) -> dict[str, Any]:
    settings = Settings.model_validate({"home": home, "model": "offline"})
    with tempfile.TemporaryDirectory() as folder:
        async with scratch(settings, Path(folder)) as room:
            story = load_scenario(scenario, settings.home)
            who = await new_party(
                story,
                choose_personas(players),
                seed,
                strength,
                room.table,
                room.store,
                room.table.clock,
            )
            played = [came async for came in play_on(room.game, who, rounds)]
    records = [record for record in played if isinstance(record, RoundRecord)]
    given = {"scenario": scenario, "players": players, "seed": seed, "strength": strength}
    return {**given, **_measured(who, records)}


def _measured(who: Party, records: Sequence[RoundRecord]) -> dict[str, Any]:
    counted = figures(who, records)
    places = counted["places"]
    row = {
        "rounds": counted["rounds"],
        "turns": counted["turns"],
        "facts_stored": counted["facts_stored"],
        "talk_rounds": counted["talk_rounds"],
    }
    for state in ("unanimous", "majority", "timeout"):
        row[state] = counted["consensus"].get(state, 0)
    row["refused_once"] = counted["overreach"]["refused_once"]
    row["warned"] = counted["overreach"]["warned"]
    row["told"] = sum(record.stored.get("told", 0) for record in records)
    row["told_wrong"] = sum(record.stored.get("told_wrong", 0) for record in records)
    row["places"] = len(places)
    row["last_place"] = places[-1] if places else ""
    text = canonical([record.model_dump(mode="json") for record in records])
    row["digest"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return row
