"""The suite `hearing`: how much of what players type is understood, set by set."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport, find_data
from freeform.evals.suites.first_runs import (
    DEVELOPMENT,
    MeasuredSet,
    SetWish,
    beside_first_run,
    choose_sets,
)
from freeform.evals.suites.hearing.gold import Effect, GoldCase, read_cases
from freeform.evals.suites.hearing.judge import CLASSES, NOT_SCORED, CaseVerdict
from freeform.evals.suites.hearing.play import HearingJob, jobs_of

BLIND = Path(__file__).parent / "blind"
_OPEN, _GOLD = "dev_inputs.jsonl", "gold_"
SHARES = (*CLASSES, "understood_or_asked")
EFFECTS = frozenset({*get_args(Effect), "wrong deed"})
Judged = tuple[GoldCase, CaseVerdict]
Play = Callable[[Sequence[HearingJob]], list[list[CaseVerdict]]]
"""Plays every job, in this process or in several."""


def hearing_sets(data: Path | None, blind: Path = BLIND) -> list[MeasuredSet]:
    """The development set where its data is, and the blind sets beside the suite."""
    sets: list[MeasuredSet] = []
    places = (data / "hearing", data) if data else ()
    for place in places:
        if (place / _OPEN).is_file() and not sets:
            sets.append(MeasuredSet(DEVELOPMENT, place / _OPEN))
    for file in sorted(blind.glob(f"*/{_GOLD}*.jsonl")):
        name = f"{file.parent.name}/{file.stem.removeprefix(_GOLD)}"
        sets.append(MeasuredSet(name, file, file.parent))
    return sets


def run_hearing(data: Path | None, wish: SetWish, play: Play, blind: Path = BLIND) -> SuiteReport:
    """The chosen sets, each by itself; what a blind one had at its first run stands beside it."""
    sets = hearing_sets(data, blind)
    if DEVELOPMENT in wish.names:
        _find_open(data)
    chosen, notes = choose_sets(sets, wish)
    if not chosen:
        _find_open(data)
    gold = [_placed(each) for each in chosen]
    jobs = [jobs_of(cases) for cases in gold]
    played = iter(play([job for some in jobs for job in some]))
    metrics, rows = dict[str, Any](), list[dict[str, Any]]()
    for each, cases, some in zip(chosen, gold, jobs, strict=True):
        verdicts = {verdict.id: verdict for _ in some for verdict in next(played)}
        judged = [(case, verdicts[case.id]) for case in cases]
        metrics[each.name] = _measured(each, judged, wish)
        rows += [_row(each.name, case, verdict) for case, verdict in judged]
    return SuiteReport(
        suite="hearing",
        n=sum(found["n"] for found in metrics.values()),
        metrics=metrics,
        cases=rows,
        notes=notes,
    )


def _find_open(data: Path | None) -> None:
    """NotFound says where the development inputs go."""
    find_data(data, "hearing", _OPEN, "the development inputs")


def _placed(measured: MeasuredSet) -> list[GoldCase]:
    """The cases of a set; a scenario that lies beside it by its whole path."""
    cases = []
    for case in read_cases(measured.file):
        if case.scenario.endswith(".yaml"):
            beside = str(measured.file.parent / case.scenario)
            cases.append(case.model_copy(update={"scenario": beside}))
        else:
            cases.append(case)
    return cases


def _measured(measured: MeasuredSet, judged: Sequence[Judged], wish: SetWish) -> dict[str, Any]:
    """The figures of a set today, and those of its first run, which they are now if it had none."""
    today = figures([verdict for _, verdict in judged])
    shares = {name: today[name] for name in SHARES}
    return {
        **today,
        **beside_first_run(measured, wish, today["n"], shares),
        "costly_by": _costly_by(verdict for _, verdict in judged),
        "by_scenario": _by_scenario(judged),
    }


def figures(verdicts: Sequence[CaseVerdict]) -> dict[str, Any]:
    """How many were scored, the share of each class, and how many could not be played."""
    scored = [verdict for verdict in verdicts if verdict.judged != NOT_SCORED]
    counts = Counter(verdict.judged for verdict in scored)
    good = counts["understood"] + counts["asked_fairly"]
    return {
        "n": len(scored),
        **{name: share(counts[name], len(scored)) for name in CLASSES},
        "understood_or_asked": share(good, len(scored)),
        NOT_SCORED: len(verdicts) - len(scored),
    }


def _costly_by(verdicts: Iterable[CaseVerdict]) -> dict[str, int]:
    """How often each effect made a miss costly."""
    found = Counter[str]()
    for verdict in verdicts:
        if verdict.judged == "costly":
            reasons = verdict.reason.split("; ")
            effects = {reason.partition(" (")[0] for reason in reasons}
            found.update(effects & EFFECTS)
    return dict(sorted(found.items()))


def _by_scenario(judged: Sequence[Judged]) -> dict[str, Any]:
    found: dict[str, list[CaseVerdict]] = {}
    for case, verdict in judged:
        found.setdefault(Path(case.scenario).stem, []).append(verdict)
    return {name: figures(verdicts) for name, verdicts in sorted(found.items())}


def _row(name: str, case: GoldCase, verdict: CaseVerdict) -> dict[str, Any]:
    """A case as the report shows it."""
    told = {"set": name, "kind": case.kind, "scenario": Path(case.scenario).stem}
    return {
        **told,
        "input": case.input,
        "means": case.means,
        **verdict.model_dump(mode="json"),
    }
