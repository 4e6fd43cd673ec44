"""Books being read: one job for each, its work in a process of its own, its progress told on.

A job that is paused or whose server stopped is simply ended: its finished stages are kept, so it
goes on from there.
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
from typing import Any, Literal, Protocol

from pydantic import Field, ValidationError

from freeform.core.errors import Conflict, FreeformError, NotFound
from freeform.core.log import tell
from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.ingest.config import STAGES, StageNews
from freeform.packs.lock import write_atomically
from freeform.services.ingest.books import IngestRequest
from freeform.wiring.operate.alone import alone

_LOG = logging.getLogger("freeform.ingest")
State = Literal["waiting", "running", "paused", "done", "failed", "accepted"]
MOST_TRIES = 3
"""How often a process that ends without a word is started again by itself."""
EVERY_S = 0.25
"""Progress of one stage is told at most this often."""
_FILE = "job.json"
_PROCESS = "freeform.services.ingest.process"


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


def _no_stages_yet() -> list[StageView]:
    return [StageView(name=name) for name in STAGES]


class IngestJob(Record):
    """One book on its way to the shelf."""

    id: str
    file: str
    pack: str = ""
    name: str = ""
    license: str = ""
    draft: bool = False
    options: list[str] = Field(default_factory=list)
    """Further wishes, spelled as the flags of pack-ingest: `--pages=1-40`, `--no-systems` …"""
    state: State = "waiting"
    stages: list[StageView] = Field(default_factory=_no_stages_yet)
    error: str = ""
    report: dict[str, Any] | None = None
    tries: int = 0
    """How often its process was started since a person asked for it."""

    @property
    def is_busy(self) -> bool:
        """Whether it is being read or waits its turn."""
        return self.state in ("running", "waiting")


class IngestJobs(Record):
    """All of them, newest first."""

    jobs: list[IngestJob]


class TellJob(Protocol):
    """Hears what happens to a job: its id, and what else is to be told."""

    def __call__(self, job: str, **news: Any) -> None: ...


@dataclass
class Ingests:
    """The jobs of a server. One book is read at a time; the others wait their turn."""

    home: Path
    tell: TellJob
    ticks: Callable[[], float]
    model: Callable[[], str]
    _jobs: dict[str, IngestJob] = field(default_factory=dict)
    _process: "asyncio.subprocess.Process | None" = None
    _task: "asyncio.Task[None] | None" = None
    _last_told: dict[str, float] = field(default_factory=dict)
    _stopping: bool = False
    _left: list[str] = field(default_factory=list)
    """Jobs that a server which stopped or was killed left behind."""
    _held: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __post_init__(self) -> None:
        for file in sorted(self.folder.glob(f"*/{_FILE}")):
            with contextlib.suppress(ValidationError, OSError):
                job = IngestJob.model_validate_json(file.read_bytes())
                if job.is_busy:
                    self._left.append(job.id)
                    job = job.model_copy(update={"state": "paused"})
                self._jobs[job.id] = job

    def go_on(self) -> None:
        """Takes up what was left behind. Of several servers on one home the first does; a book
        whose process ended so often that it must be the book is failed, and says so."""
        try:
            self._held.enter_context(alone(self.folder / ".lock", "another server reads books"))
        except FreeformError:
            return
        left, self._left = self._left, []
        for id in left:
            if id in self._jobs and self._jobs[id].state == "paused":
                self._keep(self._again(self._jobs[id]))
        self._next()

    def _again(self, job: IngestJob) -> IngestJob:
        """A job whose process ended without a word: it waits its turn, but not for ever."""
        if job.tries < MOST_TRIES:
            return job.model_copy(update={"state": "waiting", "error": ""})
        wrong = f"its process ended {job.tries} times without a word; resume it, or read less of it"
        return job.model_copy(update={"state": "failed", "error": wrong})

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
        if any(other.pack == job.pack and other.is_busy for other in self._jobs.values()):
            raise Conflict(
                f"a book is being read into the pack '{job.pack}' already; "
                "wait for it, or choose another id"
            )
        self._keep(job)
        self._next()
        return self.get(job.id)

    async def pause(self, id: str) -> IngestJob:
        """Ends its process; finished stages are kept. Who comes a moment late finds it done."""
        job = self.get(id)
        if not job.is_busy:
            return job
        self._keep(job.model_copy(update={"state": "paused"}))
        if job.state == "running":
            await self._end_process()
        return self.get(id)

    def resume(self, id: str) -> IngestJob:
        """Goes on where it was; also tries a failed one again."""
        job = self.get(id)
        if job.is_busy:
            return job
        self._keep(job.model_copy(update={"state": "waiting", "error": "", "tries": 0}))
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
        self.tell(id, state="removed")
        self._next()

    def accepted(self, id: str) -> IngestJob:
        """It is on the shelf."""
        return self._keep(self.get(id).model_copy(update={"state": "accepted"}))

    async def close(self) -> None:
        """The server stops; what is being read is taken up by the next."""
        self._stopping = True
        for job in [each for each in self._jobs.values() if each.state == "running"]:
            self._keep(job.model_copy(update={"tries": 0}))  # the book is not to blame
        await self._end_process()
        self._held.close()

    def _keep(self, job: IngestJob) -> IngestJob:
        self._jobs[job.id] = job
        folder = self.folder / job.id
        try:
            write_atomically(folder / _FILE, job.model_dump_json(indent=1).encode())
        except OSError as wrong:
            reason = (wrong.strerror or "it cannot be written").lower()
            tell(_LOG, logging.ERROR, "ingest_failed", job=job.id, reason=reason)
        self.tell(job.id, pack=job.pack, state=job.state, error=job.error)
        return job

    def _next(self) -> None:
        if self._task is not None or self._stopping:
            return
        for job in self._jobs.values():
            if job.state == "waiting":
                work = self._run(job.id)
                self._task = asyncio.create_task(work, name=f"ingest of {job.pack}")
                return

    async def _run(self, id: str) -> None:
        job = self.get(id)
        begun = {"state": "running", "error": "", "tries": job.tries + 1}
        job = self._keep(job.model_copy(update=begun))
        pipe = asyncio.subprocess.PIPE
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", _PROCESS, str(self.home), self.model()),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(self._request(job).model_dump_json().encode())
        process.stdin.close()
        answer, last_line = await asyncio.gather(
            process.stdout.read(), self._listen(id, process.stderr)
        )
        await process.wait()
        self._process = self._task = None
        job = self._jobs.get(id, job)
        if id in self._jobs and job.state == "running" and not self._stopping:
            if not was_killed(process.returncode, answer, last_line):
                job = job.model_copy(update=outcome_of(answer, last_line))
            else:  # as by a machine that has no memory left
                del self._jobs[id]  # to the end of the line
                job = self._again(job)
            if job.state == "failed":
                tell(_LOG, logging.ERROR, "ingest_failed", job=id)
            self._keep(job)
        self._next()

    def _request(self, job: IngestJob) -> IngestRequest:
        return IngestRequest(
            pdf=self.book(job),
            out=self.out,
            id=job.pack,
            name=job.name,
            license=job.license,
            draft=job.draft,
            **further_wishes(job.options),
        )

    async def _listen(self, id: str, stream: asyncio.StreamReader) -> str:
        """Progress as it comes; the last other line is what went wrong."""
        last_line = ""
        async for raw in stream:
            line = raw.decode(errors="replace").strip()
            try:
                self._hear(id, StageNews.model_validate_json(line))
            except ValidationError:
                last_line = line or last_line
        return last_line

    def _hear(self, id: str, news: StageNews) -> None:
        job = self._jobs.get(id)
        if job is None:
            return
        view = StageView(name=news.stage, **news.model_dump(exclude={"stage"}))
        if news.status == "done" and not news.total:
            # How much it was stays to be seen beside how long it took.
            total = next((stage.total for stage in job.stages if stage.name == news.stage), 0)
            view = view.model_copy(update={"done": total, "total": total})
        stages = [view if stage.name == news.stage else stage for stage in job.stages]
        self._jobs[id] = job = job.model_copy(update={"stages": stages})
        if news.status == "done" and job.tries > 1:
            self._keep(job.model_copy(update={"tries": 1}))  # it got further: that counts anew
        if self._is_worth_telling(id, news):
            self._last_told[id] = self.ticks()
            self.tell(id, pack=job.pack, state="running", stage=view.model_dump(mode="json"))

    def _is_worth_telling(self, id: str, news: StageNews) -> bool:
        if news.status != "working" or news.done == news.total:
            return True
        return self.ticks() - self._last_told.get(id, -1.0) >= EVERY_S

    async def _end_process(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        if self._task is not None:
            await asyncio.wait([self._task])


def further_wishes(options: list[str]) -> dict[str, Any]:
    """A job's options as fields of a request."""
    wishes: dict[str, Any] = {}
    for option in options:
        flag, _, value = option.removeprefix("--").partition("=")
        if flag == "no-systems":
            wishes["systems"] = False
        else:
            wishes[flag.replace("-", "_")] = value
    return wishes


def was_killed(code: int | None, answer: bytes, last_line: str) -> bool:
    """Whether a process was ended from outside: by a signal, whatever it warned of before, or
    without a word."""
    return not answer and ((code or 0) < 0 or not last_line)


def outcome_of(answer: bytes, last_line: str) -> dict[str, Any]:
    """What came of a process: its report, or why there is none."""
    try:
        document = json.loads(answer)
    except ValueError:
        if last_line:
            wrong = f"this is a mistake in the program ({last_line}); nothing on the shelf changed"
        else:
            wrong = "the reading process ended without a word; try it again"
        return {"state": "failed", "error": wrong}
    if "error" in document:
        return {"state": "failed", "error": document["error"]}
    return {"state": "done", "report": document}
