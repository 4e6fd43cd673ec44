"""A study from a file: arms that differ in one factor, played on the same seeds, compared and
written down as CSV, a report with its plot, and a notebook."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.players.model import KINDS
from freeform.players.party.outcomes import RunOutcome
from freeform.players.party.party import Law
from freeform.players.party.study import ArmSummary, Comparison, StudyResult, compare_arms
from freeform.services.party.experiments import GridRequest, run_grid
from freeform.settings import Settings
from freeform.wiring.players import rows_as_parquet

Tell = Callable[[int, int], None]
_PLANS = {
    "policy": "policies",
    "strength": "strengths",
    "players": "players",
    "law": "laws",
    "traits": "traits",
    "model": "models",
}
_COUNTED = frozenset(
    name for name, field in RunOutcome.model_fields.items() if field.annotation in (int, float)
)
_MORE = frozenset(
    (
        "turns",
        "talk_rounds",
        "told",
        "told_wrong",
        "told_on",
        "swayed",
        "places",
        "calls",
        "tokens",
        "cost_usd",
        *(f"deeds_{kind}" for kind in KINDS),
    )
)  # fmt: skip  (columns of a run beside its outcome)


class StudyPlan(Record):
    """What is compared. `factor` is what the arms differ in; the first arm is the baseline."""

    name: str
    scenario: str
    factor: Literal["policy", "strength", "players", "law", "traits", "model"]
    arms: list[str | float] = Field(min_length=2)
    measures: list[str] = Field(min_length=1)
    seeds: list[int] = Field(min_length=2)
    rounds: int = Field(default=30, ge=1, le=2000)
    strength: float = Field(default=0.3, ge=0, le=1)
    players: str = "4"
    policy: str = "mind"
    law: Law = "human"
    traits: str = ""


def read_plan(file: Path) -> StudyPlan:
    """The plan in a YAML file."""
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
        plan = StudyPlan.model_validate(data)
    except OSError as wrong:
        raise UserError(f"cannot read {file}: {wrong.strerror}") from wrong
    except yaml.YAMLError as wrong:
        line = getattr(getattr(wrong, "problem_mark", None), "line", 0) + 1
        raise UserError(f"{file}:{line} is no YAML; see `docs/players.md`, A study") from wrong
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UserError(
            f"{file}: {where}: {first['msg']}; see `docs/players.md`, A study"
        ) from wrong
    strange = [name for name in plan.measures if name not in _COUNTED | _MORE]
    if strange:
        there = ", ".join(sorted(_COUNTED | _MORE))
        raise UserError(f"{file}: no measure '{strange[0]}'; there are {there}")
    return plan


def run_study(
    settings: Settings, plan: StudyPlan, folder: Path, processes: int, tell: Tell
) -> StudyResult:
    """Plays every arm on every seed, compares them, and writes it all into the folder."""
    given: dict[str, Any] = {
        "policies": [plan.policy],
        "strengths": [plan.strength],
        "players": [plan.players],
        "laws": [plan.law],
        "traits": [plan.traits],
    }
    given[_PLANS[plan.factor]] = [_as_arm(plan, arm) for arm in plan.arms]
    try:
        request = GridRequest(
            scenario=plan.scenario,
            seeds=plan.seeds,
            rounds=plan.rounds,
            processes=processes,
            **given,
        )
    except ValidationError as wrong:
        raise UserError(f"arms: {wrong.errors()[0]['msg']}") from wrong
    rows = run_grid(settings, request, tell)
    result = compare_arms(rows, plan.factor, str(_as_arm(plan, plan.arms[0])), plan.measures)
    folder.mkdir(parents=True, exist_ok=True)
    _write_csv(rows, folder / "runs.csv")
    (folder / "runs.parquet").write_bytes(rows_as_parquet(rows))
    compared = [one.model_dump(mode="json") for one in result.comparisons]
    _write_csv(compared, folder / "comparisons.csv")
    (folder / "report.md").write_text(report(plan, result), encoding="utf-8")
    (folder / "arms.svg").write_text(plot(result.arms), encoding="utf-8")
    (folder / "study.ipynb").write_text(notebook(plan), encoding="utf-8")
    return result


def _as_arm(plan: StudyPlan, arm: str | float) -> str | float:
    if plan.factor != "strength":
        return str(arm)
    try:
        return float(arm)
    except ValueError as wrong:
        raise UserError(f"arms: '{arm}' is no strength; give numbers from 0 to 1") from wrong


def _write_csv(rows: Sequence[dict[str, Any]], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def report(plan: StudyPlan, result: StudyResult) -> str:
    """The report, as Markdown."""
    arms = ", ".join(str(arm) for arm in plan.arms)
    lines = [
        f"# {plan.name}",
        "",
        f"{plan.factor}: {arms} (the first is the baseline). {plan.scenario}; {len(plan.seeds)} "
        f"seeds, {plan.rounds} rounds at most; runs paired by scenario and seed.",
        "",
        "| measure | arm | pairs | baseline | arm's mean | difference (95 %) | p | p, Holm | |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_line(one) for one in result.comparisons),
        "",
        "![means with 95 % intervals](arms.svg)",
        "",
        "Intervals by resampling runs (2,000 draws); p by flipping the signs of paired "
        "differences, all ways up to 12 pairs that differ, else 10,000 at random; Holm's "
        "correction over every row above. Runs: `runs.csv`.",
    ]
    return "\n".join(lines) + "\n"


def _line(one: Comparison) -> str:
    shown = f"{one.difference:+.3f} ({one.low:+.3f} to {one.high:+.3f})"
    mark = "differs" if one.significant else "not shown to differ"
    return (
        f"| {one.measure} | {one.arm} | {one.pairs} | {one.baseline:.3f} | {one.value:.3f} "
        f"| {shown} | {one.p:.4f} | {one.p_corrected:.4f} | {mark} |"
    )


_WIDE, _ROW, _LEFT = 640, 22, 260


def plot(arms: Sequence[ArmSummary]) -> str:
    """Means with their intervals, one line each, every measure on a scale of its own."""
    parts = []
    for n, one in enumerate(arms):
        most = max((abs(other.high) for other in arms if other.measure == one.measure), default=1)
        scale = (_WIDE - _LEFT - 20) / (most or 1)
        y = 20 + n * _ROW
        low, mid, high = (_LEFT + max(0.0, v) * scale for v in (one.low, one.mean, one.high))
        parts.append(f'<text x="8" y="{y + 4}">{one.measure}, {one.arm}: {one.mean:.3f}</text>')
        parts.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="#456"/>')
        parts.append(f'<circle cx="{mid:.1f}" cy="{y}" r="4" fill="#456"/>')
    tall = 30 + len(arms) * _ROW
    box = f'viewBox="0 0 {_WIDE} {tall}" font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def notebook(plan: StudyPlan) -> str:
    """A notebook that reads the runs, to go on from."""
    code = (
        "import pandas as pd\n"
        "runs = pd.read_csv('runs.csv')\n"
        f"runs.groupby('{plan.factor}')[{plan.measures!r}].describe()\n"
        f"runs.groupby('{plan.factor}')[{plan.measures[0]!r}].plot.hist(alpha=0.5, legend=True)\n"
    )
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": f"# {plan.name}"},
        {
            "cell_type": "code",
            "metadata": {},
            "source": code,
            "outputs": [],
            "execution_count": None,
        },
    ]
    return json.dumps(
        {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )
