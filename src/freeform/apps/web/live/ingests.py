"""Books being read: one job for each upload, its work in a process of its own, its progress told to the hub.

A job that is paused or whose server stopped is simply ended: its finished stages are kept, so it goes on from there.
"""

import asyncio
import contextlib
import json
import logging
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from freeform.apps.web.live.hub import Hub
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.core.log import tell
from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.ingest.config import STAGES, StageNews

_LOG = logging.getLogger("freeform.ingest")
State = Literal["waiting", "running", "paused", "done", "failed", "accepted"]
EVERY_S = 0.25
"""Progress of one stage is told at most this often."""
_FILE = "job.json"


class StageView(Record):
    """How one stage of a job stands."""

    name: str
    status: Literal["waiting", "started", "working", "done", "skipped", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    rate: float = 0.0
    left_s: float = 0.0
    seconds: float = 0.0
    note: str = ""


class IngestJob(Record):
    """One book on its way to the shelf."""

    id: str
    file: str
    pack: str = ""
    name: str = ""
    license: str = ""
    draft: bool = False
    options: list[str] = Field(default_factory=list)
    """Further flags of pack-ingest."""
    state: State = "waiting"
    stages: list[StageView] = Field(
        default_factory=lambda: [StageView(name=name) for name in STAGES]
    )
    error: str = ""
    report: dict[str, Any] | None = None


class IngestJobs(Record):
    """All of them, newest first."""

    jobs: list[IngestJob]


@dataclass
class Ingests:
    """The jobs of a server. One book is read at a time; the others wait their turn."""

    home: Path
    hub: Hub
    ticks: Callable[[], float]
    model: Callable[[], str]
    _jobs: dict[str, IngestJob] = field(default_factory=dict)
    _process: "asyncio.subprocess.Process | None" = None
    _task: "asyncio.Task[None] | None" = None
    _told: dict[str, float] = field(default_factory=dict)
    _stopping: bool = False

    def __post_init__(self) -> None:
        for file in sorted((self.folder).glob(f"*/{_FILE}")):
            with contextlib.suppress(ValidationError, OSError):
                job = IngestJob.model_validate_json(file.read_bytes())
                stopped = job.state in ("running", "waiting")
                self._jobs[job.id] = job.model_copy(update={"state": "paused"}) if stopped else job

    @property
    def folder(self) -> Path:
        """Where uploads and jobs lie."""
        return self.home / "ingest" / "jobs"

    @property
    def out(self) -> Path:
        """Where the stages write."""
        return self.home / "ingest"

    def all(self) -> list[IngestJob]:
        """Newest first."""
        return list(reversed(self._jobs.values()))

    def get(self, id: str) -> IngestJob:
        """That job. NotFound when there is none."""
        if id not in self._jobs:
            raise NotFound(
                f"no book is being read under '{shorten(id, 60)}'; GET /api/ingests lists them"
            )
        return self._jobs[id]

    def book(self, job: IngestJob) -> Path:
        """The uploaded PDF."""
        return self.folder / job.id / job.file

    def work(self, job: IngestJob) -> Path:
        """The stages of a job."""
        return self.out / "work" / job.pack

    def add(self, job: IngestJob) -> IngestJob:
        """A new job; it starts as soon as no other runs."""
        if any(
            other.pack == job.pack and other.state in ("running", "waiting")
            for other in self._jobs.values()
        ):
            raise Conflict(
                f"a book is being read into the pack '{job.pack}' already; wait for it, or choose another id"
            )
        self._keep(job)
        self._next()
        return self.get(job.id)

    async def pause(self, id: str) -> IngestJob:
        """Ends its process; finished stages are kept."""
        job = self.get(id)
        if job.state == "waiting":
            return self._keep(job.model_copy(update={"state": "paused"}))
        if job.state != "running":
            raise Conflict(f"this book is not being read now; it is {job.state}")
        self._keep(job.model_copy(update={"state": "paused"}))
        await self._end_process()
        return self.get(id)

    def resume(self, id: str) -> IngestJob:
        """Goes on where it was; also tries a failed one again."""
        job = self.get(id)
        if job.state in ("running", "waiting"):
            return job
        self._keep(job.model_copy(update={"state": "waiting", "error": ""}))
        self._next()
        return self.get(id)

    async def remove(self, id: str) -> None:
        """Forgets a job, its book and its stages. The pack it became stays on the shelf."""
        job = self.get(id)
        if job.state == "running":
            await self.pause(id)
        del self._jobs[id]
        shutil.rmtree(self.folder / id, ignore_errors=True)
        if not any(other.pack == job.pack for other in self._jobs.values()):
            shutil.rmtree(self.work(job), ignore_errors=True)
        self.hub.tell("ingest", job=id, state="removed")
        self._next()

    def accepted(self, id: str) -> IngestJob:
        """It is on the shelf."""
        return self._keep(self.get(id).model_copy(update={"state": "accepted"}))

    async def close(self) -> None:
        """The server stops."""
        self._stopping = True
        await self._end_process()

    def _keep(self, job: IngestJob) -> IngestJob:
        self._jobs[job.id] = job
        folder = self.folder / job.id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_text(job.model_dump_json(indent=1), encoding="utf-8")
        self.hub.tell("ingest", job=job.id, pack=job.pack, state=job.state, error=job.error)
        return job

    def _next(self) -> None:
        if self._task is None and not self._stopping:
            waiting = next((job for job in self._jobs.values() if job.state == "waiting"), None)
            if waiting:
                self._task = asyncio.create_task(
                    self._run(waiting.id), name=f"ingest of {waiting.pack}"
                )

    async def _run(self, id: str) -> None:
        job = self._keep(self.get(id).model_copy(update={"state": "running", "error": ""}))
        args = [
            sys.executable, "-m", "freeform", "--home", str(self.home), "--model", self.model(), "pack-ingest",
            str(self.book(job)), "--out", str(self.out), "--id", job.pack, "--name", job.name, "--yes", "--no-install",
            "--json", "--progress-json", *(["--license", job.license] if job.license else []),
            *(["--draft"] if job.draft else []), *job.options,
        ]  # fmt: skip
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*args, stdout=pipe, stderr=pipe)
        process = self._process
        assert process.stdout is not None and process.stderr is not None
        answer, said = await asyncio.gather(process.stdout.read(), self._listen(id, process.stderr))
        await process.wait()
        self._process = self._task = None
        job = self._jobs.get(id, job)
        if id in self._jobs and job.state == "running" and not self._stopping:
            outcome = _outcome(answer, said)
            if outcome["state"] == "failed":
                tell(_LOG, logging.ERROR, "ingest_failed", job=id)
            self._keep(job.model_copy(update=outcome))
        self._next()

    async def _listen(self, id: str, stream: asyncio.StreamReader) -> str:
        """Progress as it comes; the last other line is what went wrong."""
        last = ""
        while line := (await stream.readline()).decode(errors="replace").strip():
            try:
                self._hear(id, StageNews.model_validate_json(line))
            except ValidationError:
                last = line
        return last

    def _hear(self, id: str, news: StageNews) -> None:
        job = self._jobs.get(id)
        if job is None:
            return
        view = StageView(name=news.stage, **news.model_dump(exclude={"stage"}))
        if news.status == "done" and not news.total:
            # How much it was stays to be seen beside how long it took.
            before = next((stage for stage in job.stages if stage.name == news.stage), view)
            view = view.model_copy(update={"done": before.total, "total": before.total})
        stages = [view if stage.name == news.stage else stage for stage in job.stages]
        self._jobs[id] = job.model_copy(update={"stages": stages})
        now = self.ticks()
        if (
            news.status != "working"
            or now - self._told.get(id, -1.0) >= EVERY_S
            or news.done == news.total
        ):
            self._told[id] = now
            self.hub.tell(
                "ingest", job=id, pack=job.pack, state="running", stage=view.model_dump(mode="json")
            )

    async def _end_process(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        if self._task is not None:
            await asyncio.wait([self._task])


def _outcome(answer: bytes, said: str) -> dict[str, Any]:
    """What came of a process: its report, or its last words."""
    try:
        report = json.loads(answer)
    except ValueError:
        told = (
            said.removeprefix("freeform-rpg: ")
            or "the reading process ended without a word; try it again"
        )
        return {"state": "failed", "error": told}
    if not isinstance(report, dict) or "error" in report:
        told = str(report.get("error", said)) if isinstance(report, dict) else said
        return {"state": "failed", "error": told}
    return {"state": "done", "report": report}


def check_pdf(path: Path) -> None:
    """Refuses what is no PDF before anything is kept. UserError says so."""
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise UserError(
                "this file is no PDF; drop a PDF book here, or install a pack under Packs"
            )
