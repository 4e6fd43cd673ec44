"""What a worker does with one job. RQ imports this by name; `worker` gives it the settings before it starts."""

import asyncio
import json
from collections.abc import Callable

from freeform.core.clock import SystemClock
from freeform.core.llm.tape import MemoryTapes
from freeform.players.party.local_agents import answer
from freeform.players.ports import AgentJob
from freeform.settings import Settings, load
from freeform.wiring import make_gateway
from freeform.wiring.players import redis_url, start_worker

_settings: list[Settings] = []


def use(settings: Settings) -> None:
    """The settings of every job from now on; a worker started by RQ's own command reads them by itself."""
    _settings[:] = [settings]


def start(settings: Settings, burst: bool, say: Callable[[str], None]) -> None:
    """Answers until it is stopped; in a burst, until there is nothing left to do."""
    url = redis_url(settings)
    use(settings)
    say("Waiting for players' questions. Ctrl+C stops.")
    start_worker(url, burst=burst)


def settings_now() -> Settings:
    """The settings that jobs are done with."""
    return _settings[0] if _settings else load({}).settings


def answer_job(text: str) -> str:
    """A job as JSON in, its answer and its tapes as JSON out."""
    return asyncio.run(_answer(AgentJob.read(text)))


async def _answer(job: AgentJob) -> str:
    settings = settings_now()
    quick = settings.model_copy(
        update={"time_limit_s": min(settings.time_limit_s, settings.players_model_s)}
    )
    tapes = MemoryTapes()
    done = await answer(job, await make_gateway(quick, tapes, SystemClock()))
    # A tape's dump shows its input as data; what reads back is the text it was kept as.
    kept = [
        tape.model_dump(mode="json", exclude={"input"}) | {"input_json": tape.input_json}
        for tape in await tapes.of_turn(job.call.campaign)
    ]
    return json.dumps({"done": done.model_dump(mode="json"), "tapes": kept})
