"""What research found, laid out for the answer: tables per item, notes, numbered sources, and what
is missing."""

import re

from freeform.assistant.research.model import ResearchSource, ResearchState, Step, ToolFinding
from freeform.assistant.research.passes import FactCell, ResearchNote, ResultTable, SynthesizerInput
from freeform.assistant.research.words import meanings, telling

_MOST_NOTES = 40


class Numbering:
    """Sources by number: the same words at the same place are one source."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str, str], ResearchSource] = {}

    def of(self, found: ToolFinding) -> int:
        """Its number."""
        key = (found.where, found.url, found.text)
        if key not in self._numbers:
            n = len(self._numbers) + 1
            self._numbers[key] = ResearchSource(
                n=n, tool=found.tool, where=found.where, quote=found.text, url=found.url
            )
        return self._numbers[key].n

    @property
    def sources(self) -> list[ResearchSource]:
        return list(self._numbers.values())


def gather(state: ResearchState) -> SynthesizerInput:
    """Everything a writer needs, and nothing else."""
    numbers = Numbering()
    tables, missing, in_tables = [], list[str](), set[int]()
    for giver in state.plan:
        users = [
            step for step in state.plan if step.iterate_over == giver.output_key and step.items
        ]
        if users:
            table, lacks = _table(giver, users, numbers, state.partial)
            tables.append(table)
            missing += lacks
            in_tables |= {giver.stepId, *(step.stepId for step in users)}
    alone = [step for step in state.plan if step.stepId not in in_tables]
    if compared := _comparison(alone, numbers):
        tables.append(compared)
        in_tables |= {step.stepId for step in alone}
    said = set(telling(state.originalQuery))
    notes = []
    for step in alone:
        found = [each for done in step.items.values() for each in done.found]
        if step.stepId not in in_tables:
            fits = [
                (len(said & set(telling(f"{f.name} {f.text}"))), f, step.description)
                for f in found[:_MOST_NOTES]
            ]
            best = max(
                (fit for fit, _, _ in fits), default=0
            )  # of this step: another may be about something else
            notes += [
                row for row in fits if best < 2 or row[0] * 2 > best
            ]  # half as telling as the best is left out
        if not found:
            missing.append(_nothing(step))
    notes.sort(key=lambda note: -note[0])
    passages = [
        ResearchNote(name=f.name, text=f.text, n=numbers.of(f), step=step) for _, f, step in notes
    ]
    return SynthesizerInput(
        question=state.originalQuery,
        tables=tables,
        notes=passages,
        sources=numbers.sources,
        missing=list(dict.fromkeys(missing)),
        partial=state.partial,
    )


def _table(
    giver: Step, users: list[Step], numbers: Numbering, partial: bool
) -> tuple[ResultTable, list[str]]:
    columns, rows, missing = (
        list[str](),
        {name: list[FactCell]() for name in giver.names},
        list[str](),
    )
    for step in users:
        heads = [head for head in _heads(step) if head not in columns]
        columns += heads
        for name, row in rows.items():
            done = step.items.get(name)
            for head in heads:
                cell = _cell(done.found if done else [], head, numbers)
                row.append(cell)
                if not cell.value:
                    why = (
                        done.error or "was not found"
                        if done
                        else "was not looked up, since the budget was spent"
                        if partial
                        else "was not looked up, since only the first names of so long a list are"
                    )
                    missing.append(f"{name}: {head} {why}")
    return ResultTable(columns=columns, rows=rows), missing


def _heads(step: Step) -> list[str]:
    """The columns a step fills: the keys under which most of its items had an answer, else its own
    words."""
    keys: dict[str, int] = {}
    for done in step.items.values():
        for key in dict.fromkeys(key for found in done.found for key in found.fields):
            keys[key] = keys.get(key, 0) + 1
    often = [key for key, count in keys.items() if count * 2 >= max(len(step.items), 1)]
    wish = re.sub(r"\s*(?:of\s+)?\{item\}\s*", " ", step.parameters.get("query", "")).strip(" ?.,")
    return often or [wish or step.output_key]


def _cell(found: list[ToolFinding], head: str, numbers: Numbering) -> FactCell:
    for each in found:
        if head in each.fields:
            return FactCell(value=each.fields[head], n=numbers.of(each))
    near = [
        f for f in found if not f.fields or any(meanings(key) & meanings(head) for key in f.fields)
    ]
    if near:
        return FactCell(
            value=next(iter(near[0].fields.values()), near[0].text), n=numbers.of(near[0])
        )
    return FactCell()


def _comparison(steps: list[Step], numbers: Numbering) -> ResultTable | None:
    """Several things looked up side by side, as a table of what is known of each."""
    named = [
        (step, found) for step in steps for done in step.items.values() if (found := done.found)
    ]
    if len(named) < 2 or any(
        len({f.name for f in found}) != 1 or not any(f.fields for f in found) for _, found in named
    ):
        return None
    keys = list(dict.fromkeys(key for _, found in named for f in found for key in f.fields))
    rows = {
        key: [_cell([f for f in found if key in f.fields], key, numbers) for _, found in named]
        for key in keys
    }
    return ResultTable(columns=[found[0].name for _, found in named], rows=rows)


def _nothing(step: Step) -> str:
    why = f" ({step.error})" if step.error else ""
    return f"{step.description.rstrip('.')}: nothing was found{why}"
