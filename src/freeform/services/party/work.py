"""What a worker does for a party elsewhere: one player's question, or one run of an experiment."""

import json

from freeform.core.clock import SystemClock
from freeform.core.llm.tape import MemoryTapes
from freeform.players.party.local_agents import answer
from freeform.players.ports import AgentJob
from freeform.services.party.experiments import PartyTrial, play_one_run
from freeform.settings import Settings
from freeform.wiring import make_gateway
from freeform.wiring.players import redis_url, start_worker


def check_worker(settings: Settings) -> None:
    """BadSettings when there is no Redis to take jobs from."""
    redis_url(settings)


def run_worker(settings: Settings, *, burst: bool) -> None:
    """Takes jobs from Redis until it is stopped; with `burst`, until there are none left."""
    start_worker(redis_url(settings), burst=burst)


async def answer_question(settings: Settings, text: str) -> str:
    """A job as JSON in, its answer and its tapes as JSON out."""
    job = AgentJob.read(text)
    patience = min(settings.time_limit_s, settings.players_model_s)
    quick = settings.model_copy(update={"time_limit_s": patience})
    tapes = MemoryTapes()
    done = await answer(job, await make_gateway(quick, tapes, SystemClock()))
    kept = []
    for tape in await tapes.of_turn(job.call.campaign):
        # A tape's dump shows its input as data; what reads back is the text it was kept as.
        row = tape.model_dump(mode="json", exclude={"input"})
        kept.append(row | {"input_json": tape.input_json})
    return json.dumps({"done": done.model_dump(mode="json"), "tapes": kept})


def play_run(settings: Settings, text: str) -> str:
    """A run as JSON in (without a home: the worker's own is used), its row as JSON out."""
    run = PartyTrial.of(json.loads(text)).model_copy(update={"home": str(settings.home)})
    return json.dumps(play_one_run(run.job()))
