"""What was found on a sheet as lines of an answer, each with the piece that shows it."""

import re
from collections.abc import Sequence

from freeform.assistant.passes import spelled
from freeform.assistant.query.clause import AskedClause, ClauseReading, plain_value
from freeform.assistant.query.model import Cite, FieldValue, FoundLine, Row, RowTest, ThingQuery

_MOST_LISTED = 40


def value_line(clause: AskedClause, heard: ClauseReading, row: Row) -> FoundLine:
    cite = (Cite(row.piece),)
    if row.number is not None:
        head, equals, parts = spelled(row.number).partition(" = ")
        return FoundLine(f"**{head}**{equals}{parts}", cite)
    if "spell" in row.kinds:
        return _spell_line(clause, heard, row)
    if {"pool", "slot"} & set(row.kinds) or (_asks_left(heard) and "left" in row.fields):
        return FoundLine(_pool_text(clause, heard, row), cite)
    if "item" in row.kinds:
        return _thing_line(clause, heard, row)
    return FoundLine(f"**{row.name}**: {plain_value(row.fields.get('value', ''))}", cite)


def _pool_text(clause: AskedClause, heard: ClauseReading, row: Row) -> str:
    """What is left of something, or gone of it; whether there is any, where that is asked."""
    left, most = row.fields["left"], row.fields["max"]
    lead = ("Yes. " if left else "No. ") if clause.asks_whether else ""
    if "lost" in heard.fields and "lost" in row.fields:
        return f"{lead}**{row.name}**: {row.fields['lost']} gone, {left} of {most} left"
    gone = row.fields.get("lost")
    lost = f", {gone} gone" if gone and "pool" in row.kinds else ""
    return f"{lead}**{row.name}**: {left} of {most} left{lost}"


def _asks_left(heard: ClauseReading) -> bool:
    return "charges" in heard.fields or "left" in heard.fields


def _spell_line(clause: AskedClause, heard: ClauseReading, row: Row) -> FoundLine:
    lead = ""
    if clause.asks_whether or any(test.field == "prepared" for test, _ in heard.tests):
        ready = bool(row.fields["ready"])
        lead = "Yes, prepared. " if ready else "No, not prepared. "
    told = next((name for name in heard.fields if row.fields.get(name)), "")
    value = f": {told} {plain_value(row.fields[told])}" if told else ""
    return FoundLine(f"{lead}**{row.name}** is on your spell list{value}", (Cite(row.piece),))


def _thing_line(clause: AskedClause, heard: ClauseReading, row: Row) -> FoundLine:
    count = row.fields["quantity"]
    lead = "Yes. " if clause.asks_whether else ""
    told = next((name for name in heard.fields if name != "quantity" and row.fields.get(name)), "")
    if told and not clause.counts:
        return FoundLine(
            f"{lead}**{row.name}**: {told} {plain_value(_as_told(row, told))}", (Cite(row.piece),)
        )
    return FoundLine(f"{lead}**{row.name}**: {count}{_state(row)}", (Cite(row.piece),))


def _as_told(row: Row, name: str) -> FieldValue:
    """A field as the sheet writes it, where it is counted by another form."""
    return row.fields.get(f"{name} told", row.fields[name])


def _state(row: Row) -> str:
    told = [name for name in ("equipped", "attuned") if row.fields.get(name)]
    told += [f"in the {row.fields['container']}"] if row.fields.get("container") else []
    told += [str(row.fields["remark"])] if row.fields.get("remark") else []
    return f" ({', '.join(told)})" if told else ""


def thing_lines(rows: Sequence[Row]) -> list[FoundLine]:
    lines = []
    for row in rows[:_MOST_LISTED]:
        lines.append(FoundLine(f"- {_entry(row)}", (Cite(row.piece),)))
    if len(rows) > _MOST_LISTED:
        lines.append(FoundLine(f"- and {len(rows) - _MOST_LISTED} more"))
    return lines


def _entry(row: Row) -> str:
    if row.number is not None:
        return spelled(row.number).partition(" = ")[0]
    if "slot" in row.kinds:
        return f"{row.name}: {row.fields['left']} of {row.fields['max']} left"
    count = row.fields.get("quantity", 1)
    many = f" x {count}" if count != 1 else ""
    return f"{row.name}{many}{_state(row) if 'item' in row.kinds else ''}"


def list_lines(query: ThingQuery, found: Sequence[Row]) -> list[FoundLine]:
    what = _title(query)
    if not found:
        return [FoundLine(f"None: the sheet lists no {what}.")]
    if query.want == "count":
        cites = tuple(Cite(row.piece) for row in found)
        names = ", ".join(row.name for row in found[:_MOST_LISTED])
        return [FoundLine(f"**{len(found)}** {what}: {names}", cites)]
    if query.want in ("most", "least"):
        return [_ordered_line(query, row) for row in found[:6]]
    return [FoundLine(f"{what.capitalize()} ({len(found)}):"), *thing_lines(found)]


def _ordered_line(query: ThingQuery, row: Row) -> FoundLine:
    if row.number is not None:
        head, equals, parts = spelled(row.number).partition(" = ")
        return FoundLine(f"**{head}**{equals}{parts}", (Cite(row.piece),))
    return FoundLine(f"**{row.name}**: {_ordered_by(query, row)}", (Cite(row.piece),))


def _ordered_by(query: ThingQuery, row: Row) -> str:
    if query.field == "average damage":
        return f"{row.fields['damage told']}, {row.fields['average damage']:g} on average"
    told = plain_value(_as_told(row, query.field))
    far = re.search(r"/(\d+)", told) if query.field == "range" and query.want == "most" else None
    return f"{query.field} {told}{f', {far[1]} at most' if far else ''}"


def _title(query: ThingQuery) -> str:
    told = [_said(test) for test in query.where if test.field not in ("-", "attunable")]
    told = [word for word in told if word]
    return " ".join([*told, f"{query.kinds[0]}s" if query.kinds[0] != "ability" else "abilities"])


def _said(test: RowTest) -> str:
    if test.field == "level" and test.op == "is":
        return f"level {test.value}" if test.value else "cantrip"
    if test.value is True:
        return test.field if test.op == "is" else f"not {test.field}"
    return str(test.value) if test.op == "is" and isinstance(test.value, str) else ""


def says_something(clause: AskedClause, heard: ClauseReading, row: Row) -> bool:
    """Whether more is known of a spell than that it is on the list, where more is asked."""
    if "spell" not in row.kinds or clause.asks_whether or heard.tests:
        return True
    asked = [name for name in heard.fields if name not in ("quantity", "level")]
    return not asked or any(row.fields.get(name) for name in asked)
