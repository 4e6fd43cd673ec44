"""An ingest at hand: the small book, the real reader, the offline model."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.ingest.config import IngestConfig, IngestReport, StageNews
from freeform.ingest.run.ingest import ingest
from freeform.settings import Settings
from freeform.wiring import ingest as wired


@dataclass
class Reading:
    """One book and its folder; `again` runs the ingest once more with other settings."""

    pdf: Path
    out: Path
    news: list[StageNews] = field(default_factory=list)

    def config(self, **said: Any) -> IngestConfig:
        told: dict[str, Any] = {"pack_id": "coast", "name": "The Drowned Coast Guide"}
        return IngestConfig(pdf=str(self.pdf), out=str(self.out), **(told | said))

    def again(self, *, from_stage: str = "", **said: Any) -> IngestReport:
        async def work() -> IngestReport:
            crew = await wired.crew(Settings(home=self.out / "home", model="offline"))
            return await ingest(self.config(**said), crew, self.news.append, from_stage=from_stage)

        return asyncio.run(work())

    def done(self, report: IngestReport) -> list[str]:
        """The stages that were not skipped."""
        return [row.name for row in report.stages if not row.skipped]
