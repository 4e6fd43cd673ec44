"""READ THIS FIRST. `scenario check`: every mistake at once, and what play reaches.

file ─> shape ─> references ─> sense, idle ─> search through the engine ─> verdict ─> report
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile, FreeformError, NotFound, UserError
from freeform.core.yamlfile import Lines, line_of, read_loosely
from freeform.engine.authored.library import common_spelling, load_system, system_names
from freeform.engine.authored.older import in_our_form, is_older
from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.system import System
from freeform.engine.proof.idle import never_so, without_effect
from freeform.engine.proof.references import lost_references, names_in
from freeform.engine.proof.report import Reach, ScenarioFinding, ScenarioReport, Severity
from freeform.engine.proof.search import BUDGET, play_through
from freeform.engine.proof.sense import Found, nonsense
from freeform.engine.proof.shape import Where, nearest, without_strangers, wrong_shape
from freeform.engine.proof.shelved import missing_packs
from freeform.engine.proof.verdict import out_of_reach, reach_of, single_ways, told_unawares

_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


def check_file(
    path: Path, home: Path | None = None, *, budget: int = BUDGET, play: bool = True
) -> ScenarioReport:
    """Checks a scenario's file. Without `play`, nothing is played and little time passes."""
    try:
        data, lines, doubled = read_loosely(path)
    except BadFile as wrong:
        only = ScenarioFinding(
            file=path.name, line=wrong.line, severity="error", message=wrong.reason
        )
        return ScenarioReport(ok=False, file=str(path), findings=[only])
    if not isinstance(data, dict):
        reason = "a scenario is a mapping of names to values, such as `id: my_story`"
        return _unread(path, 1, reason)
    data = common_spelling(data)
    left: list[str] = []
    if is_older(data):
        data, left = in_our_form(data)
        lines = {}
    check = _Check(path.name, data, lines)
    check.add_at(doubled)
    check.add(("note", (), f"older form: {reason}") for reason in left)
    check.form(home)
    if play:
        check.play(budget)
    return check.report(str(path), budget if play else 0)


def check_scenario(
    scenario: Scenario, home: Path | None = None, *, budget: int = BUDGET
) -> ScenarioReport:
    """Checks a scenario that was just made and lies in no file; lines are 0."""
    data = scenario.model_dump(mode="json", exclude_unset=True)
    check = _Check(scenario.id, data, {})
    check.form(home)
    check.play(budget)
    return check.report("", budget)


def check_data(
    data: dict[str, Any], home: Path | None = None, *, budget: int = BUDGET, play: bool = True
) -> ScenarioReport:
    """Checks what somebody is still writing, whatever state it is in; lines are 0."""
    check = _Check(str(data.get("id", "")), common_spelling(data), {})
    check.form(home)
    if play:
        check.play(budget)
    return check.report("", budget if play else 0)


def _unread(path: Path, line: int, reason: str) -> ScenarioReport:
    """The report on a file that holds no data to look at."""
    only = ScenarioFinding(file=path.name, line=line, severity="error", message=reason)
    return ScenarioReport(ok=False, file=str(path), findings=[only])


class _Check:
    """One run over one scenario."""

    def __init__(self, file: str, data: dict[str, Any], lines: Lines) -> None:
        self.file, self.data, self.lines = file, data, lines
        self.found: list[ScenarioFinding] = []
        self.scenario: Scenario | None = None
        self.system: System | None = None
        self.reach, self.turns, self.played = Reach(), 0, False

    def add(self, found: Iterable[Found]) -> None:
        """Notes findings by their place in the file."""
        for severity, where, message in found:
            line = line_of(where, self.lines) if self.lines else 0
            self._note(line, severity, message, where)

    def add_at(self, doubled: Iterable[tuple[str, int]]) -> None:
        """Notes keys that stand twice."""
        for key, line in doubled:
            self._note(line, "error", f"the key `{key}` stands here twice; keep one")

    def _note(self, line: int, severity: Severity, message: str, where: Where = ()) -> None:
        finding = ScenarioFinding(
            file=self.file,
            line=line,
            severity=severity,
            message=message,
            where=[part if isinstance(part, int) else str(part) for part in where],
        )
        if finding not in self.found:
            self.found.append(finding)

    def form(self, home: Path | None) -> None:
        """Everything that can be said without playing."""
        misshapen = wrong_shape(self.data)
        self.add(("error", where, message) for where, message in misshapen)
        self.system = self._system(home)
        names = names_in(self.data, self.system)
        self.add(("error", where, message) for where, message in lost_references(self.data, names))
        self.add(nonsense(self.data, names, self.system))
        self.add(never_so(self.data))
        self.add(without_effect(self.data))
        self.add(missing_packs(self.data, home))
        self.scenario = without_strangers(self.data)
        if self.scenario:
            self.add(told_unawares(self.scenario))
            self.add(single_ways(self.scenario))
        if self.data.get("heroes") == []:
            self.add([("error", ("heroes",), "there is no hero; nobody could be played")])

    def _system(self, home: Path | None) -> System | None:
        name = str(self.data.get("system", ""))
        try:
            return load_system(name, home) if name else None
        except NotFound:
            near = nearest(name, system_names(home))
            self.add([("error", ("system",), f"no rules system '{name}'{near}")])
        except FreeformError as wrong:
            self.add([("error", ("system",), f"the rules system '{name}' does not read: {wrong}")])
        return None

    def play(self, budget: int) -> None:
        """Plays it through, where there is enough of it to play."""
        scenario, system = self.scenario, self.system
        if scenario is None or system is None or not scenario.heroes:
            return
        if not any(entity.id == scenario.start.location for entity in scenario.entities):
            return
        try:
            reached = play_through(scenario, system, budget)
        except (UserError, KeyError, ValueError, IndexError, ZeroDivisionError) as wrong:
            reason = f"play broke off ({wrong!r}); put right the errors above first"
            self.add([("error", (), reason)])
            return
        self.played, self.turns = True, reached.turns
        self.reach = reach_of(scenario, reached)
        self.add(out_of_reach(scenario, reached))

    def report(self, path: str, budget: int) -> ScenarioReport:
        """What was found, by line."""
        found = sorted(self.found, key=lambda each: (each.line, _RANK[each.severity]))
        return ScenarioReport(
            ok=all(each.severity != "error" for each in found),
            scenario=str(self.data.get("id", "")),
            file=path,
            findings=found,
            reach=self.reach,
            played=self.played,
            turns=self.turns,
            budget=budget,
        )
