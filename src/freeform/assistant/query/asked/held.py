"""What a bag, a mule or a chest holds, asked by a word of what the sheet calls it; and that the
sheet has no such thing."""

import re
from collections.abc import Sequence

from freeform.assistant.query.asked.kind import KindOf
from freeform.assistant.query.clause import AskedClause, ClauseReading
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import (
    Cite,
    FoundLine,
    QueryFinding,
    Row,
    RowTest,
    ThingQuery,
    run_query,
)
from freeform.assistant.query.schema import phrase, schema
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


_HAVING = re.compile(
    r"\b(?:do|did|have|am) i (?:still |even )?(?:have |got |own |carry |carrying |possess )"
    r"(?:got )?(?:a |an |any |some )(?P<thing>[a-z][a-z' -]{2,40}?)"
    r"(?: (?:on|with|left|in|at) .*| anywhere| left)?\W*$",
    re.I,
)
LEAST_TOLD = 12
"""Pieces of a sheet that tells what one has."""
LONGEST_THING = 3
"""Words of what a thing is called."""


def not_held(clause: AskedClause, desk: QueryDesk) -> QueryFinding | None:
    """`Do I carry a grappling hook?`, where neither sheet nor notes have the word. A pony is a
    mount by another name: more than that is not said."""
    said = _HAVING.search(clause.text)
    told = desk.sheet.pieces if desk.sheet else []
    thing = phrase(said["thing"]) if said else ()
    if said is None or len(told) < LEAST_TOLD or not 0 < len(thing) <= LONGEST_THING:
        return None
    known = {*desk.sheet_passages.counts, *(desk.notes.passages.counts if desk.notes else ())}
    for row in desk.sheet_rows:
        known.update(*map(phrase, (row.name, *row.names, *row.kinds)))
    if schema().kinds.get(thing[-1:]) or any(_may_be(thing[-1], key) for key in known):
        return None
    things = [row.piece for row in desk.sheet_rows if "item" in row.kinds]
    cite = Cite(things[0] if things else told[0])
    line = FoundLine(f"No {said['thing']} by that name on your sheet.", (cite,))
    where = ThingQuery(tool="character_data", kinds=["item"], names=[said["thing"]], want="exists")
    return QueryFinding("character_data", [line], HELD, where)


def _may_be(asked: str, written: str) -> bool:
    """Whether a word that is written may mean a thing that is asked for: `longbow` a bow."""
    return asked in written or (len(written) > 2 and asked.endswith(written))
