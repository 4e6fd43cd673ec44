"""The passages of sheet, notes and rules that may answer a question: the nearest of each source in
words and in meaning."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from freeform.assistant.model import Piece, Tool
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.passage import Passages, keys_of, wanted_keys
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.query.schema import glosses_of, phrase
from freeform.assistant.quotes import short_parts
from freeform.assistant.rulebook.semantic_match import AskedRule

WINDOW, LONGEST_PART = 60, 45
"""Words of a passage that is read at once, and of a sentence that is not cut for it."""
MOST: Mapping[Tool, int] = {"character_data": 8, "session_notes": 8, "rulebook": 8}
"""Passages of each source that are read; each costs time. By 360 questions of eight tables, one
left out at a time: .522 right with 34, 28 or 26 passages, .514 with 22, .500 with 16, .467 with
11."""
NAMED, MOST_OF_ONE = 0.25, 4
"""What a passage gains whose title the question names; passages of one rule that are read."""
MOST_RULES, MOST_NAMED = 8, 16
"""Parts of the rules that are looked at: those that are meant, and those of each entry that the
question names."""


@dataclass(frozen=True)
class Candidate:
    """A piece cut to a passage, and how near it is to the question."""

    piece: Piece
    said: float
    """How much of the question it has with what it stands under, by weight."""
    own: float
    """How much it has itself."""
    near: float
    """How near it is in meaning, or what it is in everyday words."""
    gloss: str = ""
    """The everyday words that are nearest to the question."""
    is_named: bool = False
    """The question says all of its title."""
    is_chosen: bool = False
    """Its source was chosen for the question."""
    is_own: bool = False
    """It is of the sheet of one who asks of themselves."""

    @property
    def prior(self) -> float:
        """How near it is in words and in meaning together; a title that is named counts too."""
        return self.said + self.near + NAMED * self.is_named


def candidates(
    clause: AskedClause,
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> list[Candidate]:
    """The passages that are worth reading."""
    found = list[Candidate]()
    for tool in desk.present():
        windows = windows_of(_pieces(tool, clause, desk, fetched, entries))
        nearest = sorted(_compared(clause, desk, windows), key=lambda each: -each.prior)
        is_own = clause.mine and tool == "character_data"
        for each in islice(_distinct(_spread(nearest, tool)), MOST[tool]):
            found.append(replace(each, is_chosen=tool in chosen, is_own=is_own))
    return found


def _spread(nearest: Sequence[Candidate], tool: Tool) -> list[Candidate]:
    """The nearest without the fifth passage of one rule: what it is about stands in others too."""
    if tool != "rulebook":
        return list(nearest)
    kept, taken = list[Candidate](), Counter[str]()
    for each in nearest:
        taken[each.piece.title] += 1
        if taken[each.piece.title] <= MOST_OF_ONE:
            kept.append(each)
    return kept


def _distinct(nearest: Sequence[Candidate]) -> Iterator[Candidate]:
    """The nearest without those that only say again what a nearer one says: a written sheet tells a
    number on its line and as it was understood."""
    seen = set[frozenset[str]]()
    for each in nearest:
        said = frozenset(keys_of(f"{each.piece.title} {each.piece.text}"))
        if said not in seen:
            seen.add(said)
            yield each


def _pieces(
    tool: Tool,
    clause: AskedClause,
    desk: QueryDesk,
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> Sequence[Piece]:
    """Sheet and notes whole, a written sheet as it is written too; of the rules what was fetched,
    named or meant."""
    if tool == "character_data" and desk.sheet:
        whole = [*desk.sheet.pieces, *desk.sheet.lines]
        told = {piece.text: piece for piece in reversed(whole)}
        return [piece for piece in told.values() if not piece.text.rstrip().endswith(":")]
    if tool == "session_notes" and desk.notes:
        return desk.notes.pieces
    if desk.rules is None:
        return []
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    telling = [token for token in clause.tokens if token.telling] or clause.tokens
    rows = [row for entry in entries for row in entry.rows]
    asked = AskedRule(clause.text, [(token.key, token.text) for token in telling], rows)
    found = {piece.id: piece for piece in fetched if piece.tool == tool}
    for meant in desk.rules.meaning.ranked(asked, desk.near, desk.near_texts)[:MOST_RULES]:
        piece = book.piece(*meant.place)
        if piece is not None:
            found.setdefault(piece.id, piece)
    for row in (row for entry in entries if entry.exact for row in entry.rows):
        for at in range(min(len(row.parts), MOST_NAMED)):
            piece = book.piece(row, at)
            if piece is not None:
                found.setdefault(piece.id, piece)
    return list(found.values())


def _compared(clause: AskedClause, desk: QueryDesk, windows: Sequence[Piece]) -> list[Candidate]:
    passages, wanted = Passages(windows, desk.near), wanted_keys(clause)
    near = desk.near_texts(clause.text, passages.texts) or [0.0] * len(windows)
    glossed = _glosses(clause, desk, windows)
    found = []
    for at, piece in enumerate(windows):
        said = passages.coverage(wanted, passages.keys[at])
        own = passages.coverage(wanted, passages.own_keys[at])
        meant, gloss = glossed.get(piece.title, (0.0, ""))
        title = phrase(piece.title)
        is_named = bool(title) and set(title) <= set(clause.keys)
        found.append(Candidate(piece, said, own, max(near[at], meant), gloss, is_named))
    return found


def _glosses(
    clause: AskedClause, desk: QueryDesk, windows: Sequence[Piece]
) -> dict[str, tuple[float, str]]:
    """For each number of a sheet what it is in everyday words, as near to the question as may be:
    `what do I add when I sneak`, Stealth."""
    titles = dict.fromkeys(piece.title for piece in windows if piece.tool == "character_data")
    told = [(title, gloss) for title in titles for gloss in glosses_of(title)]
    near = desk.near_texts(clause.text, tuple(gloss for _, gloss in told)) if told else ()
    found: dict[str, tuple[float, str]] = {}
    for (title, gloss), one in zip(told, near, strict=False):
        found[title] = max(found.get(title, (0.0, "")), (one, gloss))
    return found


def windows_of(pieces: Sequence[Piece]) -> list[Piece]:
    """Short pieces whole; longer ones as stretches of sentences, each with the last one of the
    stretch before it."""
    found = list[Piece]()
    for piece in pieces:
        stretches = _stretches(piece.text)
        if len(stretches) == 1:
            found.append(piece)
        else:
            found += [piece.model_copy(update={"text": text}) for text in stretches]
    return found


def _stretches(text: str) -> list[str]:
    parts = short_parts(text, LONGEST_PART)
    if len(text.split()) <= WINDOW or len(parts) < 2:
        return [text]
    sizes = [len(text[begin:end].split()) for begin, end in parts]
    found, first = list[str](), 0
    while first < len(parts):
        last, size = first, sizes[first]
        while last + 1 < len(parts) and size + sizes[last + 1] <= WINDOW:
            last += 1
            size += sizes[last]
        found.append(text[parts[first][0] : parts[last][1]])
        if last + 1 == len(parts):
            break
        first = max(first + 1, last)
    return found
