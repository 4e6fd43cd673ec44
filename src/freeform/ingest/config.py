"""What an ingest is told, what it tells while it works, and what it answers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.ingest.model import ContentType, Route
from freeform.packs.model import Layer, License

STAGES = (
    "extract",
    "structure",
    "segment",
    "classify",
    "enrich",
    "assemble",
    "validate",
    "systems",
)
_ALIASES = {"s1": "systems", "s2": "systems", "s3": "systems"}
_RANGE = re.compile(r"\s*(\d+)\s*(?:[-–:]\s*(\d+)?)?\s*\Z")


class IngestConfig(Record):
    """The whole of an ingest's settings. Paths are texts, so that it can be kept beside a job."""

    pdf: str
    out: str
    """Where things go: `work/ID` the stages, `ID` the pack, `draft/ID` a draft of it."""
    pack_id: str
    name: str
    version: str = "1.0.0"
    layer: Layer = "setting"
    author: str = ""
    description: str = ""
    genre: str = ""
    license: License | None = None
    page_ranges: tuple[tuple[int, int], ...] = ()
    ocr: Literal["auto", "always", "never"] = "auto"
    images: bool = False
    systems: bool = True
    system_hint: str = ""
    draft: bool = False
    model: str = "offline"
    """Which model answers the passes; another one answers anew."""

    @property
    def work(self) -> Path:
        """Where the stages keep what they made."""
        return Path(self.out) / "work" / self.pack_id

    @property
    def target(self) -> Path:
        """Where the pack is written."""
        return (
            Path(self.out) / "draft" / self.pack_id if self.draft else Path(self.out) / self.pack_id
        )


class Correction(Record):
    """What a person says a segment is, against what was found."""

    content_type: ContentType
    route: Route


class StageNews(Record):
    """Something happened in a stage. `rate` is pages or pieces a second, `left_s` about how long it
    will take."""

    stage: str
    status: Literal["started", "working", "done", "skipped", "failed"]
    done: int = 0
    total: int = 0
    rate: float = 0.0
    left_s: float = 0.0
    seconds: float = 0.0
    note: str = ""


Tell = Callable[[StageNews], None]


class StageRow(Record):
    """A stage in the report. `skipped`: it was finished before, from the same inputs."""

    name: str
    seconds: float
    skipped: bool
    counts: dict[str, float] = Field(default_factory=dict)
    warnings: list[str] = Field(default_factory=list)


class PackCheck(Record):
    """What validation found."""

    ok: bool
    errors: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    stats: dict[str, float] = Field(default_factory=dict)


class IngestReport(Record):
    """What came of it."""

    pack: str
    path: str
    work: str
    draft: bool
    pages: int
    segments: int
    entities: int
    stages: list[StageRow]
    validation: PackCheck
    systems: dict[str, dict[str, Any]]
    """Extractor -> `confidence` and `fields`."""
    system: str = ""
    """The id of the rules system that came out, '' when none did."""
    license: License | None = None
    private: bool = False
    """No licence is known: the pack is for this table alone."""
    seconds: float = 0.0
    usage: dict[str, float] = Field(default_factory=dict)
    notes: list[str] = Field(default_factory=list)


def parse_pages(text: str) -> tuple[tuple[int, int], ...]:
    """`1-40,55,60-` as ranges; an open end goes to the last page."""
    ranges: list[tuple[int, int]] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        found = _RANGE.match(part)
        if not found or int(found[1]) < 1:
            raise UserError(f"'{part}' is no range of pages; write for example --pages 1-40,55")
        first = int(found[1])
        open_end = re.search(r"[-–:]\s*\Z", part) is not None
        last = int(found[2]) if found[2] else (10**6 if open_end else first)
        if last < first:
            raise UserError(f"the pages {part} run backwards; write {last}-{first}")
        ranges.append((first, last))
    return tuple(ranges)


def stage_name(text: str) -> str:
    """The stage a person means: its name, its number, or S1 to S3."""
    wanted = text.strip().lower()
    if wanted.isdigit() and 1 <= int(wanted) <= len(STAGES):
        return STAGES[int(wanted) - 1]
    wanted = _ALIASES.get(wanted, wanted)
    if wanted not in STAGES:
        raise UserError(f"no stage '{text}'; the stages are {', '.join(STAGES)}")
    return wanted


def shown_name(pdf: Path) -> str:
    """A file's name as a text can hold it: what is no letter in it is a `?`."""
    return pdf.name.encode("utf-8", "replace").decode("utf-8")


def pack_id_of(text: str) -> str:
    """An id for a pack from a file's name or a title."""
    made = slug(re.sub(r"\.pdf\Z", "", text, flags=re.I))[:48].strip("_")
    return made if made and made[0].isalpha() else f"book_{made}".strip("_")
