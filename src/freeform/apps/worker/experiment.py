"""What a worker does with one run of an experiment. RQ imports this by name."""

from freeform.apps.worker.answering import settings_now
from freeform.services.party.work import play_run


def play_job(text: str) -> str:
    """A run as JSON in (without a home: the worker's own is used), its row as JSON out."""
    return play_run(settings_now(), text)
