"""Ingest, wired: which reader opens PDFs, who reads pictures of text, who answers the passes."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from freeform import wiring
from freeform.adapters.models.make import make_model
from freeform.adapters.models.prices import price_of
from freeform.adapters.pdf.opening import check_file as check_file
from freeform.adapters.sqlite.file_lock import hold_file
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import SystemClock
from freeform.core.errors import NotFound
from freeform.core.llm.budget import BudgetLimits
from freeform.core.llm.cached_model import OnceModel
from freeform.core.llm.gateway import Model
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes, TapeStore
from freeform.engine.authored.library import content_folder, load_system
from freeform.engine.authored.system import System
from freeform.ingest.ports import IngestPorts, Ocr, PdfReader
from freeform.ingest.run.estimate import Estimate, estimate_calls
from freeform.offline.model import OfflineModel
from freeform.settings import Settings
from freeform.wiring.operate.line import make_line
from freeform.wiring.reading import page_ocr, pdf_reader
from freeform.wiring.store import open_keep


def reader(settings: Settings) -> PdfReader:
    """What opens PDFs: the library the settings name, in a process of its own."""
    return pdf_reader(settings.pdf_reader)


def ocr() -> Ocr:
    """What reads pictures of text; it says itself when it is missing."""
    return page_ocr()


async def crew(settings: Settings) -> IngestPorts:
    """Everyone an ingest needs. A question that is on tape is not put to a model again."""
    chosen = await wiring.chosen_model(settings)
    offline, clock = OfflineModel(), SystemClock()
    tapes: TapeStore = (
        MemoryTapes() if chosen == wiring.OFFLINE else open_keep(settings, clock).tapes
    )
    model: Model = offline
    if chosen != wiring.OFFLINE:
        model = OnceModel(
            make_model(chosen, wiring.access(settings), repairs=settings.repairs), tapes
        )
    gateway = LiveGateway(
        ModelsByRole(model, offline),
        prompts=bundled(),
        tapes=tapes,
        clock=clock,
        limits=BudgetLimits(
            day_tokens=settings.budget_day_tokens, day_cost_usd=settings.budget_day_cost_usd
        ),
        patience=Patience(
            RetryPolicy(
                tries=settings.retries + 1,
                seconds=settings.time_limit_s,
            ),
            line=make_line(settings, clock),
        ),
    )
    return IngestPorts(
        reader=reader(settings),
        gateway=gateway,
        clock=clock,
        new_index=SqlitePassages,
        check_system=check_system,
        hold=hold_file,
        config_folders=config_folders(settings.home),
        ocr=ocr(),
        parallel=settings.ingest_parallel,
        reading_tokens=settings.ingest_tokens,
    )


def config_folders(home: Path) -> list[Path]:
    """Where extraction configs lie: those that came with the program, then the person's own."""
    return [content_folder("systems"), home / "systems"]


def check_system(data: dict[str, Any]) -> list[str]:
    """What the engine says against a rules system."""
    try:
        base = load_system("_base")
        system = System.model_validate(data)
    except (ValidationError, NotFound) as wrong:
        first = (
            wrong.errors()[0]
            if isinstance(wrong, ValidationError)
            else {"loc": (), "msg": str(wrong)}
        )
        return [f"{'.'.join(map(str, first['loc']))}: {first['msg']}"]
    wrong_stats = [
        name for names in system.stat_map.values() for name in names if name not in system.stats
    ]
    unknown = sorted(set(system.stat_map) - set(base.stats))
    return [
        *(f"stat_map names '{name}', which is no stat" for name in wrong_stats),
        *(f"stat_map has '{name}', which no action uses" for name in unknown),
        *(
            []
            if system.resolution.die_type >= 2
            else ["resolution.die_type: a die has at least two sides"]
        ),
    ]


def estimate(pages: int, model: str, *, systems: bool) -> Estimate:
    """What asking that model would come to."""
    told = estimate_calls(pages, systems=systems)
    if model == wiring.OFFLINE:
        return told.model_copy(
            update={"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
        )
    return told.model_copy(
        update={"cost_usd": price_of(model, told.input_tokens, told.output_tokens)}
    )
