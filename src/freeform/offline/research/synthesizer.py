"""The answer to research without a model: tables and passages as they were found, each cited, gaps
named."""

from freeform.assistant.research.passes import (
    FactCell,
    ResearchNote,
    ResultTable,
    Synthesis,
    SynthesizerInput,
)
from freeform.core.chance import Chance

_MOST = 12


def respond(input: SynthesizerInput, chance: Chance) -> Synthesis:
    """Everything found, in Markdown."""
    parts = []
    if input.partial:
        parts.append("Not everything could be looked up; this is what was found so far.")
    parts += [_table(table) for table in input.tables if table.rows]
    parts += _passages(input.notes)
    if not any(table.rows for table in input.tables) and not input.notes:
        parts.append("Nothing that answers this was found.")
    if input.missing:
        parts.append("**Missing**\n\n" + "\n".join(f"- {line}" for line in input.missing))
    return Synthesis(answer="\n\n".join(parts))


def _table(table: ResultTable) -> str:
    if not table.columns:
        return "\n".join(f"- {name}" for name in table.rows)
    head = f"| | {' | '.join(table.columns)} |\n|---|{'---|' * len(table.columns)}"
    rows = [
        f"| {_safe(name)} | {' | '.join(_cell(cell) for cell in row)} |"
        for name, row in table.rows.items()
    ]
    return "\n".join([head, *rows])


def _cell(cell: FactCell) -> str:
    return f"{_safe(cell.value)} [{cell.n}]" if cell.value else "not found"


def _safe(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


def _passages(notes: list[ResearchNote]) -> list[str]:
    """The most telling first, the same words once."""
    lines = dict.fromkeys(f"- **{note.name}**: {note.text} [{note.n}]" for note in notes)
    return ["\n".join([*lines][:_MOST])] if lines else []
