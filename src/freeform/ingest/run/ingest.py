"""READ THIS FIRST. A book becomes a pack: eight stages, each in its own folder, each done once.

PDF -> extract -> structure -> segment -> classify -> enrich -> assemble -> validate -> systems ->
pack
                                             |           ^                                 ^
                                  corrections by a person|                                 | extraction configs

`ingest` asks of each stage what its outputs depend on (the book, the settings it reads, the stages
before it). A stage that was finished from exactly that is skipped; any other is emptied and done.
So a killed run goes on where it was, and a changed setting costs what follows from it and nothing
else. See stages.py for the table, checkpoint.py for the files.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from freeform.core.errors import FreeformError
from freeform.ingest.checkpoint import (
    clear,
    digest_file,
    fingerprint,
    keeping_room,
    read_meta,
    write_meta,
)
from freeform.ingest.config import (
    STAGES,
    IngestConfig,
    IngestReport,
    StageNews,
    StageRow,
    Tell,
)
from freeform.ingest.model import StageMeta
from freeform.ingest.ports import IngestPorts
from freeform.ingest.run.job import BookJob
from freeform.ingest.run.publish import publish, report_on
from freeform.ingest.run.stages import TABLE, Stage

LOCK = ".lock"
BUSY = "another run is at work in {}; wait for its end, or give this one its own --id or --out."


async def ingest(
    config: IngestConfig, crew: IngestPorts, tell: Tell = lambda news: None, *, from_stage: str = ""
) -> IngestReport:
    """Does what is not done yet and writes the pack. With `from_stage`, that stage and all that
    need it are redone."""
    began = crew.clock.ticks()
    job = BookJob(config, crew)
    with ExitStack() as held:
        with keeping_room("start", job.folder("start")):
            config.work.mkdir(parents=True, exist_ok=True)
            held.enter_context(crew.hold(config.work / LOCK, BUSY.format(config.work)))
        rows = await _stages(job, tell, from_stage)
        with keeping_room("publish", config.target):
            publish(job)
        return report_on(job, rows, seconds=round(crew.clock.ticks() - began, 3))


async def _stages(job: BookJob, tell: Tell, from_stage: str) -> list[StageRow]:
    """Each stage in turn: skipped when it was finished from the same inputs, else done."""
    config = job.config
    book = digest_file(Path(config.pdf))
    prints: dict[str, str] = {}
    redone: set[str] = set()
    rows: list[StageRow] = []
    for name in STAGES:
        stage = TABLE[name]
        if not stage.wanted(config):
            rows.append(StageRow(name=name, seconds=0.0, skipped=True))
            tell(StageNews(stage=name, status="skipped", note="not wanted"))
            continue
        before = [prints[need] for need in stage.needs] or [book]
        prints[name] = fingerprint(name, stage.version, stage.settings(job), before)
        meta = read_meta(job.folder(name))
        stale = (
            meta is None
            or meta.inputs != prints[name]
            or name == from_stage
            or bool(redone & set(stage.needs))
        )
        if meta and not stale:
            counts, warned = meta.counts, list(meta.warnings)
            rows.append(
                StageRow(name=name, seconds=0.0, skipped=True, counts=counts, warnings=warned)
            )
            tell(StageNews(stage=name, status="skipped", note="finished before"))
            continue
        redone.add(name)
        rows.append(await _do(stage, job, prints[name], tell))
    return rows


async def _do(stage: Stage, job: BookJob, inputs: str, tell: Tell) -> StageRow:
    """One stage from an empty folder to its meta."""
    folder, clock = job.folder(stage.name), job.crew.clock
    began, started = clock.ticks(), _stamp(clock.now())

    def progress(done: int, total: int) -> None:
        passed = max(clock.ticks() - began, 1e-6)
        rate = done / passed
        left = (total - done) / rate if done else 0.0
        tell(
            StageNews(
                stage=stage.name,
                status="working",
                done=done,
                total=total,
                rate=round(rate, 1),
                left_s=round(left, 1),
                seconds=round(passed, 2),
            )
        )

    tell(StageNews(stage=stage.name, status="started"))
    with _told(stage.name, tell), keeping_room(stage.name, folder):
        clear(folder)
        made = await stage.run(job, folder, progress)
        seconds = round(clock.ticks() - began, 3)
        write_meta(
            folder,
            StageMeta(
                stage=stage.name,
                status="done",
                started_at=started,
                finished_at=_stamp(clock.now()),
                seconds=seconds,
                inputs=inputs,
                settings=stage.settings(job),
                outputs=tuple(sorted(entry.name for entry in folder.iterdir())),
                counts=made.counts,
                warnings=tuple(made.warnings),
                version=stage.version,
            ),
        )
    tell(StageNews(stage=stage.name, status="done", seconds=seconds))
    return StageRow(
        name=stage.name,
        seconds=seconds,
        skipped=False,
        counts=made.counts,
        warnings=list(made.warnings),
    )


@contextmanager
def _told(stage: str, tell: Tell) -> Iterator[None]:
    try:
        yield
    except FreeformError as wrong:
        tell(StageNews(stage=stage, status="failed", note=str(wrong)))
        raise


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
