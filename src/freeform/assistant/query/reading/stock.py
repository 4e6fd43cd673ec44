"""What is gone of something and what is left of it: hit points short of the full, hit dice after a
night, and whether what can be used so often was used."""

import re
from collections.abc import Sequence

from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.passage import keys_of
from freeform.assistant.query.reading.answer_lines import ToldRead
from freeform.assistant.query.schema import called, glosses_of, phrase

MISSING, RESTED = "Missing to the full", "Hit dice after a night"
STILL, USED, LEFT = "Still to be used", "Used up", "Not used yet"
"""What such questions, and such remarks on a sheet, mean in everyday words."""
SHORT_OF, SLEPT, ASKED_AFTER = 0.72, 0.82, 0.33
"""How near a question must be to them. Questions after the full or the present number are at .68 at
most, those after what happens on a rest at .78, those after other things at .2."""
REMARKED, APART = 0.55, 0.1
"""How near a remark must be to one of them, and how much nearer than to the other."""
LONGEST_REMARK, FIRST = 5, 3
"""Words of a remark; passages among which it is looked for."""
_BORDER = re.compile(r"[.;,:|()\n]|\s{2,}|\s[-–—]\s|(?<=[a-z\d])\s+(?=[A-Z]{4,}\b)")
_OF_ALL = re.compile(r"(?<![\d/])(\d{1,2})\s*(?:/|of)\s*(\d{1,2})(?![\d/])")
_DICE = re.compile(r"(?<!\d)(\d{1,2})(d\d+) of (\d{1,2})\2")


def stock_line(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """What is missing to the full, or what a night brings back; None where neither is asked."""
    if clause.asks_whether or not desk.sheet:
        return None
    return _missing(clause, desk) or _rested(clause, desk)


def _near(said: str, desk: QueryDesk, meaning: str) -> float:
    return max(desk.near_texts(said, glosses_of(meaning)), default=0.0)


def _missing(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    names = set(map(phrase, called("hit_points"))) | {phrase("Hit points")}
    pools = (row for row in desk.sheet_rows if "pool" in row.kinds and phrase(row.name) in names)
    row = next((row for row in pools if _full(row)), None)
    if row is None or _near(clause.text, desk, MISSING) < SHORT_OF:
        return None
    left, most = row.fields["left"], row.fields["max"]
    text = f"**{row.fields['lost']}** = {most} - {left}: {row.name} {left} of {most}"
    return FoundLine(text, (Cite(row.piece),))


def _full(row: Row) -> bool:
    return all(isinstance(row.fields.get(name), int) for name in ("left", "max", "lost"))


def _rested(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """A night gives back half of all hit dice, one at least."""
    counted = _hit_dice(desk)
    if counted is None or _near(clause.text, desk, RESTED) < SLEPT:
        return None
    left, most, cite = counted
    back = min(most - left, max(1, most // 2))
    text = f"**{left + back}** = {left} +{back}: a long rest brings back half of {most} at most"
    return FoundLine(text, (cite,))


def _hit_dice(desk: QueryDesk) -> tuple[int, int, Cite] | None:
    """How many are left, how many there are, as somebody wrote it down. That all are there may only
    be what nobody wrote."""
    for row in desk.sheet_rows:
        left, most = row.fields.get("left"), row.fields.get("max")
        named = "pool" in row.kinds and phrase(row.name) == phrase("hit dice")
        if named and isinstance(left, int) and isinstance(most, int):
            return left, most, Cite(row.piece)
    for piece in desk.sheet.pieces if desk.sheet else ():
        hit = _DICE.search(piece.text)
        if hit and hit[1] != hit[3]:
            return int(hit[1]), int(hit[3]), Cite(piece, hit[0])
    return None


def used_lead(
    clause: AskedClause, desk: QueryDesk, read: Sequence[ToldRead]
) -> tuple[str, ToldRead] | None:
    """Yes or no to whether something can still be used, or was used, and the line of the sheet that
    remarks it; None where nothing does."""
    if not (clause.asks_whether and clause.mine) or _asked_after(clause, desk) < ASKED_AFTER:
        return None
    wanted = {token.key for token in clause.tokens if token.telling}
    for each in read[:FIRST]:
        if each.piece.tool != "character_data":
            continue
        said = _remarked(each.piece.text, wanted, desk)
        if said:
            return ("Yes" if (said == USED) == is_told(clause) else "No"), each
    return None


def _asked_after(clause: AskedClause, desk: QueryDesk) -> float:
    return _near(clause.text, desk, STILL)


def _remarked(text: str, wanted: set[str], desk: QueryDesk) -> str:
    """Whether the line that has most of the words asked after says that it is used up, or that it
    is not; '' where it says neither."""
    lines = [(len(wanted & set(keys_of(line))), line) for line in text.split("\n")]
    shared, line = max(lines, key=lambda pair: pair[0])
    for part in map(str.strip, _BORDER.split(line) if shared else ()):
        if count := _OF_ALL.search(part):
            return LEFT if int(count[1]) else USED
        if not 0 < len(part.split()) <= LONGEST_REMARK:
            continue
        used, left = _near(part, desk, USED), _near(part, desk, LEFT)
        if max(used, left) >= REMARKED and abs(used - left) >= APART:
            return USED if used > left else LEFT
    return ""
