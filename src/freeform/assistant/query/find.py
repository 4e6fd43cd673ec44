"""READ THIS FIRST. Each clause of a question is read as a query of each source; the reading that
explains most of it answers.

    clause ─┬─ sheet_query  rows of the sheet      ─┐
            ├─ rule_query   entries and tables     ─┼─ the best by coverage ─> lines, with sources
            ├─ note_query   sessions, loot, quests ─┘
            └─ passage      sentences, where no field answers; else: no source says it
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from freeform.assistant.entities.spot import NameSpot, spot
from freeform.assistant.follow_up import (
    QuestionPart,
    carried,
    leans_on_another,
    split_clauses,
)
from freeform.assistant.model import Name, Piece, Tool, ToolNeeded
from freeform.assistant.query.asked.account import with_other_account
from freeform.assistant.query.asked.held import not_held
from freeform.assistant.query.asked.kind import is_told, name_told, tells_it
from freeform.assistant.query.asked.named import cut_to_named, only_listed
from freeform.assistant.query.asked.spelling import names_nobody, spelled_out
from freeform.assistant.query.asked.whether import with_yes_or_no
from freeform.assistant.query.clause import AskedClause, Link
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import QueryFinding, Row
from freeform.assistant.query.note_query import ask_notes
from freeform.assistant.query.passage import SAID, said_nowhere
from freeform.assistant.query.prose import (
    CALLED,
    SURELY_CALLED,
    UNCHOSEN,
    from_names,
    from_passages,
)
from freeform.assistant.query.reading.answer import read_all
from freeform.assistant.query.reading.answer_lines import in_few_words, within
from freeform.assistant.query.reading.candidates import candidates
from freeform.assistant.query.reading.choice import chosen_findings, is_certain, is_settled
from freeform.assistant.query.reading.together import put_together
from freeform.assistant.query.rule_query import NamedEntry, RuleBook, ask_rules
from freeform.assistant.query.rule_rows import rule_row
from freeform.assistant.query.schema import is_asked_for
from freeform.assistant.query.sheet_query import ask_sheet
from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.language.words import word_class

MINE, NEAR, CHOSEN = 0.25, 0.22, 0.2
"""What a reading gains: of the sheet, when the one who asks speaks of themselves, and when nothing
tells whom they speak of; of any source, when its tool was chosen."""
FEW = 3
"""A word that so many names share at most may stand for them."""
WHOLLY = 0.9
"""So much of a clause must a sheet explain that was neither chosen nor spoken of, to say whether
something is so."""
BESIDE = 0.2
"""A source that was not chosen must explain so much more than the words of one that was."""
MOST_OF_PARTS = 110
"""Words of an answer to a question that asks several things."""
ENOUGH = 0.6
"""A reading that explains less is not taken."""


def find(
    question: str, desk: QueryDesk, needed: Sequence[ToolNeeded], fetched: Sequence[Piece]
) -> list[QueryFinding]:
    """A finding for each clause. Empty when nothing that can be queried was given."""
    if not (desk.sheet or desk.notes or desk.rules):
        return []
    chosen = {each.tool for each in needed}
    parts = carried(split_clauses(question), desk.tables)
    found = _of_parts(parts, desk, chosen, fetched)
    clause = spelled_out(AskedClause(question, desk.own_names), desk, chosen)
    entries = _entries(clause, desk, spot(clause.text, desk.tables))
    if settled := put_together(clause, desk, entries, found):
        return _once([settled])
    told = _part_by_part(parts, desk, chosen, fetched, found)
    told = told or _read_again(question, desk, chosen, fetched, _once(filter(None, found)))
    return in_few_words(told)


def _part_by_part(
    parts: Sequence[QuestionPart],
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    found: Sequence[QueryFinding | None],
) -> list[QueryFinding]:
    """The answer to each part in order, where rows settle some parts and the others are surely read
    by themselves; else nothing."""
    settled = [each is not None and each.known and is_settled(each) for each in found]
    if len(parts) < 2 or desk.asking.in_full or not any(settled) or all(settled):
        return []
    told = list[QueryFinding]()
    for part, each, sure in zip(parts, found, settled, strict=True):
        if not sure and leans_on_another(part.asks):
            return []
        before = [each] if each else []
        here = before if sure else _read_again(part.whole, desk, chosen, fetched, before)
        if not here or not here[0].known:
            return []
        told.append(replace(here[0], lines=within(here[0].lines, MOST_OF_PARTS // len(parts))))
    return _once(told)


def _of_parts(
    parts: Sequence[QuestionPart], desk: QueryDesk, chosen: set[Tool], fetched: Sequence[Piece]
) -> list[QueryFinding | None]:
    """What the rows and words of the sources say to each part; None where a part asks nothing."""
    found = list[QueryFinding | None]()
    for part in parts:
        told: QueryFinding | None = None
        for text in filter(None, (part.alone, part.whole)):
            clause = spelled_out(AskedClause(text, desk.own_names), desk, chosen)
            if not any(token.telling for token in clause.tokens) and not clause.mine:
                continue
            told = _of_clause(clause, desk, chosen, fetched)
            if told is not None and told.known:
                break
        if told is not None:
            told = with_other_account(with_yes_or_no(clause, told), clause, desk)
        found.append(told)
    return found


def _read_again(
    question: str,
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    found: list[QueryFinding],
) -> list[QueryFinding]:
    """What a reader finds to the whole question: instead of what was found, or beside it."""
    if found and all(map(is_certain, found)):
        return found
    asked = AskedClause(desk.asking.in_full or question, desk.own_names)
    clause = spelled_out(asked, desk, chosen)
    entries = _entries(clause, desk, spot(clause.text, desk.tables))
    listed = None if any(entry.exact for entry in entries) else only_listed(clause, desk)
    if listed is not None:
        return [listed]
    read = read_all(clause, desk, candidates(clause, desk, chosen, fetched, entries))
    return cut_to_named(clause, chosen_findings(clause, desk, found, read))


def _once(findings: Iterable[QueryFinding]) -> list[QueryFinding]:
    """Without lines that were said before."""
    said: set[str] = set()
    kept = []
    for finding in findings:
        lines = [line for line in finding.lines if line.text not in said]
        said |= {line.text for line in lines}
        if lines:
            kept.append(replace(finding, lines=lines))
    return kept


def _of_clause(
    clause: AskedClause, desk: QueryDesk, chosen: set[Tool], fetched: Sequence[Piece]
) -> QueryFinding | None:
    spots = spot(clause.text, desk.tables)
    clause = _as_on_sheet(clause, spots, desk)
    chosen = chosen | _alone_with(spots)
    if is_told(clause) and (desk.sheet or desk.notes):
        desk, chosen = desk.without_rules(), chosen - {"rulebook"} | _of_what_happened(desk)
    entries = _entries(clause, desk, spots)
    if names_nobody(clause, desk):
        return said_nowhere(desk.present(chosen))
    read = not_held(clause, desk) or _read(clause, desk, chosen, fetched, entries)
    if read is not None:
        return read
    found = from_passages(clause, desk, chosen, fetched, entries)
    if found.known and not tells_it(clause, found):
        found = said_nowhere(desk.present(chosen))
    if not _stands_on_sheet(spots):
        least = SURELY_CALLED if found.known else CALLED
        found = _if_it_tells(clause, from_names(clause, desk, least)) or found
    if not found.known and desk.notes and "session_notes" not in chosen:
        found = _if_it_tells(clause, ask_notes(clause, desk.notes)) or found
    if not found.known:
        found = name_told(clause, _told_of(clause, desk)) or found
    return None if not found.known and _stands_on_sheet(spots) else found


def _read(
    clause: AskedClause,
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> QueryFinding | None:
    """The best of what the sources' rows say to a clause; None where too little of it is read."""
    if _WHAT_IT_DOES.search(clause.text):
        return None
    readings = [each for each in _readings(clause, desk, entries) if tells_it(clause, each)]
    if clause.asks_whether and not clause.mine and "character_data" not in chosen:
        readings = [r for r in readings if r.tool != "character_data" or r.coverage > WHOLLY]
    scored = [(_worth(each, clause, chosen), each) for each in readings if _is_enough(each, chosen)]
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[1].tool in chosen | {"character_data"}:
        return best[1] if best else None
    chose = from_passages(clause, desk, chosen, fetched, entries)
    told = chose.known and chose.tool in chosen
    return chose if told and chose.coverage >= best[1].coverage - BESIDE else best[1]


def _if_it_tells(clause: AskedClause, found: QueryFinding | None) -> QueryFinding | None:
    return found if found and tells_it(clause, found) else None


def _told_of(clause: AskedClause, desk: QueryDesk) -> Sequence[Piece]:
    """What tells of the one who asks, where they ask of themselves; else what was noted."""
    if clause.mine and desk.sheet:
        return desk.sheet.pieces
    return desk.notes.pieces if desk.notes else []


def _of_what_happened(desk: QueryDesk) -> set[Tool]:
    """Where what happened is told."""
    return {"session_notes"} if desk.notes else {"character_data"}


def _as_on_sheet(clause: AskedClause, spots: Sequence[NameSpot], desk: QueryDesk) -> AskedClause:
    """A clause with a word that nobody writes, `sneaky`, as the sheet calls what it is spelled
    like. A word that everybody writes is no slip for another."""
    text = clause.text
    for hit in sorted(spots, key=lambda hit: -hit.start):
        match = hit.found.get("character_data")
        if match is None or match.strategy != "ngram" or not clause.mine:
            continue
        names = {desk.tables["character_data"].names[row].name for row in match.rows}
        everyday = any(desk.near(hit.text.lower(), (hit.text.lower(),)))
        if len(names) == 1 and not everyday:
            text = f"{text[: hit.start]}{min(names)}{text[hit.end :]}"
    return clause if text == clause.text else AskedClause(text, clause.skip)


def _alone_with(spots: Sequence[NameSpot]) -> set[Tool]:
    """The tools that alone know a name of the clause: who speaks of the Golden Anchor asks whoever
    knows it."""
    found = set[Tool]()
    for hit in spots:
        sure = [tool for tool, match in hit.found.items() if match.strategy in ("exact", "alias")]
        if len(hit.found) == 1 and sure and (" " in hit.text or hit.text[:1].isupper()):
            found |= set(sure)
    return found


_WHAT_IT_DOES = re.compile(
    r"^\W*(?:so )?(?:what (?:does|do|did) .+ do\b|how (?:does|do) .+ work\b"
    r"|what does .+ mean\b|explain )",
    re.I,
)
"""Asks for the words of an entry, not for a number of it."""


def _is_enough(finding: QueryFinding, chosen: set[Tool]) -> bool:
    """Notes are measured by the words of their own passages; the rest by the clause's."""
    if finding.tool == "session_notes":
        return "session_notes" in chosen or finding.coverage >= SAID + 2 * UNCHOSEN
    return finding.coverage >= ENOUGH


def _stands_on_sheet(spots: Sequence[NameSpot]) -> bool:
    """Whether a thing of the sheet is named outright: then it is told, if not as asked."""
    for hit in spots:
        match = hit.found.get("character_data")
        if match and match.strategy in ("exact", "alias") and " " in hit.text:
            return True
    return False


def _readings(
    clause: AskedClause, desk: QueryDesk, entries: Sequence[NamedEntry]
) -> list[QueryFinding]:
    found: list[QueryFinding | None] = []
    if desk.rules:
        found.append(
            ask_rules(
                clause, RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition, list(entries))
            )
        )
    if desk.sheet:
        found.append(
            ask_sheet(
                clause,
                desk.sheet_rows,
                desk.sheet.sheet,
                _book_rows(desk, entries),
                [row.name for entry in entries if entry.exact for row in entry.rows],
            )
        )
    if desk.notes:
        found.append(ask_notes(clause, desk.notes))
    return [each for each in found if each]


def _worth(finding: QueryFinding, clause: AskedClause, chosen: set[Tool]) -> float:
    near = 0.0 if "session_notes" in chosen else NEAR
    mine = (MINE if clause.mine else near) if finding.tool == "character_data" else 0.0
    return finding.coverage + mine + (CHOSEN if finding.tool in chosen else 0.0)


def _entries(clause: AskedClause, desk: QueryDesk, spots: Sequence[NameSpot]) -> list[NamedEntry]:
    """The entries of the rules that a clause names."""
    if not desk.rules:
        return []
    by_id = desk.rules_by_id
    table = desk.tables.get("rulebook")
    found = []
    for hit in spots:
        match = hit.found.get("rulebook")
        if match is None or table is None or not any(map(str.isalpha, hit.text)):
            continue
        rows = _rows_of([table.names[row] for row in match.rows], by_id)
        places = [
            at for at, token in enumerate(clause.tokens) if hit.start <= token.start < hit.end
        ]
        if rows and places and not _is_deed(clause, places):
            found.append(
                NamedEntry(
                    Link(places[0], len(places)),
                    rows,
                    match.strategy in ("exact", "alias", "folded"),
                )
            )
    return found + _by_word(clause, desk, found)


def _is_deed(clause: AskedClause, places: Sequence[int]) -> bool:
    """Whether a word follows the one who does it: who asks how far they can jump does not name the
    spell."""
    at = places[0]
    if len(places) > 1 or at == 0 or clause.tokens[at - 1].text not in word_class("pronouns"):
        return False
    return clause.text[clause.tokens[at].start].islower()


def _rows_of(names: Sequence[Name], by_id: Mapping[str, RulebookRow]) -> list[RulebookRow]:
    """The entries that these names stand for, each once."""
    ids = dict.fromkeys(
        name.pieces[0].removeprefix("rule:").partition("#")[0] for name in names if name.pieces
    )
    return [by_id[id] for id in ids if id in by_id]


def _by_word(clause: AskedClause, desk: QueryDesk, known: Sequence[NamedEntry]) -> list[NamedEntry]:
    """Entries by one word of their name, where few have it: `splint`."""
    table = desk.tables.get("rulebook")
    if table is None or desk.rules is None:
        return []
    by_id = desk.rules_by_id
    taken = {place for entry in known for place in entry.link.places}
    found = []
    for at, token in enumerate(clause.tokens):
        if at in taken or not token.telling or len(token.text) < 4 or is_asked_for(token.key):
            continue
        spellings = table.holding([token.text])
        names = [
            table.names[row] for place in spellings[:FEW] for row in table.spellings[place].rows
        ]
        rows = _rows_of(names, by_id)
        if rows and len(spellings) <= FEW:
            found.append(NamedEntry(Link(at, 1), rows, exact=False))
    return found


def _book_rows(desk: QueryDesk, entries: Sequence[NamedEntry]) -> list[Row]:
    """Armour, spells and what has a price, of the rules that the clause names: the calculator may
    put them on, or pay for them."""
    if not desk.rules:
        return []
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    made = []
    for entry in entries:
        for row in entry.rows:
            piece = book.piece(row)
            if piece is None:
                continue
            told = rule_row(row, piece)
            if row.kind in ("armor", "spell") or "cost" in told.fields:
                made.append(told)
    return made
