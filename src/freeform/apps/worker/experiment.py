"""What a worker does with one run of an experiment. RQ imports this by name."""

import json

from freeform.apps.cli.party.grid import play_one_run
from freeform.apps.worker.answering import settings_now


def play_job(text: str) -> str:
    """A run as JSON in (without a home: the worker's own is used), its row as JSON out."""
    scenario, players, seed, strength, rounds, _ = json.loads(text)
    home = str(settings_now().home)
    return json.dumps(
        play_one_run((scenario, players, int(seed), float(strength), int(rounds), home))
    )
