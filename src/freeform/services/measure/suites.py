"""Runs a suite by its name: finds its data, gives it a table, shares out its work."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from freeform import wiring
from freeform.core.clock import SystemClock
from freeform.core.errors import NotFound
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import (
    content_folder,
    load_scenario,
    scenario_files,
    scenarios,
)
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Table
from freeform.evals.processes import Done, in_processes
from freeform.evals.report import SuiteReport
from freeform.evals.suites.consensus import run_consensus
from freeform.evals.suites.first_runs import SetWish
from freeform.evals.suites.forgetting import run_forgetting
from freeform.evals.suites.golden import run_golden
from freeform.evals.suites.locomo import run_memory
from freeform.evals.suites.lore_conflicts import run_lore_conflicts
from freeform.evals.suites.nightly import run_nightly
from freeform.evals.suites.promises.suite import run_promises
from freeform.evals.suites.registry import SUITES, SuiteRow, from_checkout, suite
from freeform.evals.suites.retrieval.own_packs import GOLD, run_own_packs
from freeform.evals.suites.retrieval.suite import run_retrieval
from freeform.evals.suites.routing.suite import run_routing
from freeform.evals.suites.rules.suite import run_rules
from freeform.evals.suites.state_transitions import run_state_transitions
from freeform.services.house import opened_house
from freeform.services.librarian import AskWish
from freeform.services.measure.checkout import measured_commit
from freeform.services.measure.jobs import play_one_night, play_promises
from freeform.settings import Settings
from freeform.wiring.memory import scratch_memory

PROMISES, NIGHTLY = (20, 200), (4, 40)
"""Campaigns and turns where nothing else was asked for."""
LORE_ZONES = 20


@dataclass(frozen=True)
class SuiteRequest:
    """Where the data lies, and how much is played; None: as usual."""

    data: Path | None = None
    campaigns: int | None = None
    turns: int | None = None
    processes: int = 2
    sets: tuple[str, ...] = ()
    """hearing, deeds, safety, answers: only these sets."""
    first_run: bool = False
    """The same: the figures of blind sets that had none are kept for good."""
    done: Done | None = None
    """Told how much of the work is done."""


@dataclass(frozen=True)
class _Run:
    """One run of a suite."""

    settings: Settings
    request: SuiteRequest

    @property
    def place(self) -> Path | None:
        """The data folder: as asked, else as set."""
        return self.request.data or self.settings.data

    def headless(self) -> Table:
        """A table in memory."""
        return wiring.headless(self.settings)

    def sets(self) -> SetWish:
        """The sets asked for; with what a first run is kept by, where there is to be one."""
        names = self.request.sets
        if not self.request.first_run:
            return SetWish(names)
        date = SystemClock().now().date().isoformat()
        return SetWish(names, first_run=True, date=date, commit=measured_commit())

    def length(self, usual: tuple[int, int]) -> tuple[int, int]:
        """Campaigns and turns."""
        return self.request.campaigns or usual[0], self.request.turns or usual[1]


def list_suites() -> list[SuiteRow]:
    """Every suite and what it measures."""
    return list(SUITES.values())


def run_suite(settings: Settings, name: str, request: SuiteRequest) -> SuiteReport:
    """The suite's report. NotFound says which suites there are, or where its data goes."""
    row = suite(name)
    data = request.data
    if data is not None and not data.is_dir():
        held = row.data or "the data"
        raise NotFound(f"there is no folder {data}; give --data the folder that holds {held}")
    return _RUNS[row.name](_Run(settings, request))


def _textworld(run: _Run) -> SuiteReport:
    with from_checkout("textworld"):
        from freeform.evals.suites.textworld.suite import run_textworld

    return asyncio.run(run_textworld(run.place, run.headless))


def _hearing(run: _Run) -> SuiteReport:
    with from_checkout("hearing"):
        from freeform.evals.suites.hearing.suite import run_hearing
        from freeform.services.measure.hearing import play_in_processes

    processes, done = run.request.processes, run.request.done
    return run_hearing(run.place, run.sets(), lambda jobs: play_in_processes(jobs, processes, done))


def _deeds(run: _Run) -> SuiteReport:
    with from_checkout("deeds"):
        from freeform.evals.suites.deeds.suite import run_deeds

    played = {id: load_scenario(id) for id in scenario_files()}
    return asyncio.run(run_deeds(run.sets(), played, run.headless()))


def _safety(run: _Run) -> SuiteReport:
    with from_checkout("safety"):
        from freeform.evals.suites.safety.suite import run_safety

    known = wiring.topics()
    return run_safety(run.sets(), lambda topic: SafetyLimits([topic], [], topics=known))


def _state_transitions(run: _Run) -> SuiteReport:
    return run_state_transitions(run.place)


def _promises(run: _Run) -> SuiteReport:
    count, length = run.length(PROMISES)
    processes = run.request.processes
    return run_promises(count, length, lambda jobs: in_processes(play_promises, jobs, processes))


def _nightly(run: _Run) -> SuiteReport:
    count, length = run.length(NIGHTLY)
    processes = run.request.processes
    names = [scenario.id for scenario in scenarios()]
    return run_nightly(
        names, count, length, lambda jobs: in_processes(play_one_night, jobs, processes)
    )


def _forgetting(run: _Run) -> SuiteReport:
    return run_forgetting(run.place)


def _memory(run: _Run) -> SuiteReport:
    return asyncio.run(run_memory(run.place, scratch_memory, wiring.embedder(run.settings)))


def _golden(run: _Run) -> SuiteReport:
    folder = run.request.data or content_folder("golden")
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not files:
        raise NotFound(
            f"no golden transcripts (*.json) in {folder}; put some there, or give --data DIR"
        )
    home = run.settings.home
    work = run_golden(files, lambda name: load_scenario(name, home), bundled(), run.headless)
    return asyncio.run(work)


def _consensus(run: _Run) -> SuiteReport:
    return run_consensus(run.place)


def _lore(run: _Run) -> SuiteReport:
    with from_checkout("lore"):
        from freeform.evals.suites.lore import run_lore
    from freeform.wiring.lore import gold_ports

    if run.place is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; "
            "naev-dat.tar.gz goes into DIR/naev"
        )
    zones = run.request.campaigns or LORE_ZONES
    return asyncio.run(run_lore(run.place, lambda port: gold_ports(run.settings, port), zones))


def _lore_conflicts(run: _Run) -> SuiteReport:
    return run_lore_conflicts(run.place)


def _retrieval(run: _Run) -> SuiteReport:
    if run.place is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; the collections go into DIR/ir"
        )
    folder = run.place / "ir" if (run.place / "ir").is_dir() else run.place
    embedder = wiring.embedder(run.settings)
    work = run_retrieval(folder, wiring.scratch_index, embedder, SystemClock())
    return SuiteReport.model_validate(asyncio.run(work).model_dump())


def _own_packs(run: _Run) -> SuiteReport:
    index, embedder = wiring.scratch_index("own-packs"), wiring.embedder(run.settings)
    work = run_own_packs(GOLD, content_folder("packs"), index, embedder, SystemClock())
    return SuiteReport.model_validate(asyncio.run(work))


def _routing(run: _Run) -> SuiteReport:
    return asyncio.run(_routed(run.settings))


async def _routed(settings: Settings) -> SuiteReport:
    """With the bundled rules and the example's sheet and notes, as on a new machine."""
    demo = content_folder("demo") / "brannoc"
    wish = AskWish(character=str(demo / "sheet.json"), notes=str(demo / "notes"))
    async with opened_house(settings) as house:
        sources, name = await house.librarian.sources(wish)
        return await run_routing(house.table.gateway, sources, settings.ask_tool_confidence, name)


def _answers(run: _Run) -> SuiteReport:
    with from_checkout("answers"):
        from freeform.services.measure.answers import measure_answers

    return asyncio.run(measure_answers(run.place, run.sets()))


def _rules(run: _Run) -> SuiteReport:
    embedder = wiring.embedder(run.settings)
    return asyncio.run(run_rules(run.place, wiring.scratch_index, embedder, SystemClock()))


def _ingest(run: _Run) -> SuiteReport:
    return asyncio.run(_read_books(run.place, run.settings))


async def _read_books(place: Path | None, settings: Settings) -> SuiteReport:
    """Reading against the twins, then the making of a pack against labels and gold."""
    from freeform.evals.suites.ingest import run_ingest
    from freeform.evals.suites.ingest_making import measure_making
    from freeform.wiring.ingest import crew
    from freeform.wiring.reading import installed_readers, page_ocr

    report = await run_ingest(place, installed_readers(), page_ocr())
    if place is None:
        return report
    offline = settings.model_copy(update={"model": "offline"})
    made = await measure_making(place, await crew(offline))
    return report.model_copy(update={"metrics": {**report.metrics, **made}})


_RUNS: dict[str, Callable[[_Run], SuiteReport]] = {
    "textworld": _textworld,
    "hearing": _hearing,
    "deeds": _deeds,
    "safety": _safety,
    "state-transitions": _state_transitions,
    "promises": _promises,
    "nightly": _nightly,
    "forgetting": _forgetting,
    "memory": _memory,
    "golden": _golden,
    "consensus": _consensus,
    "lore": _lore,
    "lore-conflicts": _lore_conflicts,
    "retrieval": _retrieval,
    "own-packs": _own_packs,
    "routing": _routing,
    "rules": _rules,
    "answers": _answers,
    "ingest": _ingest,
}
