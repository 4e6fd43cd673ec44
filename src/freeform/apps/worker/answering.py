"""What a worker does with one job. RQ imports this by name; `start` gives it the settings."""

import asyncio
import logging
from collections.abc import Callable

from freeform.core.errors import FreeformError
from freeform.core.ids import RandomIds
from freeform.core.log import kind_of, request, tell
from freeform.services.party.work import answer_question, check_worker, run_worker
from freeform.settings import Settings
from freeform.settings.sources import load

_LOG = logging.getLogger("freeform.worker")
_settings: list[Settings] = []


def start(settings: Settings, burst: bool, say: Callable[[str], None]) -> None:
    """Answers until it is stopped; in a burst, until there is nothing left to do."""
    check_worker(settings)
    use(settings)
    say("Waiting for players' questions. Ctrl+C stops.")
    run_worker(settings, burst=burst)


def use(settings: Settings) -> None:
    """The settings of every job from now on; a worker of RQ's own command reads them itself."""
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
            return asyncio.run(answer_question(settings_now(), text))
        except FreeformError as wrong:
            # RQ tries it again a few times, then keeps it to be looked at.
            tell(_LOG, logging.WARNING, "job_broke", kind=kind_of(wrong))
            raise
