"""What is found wrong with a scenario, and what play reaches of it."""

from typing import Literal

from pydantic import Field

from freeform.core.record import Record

Severity = Literal["error", "warning", "note"]


class ScenarioFinding(Record):
    """One thing an author should know. `line` is 0 where the whole file is meant."""

    file: str
    line: int
    severity: Severity
    message: str
    where: list[str | int] = Field(default_factory=list)
    """The keys and numbers that lead to it in the scenario; empty for the whole of it."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.severity}: {place}: {self.message}"


class ReachShare(Record):
    """How much of something play reaches."""

    reachable: int = 0
    all: int = 0
    missing: list[str] = Field(default_factory=list)


class Reach(Record):
    """What play reaches, by kind."""

    places: ReachShare = Field(default_factory=ReachShare)
    people: ReachShare = Field(default_factory=ReachShare)
    secrets: ReachShare = Field(default_factory=ReachShare)
    endings: ReachShare = Field(default_factory=ReachShare)


class ScenarioReport(Record):
    """The whole of a check. `ok`: no finding is an error."""

    ok: bool
    scenario: str = ""
    file: str = ""
    findings: list[ScenarioFinding] = Field(default_factory=list)
    reach: Reach = Field(default_factory=Reach)
    played: bool = False
    turns: int = 0
    """Turns that were played, of at most `budget`."""
    budget: int = 0
