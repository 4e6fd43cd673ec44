"""What research speaks of: the plan and its steps, what tools find, and the state of it all. Field
names are the seed's."""

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, field_validator

from freeform.core.llm.gateway import Usage
from freeform.core.record import Record, Reply

Status = Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"]


MOST_LEADS = 3
"""Names of one finding that a later step goes on with."""


class ToolFinding(Record):
    """One thing a tool found: what it is called, what was said of it, and where that stands."""

    name: str
    text: str
    """Literally in the source."""
    fields: dict[str, str] = Field(default_factory=dict)
    """What could be read as plain data: `effect`, `coordinates` …"""
    leads: list[str] = Field(default_factory=list)
    """Who or what else it names that the tool knows: where a next step may go on."""
    tool: str = ""
    where: str = ""
    url: str = ""


class ItemResult(Record):
    """What came of one item of a step: of the whole step under `''` where it does not iterate."""

    item: str = ""
    status: Status = "PENDING"
    found: list[ToolFinding] = Field(default_factory=list)
    error: str = ""
    tries: int = 0
    tokens: int = 0


class PlannedStep(Reply):
    """A step as a planner writes it."""

    stepId: int
    description: str
    tool: str
    parameters: dict[str, str] = Field(default_factory=dict)
    depends_on: list[int] = Field(default_factory=list)
    iterate_over: str = ""
    output_key: str

    @field_validator("depends_on", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        """The seed writes a single number; several are a list."""
        if value is None:
            return []
        if isinstance(value, str):
            return [int(number) for number in re.findall(r"\d+", value)]
        return [value] if isinstance(value, int) else value

    @field_validator("iterate_over", mode="before")
    @classmethod
    def _none_is_empty(cls, value: Any) -> Any:
        return value or ""

    @field_validator("parameters", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"query": value}
        return (
            {str(k): v if isinstance(v, str) else str(v) for k, v in value.items()}
            if isinstance(value, dict)
            else value
        )


class Plan(Reply):
    """A whole plan."""

    plan: list[PlannedStep]
    left_out: list[str] = Field(default_factory=list)
    """What it would have looked up beside, had it had room."""


class Step(BaseModel):
    """A step as it runs: the plan's words, and what came of each item."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stepId: int
    description: str
    status: Status = "PENDING"
    tool: str
    parameters: dict[str, str] = Field(default_factory=dict)
    depends_on: list[int] = Field(default_factory=list)
    iterate_over: str = ""
    output_key: str
    error: str = ""
    items: dict[str, ItemResult] = Field(default_factory=dict, exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def result(self) -> Any:
        """What the step gave, as data: a list, or one list per item; None before it has begun."""
        if not self.items:
            return None
        told = {
            item: [found.model_dump(mode="json") for found in done.found]
            for item, done in self.items.items()
        }
        return told if self.iterate_over else told.get("", [])

    @property
    def names(self) -> list[str]:
        """The names a later step may iterate over, each once: whom an answer names, else what was
        found."""
        every = [found for done in self.items.values() for found in done.found]
        names = [name for found in every for name in (found.leads[:MOST_LEADS] or [found.name])]
        return list(dict.fromkeys(name for name in names if name))


class ResearchSource(Record):
    """A numbered source of the answer."""

    n: int
    tool: str
    where: str
    quote: str
    url: str = ""


class ResearchState(BaseModel):
    """Everything known of one piece of research: enough to go on with after a crash."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    researchId: str
    originalQuery: str
    status: Status = "PENDING"
    plan: list[Step] = Field(default_factory=list)
    answer: str = ""
    sources: list[ResearchSource] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    """What was looked for and not found, in sentences."""
    notes: list[str] = Field(default_factory=list)
    revised: bool = False
    partial: bool = False
    """The budget was spent before the plan was done."""
    budget: int = 0
    """Tokens this research may use; 0 is no limit."""
    max_steps: int = 0
    usage: Usage = Field(default_factory=Usage)
    at: str = ""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def collectedData(self) -> dict[str, Any]:
        """What each step put under its key, so far."""
        return {step.output_key: step.result for step in self.plan}

    @computed_field  # type: ignore[prop-decorator]
    @property
    def spent(self) -> int:
        """Tokens so far: what models used, and what tools gave to read."""
        read = sum(done.tokens for step in self.plan for done in step.items.values())
        return self.usage.input_tokens + self.usage.output_tokens + read

    def step(self, step_id: int) -> Step:
        """By its number."""
        return next(step for step in self.plan if step.stepId == step_id)


class ResearchRow(Record):
    """A piece of research as a list shows it."""

    researchId: str
    originalQuery: str
    status: Status
    at: str
