"""The last faults of the log, each with what to do: for the doctor."""

import os
from pathlib import Path

from freeform.core.log import read_line
from freeform.core.record import Record
from freeform.services.logs import log_file
from freeform.settings import Settings

MOST_FAULTS = 10
TAIL = 200_000
"""Bytes of the file's end that are looked at."""
WHAT_TO_DO = {
    "degraded": "check that the model answers: freeform-rpg models",
    "fetch_refused": "see robots.txt, `lore_sources` and `lore_allow_private`",
    "index_refused": "run `pack validate` on that pack",
    "index_set_aside": "run `pack reindex`; the old file lies beside it as .damaged",
    "ingest_failed": "open the job in the library; its last words are there",
    "job_failed": "look at the worker; the job is kept in Redis",
    "mistake": "please report it, with this line",
    "request_refused": "someone knocked without the key, from another page, or too often",
    "slow_turn": "a smaller model, or a shorter `time_limit_s`, keeps the table waiting less",
    "turn_failed": "try the turn again; its facts are kept",
}
ANYTHING_ELSE = "see the lines around it in the log"
_FAULTS = ("warning", "error", "critical")


class Fault(Record):
    """One line of the log that an operator should see."""

    at: str
    event: str
    request: str
    details: str
    do: str


def last_faults(settings: Settings, most: int = MOST_FAULTS) -> list[Fault]:
    """Warnings and errors, newest last; none where there is no log."""
    faults = []
    for line in _tail(log_file(settings)):
        fields = read_line(line)
        if fields is not None and str(fields.get("level")) in _FAULTS:
            faults.append(_fault(fields))
    return faults[-most:]


def log_problem(settings: Settings) -> str:
    """Why no log can be written, or ''."""
    folder = log_file(settings).parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if folder.is_dir() and os.access(folder, os.W_OK):
        return ""
    return f"{folder} cannot be written; allow it, or choose another place with `log_file`"


def _fault(fields: dict[str, object]) -> Fault:
    event = str(fields.get("event", ""))
    shown = {"at", "level", "logger", "event", "request"}
    details = [f"{name} {value}" for name, value in fields.items() if name not in shown]
    return Fault(
        at=str(fields.get("at", "")),
        event=event,
        request=str(fields.get("request", "")),
        details=", ".join(details),
        do=WHAT_TO_DO.get(event, ANYTHING_ELSE),
    )


def _tail(file: Path) -> list[str]:
    try:
        with file.open("rb") as opened:
            opened.seek(0, os.SEEK_END)
            opened.seek(max(0, opened.tell() - TAIL))
            return opened.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return []
