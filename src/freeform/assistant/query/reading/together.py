"""What sheet and rules say together, where neither says it alone."""

from collections.abc import Sequence

from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import FoundLine, QueryFinding
from freeform.assistant.query.reading.answer_lines import within
from freeform.assistant.query.reading.casting import casting_line
from freeform.assistant.query.reading.choice import is_settled
from freeform.assistant.query.reading.formula import higher_slot_line
from freeform.assistant.query.reading.reach import hit_line, reach_line
from freeform.assistant.query.reading.stock import stock_line
from freeform.assistant.query.rule_query import NamedEntry

MOST_BESIDE = 55
"""Words of what the sheet says to the other parts of the question."""


def put_together(
    clause: AskedClause,
    desk: QueryDesk,
    entries: Sequence[NamedEntry],
    found: Sequence[QueryFinding | None],
) -> QueryFinding | None:
    """The line that settles it, before what rows of the sheet say to the other parts; None where
    nothing needs both."""
    if desk.sheet is None:
        return None
    line = casting_line(clause, desk, entries) or reach_line(clause, desk, entries)
    line = line or hit_line(clause, desk) or higher_slot_line(clause, desk, entries)
    line = line or stock_line(clause, desk)
    if line is None:
        return None
    told = [each for each in found if each and each.query and is_settled(each)]
    beside = list[FoundLine]()
    for each in told:
        beside += each.lines if each.tool == "character_data" else []
    return QueryFinding("character_data", [line, *within(beside, MOST_BESIDE)])
