"""The sets of a suite: open ones, and blind ones, whose figures of the first run stand for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.core.yamlfile import read_record

FILE = "first_runs.yaml"
DEVELOPMENT = "development"
"""The set that may be looked at and learnt from."""
_HEAD = """\
# The figures of each blind set as they were the first time it was run.
# A row is never changed.
"""


@dataclass(frozen=True)
class MeasuredSet:
    """A set of cases. `folder`: where the first run of a blind one stands; None: it is open."""

    name: str
    file: Path
    folder: Path | None = None

    def goes_by(self, name: str) -> bool:
        """Whether a person may mean it by that name: `2026-11-16/novice`, or `novice` alone."""
        return name in (self.name, self.name.rpartition("/")[2])


class FirstRun(Record):
    """The figures of a first run: when, of which commit, over how many cases."""

    date: str
    commit: str
    n: int
    figures: dict[str, float | None]


class FirstRuns(Record):
    """The first runs that stand, by the set's name."""

    sets: dict[str, FirstRun] = Field(default_factory=dict)


@dataclass(frozen=True)
class SetWish:
    """Which sets to measure; none named: all that may be. `date` and `commit` of a first run."""

    names: tuple[str, ...] = ()
    first_run: bool = False
    date: str = ""
    commit: str = ""


def choose_sets(sets: Sequence[MeasuredSet], wish: SetWish) -> tuple[list[MeasuredSet], list[str]]:
    """The sets to run, and what is to be said of those left out: a blind one has its first run only
    when that is asked for by name."""
    if wish.first_run and not wish.names:
        raise UserError("--first-run needs --set NAME: say which blind sets have their first run")
    chosen = _named(sets, wish.names) if wish.names else list(sets)
    waiting = [each.name for each in chosen if each.folder and standing(each) is None]
    if wish.first_run or not waiting:
        return chosen, []
    said = (
        f"{', '.join(waiting)}: not run yet; --set NAME --first-run runs it and keeps its figures"
    )
    if wish.names:
        raise UserError(said)
    return [each for each in chosen if each.name not in waiting], [said]


def _named(sets: Sequence[MeasuredSet], names: Sequence[str]) -> list[MeasuredSet]:
    wanted = set[str]()
    for name in names:
        meant = {each.name for each in sets if each.goes_by(name)}
        if not meant:
            there = ", ".join(each.name for each in sets)
            raise NotFound(f"no set '{name}'; there are: {there}")
        wanted |= meant
    return [each for each in sets if each.name in wanted]


def standing(measured: MeasuredSet) -> FirstRun | None:
    """The first run of a set, if it had one."""
    if measured.folder is None:
        return None
    return _read(measured.folder).sets.get(measured.name)


def keep_first_run(measured: MeasuredSet, run: FirstRun) -> bool:
    """Writes the figures down unless some stand already; whether they were written."""
    if measured.folder is None or standing(measured) is not None:
        return False
    kept = _read(measured.folder)
    rows = {**kept.sets, measured.name: run}
    data = FirstRuns(sets=rows).model_dump(mode="json")
    text = _HEAD + yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    (measured.folder / FILE).write_text(text, encoding="utf-8")
    return True


def beside_first_run(
    measured: MeasuredSet, wish: SetWish, n: int, figures: dict[str, float | None]
) -> dict[str, Any]:
    """What a report says of a set's first run: whether this was it, and the figures that stand."""
    first = False
    if wish.first_run:
        run = FirstRun(date=wish.date, commit=wish.commit, n=n, figures=figures)
        first = keep_first_run(measured, run)
    stood = standing(measured)
    return {
        "first_run": first,
        "standing": stood.model_dump(mode="json") if stood else None,
    }


def _read(folder: Path) -> FirstRuns:
    path = folder / FILE
    return read_record(path, FirstRuns) if path.is_file() else FirstRuns()
