"""Numbers of a written sheet that no other row has, as rows: each by the words that stand beside it
on the page, and shown by the very line."""

import re
from collections.abc import Iterable, Iterator, Sequence

from freeform.assistant.model import Piece
from freeform.assistant.query.model import FieldValue, Row
from freeform.assistant.query.schema import Phrase, also_called, phrase
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES
from freeform.assistant.sheet.written.beside import WrittenNumber, numbers_in, pool_of
from freeform.assistant.sheet.written.outline import bare_line

LONGEST = 3
"""Words of a name; more are a sentence."""


def stated_rows(sheet: Sheet, lines: Sequence[Piece], known: Iterable[Row]) -> list[Row]:
    """A row for every such number; none for sheets that nobody wrote."""
    if not sheet.page:
        return []
    taken = set[Phrase]()
    for row in known:
        taken |= {phrase(name) for name in (row.name, *row.names)}
    found = list[Row]()
    for line in lines:
        for told in numbers_in(line.text):
            name = phrase(told.label)
            if name in taken or not 0 < len(name) <= LONGEST:
                continue
            for row in _rows_of(told, line):
                taken.add(name)
                found.append(row)
    return found


def _rows_of(told: WrittenNumber, line: Piece) -> Iterator[Row]:
    """What there is of something, or the number itself."""
    names = (*also_called(told.label), *filter(None, [ABILITY_NAMES.get(told.label, "")]))
    name = told.label[:1].upper() + told.label[1:]
    pool, fields = pool_of(told), dict[str, FieldValue]()
    marked = any(each.role for each in told.amounts)
    if marked and pool.now is not None and pool.most is not None:
        fields = {"left": pool.now, "max": pool.most, "lost": max(0, pool.most - pool.now)}
        yield Row(("pool",), name, line, names, {**fields, "value": pool.now})
        return
    bare = [each for each in told.amounts if each.role in ("", "now")]
    if bare:
        shown = f"{bare[0].value:+d}" if bare[0].signed else str(bare[0].value)
        if len(bare) > 1:  # A range, a pool, or one for when it rains: only the page says which.
            shown = _behind(told.label, bare_line(line.text))
        yield Row(("stat",), name, line, names, {"value": shown})


def _behind(label: str, line: str) -> str:
    """A line as it is written, without the label that it begins with."""
    behind = re.match(rf"{re.escape(label)}\b(?:[\s:.=]|-\s)*(.+)", line, re.IGNORECASE)
    return behind[1] if behind else line
