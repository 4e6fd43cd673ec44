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
from freeform.assistant.query.rule_query import RuleBook
from freeform.assistant.query.schema import called, glosses_of, phrase
from freeform.assistant.quotes import sentences_of
from freeform.assistant.rulebook.catalogue import RulebookRow

MISSING, RESTED = "Missing to the full", "Hit dice after a night"
STILL, USED, LEFT = "Still to be used", "Used up", "Not used yet"
"""What such questions, and such remarks on a sheet, mean in everyday words."""
SHORT_OF, SLEPT, ASKED_AFTER = 0.72, 0.82, 0.33
"""How near a question must be to them. Questions after the full or the present number are at .68 at
most, those after what happens on a rest at .78, those after other things at .2."""
REMARKED, APART = 0.58, 0.1
"""How near a remark must be to one of them, and how much nearer than to the other."""
LONGEST_REMARK, FIRST = 5, 3
"""Words of a remark; passages among which it is looked for."""
_BORDER = re.compile(r"[.;,:|()\n]|\s{2,}|\s[-–—]\s|(?<=[a-z\d])\s+(?=[A-Z]{4,}\b)")
_OF_ALL = re.compile(r"(?<![\d/])(\d{1,2})\s*(?:/|of)\s*(\d{1,2})(?![\d/])")
_HALF = re.compile(r"\bregains?\b.*\bspent hit (?:point )?dice\b.*\bhalf\b", re.I | re.S)
_WHOLE = re.compile(r"\bregains?\b.*\ball\s+(?:your\s+)?spent hit (?:point )?dice\b", re.I | re.S)
_DICE = re.compile(r"(?<!\d)(\d{1,2})(d\d+) of (\d{1,2})\2")


def stock_line(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """What is missing to the full, or what a night brings back; None where neither is asked, or not
    of the one who asks."""
    if clause.asks_whether or not clause.mine or not desk.sheet:
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
    """What a night gives back, as the rulebook says it: all hit dice, or half of them, one at
    least. None without a rule."""
    counted = _hit_dice(desk)
    if counted is None or _near(clause.text, desk, RESTED) < SLEPT:
        return None
    rule = _rule_of_rests(desk)
    if rule is None:
        return None
    left, most, cite = counted
    half = _HALF.search(rule.quote)
    back = min(most - left, max(1, most // 2)) if half else most - left
    much = f"half of {most} at most" if half else f"all {most}"
    text = f"**{left + back}** = {left} +{back}: a long rest brings back {much}"
    return FoundLine(text, (cite, rule))


def _rests(row: RulebookRow) -> bool:
    named = " ".join([row.name, *(part.path for part in row.parts)])
    asked = set(phrase("rest")) | set(phrase("resting"))
    return bool(asked & set(keys_of(named)))


def _rule_of_rests(desk: QueryDesk) -> Cite | None:
    """The sentence of the rules that says how many spent hit dice a long rest gives back; None
    where none does, or two say it differently."""
    if desk.rules is None:
        return None
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    found = list[Cite]()
    for row in desk.rules.rows:
        for at in range(len(row.parts)) if _rests(row) else ():
            piece = book.piece(row, at)
            said = sentences_of(piece.text) if piece else []
            found += [
                Cite(piece, s) for s in said if piece and (_HALF.search(s) or _WHOLE.search(s))
            ]
    halves = {bool(_HALF.search(cite.quote)) for cite in found}
    return found[0] if len(halves) == 1 else None


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
            return ("Yes" if (USED if is_told(clause) else LEFT) in said else "No"), each
    return None


def _asked_after(clause: AskedClause, desk: QueryDesk) -> float:
    return _near(clause.text, desk, STILL)


def _remarked(text: str, wanted: set[str], desk: QueryDesk) -> set[str]:
    """Whether the line that has most of the words asked after says that it is used, that it is
    left, or, of what can be used several times, both; nothing where it says neither. What is said
    in words goes before what is counted."""
    lines = [(len(wanted & set(keys_of(line))), line) for line in text.split("\n")]
    shared, line = max(lines, key=lambda pair: pair[0])
    parts = [part.strip() for part in _BORDER.split(line)] if shared else []
    for part in parts:
        said = "" if _OF_ALL.search(part) else _means(part, desk)
        if said:
            return {said}
    for part in parts:
        if count := _OF_ALL.search(part):
            return _counted(count, _beside(part, count, wanted), desk)
    return set()


def _beside(part: str, count: re.Match[str], wanted: set[str]) -> str:
    """The words beside a count, but for those of what is counted."""
    rest = f"{part[: count.start()]} {part[count.end() :]}".split()
    return " ".join(word for word in rest if not wanted & set(keys_of(word)))


def _counted(count: re.Match[str], beside: str, desk: QueryDesk) -> set[str]:
    """What `1/3` says: of what is left, or beside `used` of what is used; nothing beside other
    words."""
    first, most = int(count[1]), int(count[2])
    said = _means(beside, desk) if beside else LEFT
    if not said or first > most:
        return set()
    left = most - first if said == USED else first
    return {*([LEFT] if left else []), *([USED] if left < most else [])}


def _means(part: str, desk: QueryDesk) -> str:
    """USED or LEFT, where a short remark means one of them; else ''."""
    if not 0 < len(part.split()) <= LONGEST_REMARK:
        return ""
    used, left = _near(part, desk, USED), _near(part, desk, LEFT)
    if max(used, left) < REMARKED or abs(used - left) < APART:
        return ""
    return USED if used > left else LEFT
