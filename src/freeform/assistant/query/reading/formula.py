"""A rule with the sheet's own numbers in it: `1 + its Constitution modifier` minutes, a jump as far
as the Strength score, the dice of a spell from a higher slot."""

import re
from collections.abc import Sequence

from freeform.assistant.model import Piece
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.quotes import sentences_of
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES

_WHOSE = r"(?:your|its|their|the creature's|his or her)"
_ABILITY = rf"(?P<ability>{'|'.join(ABILITY_NAMES.values())})"
_MODIFIED = re.compile(
    rf"(?P<more>\d+) (?:\+|plus) {_WHOSE} {_ABILITY} modifier(?: (?P<unit>[a-z]+))?", re.I
)
_SCORED = re.compile(
    rf"(?:up to|equal to|is) {_WHOSE} {_ABILITY} score"
    r"(?: (?:multiplied by|times|x|×) (?P<times>\d+))?",
    re.I,
)
_UNIT = re.compile(r"(?:number of |in )([a-z]+)", re.I)
_HIGHER = re.compile(
    r"\bincreases by (?P<dice>\d*)d(?P<die>\d+) for each (?:slot|spell slot) level above "
    r"(?P<base>\d)",
    re.I,
)
_CASTER = re.compile(r"\bspellcasting ability modifier\b", re.I)


def formula_line(clause: AskedClause, desk: QueryDesk, pieces: Sequence[Piece]) -> FoundLine | None:
    """The first of some rules that names a score or modifier which the sheet has; None where the
    one who asks does not speak of themselves, or none does."""
    if not (clause.mine or clause.by_name) or desk.sheet is None or clause.asks_whether:
        return None
    for piece in pieces:
        for sentence in sentences_of(piece.text):
            hit = _MODIFIED.search(sentence) or _SCORED.search(sentence)
            row = _own(desk, hit) if hit else None
            if hit is None or row is None:
                continue
            text = f"{_worked(hit, row, sentence)} ({piece.title}: {' '.join(sentence.split())})"
            return FoundLine(text, (Cite(piece, sentence), Cite(row.piece)))
    return None


def _own(desk: QueryDesk, hit: re.Match[str]) -> Row | None:
    """The score or modifier of the sheet that a rule speaks of."""
    kind = "modifier" if hit.re is _MODIFIED else "ability"
    named = hit["ability"].lower()
    rows = (row for row in desk.sheet_rows if kind in row.kinds)
    return next((row for row in rows if row.name.lower().startswith(named)), None)


def _worked(hit: re.Match[str], row: Row, sentence: str) -> str:
    value = row.fields.get("value")
    own = value if isinstance(value, int) else 0
    if hit.re is _MODIFIED:
        before = _UNIT.search(sentence[: hit.start()])
        unit = hit["unit"] or (before[1] if before else "")
        return f"**{int(hit['more']) + own}** {unit}".strip() + f" = {hit['more']} {own:+d}"
    times = int(hit["times"]) if hit["times"] else 1
    shown = f" = {own} × {times}" if times > 1 else ""
    return f"**{own * times}**{shown}"


def higher_slot_line(
    clause: AskedClause, desk: QueryDesk, entries: Sequence[NamedEntry]
) -> FoundLine | None:
    """The dice of a spell that the question names, from a slot of the level it names."""
    levels = clause.levels()
    if not levels or desk.rules is None or clause.asks_whether:
        return None
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    for entry in entries:
        piece = book.piece(entry.rows[0]) if entry.exact else None
        rule = _HIGHER.search(piece.text) if piece else None
        if piece is None or rule is None or entry.rows[0].kind != "spell":
            continue
        first = re.search(rf"\b(\d*)d{rule['die']}\b", piece.text[: rule.start()])
        above = levels[0][0] - int(rule["base"])
        if first is None or above < 0:
            continue
        dice = int(first[1] or 1) + above * int(rule["dice"] or 1)
        more, cites = _caster(desk, piece)
        step = (
            f"{first[0]}, and {rule['dice'] or 1}d{rule['die']} for each level above {rule['base']}"
        )
        slot = f"from a level {levels[0][0]} slot"
        text = f"**{dice}d{rule['die']}{more}** {slot}: {step} ({piece.title})"
        return FoundLine(text, (Cite(piece, rule[0]), *cites))
    return None


def _caster(desk: QueryDesk, piece: Piece) -> tuple[str, tuple[Cite, ...]]:
    """What the caster's own modifier adds, where the spell says so and the sheet tells it."""
    rows = [row for row in desk.sheet_rows if "spell attack" in row.kinds]
    bonus = next((row for row in desk.sheet_rows if row.name == "Proficiency bonus"), None)
    if not _CASTER.search(piece.text) or not rows or bonus is None:
        return "", ()
    attack, trained = rows[0].fields.get("value"), bonus.fields.get("value")
    if not isinstance(attack, int) or not isinstance(trained, int):
        return "", ()
    return f" + {attack - trained}", (Cite(rows[0].piece),)
