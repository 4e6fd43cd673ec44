"""A number of the question against one of the sheet or the rules: a distance against the range of
what is named, somebody's roll against the Armor Class."""

import re
from collections.abc import Sequence

from freeform.assistant.query.clause import AskedClause, plain_value, read_clause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.query.rule_rows import rule_row
from freeform.assistant.query.schema import called, glosses_of, phrase
from freeform.language.forms import is_denial
from freeform.language.words import words

_FAR = re.compile(r"(?<![\w.,+-])(\d[\d,]{0,5})\s*-?\s*(?:feet|foot|ft)\b", re.I)
_RANGE = re.compile(
    r"(?<![\d,.])(\d[\d,]{0,5})(?:\s*(?:ft\.?|feet)?\s*/\s*(\d[\d,]{0,5}))?(?!\d)\s*-?\s*([a-z]*)",
    re.I,
)
_FEET = frozenset({"", "feet", "foot", "ft"})
_ROLL = re.compile(
    r"(?<![\w.+/-])(\d{1,2})(?![\w/]|\s*-?\s*(?:ft|feet|foot|gp|sp|cp|hp|damage))", re.I
)
HITTING, REACHING = "Being hit", "Being in range"
"""What such questions mean, in everyday words."""
MEANT = 0.6
REACHES = 0.62
_AT_ME = re.compile(
    r"\b(?:hits?|gets?|strikes?|beats?|attack(?:s|ed|ing)?|against|past|at|on)"
    r" (?:me|my (?:ac|armou?r))\b",
    re.I,
)
"""The one who asks is hit, and hits nobody."""
_HINDERED = re.compile(r"\bdis-?adv", re.I)


def reach_line(
    clause: AskedClause, desk: QueryDesk, entries: Sequence[NamedEntry]
) -> FoundLine | None:
    """In reach, in reach with disadvantage, or out of it; None where no distance or no range is
    known."""
    asked = _FAR.findall(clause.text)
    if len(asked) != 1 or not clause.asks_whether or _nearest(clause, desk, REACHING) < REACHES:
        return None
    named = [row for each in read_clause(clause, desk.sheet_rows).named for row in each.rows]
    for row in [*(row for row in named if "weapon" in row.kinds), *_of_rules(desk, entries)]:
        told = plain_value(row.fields.get("range told") or row.fields.get("range", ""))
        hit = _RANGE.search(told)
        if hit and ("weapon" in row.kinds or "spell" in row.kinds):
            if hit[3].lower() not in _FEET:
                return None
            reach = (_number(hit[1]), _number(hit[2] or hit[1]))
            cite = Cite(row.piece, row.quotes.get("range", ""))
            return FoundLine(_said(clause, row.name, _number(asked[0]), reach), (cite,))
    return None


def _number(said: str) -> int:
    return int(said.replace(",", ""))


def _nearest(clause: AskedClause, desk: QueryDesk, meaning: str) -> float:
    return max(desk.near_texts(clause.text, glosses_of(meaning)), default=0.0)


def _of_rules(desk: QueryDesk, entries: Sequence[NamedEntry]) -> list[Row]:
    if desk.rules is None:
        return []
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    found = list[Row]()
    for entry in entries:
        piece = book.piece(entry.rows[0]) if entry.exact else None
        if piece is not None and entry.rows[0].kind == "spell":
            found.append(rule_row(entry.rows[0], piece))
    return found


def _said(clause: AskedClause, name: str, far: int, reach: tuple[int, int]) -> str:
    near, most = reach
    hindered = near < far <= most
    range_ = f"{near}/{most}" if most > near else f"{near}"
    if _HINDERED.search(clause.text):
        lead = "Yes: with **disadvantage**" if hindered else "No"
    elif far > most:
        lead = "No"
    else:
        lead = "Yes, with **disadvantage**" if hindered else "Yes"
    where = "in" if far <= near else "beyond the normal" if hindered else "out of"
    return f"{lead}: {far} feet is {where} range of {name} ({range_} feet)"


def hit_line(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """Whether a roll that the question tells hits the one who asks."""
    rolled = _ROLL.findall(clause.text)
    names = set(map(phrase, called("armor_class")))
    armor = next((row for row in desk.sheet_rows if phrase(row.name) in names), None)
    if len(rolled) != 1 or armor is None or not _asks_to_be_hit(clause):
        return None
    value = armor.fields.get("value")
    if _nearest(clause, desk, HITTING) < MEANT or not isinstance(value, int):
        return None
    lead = "Yes" if int(rolled[0]) >= value else "No"
    return FoundLine(f"{lead}: {rolled[0]} against Armor Class {value}", (Cite(armor.piece),))


def _asks_to_be_hit(clause: AskedClause) -> bool:
    """Whether somebody else's roll is asked about, and plainly: `does a 17 hit me`."""
    said = words(clause.text)
    plain = "i" not in said and not any(map(is_denial, said))
    return bool(clause.asks_whether and plain and _AT_ME.search(clause.text))
