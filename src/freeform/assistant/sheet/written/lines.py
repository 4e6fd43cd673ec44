"""A written sheet line by line, as pieces one can quote."""

from freeform.assistant.model import Piece
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.pieces import piece
from freeform.assistant.sheet.written.outline import bare_line, parts_of

AS_WRITTEN = "as_written"
LONGEST_LABEL = 6
"""Words of a label that stands alone, with a colon, over what belongs to it."""


def written_lines(sheet: Sheet) -> list[Piece]:
    """A written sheet line by line, each under its heading; none for other sheets."""
    found = list[Piece]()
    for part in parts_of(sheet.page) if sheet.page else ():
        rows = [" | ".join(map(" ".join, row.items())) for row in part.rows]
        under = ""
        for line in [*part.lines, *rows]:
            said = bare_line(line)
            if not said:
                under = ""
            elif said.endswith(":") and len(said.split()) <= LONGEST_LABEL:
                under = said[:-1]
            else:
                title = ", ".join(each for each in (part.heading, under) if each) or sheet.name
                key = f"line {len(found)}"
                found.append(piece(sheet, AS_WRITTEN, title, said, "line", key=key))
    return found
