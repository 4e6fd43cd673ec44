"""What a worker does with one job. RQ imports this by name; `worker` gives it the settings before it starts."""

import asyncio
import json
import logging

from freeform.core.clock import SystemClock
from freeform.core.errors import FreeformError
from freeform.core.ids import RandomIds
from freeform.core.llm.tape import MemoryTapes
from freeform.core.log import kind_of, request, tell
from freeform.players.party.local_agents import answer
from freeform.players.ports import AgentJob
from freeform.settings import Settings, load
from freeform.wiring import make_gateway

_LOG = logging.getLogger("freeform.worker")
_settings: list[Settings] = []


def use(settings: Settings) -> None:
    """The settings of every job from now on; a worker started by RQ's own command reads them by itself."""
    _settings[:] = [settings]


def settings_now() -> Settings:
    """The settings that jobs are done with."""
    return _settings[0] if _settings else load({}).settings


def answer_job(text: str) -> str:
    """A job as JSON in, its answer and its tapes as JSON out."""
    from rq import get_current_job

    queued = get_current_job()
    asked_for = str(queued.meta.get("request", "")) if queued else ""
    with request(asked_for or RandomIds().new("req")):
        try:
            return asyncio.run(_answer(AgentJob.read(text)))
        except FreeformError as wrong:
            # RQ tries it again a few times, then keeps it to be looked at.
            tell(_LOG, logging.WARNING, "job_broke", kind=kind_of(wrong))
            raise


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
