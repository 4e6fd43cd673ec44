"""Long work of every kind in one list: what runs, waits, failed, how far it is, what one can do.

One view over what does it: the line of books (`services/ingest/jobs.py`), parties of a server,
research and lore in their stores, RQ's queues in Redis. A turn is no long work.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from freeform.assistant.research.model import ResearchRow
from freeform.core.errors import FreeformError, NotFound
from freeform.core.record import Record
from freeform.services.assistant.research import list_research
from freeform.services.ingest.jobs import IngestJob
from freeform.services.lore.desk import Work, list_work
from freeform.settings import Settings
from freeform.wiring.operate import queues
from freeform.wiring.operate.queues import QueuedJob

WorkKind = Literal["book", "party", "research", "lore", "worker"]
WorkState = Literal["running", "waiting", "paused", "asks", "failed", "done"]
Deed = Literal["pause", "resume", "forget"]
MOST_DONE = 10
"""Of what is done the last few are listed."""
_ORDER: tuple[WorkState, ...] = ("running", "asks", "waiting", "failed", "paused", "done")


class WorkRow(Record):
    """One piece of long work."""

    kind: WorkKind
    id: str
    title: str
    state: WorkState
    done: int = 0
    total: int = 0
    note: str = ""
    """How far it is, or what went wrong and what to do."""
    can: list[Deed] = Field(default_factory=list)


class WorkList(Record):
    """All of it: what runs first, what failed before what is done. `problems`: what could not be
    looked at."""

    work: list[WorkRow]
    problems: list[str] = Field(default_factory=list)

    @property
    def failed(self) -> list[WorkRow]:
        """The dead letters: they stay until somebody tries them again or lets them go."""
        return [row for row in self.work if row.state == "failed"]


async def list_long_work(
    settings: Settings,
    books: Sequence[IngestJob] | None = None,
    parties: Iterable[WorkRow] = (),
    research: Mapping[str, str] | None = None,
) -> WorkList:
    """Everything there is. A server gives its own books, parties and research; else they are read
    from the disk, and parties of other processes are not seen."""
    problems: list[str] = []
    rows = [_book(job) for job in (kept_books(settings) if books is None else books)]
    rows += parties
    try:
        for found in await list_research(settings):
            rows.append(_research(found, (research or {}).get(found.researchId)))
    except FreeformError as wrong:
        problems.append(f"research: {wrong}")
    try:
        for work in (await list_work(settings)).works:
            rows += _lore(work)
    except FreeformError as wrong:
        problems.append(f"lore: {wrong}")
    try:
        rows += [_queued(job) for job in await asyncio.to_thread(queues.list_queued, settings)]
    except FreeformError as wrong:
        problems.append(f"workers: {wrong}")
    busy = sorted((r for r in rows if r.state != "done"), key=lambda r: _ORDER.index(r.state))
    done = [row for row in rows if row.state == "done"][:MOST_DONE]
    return WorkList(work=[*busy, *done], problems=problems)


def kept_books(settings: Settings) -> list[IngestJob]:
    """Books as their files say, newest first: for whoever is not the server that reads them."""
    found: list[IngestJob] = []
    for file in sorted(settings.home.joinpath("ingest", "jobs").glob("*/job.json"), reverse=True):
        job = _job_in(file)
        found += [job] if job else []
    return found


def _job_in(file: Path) -> IngestJob | None:
    try:
        return IngestJob.model_validate_json(file.read_bytes())
    except (ValidationError, OSError):
        return None


def try_again(settings: Settings, id: str) -> None:
    """Puts a worker's job that failed back into its queue."""
    if not settings.players_redis:
        raise NotFound("there are no workers' queues here; set `players_redis` to use them")
    queues.try_again(settings, id)


def _book(job: IngestJob) -> WorkRow:
    states: dict[str, WorkState] = {"accepted": "done"}
    state = states.get(job.state) or _state(job.state)
    ended = sum(stage.status in ("done", "skipped") for stage in job.stages)
    now = next((stage for stage in job.stages if stage.status in ("started", "working")), None)
    note = job.error or (f"{now.name} {now.done} of {now.total}" if now and now.total else "")
    can: dict[WorkState, list[Deed]] = {
        "running": ["pause"],
        "waiting": ["pause"],
        "paused": ["resume", "forget"],
        "failed": ["resume", "forget"],
        "done": ["forget"],
    }
    return WorkRow(
        kind="book",
        id=job.id,
        title=job.name or job.pack or job.file,
        state=state,
        done=ended,
        total=len(job.stages),
        note=note,
        can=can[state],
    )


def _state(name: str) -> WorkState:
    known: dict[str, WorkState] = {state: state for state in _ORDER}
    return known[name]


def _research(row: ResearchRow, here: str | None) -> WorkRow:
    """`here`: '' while this server is at it, or what went wrong when it was."""
    states: dict[str, WorkState] = {"COMPLETED": "done", "FAILED": "failed"}
    state = states.get(row.status, "failed" if here else "paused")
    if here == "":
        state = "running"
    again = "" if state == "done" else f"go on: freeform-rpg research --resume {row.researchId}"
    return WorkRow(
        kind="research",
        id=row.researchId,
        title=row.originalQuery,
        state=state,
        note="" if here == "" else here or again,
        can=[] if state in ("done", "running") else ["resume"],
    )


def _lore(work: Work) -> list[WorkRow]:
    point = work.checkpoint
    left = len(point.progression_queue) + len(point.priority_queue)
    finished = len(point.completed_zones)
    note = f"zone {point.zone_name}, step {point.current_step} of 10" if point.zone_name else ""
    state: WorkState = "asks" if work.open_decisions else "paused" if point.zone_name else "done"
    if work.open_decisions:
        note = f"{work.open_decisions} decisions wait for you: freeform-rpg lore inbox"
    total = finished + left + bool(point.zone_name)
    whole = WorkRow(kind="lore", id=work.game, title=work.game, state=state, note=note)
    rows = [whole.model_copy(update={"done": finished, "total": total})]
    for zone in point.failed_zones:
        wrong = f"{zone.reason}; start research at it again with --zone"
        title = f"{work.game}: {zone.zone_name}"
        rows.append(WorkRow(kind="lore", id=title, title=title, state="failed", note=wrong))
    return rows


def _queued(job: QueuedJob) -> WorkRow:
    state = _state(job.state)
    can: list[Deed] = ["resume"] if state == "failed" else []
    title = f"{job.queue}: {job.id}"
    return WorkRow(kind="worker", id=job.id, title=title, state=state, note=job.why, can=can)
