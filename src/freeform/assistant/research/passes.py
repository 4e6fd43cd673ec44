"""The two passes of research: planning it, and telling what it found."""

from pydantic import Field

from freeform.assistant.research.model import Plan, PlannedStep, Source
from freeform.core.gateway import Pass, PassInput
from freeform.core.record import Record, Reply


class ToolDescription(Record):
    """A tool as the planner is told of it."""

    name: str
    describes: str


class PlannerInput(PassInput):
    """For planning: the question and the tools. `problems` when a plan was refused; `came_back` when one came back
    empty: the steps so far, with what they gave."""

    question: str
    tools: list[ToolDescription]
    max_steps: int
    problems: list[str] = Field(default_factory=list)
    refused: list[PlannedStep] = Field(default_factory=list)
    came_back: list[str] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        return {
            "question": self.question,
            "tools": "\n".join(f"- `{tool.name}`: {tool.describes}" for tool in self.tools),
            "max_steps": str(self.max_steps),
            "problems": "\n".join(f"- {problem}" for problem in self.problems) or "(none)",
            "refused": "\n".join(step.model_dump_json() for step in self.refused) or "(none)",
            "came_back": "\n".join(f"- {line}" for line in self.came_back) or "(nothing was tried yet)",
        }


class Cell(Record):
    """What is known of one item under one heading, with the number of its source; '' and 0 when it is missing."""

    value: str = ""
    n: int = 0


class Table(Record):
    """Data per item: a row for each, a column for each thing that was looked up."""

    columns: list[str]
    rows: dict[str, list[Cell]]


class Note(Record):
    """A passage with the number of its source."""

    name: str
    text: str
    n: int
    step: str = ""


class SynthesizerInput(PassInput):
    """For telling: everything found, numbered, and what is missing."""

    question: str
    tables: list[Table] = Field(default_factory=list)
    notes: list[Note] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    partial: bool = False


class Synthesis(Reply):
    """The answer, in Markdown, with [n] behind what source n says."""

    answer: str


PLANNER = Pass("research/planner", PlannerInput, Plan, role="planner")
SYNTHESIZER = Pass("research/synthesizer", SynthesizerInput, Synthesis, role="narrator", streams="answer")
