"""What a worker does with one job. RQ imports this by name; `start` gives it the settings."""

import asyncio
from collections.abc import Callable

from freeform.services.party.work import answer_question, check_worker, run_worker
from freeform.settings import Settings, load

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
    return asyncio.run(answer_question(settings_now(), text))
