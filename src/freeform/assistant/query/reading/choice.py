"""What is told in the end: what the sources' rows say to a question, what a reader finds in their
passages, or both."""

import re
from collections.abc import Sequence
from dataclasses import replace

from freeform.assistant.model import Piece
from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.asked.whether import asks_for_own, rule_says, with_yes_or_no
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import FoundLine, QueryFinding
from freeform.assistant.query.reading.answer import MOST_UNSURE, ReadPiece, finding_of
from freeform.assistant.query.reading.answer_lines import said_by, told_lines, within
from freeform.assistant.query.reading.formula import formula_line
from freeform.assistant.query.reading.owed import owed_line, shared_line
from freeform.assistant.query.reading.stock import used_lead
from freeform.assistant.query.reading.worked import worked_line
from freeform.assistant.quotes import sentences_of
from freeform.language.forms import is_denial
from freeform.language.words import words

ROWS = 0.8
"""So much of its clause must a finding explain that was read from rows to be told first whatever a
reader finds. One that only shares words with it hardly ever is: of 585 questions of thirteen
strangers' tables .106 were answered wrongly while it could be, .070 since, and as many rightly."""
WORDS, MOST_SETTLING = 1.0, 30
"""A note settles its clause where it has every word of it in so few and does not itself ask: a long
one has the words of many questions. Of 585 questions of thirteen strangers' tables .513 were right
and .074 wrong while one of any length did, .521 and .058 since."""
CERTAIN = 0.95
"""From so much on nothing is read beside what rows say: reading takes most of an answer's time."""
BESIDE = 0.35
"""What is read is told beside such a one from that chance on, if it says something else."""
MOST_KEPT, MOST_BESIDE, MOST_IN_ALL = 50, 60, 110
"""Words of a finding that something else is told beside, of what is, and of both."""
LIKELY, MOST_NEAR, RATHER = 0.6, 25, 0.3
"""A finding that explains so much is told among the nearest passages where no reader is sure, in so
many words: before all of them, or after the first where that is rather likely."""
MOST_WORKED = 4
"""The likeliest passages among which a rule is worked out."""
BY_RULE = 0.35
"""How likely a rule must be that is taken for a yes or a no."""
LATER, DENYING = 3, 0.3
"""The likeliest notes among which one may deny what is asked, and how likely it must be beside the
likeliest."""
ALSO_NEAR = "Also near:"


def chosen_findings(
    clause: AskedClause,
    desk: QueryDesk,
    found: Sequence[QueryFinding],
    read: Sequence[ReadPiece],
) -> list[QueryFinding]:
    """The findings to tell, where something could be read."""
    told = finding_of(read)
    if told is None:
        return list(found)
    rules = [each.piece for each in read[:MOST_WORKED] if each.piece.tool == "rulebook"]
    known = [each for each in found if each.known]
    settled = bool(known) and all(map(is_settled, known))
    worked = worked_line(clause, rules)
    if not worked and not settled:
        worked = shared_line(clause, desk, read) or owed_line(clause, desk, read)
        worked = worked or formula_line(clause, desk, rules)
    if worked:
        rest = within([line for line in told.lines if line.cites], MOST_BESIDE)
        return [QueryFinding(told.tool, [worked, *rest], told.coverage)]
    if settled:
        again = any(said_by(read[0]).lower() in line.text.lower() for line in _lines(known))
        if len(known) == len(found) and (told.coverage < BESIDE or again):
            return list(found)
        kept = within(_lines(known), MOST_KEPT)
        room = min(MOST_BESIDE, MOST_IN_ALL - sum(map(_size, kept)))
        fitting = [line for line in _others(told.lines, kept) if _size(line) <= room]
        also = replace(told, lines=[FoundLine(ALSO_NEAR), *within(fitting, room)], known=True)
        return [replace(known[0], lines=kept), also] if fitting else list(found)
    if used := used_lead(clause, desk, read):
        line = told_lines([used[1]])[0]
        return [QueryFinding("character_data", [FoundLine(f"{used[0]}. {line.text}", line.cites)])]
    if told.known:
        return [_whether(clause, told, read)]
    if known and all(_is_of_named(each, clause) for each in known):
        return list(found)
    return [_whether(clause, _with_near(told, known), read)]


def _whether(clause: AskedClause, finding: QueryFinding, read: Sequence[ReadPiece]) -> QueryFinding:
    """A finding with yes or no at its head, where that is asked and something decides it."""
    deciding = _deciding(clause, read)
    said = finding if _denied(clause, deciding) else with_yes_or_no(clause, finding)
    return _by_rule(clause, said, deciding)


def _deciding(clause: AskedClause, read: Sequence[ReadPiece]) -> ReadPiece:
    """What decides between yes and no: the likeliest; of what happened a later note that denies it
    and is nearly as likely, for what was believed first is often wrong."""
    best = read[0]
    if not clause.asks_whether or not is_told(clause) or _denied(clause, best):
        return best
    for each in read[1:LATER]:
        noted = each.piece.tool == "session_notes" and _is_later(each.piece, best.piece)
        if noted and each.chance >= DENYING * best.chance and _denied(clause, each):
            return replace(each, chance=best.chance)
    return best


def _is_later(one: Piece, other: Piece) -> bool:
    """Whether a note was written after another: in a later session, or below it in the same."""
    if one.tool != other.tool:
        return False
    sessions = [each.data.get("session") or 0 for each in (one, other)]
    if sessions[0] != sessions[1]:
        return all(sessions) and bool(sessions[0] > sessions[1])
    return one.where.file == other.where.file and (one.where.line or 0) > (other.where.line or 0)


def _by_rule(clause: AskedClause, finding: QueryFinding, best: ReadPiece) -> QueryFinding:
    """A finding with yes or no at its head, where what is likeliest to answer denies what is asked,
    or a rule says or denies it outright."""
    if not clause.asks_whether or best.chance < BY_RULE or _has_yes_or_no(finding):
        return finding
    lead = "No" if _denied(clause, best) else _ruled(clause, best)
    if not lead:
        return finding
    line = told_lines([best])[0]
    rest = [each for each in finding.lines if each.cites and each.cites[0].piece != best.piece]
    first = FoundLine(f"{lead}. {line.text}", line.cites)
    return replace(finding, lines=[first, *within(rest, MOST_BESIDE)], known=True)


def _denied(clause: AskedClause, best: ReadPiece) -> bool:
    """Whether the very words that answer deny: of 300 questions of `training/reading/tables` that
    ask whether, 73 had such words, and 70 of those answer no; words that deny nothing say as often
    no as yes."""
    asked = any(map(is_denial, words(clause.text)))
    return not asked and any(map(is_denial, words(said_by(best))))


def _ruled(clause: AskedClause, best: ReadPiece) -> str:
    """Yes or no by what a rule says outright; what only sheet or notes tell is not."""
    if best.piece.tool != "rulebook" or asks_for_own(clause):
        return ""
    start, end = best.read.spans[0] if best.read.spans else (0, 0)
    said = next((s for s in sentences_of(best.piece.text) if best.piece.text[start:end] in s), "")
    return rule_says(clause, said, best.piece.title)


def _has_yes_or_no(finding: QueryFinding) -> bool:
    return any(re.match(r"\W*(?:yes|no)\b", line.text, re.I) for line in finding.lines)


def _is_of_named(finding: QueryFinding, clause: AskedClause) -> bool:
    """Whether it tells of a thing of the sheet that the question names outright: then it is told,
    if not as asked."""
    if finding.tool != "character_data" or finding.coverage < LIKELY or finding.query is not None:
        return False
    titles = [cite.piece.title for line in finding.lines for cite in line.cites]
    return any(" " in title and title.lower() in clause.text.lower() for title in titles)


def _with_near(told: QueryFinding, known: Sequence[QueryFinding]) -> QueryFinding:
    """The nearest passages with what explains much of the question, if not enough of it."""
    lead, *nearest = told.lines
    likely = [each for each in known if each.coverage >= LIKELY]
    short = [line for line in _lines(likely) if line.cites and _size(line) <= MOST_NEAR]
    first = 1 if told.coverage >= RATHER else 0
    lines = [*nearest[:first], *within(short, MOST_NEAR), *nearest[first:]]
    lines = within(lines, MOST_UNSURE)
    return replace(told, lines=[lead, *lines])


def is_settled(finding: QueryFinding) -> bool:
    """Whether rows, or every word of a short note, explain its clause, with something to show."""
    if not any(line.cites for line in finding.lines):
        return False
    if finding.query is not None:
        return finding.coverage >= ROWS
    asks = all(line.text.rstrip().endswith("?") for line in finding.lines)
    short = all(_size(line) <= MOST_SETTLING for line in finding.lines)
    said = finding.tool == "session_notes" and finding.coverage >= WORDS
    return said and short and not asks


def is_certain(finding: QueryFinding) -> bool:
    """Whether rows of a source explain all of their clause: then no passage is read beside."""
    sure = finding.known and finding.query is not None and finding.coverage >= CERTAIN
    return sure and any(line.cites for line in finding.lines)


def _others(lines: Sequence[FoundLine], kept: Sequence[FoundLine]) -> list[FoundLine]:
    """The lines that rest on something else than what is told already."""
    told = {cite.piece.id for line in kept for cite in line.cites}
    return [line for line in lines if line.cites and line.cites[0].piece.id not in told]


def _lines(findings: Sequence[QueryFinding]) -> list[FoundLine]:
    return [line for finding in findings for line in finding.lines]


def _size(line: FoundLine) -> int:
    return len(line.text.split())
