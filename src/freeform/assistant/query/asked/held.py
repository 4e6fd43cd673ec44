"""What a bag, a mule or a chest holds, asked by a word of what the sheet calls it."""

from collections.abc import Sequence

from freeform.assistant.query.asked.kind import KindOf
from freeform.assistant.query.clause import AskedClause, ClauseReading
from freeform.assistant.query.model import (
    FoundLine,
    QueryFinding,
    Row,
    RowTest,
    ThingQuery,
    run_query,
)
from freeform.assistant.query.schema import phrase
from freeform.assistant.query.sheet_lines import thing_lines

HELD = 0.85
"""What a reading explains of a clause that names one holder and, beside it, only what is done with
its things: `what is the pony lugging about for me`."""


def held_by(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> QueryFinding | None:
    """All that one holder has; None where the clause asks for something of its own, or names none
    or several."""
    telling = [token for token in clause.tokens if token.telling]
    asks_else = clause.asks_whether or clause.counts or heard.fields or heard.tests
    if asks_else or len(telling) > 2 or KindOf(clause).asked.kind != "any":
        return None
    holders = {str(row.fields["container"]) for row in rows if row.fields.get("container")}
    keys = {token.key for token in telling}
    named = [holder for holder in sorted(holders) if keys & set(phrase(holder))]
    if len(named) != 1:
        return None
    where = [RowTest(field="container", value=named[0])]
    query = ThingQuery(tool="character_data", kinds=["item"], where=where)
    held = run_query(query, rows)
    inside = {key for row in held for key in phrase(row.name)}
    if not held or (keys - set(phrase(named[0]))) & inside:
        return None
    lines = [FoundLine(f"{named[0]}:"), *thing_lines(held)]
    return QueryFinding("character_data", lines, HELD, query)
