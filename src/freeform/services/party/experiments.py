"""Experiments: every combination of scenario, policy, personas, strength and seed, headless, one
tidy row per run."""

import asyncio
import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from freeform.core.errors import UserError
from freeform.core.record import Record, canonical
from freeform.engine.authored.library import load_scenario
from freeform.evals.processes import in_processes
from freeform.offline.players.policies import POLICIES, responders
from freeform.players.mind.deeds import deed_in
from freeform.players.model import KINDS, Party, RoundRecord, Traits
from freeform.players.party.evening import play_on
from freeform.players.party.local_agents import OwnAgents
from freeform.players.party.outcomes import deeds_done, outcome_of
from freeform.players.party.party import Law, new_party
from freeform.players.party.views import figures
from freeform.players.ports import Agent
from freeform.players.round.options import kind_of
from freeform.services.party.seating import seated
from freeform.settings import Settings
from freeform.settings.sources import load
from freeform.wiring.players import redis_url, run_at_workers, scratch

RunJob = Sequence[Any]
"""A `PartyTrial` as a row, field by field: what goes to another process or machine."""
OFFLINE = "offline"


class PartyTrial(Record):
    """One run of an experiment."""

    scenario: str
    players: str
    seed: int
    strength: float
    rounds: int
    home: str
    policy: str = "mind"
    """`mind`; or, to measure minds against, `random`, `wait`, `silent` or `alone`."""
    model: str = OFFLINE
    law: Law = "human"
    """How they forget; `none`: nothing is remembered."""
    traits: str = ""
    """Traits that everyone has alike: `caution=0.9 stubborn=0`."""

    def job(self) -> list[Any]:
        """As a row."""
        return [getattr(self, name) for name in PartyTrial.model_fields]

    @classmethod
    def of(cls, job: RunJob) -> "PartyTrial":
        """From its row; what a short row leaves out is as it is by default."""
        return cls.model_validate(dict(zip(cls.model_fields, job, strict=False)))


class GridRequest(Record):
    """What is combined, and who plays the runs."""

    scenario: str
    """One, or several with commas between."""
    seeds: list[int]
    strengths: list[float]
    players: list[str] = Field(default_factory=lambda: ["4"])
    policies: list[str] = Field(default_factory=lambda: ["mind"])
    laws: list[Law] = Field(default_factory=lambda: list[Law](["human"]))
    traits: list[str] = Field(default_factory=lambda: [""])
    models: list[str] = Field(default_factory=list)
    """Models to play with; none: the one that the settings name."""
    rounds: int = 10
    processes: int = 1
    workers: bool = False
    """Share the runs among workers over Redis instead."""


def run_grid(
    settings: Settings, request: GridRequest, tell: Callable[[int, int], None]
) -> list[dict[str, Any]]:
    """Plays every combination. `tell` hears how many of how many runs are done."""
    jobs = [run.job() for run in runs_of(settings, request)]
    if not request.workers:
        return in_processes(play_one_run, jobs, request.processes)
    patience = 60 + 5 * request.rounds
    return run_at_workers(redis_url(settings), jobs, patience, lambda done: tell(done, len(jobs)))


def runs_of(settings: Settings, request: GridRequest) -> list[PartyTrial]:
    """Every combination. A model is used where one is named; `auto` plays offline, so that a grid
    is the same on every machine."""
    if unknown := [policy for policy in request.policies if policy not in POLICIES]:
        raise UserError(f"no policy '{unknown[0]}'; there are {', '.join(POLICIES)}")
    named = OFFLINE if settings.model == "auto" else settings.model
    factors: dict[str, Sequence[Any]] = {
        "scenario": [name.strip() for name in request.scenario.split(",")],
        "model": request.models or [named],
        "policy": request.policies,
        "law": request.laws,
        "traits": [with_traits_checked(traits) for traits in request.traits],
        "players": request.players,
        "strength": request.strengths,
        "seed": request.seeds,
    }
    alike = {"rounds": request.rounds, "home": str(settings.home)}
    return [
        PartyTrial.model_validate({**dict(zip(factors, one, strict=True)), **alike})
        for one in product(*factors.values())
    ]


def with_traits_checked(traits: str) -> str:
    """The traits as they were given. UserError for one that nobody has, or that is no share."""
    _as_traits(traits)
    return traits


def _as_traits(traits: str) -> dict[str, float]:
    try:
        given = {name: float(value) for name, _, value in map(_parted, traits.split())}
        Traits(**given)
    except (ValueError, ValidationError) as wrong:
        there = ", ".join(Traits.model_fields)
        raise UserError(f"traits '{traits}': write caution=0.9; there are {there}") from wrong
    return given


def _parted(one: str) -> tuple[str, str, str]:
    return one.partition("=")


def play_one_run(job: RunJob) -> dict[str, Any]:
    """Plays a party in memory and gives its figures, flat, with a digest of all that was said.

    It may run in a process of its own: nothing is left behind but its row.
    """
    return asyncio.run(_play(PartyTrial.of(job)))


async def _play(run: PartyTrial) -> dict[str, Any]:
    who, records, used = await play_trial(run)
    given = run.model_dump(exclude={"home", "rounds"})
    return {**given, **_measured(who, records), **used}


async def play_trial(
    run: PartyTrial, agents: Mapping[str, Agent] | None = None
) -> tuple[Party, list[RoundRecord], dict[str, float]]:
    """One run in memory: the party, its rounds, and what was asked of models. `agents` of one's own
    take the seats of those ids."""
    named = {"home": run.home, "model": run.model}
    # A named model needs its key and address; offline a run must be the same on every machine.
    settings = Settings.model_validate(named) if run.model == OFFLINE else load(named).settings
    with tempfile.TemporaryDirectory() as folder:
        async with scratch(settings, Path(folder), responders(run.policy)) as room:
            if agents:
                room.crew = OwnAgents(room.crew, agents, settings.players_job_s)
            alike = _as_traits(run.traits)
            personas = [
                one.model_copy(update={"traits": one.traits.model_copy(update=alike)})
                for one in seated(settings, run.players, room.table)
            ]
            who = await new_party(
                load_scenario(run.scenario, settings.home),
                personas,
                run.seed,
                run.strength,
                room.table,
                room.store,
                room.table.clock,
                law=run.law,
            )
            played = [came async for came in play_on(room.game, who, run.rounds)]
            tapes = await room.table.tapes.of_turn(who.campaign)
    asked = [tape for tape in tapes if tape.pass_id.startswith("players/")]
    used = {
        "calls": len(asked),
        "tokens": sum(tape.usage.input_tokens + tape.usage.output_tokens for tape in tapes),
        "cost_usd": round(sum(tape.usage.cost_usd for tape in tapes), 6),
    }
    return who, [record for record in played if isinstance(record, RoundRecord)], used


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
    row["told_on"] = sum(_is_hearsay(said) for record in records for said in record.ooc)
    row["swayed"] = sum(bool(record.swayed) for record in records)
    deeds = Counter(kind_of(deed_in(deed)) for deed in _attempts(records))
    row |= {f"deeds_{kind}": deeds[kind] for kind in KINDS}
    row |= outcome_of(records).model_dump()
    row["deeds"] = _digest(deeds_done(records))
    row["places"] = len(places)
    row["last_place"] = places[-1] if places else ""
    row["digest"] = _digest([record.model_dump(mode="json") for record in records])
    return row


def _is_hearsay(said: Mapping[str, Any]) -> bool:
    """Whether somebody told on what another had told wrongly."""
    return str(said.get("memory", "")).endswith(".said")


def _attempts(records: Sequence[RoundRecord]) -> list[str]:
    acted = [record.actions[agent] for record in records for agent in record.rulings]
    return [action.intent for action in acted if action.intent]


def _digest(data: Any) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()[:16]
