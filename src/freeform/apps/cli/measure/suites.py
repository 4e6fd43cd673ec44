"""Runs a suite by its name: finds its data, gives it a table, shares out its work."""

import asyncio
from pathlib import Path
from typing import Any

from freeform import wiring
from freeform.apps.cli.desk import Desk
from freeform.apps.cli.measure.work import play_one_night, play_promises
from freeform.core.clock import SystemClock
from freeform.core.errors import NotFound
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import content_folder, load_scenario, scenarios
from freeform.evals.processes import in_processes
from freeform.evals.report import SuiteReport
from freeform.evals.suites.consensus import run_consensus
from freeform.evals.suites.forgetting import run_forgetting
from freeform.evals.suites.golden import run_golden
from freeform.evals.suites.locomo import run_memory
from freeform.evals.suites.lore_conflicts import run_lore_conflicts
from freeform.evals.suites.nightly import run_nightly
from freeform.evals.suites.promises.suite import run_promises
from freeform.evals.suites.registry import from_checkout, suite
from freeform.evals.suites.retrieval.own_packs import GOLD, run_own_packs
from freeform.evals.suites.retrieval.suite import run_retrieval
from freeform.evals.suites.routing.suite import run_routing
from freeform.evals.suites.rules.suite import run_rules
from freeform.evals.suites.state_transitions import run_state_transitions
from freeform.settings import Settings
from freeform.wiring.memory import scratch_memory

PROMISES, NIGHTLY = (20, 200), (4, 40)
"""Campaigns and turns where nothing else was asked for."""


def run_suite(
    name: str,
    desk: Desk,
    data: Path | None,
    campaigns: int | None,
    turns: int | None,
    processes: int,
) -> SuiteReport:
    """The suite's report."""
    row = suite(name)
    place = data or desk.settings.data
    if data is not None and not data.is_dir():
        raise NotFound(
            f"there is no folder {data}; give --data the folder that holds {row.data or 'the data'}"
        )
    match row.name:
        case "textworld":
            return _textworld(place, desk.settings)
        case "state-transitions":
            return run_state_transitions(place)
        case "promises":
            count, length = campaigns or PROMISES[0], turns or PROMISES[1]
            return run_promises(
                count, length, lambda jobs: in_processes(play_promises, jobs, processes)
            )
        case "forgetting":
            return run_forgetting(place)
        case "memory":
            return asyncio.run(run_memory(place, scratch_memory, wiring.embedder(desk.settings)))
        case "golden":
            return asyncio.run(_golden(desk, data))
        case "consensus":
            return run_consensus(place)
        case "lore":
            return _lore(place, desk.settings, campaigns)
        case "lore-conflicts":
            return run_lore_conflicts(place)
        case "retrieval":
            return _retrieval(place, desk.settings)
        case "own-packs":
            index, embedder = wiring.scratch_index("own-packs"), wiring.embedder(desk.settings)
            told = asyncio.run(
                run_own_packs(GOLD, content_folder("packs"), index, embedder, SystemClock())
            )
            return SuiteReport.model_validate(told)
        case "routing":
            return asyncio.run(_routing(desk.settings))
        case "rules":
            made = run_rules(
                place, wiring.scratch_index, wiring.embedder(desk.settings), SystemClock()
            )
            return asyncio.run(made)
        case "ingest":
            return asyncio.run(_ingest(place, desk.settings))
        case _:
            count, length = campaigns or NIGHTLY[0], turns or NIGHTLY[1]
            names = [found.id for found in scenarios()]
            return run_nightly(
                names, count, length, lambda jobs: in_processes(play_one_night, jobs, processes)
            )


async def _ingest(place: Path | None, settings: Settings) -> SuiteReport:
    """Reading against the twins, then the making of a pack against labels and gold."""
    from freeform.evals.suites.ingest import run_ingest
    from freeform.evals.suites.ingest_making import measure_making
    from freeform.wiring.ingest import crew
    from freeform.wiring.reading import installed_readers, page_ocr

    report = await run_ingest(place, installed_readers(), page_ocr())
    offline = settings.model_copy(update={"model": "offline"})
    made = await measure_making(place, await crew(offline)) if place else {}
    return report.model_copy(update={"metrics": {**report.metrics, **made}})


async def _golden(desk: Desk, data: Path | None) -> SuiteReport:
    folder = data or content_folder("golden")
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not files:
        raise NotFound(
            f"no golden transcripts (*.json) in {folder}; put some there, or give --data DIR"
        )
    home = desk.settings.home
    return await run_golden(
        files,
        lambda name: load_scenario(name, home),
        bundled(),
        lambda: wiring.headless(desk.settings),
    )


async def _routing(settings: Settings) -> SuiteReport:
    """With the bundled rules and the example's sheet and notes, as someone who just installed the program has them."""
    from freeform.wiring.assistant import AskWish, Librarian

    demo = content_folder("demo") / "brannoc"
    async with wiring.opened(settings) as table:
        wish = AskWish(character=str(demo / "sheet.json"), notes=str(demo / "notes"))
        sources, name = await Librarian(settings, table).sources(wish)
        return await run_routing(table.gateway, sources, settings.ask_tool_confidence, name)


def _textworld(place: Path | None, settings: Settings) -> SuiteReport:
    with from_checkout("textworld"):
        from freeform.evals.suites.textworld.suite import run_textworld

    return asyncio.run(run_textworld(place, lambda: wiring.headless(settings)))


def _lore(place: Path | None, settings: Settings, zones: int | None) -> SuiteReport:
    with from_checkout("lore"):
        from freeform.evals.suites.lore import run_lore
    from freeform.wiring.lore import gold_ports

    if place is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; naev-dat.tar.gz goes into DIR/naev"
        )
    return asyncio.run(run_lore(place, lambda port: gold_ports(settings, port), zones or 20))


def _retrieval(place: Path | None, settings: Settings) -> SuiteReport:
    if place is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; the collections go into DIR/ir"
        )
    folder = place / "ir" if (place / "ir").is_dir() else place
    report: Any = asyncio.run(
        run_retrieval(folder, wiring.scratch_index, wiring.embedder(settings), SystemClock())
    )
    return SuiteReport.model_validate(report.model_dump())
