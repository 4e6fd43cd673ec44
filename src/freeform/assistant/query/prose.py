"""A clause that no field answers: the best sentences of an entry, or that no source says it."""

from collections.abc import Sequence

from freeform.assistant.model import Piece, Tool
from freeform.assistant.query.asked.sums import summed_lines
from freeform.assistant.query.clause import AskedClause, read_clause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import FoundLine, QueryFinding
from freeform.assistant.query.passage import (
    LONGEST,
    OUTRIGHT,
    SAID,
    WHO_IS,
    Passages,
    best_sentences,
    defines,
    keys_of,
    passage_line,
    said_nowhere,
    wanted_keys,
    without_asked,
)
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.query.schema import glosses_of, is_asked_for, phrase
from freeform.assistant.query.sheet_lines import says_something
from freeform.assistant.query.sheet_query import HAVING
from freeform.assistant.rulebook.semantic_match import AskedRule, sureness
from freeform.language.meaning.passages import TOLD

UNCHOSEN = 0.15
"""So much more of a clause must stand in a source that was not chosen for it."""
MOST_PARTS = 16
TITLED = 0.3
"""What an entry gains whose title the clause names."""
ALONE, NEAREST = 0.8, 0.2
"""How likely a rule must answer to be told alone, and to be shown as the nearest there is."""
CALLED, SURELY_CALLED, AS_NEAR, MOST_NEAR = 0.4, 0.6, 0.06, 6
"""How near a question must be to the name of something on the sheet, and to be told before a
passage of it; what is told besides lies no further from the best than that, and no more of it."""
GLOSSED = 0.55
"""How near a question must be to what a number of the sheet is in everyday words."""
MEANT, NEARLY = 8, 0.85
"""Parts of the rules that are looked at closely; one is told beside the best when it is worth
nearly as much."""
SECOND, NEAR_ROOM = 40, (28, 18)
"""Words of a rule that is told after the best, and of those that are only the nearest."""


def from_passages(
    clause: AskedClause,
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> QueryFinding:
    """The best sentences of what was fetched; that nothing says it, where they hold too little of a
    clause."""
    best: QueryFinding | None = None
    if _unheard_of(clause, fetched, entries):
        return said_nowhere(desk.present(chosen))
    nearest: QueryFinding | None = None
    for tool in desk.present():
        if tool == "rulebook" and clause.by_name:
            continue
        pieces = _pieces_of(tool, clause, desk, fetched, entries)
        made = _passage(clause, Passages(pieces, desk.near))
        if tool == "rulebook" and (made is None or _share_in(made, clause, desk) < OUTRIGHT):
            made = _by_meaning(clause, desk, entries) or made
        if made is None:
            continue
        if not made.known:
            nearest = made if tool in chosen or clause.mine else None
            continue
        need = _needed(tool, chosen)
        if made.coverage >= need and (best is None or made.coverage > best.coverage):
            best = made
    return best or nearest or said_nowhere(desk.present(chosen))


def _needed(tool: Tool, chosen: set[Tool]) -> float:
    """How much of a clause a source must have: more where it was not chosen, and most where rules
    are held against a question about what happened."""
    if tool in chosen:
        return SAID
    return ALONE if tool == "rulebook" and "session_notes" in chosen else SAID + UNCHOSEN


def _share_in(finding: QueryFinding, clause: AskedClause, desk: QueryDesk) -> float:
    """How much of a clause stands in what is cited, word for word; a title that it names counts
    nothing more."""
    piece = finding.lines[0].cites[0].piece
    return Passages([piece]).coverage(wanted_keys(clause), frozenset(keys_of(_all_of(piece))))


def _all_of(piece: Piece) -> str:
    return f"{piece.title} {piece.text} {piece.where.section}"


def from_names(clause: AskedClause, desk: QueryDesk, least: float) -> QueryFinding | None:
    """What on the sheet is called nearly as someone asks about themselves: `pick locks`, Thieves'
    Tools. None where nothing is near enough."""
    whether = clause.asks_whether and not HAVING & {token.text for token in clause.tokens}
    if whether or not (clause.mine and desk.sheet):
        return None  # Whether one may do something is not told by what one has.
    near = _near_names(clause, desk, least)
    if not near:
        return None
    best = max(near.values())
    rows = [row for row in desk.sheet_rows if near.get(row.name, 0.0) >= best - AS_NEAR][:MOST_NEAR]
    heard = read_clause(clause, rows)
    rows = [row for row in rows if says_something(clause, heard, row)]
    if not rows:
        return None
    lines = {line.text: line for line in summed_lines(clause, heard, rows)}
    numbers = [row.number for row in rows if row.number]
    return QueryFinding("character_data", list(lines.values()), best, numbers=numbers)


def _near_names(clause: AskedClause, desk: QueryDesk, least: float) -> dict[str, float]:
    """The names on the sheet that mean nearly what a clause does, by themselves or by what they are
    in everyday words, and how near they are; none where none is near enough."""
    names = tuple(dict.fromkeys(row.name for row in desk.sheet_rows))
    near = dict(zip(names, desk.near_texts(clause.text, names), strict=False))
    glossed = [(name, gloss) for name in names for gloss in glosses_of(name)]
    told = desk.near_texts(clause.text, tuple(gloss for _, gloss in glossed))
    for (name, _), one in zip(glossed, told, strict=False):
        if one >= GLOSSED:
            near[name] = max(near.get(name, 0.0), one)
    return near if max(near.values(), default=0.0) >= least else {}


def _by_meaning(
    clause: AskedClause, desk: QueryDesk, entries: Sequence[NamedEntry]
) -> QueryFinding | None:
    """The rules that a clause means, whatever its words; None where nothing can tell."""
    if desk.rules is None:
        return None
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    telling = [token for token in clause.tokens if token.telling] or clause.tokens
    rows = [row for entry in entries for row in entry.rows]
    asked = AskedRule(clause.text, [(token.key, token.text) for token in telling], rows)
    ranked = desk.rules.meaning.ranked(asked, desk.near, desk.near_texts)
    shown = []
    for meant in ranked:
        piece = book.piece(*meant.place)
        if piece is not None:
            shown.append((meant, piece))
        if len(shown) == MEANT:
            break
    if not shown:
        return None
    sure = sureness([meant for meant, _ in shown])
    near = [piece for meant, piece in shown if meant.worth >= shown[0][0].worth * NEARLY]
    return told_rules(clause, Passages(near, desk.near), sure)


def told_rules(clause: AskedClause, passages: Passages, sure: float) -> QueryFinding:
    """The best rule, with another edition's or the next one beside it; one that hardly answers only
    as the nearest."""
    wanted, pieces = wanted_keys(clause), passages.pieces
    first = pieces[0]
    if sure < NEAREST:
        return said_nowhere(["rulebook"])
    if sure < TOLD:
        others = [piece for piece in pieces if piece.title != first.title][:1]
        lines = [FoundLine("No rule says this outright. The nearest:")]
        for piece, room in zip([first, *others], NEAR_ROOM, strict=False):
            parts = best_sentences(piece.text, passages, wanted, room)
            if len(" ".join(parts).split()) <= room:
                lines.append(passage_line(_headed(piece), parts, piece))
        if len(lines) == 1:
            return said_nowhere(["rulebook"])
        return QueryFinding("rulebook", lines, sure, known=False)
    beside = _twins(first, pieces)
    if not beside and sure < ALONE:
        beside = [piece for piece in pieces if piece.title != first.title][:1]
    rooms = [LONGEST // 2] * 2 if _twins(first, pieces) else [LONGEST - SECOND, SECOND]
    lines = []
    for piece, room in zip([first, *beside], rooms if beside else [LONGEST], strict=True):
        parts = best_sentences(piece.text, passages, wanted, room)
        lines.append(passage_line(_headed(piece), parts, piece))
    return QueryFinding("rulebook", lines, sure)


def _headed(piece: Piece) -> str:
    """What a piece is called, with its edition."""
    edition = f" ({piece.edition})" if piece.tool == "rulebook" and piece.edition else ""
    return f"{piece.title}{edition}"


def _unheard_of(
    clause: AskedClause, fetched: Sequence[Piece], entries: Sequence[NamedEntry]
) -> bool:
    """Whether a word that stands right before a name is used nowhere: there are weasels, and no
    clockwork weasel."""
    for entry in entries:
        before = clause.tokens[entry.link.at - 1] if entry.link.at else None
        if before is None or not before.telling or is_asked_for(before.key):
            continue
        used = any(before.key in keys_of(f"{piece.title} {piece.text}") for piece in fetched)
        if not used:
            return True
    return False


_OF_ONE_THING = ("spell_list", "inventory")
"""Sections of a sheet whose pieces each describe one thing."""


def _is_named(title: str, clause: AskedClause) -> bool:
    """Whether a clause says a word of a name."""
    said = set(wanted_keys(clause))
    return any(key in said for key in phrase(title))


def _pieces_of(
    tool: Tool,
    clause: AskedClause,
    desk: QueryDesk,
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> list[Piece]:
    """What may be told of a source: the whole sheet, the entries named, what was fetched."""
    if tool == "session_notes":
        return []
    if tool == "character_data" and desk.sheet:
        # A spell that the sheet only names tells nothing of what it does; and what one does is
        # told where it is named, not where its words happen to fit.
        return [
            piece
            for piece in desk.sheet.pieces
            if not piece.text.rstrip().endswith(":")
            and (piece.section not in _OF_ONE_THING or _is_named(piece.title, clause))
        ]
    found = {piece.id: piece for piece in fetched if piece.tool == tool}
    if desk.rules:
        book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
        for row in (row for entry in entries for row in entry.rows):
            for at in range(min(len(row.parts), MOST_PARTS)):
                piece = book.piece(row, at)
                if piece is not None:
                    found.setdefault(piece.id, piece)
    return list(found.values())


def _passage(clause: AskedClause, passages: Passages) -> QueryFinding | None:
    """The best piece as lines."""
    wanted, pieces = wanted_keys(clause), passages.pieces
    if not pieces or not wanted:
        return None
    wanted = without_asked(wanted, passages)
    rank, at = _best(_titled_first(clause, passages, wanted), pieces, clause)
    first = pieces[at]
    told = [first, *_twins(first, pieces)]
    room = LONGEST // len(told)
    lines: list[FoundLine] = []
    for piece in told:
        parts = best_sentences(piece.text, passages, wanted, room)
        lines.append(passage_line(_headed(piece), parts, piece))
    return QueryFinding(first.tool, lines, rank - passages.guessed(wanted, at))


_TELLING = ("relations", "backstory", "personality", "features_and_traits")
"""The sections of a sheet that tell most of someone, before a list that bears their name."""


def _best(
    ranked: Sequence[tuple[float, int]], pieces: Sequence[Piece], clause: AskedClause
) -> tuple[float, int]:
    """The best; of those that are nearly as good, one that tells rather than lists."""
    top, wanted = ranked[0][0], wanted_keys(clause)
    near = [(score, at) for score, at in ranked[:8] if score > top - 0.05]
    telling = [(score, at) for score, at in near if pieces[at].section in _TELLING]
    if not telling:
        return ranked[0]
    if WHO_IS.search(clause.text):
        names = [clause.text[t.start : t.end] for t in clause.tokens if t.telling]
        telling = [row for row in telling if _defines_one(pieces[row[1]], names)] or telling
    return max(
        telling, key=lambda row: sum(keys_of(pieces[row[1]].text).count(key) for key in wanted)
    )


def _defines_one(piece: Piece, names: Sequence[str]) -> bool:
    return any(defines(piece.text, name) for name in names)


def _titled_first(
    clause: AskedClause, passages: Passages, wanted: Sequence[str]
) -> list[tuple[float, int]]:
    """By how much of the wanted words they have; an entry whose title the clause names is meant."""
    scored = []
    for score, at in passages.ranked(wanted):
        title = passages.pieces[at].title.partition(", ")[0]
        titled = TITLED if clause.find(phrase(title)) else 0.0
        if titled and title.lower() in clause.text.lower():
            titled += 0.1
        scored.append((score + titled, at))
    return sorted(scored, key=lambda row: (-row[0], row[1]))


def _twins(first: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """The same entry in the other edition."""
    return [
        piece
        for piece in pieces
        if piece.title == first.title
        and piece.kind == first.kind
        and piece.edition != first.edition
    ][:1]
