"""The two passes of research: planning it, and telling what it found."""

from pydantic import Field

from freeform.assistant.passes import quoted
from freeform.assistant.research.model import Plan, PlannedStep, ResearchSource
from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record, Reply
from freeform.core.text import plain_form, shorten, visible


class ToolDescription(Record):
    """A tool as the planner is told of it."""

    name: str
    describes: str


class ResearchPlannerInput(PassInput):
    """For planning: the question and the tools. `problems` when a plan was refused; `came_back`
    when one came back empty: the steps so far, with what they gave."""

    question: str
    tools: list[ToolDescription]
    max_steps: int
    problems: list[str] = Field(default_factory=list)
    refused: list[PlannedStep] = Field(default_factory=list)
    came_back: list[str] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        return {
            "question": self.question,
            "tools": "\n".join(
                f"- `{t.name}`: {shorten(visible(t.describes), 2500)}" for t in self.tools
            ),
            "max_steps": str(self.max_steps),
            "problems": "\n".join(f"- {problem}" for problem in self.problems) or "(none)",
            "refused": "\n".join(step.model_dump_json() for step in self.refused) or "(none)",
            "came_back": "\n".join(f"- {line}" for line in self.came_back)
            or "(nothing was tried yet)",
        }


class FactCell(Record):
    """What is known of one item under one heading, with the number of its source; '' and 0 when it
    is missing."""

    value: str = ""
    n: int = 0


class ResultTable(Record):
    """Data per item: a row for each, a column for each thing that was looked up."""

    columns: list[str]
    rows: dict[str, list[FactCell]]


class ResearchNote(Record):
    """A passage with the number of its source."""

    name: str
    text: str
    n: int
    step: str = ""


class SynthesizerInput(PassInput):
    """For telling: everything found, numbered, and what is missing."""

    question: str
    tables: list[ResultTable] = Field(default_factory=list)
    notes: list[ResearchNote] = Field(default_factory=list)
    sources: list[ResearchSource] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    partial: bool = False

    def fields(self) -> dict[str, str]:
        """Each found thing once: a table as a table, a passage with its place, and of a table's
        sources only those that say more than their cell."""
        places = {source.n: source for source in self.sources}
        return {
            "question": self.question,
            "tables": quoted("\n\n".join(_drawn(table) for table in self.tables))
            if self.tables
            else "(none)",
            "notes": "\n\n".join(_told(note, places.get(note.n)) for note in self.notes)
            or "(none)",
            "sources": quoted("\n".join(behind)) if (behind := self._behind()) else "(none)",
            "missing": "\n".join(f"- {line}" for line in grouped(self.missing)) or "(none)",
            "partial": "yes" if self.partial else "no",
        }

    def _behind(self) -> list[str]:
        """The words behind those cells that do not say the same themselves."""
        cells = {
            cell.n: cell.value
            for table in self.tables
            for row in table.rows.values()
            for cell in row
            if cell.n
        }
        return [
            f"[{source.n}] {source.where}: {source.quote}"
            for source in self.sources
            if (value := cells.get(source.n))
            and (
                plain_form(value) not in plain_form(source.quote)
                or len(source.quote) > len(value) + 60
            )
            and not plain_form(value).startswith(plain_form(source.quote.rstrip("…")))
        ]


class Synthesis(Reply):
    """The answer, in Markdown, with [n] behind what source n says."""

    answer: str


def grouped(missing: list[str]) -> list[str]:
    """`Eel: price was not found` and the same of Tea as one line."""
    lines: dict[str, list[str]] = {}
    for line in missing:
        name, colon, what = line.rpartition(": ")
        lines.setdefault(what if colon else line, []).extend([name] if colon else [])
    return [f"{what}: {', '.join(names)}" if names else what for what, names in lines.items()]


def _drawn(table: ResultTable) -> str:
    head = [" | ".join(["| ", *table.columns]) + " |", "|---" * (len(table.columns) + 1) + "|"]
    rows = [
        " | ".join(
            [
                f"| {name}",
                *(f"{_cell(cell.value)} [{cell.n}]" if cell.value else "-" for cell in row),
            ]
        )
        + " |"
        for name, row in table.rows.items()
    ]
    return "\n".join([*head, *rows])


def _cell(value: str) -> str:
    return " ".join(value.replace("|", "/").split())


def _told(note: ResearchNote, source: ResearchSource | None) -> str:
    where = f" ({source.url or source.where})" if source else ""
    return f"[{note.n}]\n" + quoted(f"{note.name}{where}\n{note.text}")


PLANNER = Pass("research/planner", ResearchPlannerInput, Plan, role="planner")
SYNTHESIZER = Pass(
    "research/synthesizer", SynthesizerInput, Synthesis, role="narrator", streams="answer"
)
