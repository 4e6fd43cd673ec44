"""A clause about the rules: a field of an entry, a row of a class's table, a list by criteria."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.assistant.model import Edition, Piece, Tool, Viewer, Wanted
from freeform.assistant.query.clause import AskedClause, Link, plain_value
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding, Row, ThingQuery
from freeform.assistant.query.passage import keys_of
from freeform.assistant.query.rule_rows import rule_row
from freeform.assistant.query.schema import phrase, schema
from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.assistant.rulebook.criteria import read_criteria
from freeform.assistant.rulebook.source import RulebookSource

_TOOL: Tool = "rulebook"
_TABLE = re.compile(r" > Level (\d+)$")
_WHEN = re.compile(r"\bwhen\b|\b(?:at )?(?:what|which) level\b", re.I)
_MORE = re.compile(
    r"\b(?:more|less|higher|lower|faster|stronger|better|bigger|fewer|compare)\b", re.I
)
_INSTEAD = {"xp": "challenge", "fly": "speed", "swim": "speed", "climb": "speed", "burrow": "speed"}
"""Fields that stand inside another one."""


@dataclass
class NamedEntry:
    """Entries that a run of words names: one for each edition or kind."""

    link: Link
    rows: list[RulebookRow]
    exact: bool = True


@dataclass
class RuleBook:
    """The rulebooks as someone may see them."""

    source: RulebookSource
    viewer: Viewer
    edition: Edition
    named: list[NamedEntry] = field(default_factory=list)

    def piece(self, row: RulebookRow, at: int = 0) -> Piece | None:
        """A part of an entry; None where it may not be seen."""
        wanted = Wanted(
            tool=_TOOL,
            intention="describe_entity",
            query="",
            viewer=self.viewer,
            edition=self.edition,
        )
        return self.source.piece(row, at, wanted) if self.source.fits(row, wanted) else None

    def rows(self, entry: NamedEntry) -> list[Row]:
        """The entries with their fields."""
        made = []
        for row in entry.rows:
            if (piece := self.piece(row)) is not None:
                made.append(rule_row(row, piece))
        return made


def ask_rules(clause: AskedClause, book: RuleBook) -> QueryFinding | None:
    """The finding that explains most of the clause; None where there is none."""
    found = [_of_level(clause, book), _of_fields(clause, book), _list(clause, book)]
    return max((each for each in found if each), key=lambda each: each.coverage, default=None)


def _of_fields(clause: AskedClause, book: RuleBook) -> QueryFinding | None:
    """A field of each entry named."""
    lines, links, values = list[FoundLine](), list[Link](), list[tuple[str, float]]()
    names: list[str] = []
    for entry in book.named:
        rows = book.rows(entry)
        for row in _one_kind(clause, rows):
            told = _asked_fields(clause, row, entry.link)
            if not told:
                continue
            links += [entry.link, *(link for _, spans in told for link in spans)]
            names.append(row.name)
            for name, _ in told:
                line = _field_line(clause, row, name)
                if line.text not in [known.text for known in lines]:
                    lines.append(line)
                if (value := _amount(row.fields[name])) is not None:
                    values.append((row.name, value))
    if not lines:
        return None
    if len(set(names)) > 1 and _MORE.search(clause.text):
        lines = [*_compared(values), *lines]
    query = ThingQuery(tool=_TOOL, names=list(dict.fromkeys(names)), want="value")
    links += [Link(at, 1) for at, token in enumerate(clause.tokens) if _MORE.fullmatch(token.text)]
    links += [entry.link for entry in book.named]
    return QueryFinding(
        _TOOL, lines[:6], clause.coverage(links) - _qualified(clause, book, links), query
    )


def _qualified(clause: AskedClause, book: RuleBook, links: Sequence[Link]) -> float:
    """What a reading loses when a word that it cannot explain stands right before a name: a
    clockwork weasel is no weasel."""
    done = {place for link in links for place in link.places}
    for entry in book.named:
        before = entry.link.at - 1
        if before >= 0 and clause.tokens[before].telling and before not in done:
            return 0.5
    return 0.0


def _one_kind(clause: AskedClause, rows: Sequence[Row]) -> list[Row]:
    """The entries whose kind the clause names, if it does; entries that tell the same only once."""
    return [row for row in rows if _says_kind(clause, row)] or list(rows)


def _says_kind(clause: AskedClause, row: Row) -> bool:
    return any(clause.find(phrase(kind.replace("_", " "))) for kind in row.kinds)


def _asked_fields(clause: AskedClause, row: Row, name: Link) -> list[tuple[str, list[Link]]]:
    """The fields of a row that the clause speaks of: by its labels, by the schema's words, by a
    mark."""
    found: dict[str, list[Link]] = {}
    taken = set(name.places)

    def note(field_name: str, links: Sequence[Link]) -> None:
        free = [link for link in links if not taken & set(link.places)]
        if free and field_name in row.fields:
            found.setdefault(field_name, []).extend(free)

    for label in row.fields:
        note(label, clause.find(phrase(label)))
    for key, names in schema().fields.items():
        for each in names:
            links = clause.find(key)
            note(each, links)
            if each not in row.fields and each in _INSTEAD:
                note(_INSTEAD[each], links)
    for key, test in schema().marks.items():
        if test.field in ("ritual", "concentration") and "spell" in row.kinds:
            note(test.field, clause.find(key))
    return _narrowest(found)


def _narrowest(found: dict[str, list[Link]]) -> list[tuple[str, list[Link]]]:
    """Of two fields heard in the same words, the one heard in more words."""
    places: dict[str, set[int]] = {}
    for name, links in found.items():
        places[name] = {place for link in links for place in link.places}
    kept = []
    for name, links in found.items():
        if not any(places[name] < other for other in places.values()):
            kept.append((name, links))
    return kept


def _field_line(clause: AskedClause, row: Row, name: str) -> FoundLine:
    value = row.fields[name]
    told = plain_value(value)
    if isinstance(value, bool):
        return FoundLine(
            f"{told.capitalize()}: **{row.name}** {'has' if value else 'has no'} {name}",
            (Cite(row.piece, row.piece.text.split(chr(10), 1)[0]),),
        )
    edition = f" ({row.piece.edition})" if row.piece.edition else ""
    return FoundLine(
        f"**{row.name}**{edition}, {name}: {told}", (Cite(row.piece, row.quotes.get(name, "")),)
    )


def _amount(value: object) -> float | None:
    digits = re.match(r"\D{0,3}(\d+(?:\.\d+)?)", str(value))
    return float(digits[1]) if digits else None


def _compared(values: Sequence[tuple[str, float]]) -> list[FoundLine]:
    best: dict[str, float] = {}
    for name, value in values:
        best.setdefault(name, value)
    if len(best) < 2:
        return []
    ordered = sorted(best.items(), key=lambda pair: -pair[1])
    (more, most), (less, least) = ordered[0], ordered[-1]
    if most == least:
        return [FoundLine(f"Equal: {more} and {less} both {most:g}.")]
    return [FoundLine(f"**{more}** has more: {most:g} against {least:g} of {less}.")]


def _of_level(clause: AskedClause, book: RuleBook) -> QueryFinding | None:
    """A row of a class's table."""
    classes = [
        (entry, row)
        for entry in book.named
        for row in entry.rows
        if row.kind in ("class", "subclass")
    ]
    levels = clause.levels()
    if classes and _WHEN.search(clause.text) and not levels:
        return _level_of_feature(clause, book, classes)
    if not levels:
        return None
    level, link = _class_level(levels, classes[0][0] if classes else None)
    found = _table_part(book, classes, level)
    if found is None:
        return None
    entry, row, piece = found
    links = [link, *([entry.link] if entry else [])]
    used = {place for each in links for place in each.places}
    wanted = {
        token.key
        for at, token in enumerate(clause.tokens)
        if at not in used and (token.telling or token.text == "bonus" or token.key == "level")
    }
    wanted |= {str(number) for number, other in levels if other is not link}
    cells = [cell.strip(" .") for cell in re.split(r"[;:]", piece.text)[1:]]
    best = max(cells, key=lambda cell: len(wanted & set(keys_of(cell))), default="")
    shared = wanted & set(keys_of(best))
    telling = {key for key in shared if key not in ("level", "bonu") and not key.isdigit()}
    if not telling:
        return None
    links += [
        Link(at, 1)
        for at, token in enumerate(clause.tokens)
        if token.key in shared or ordinal_of(token.text) in shared
    ]
    lead = f"{row.name}, level {level}" if classes else f"Level {level}"
    line = FoundLine(f"**{lead}**: {best}", (Cite(piece, piece.text),))
    query = ThingQuery(tool=_TOOL, names=[row.name], want="value", field=best)
    return QueryFinding(_TOOL, [line], clause.coverage(links), query)


def _table_part(
    book: RuleBook, classes: Sequence[tuple[NamedEntry, RulebookRow]], level: int
) -> tuple[NamedEntry | None, RulebookRow, Piece] | None:
    """The row of that level, of the first class that has such a table."""
    pairs: list[tuple[NamedEntry | None, RulebookRow]] = list(classes)
    if not classes and (any_class := _any_class(book)):
        pairs = [(None, any_class)]
    for entry, row in pairs:
        for at, part in enumerate(row.parts):
            piece = book.piece(row, at) if part.path.endswith(f" > Level {level}") else None
            if piece is not None:
                return entry, row, piece
    return None


def ordinal_of(word: str) -> str:
    """`3rd` is 3; '' where it is none."""
    hit = re.match(r"^(\d+)(?:st|nd|rd|th)$", word)
    return hit[1] if hit else ""


def _class_level(levels: Sequence[tuple[int, Link]], entry: NamedEntry | None) -> tuple[int, Link]:
    """Of several levels, the one beside the class."""
    if entry is None:
        return levels[-1]
    return min(
        levels,
        key=lambda pair: min(
            abs(pair[1].at + pair[1].size - entry.link.at),
            abs(entry.link.at + entry.link.size - pair[1].at),
        ),
    )


def _any_class(book: RuleBook) -> RulebookRow | None:
    return next(
        (row for row in book.source.rows if row.kind == "class" and len(row.parts) > 5), None
    )


def _level_of_feature(
    clause: AskedClause, book: RuleBook, classes: Sequence[tuple[NamedEntry, RulebookRow]]
) -> QueryFinding | None:
    """At which level a class gets something."""
    for entry, row in classes:
        used = set(entry.link.places)
        wanted = {t.key for at, t in enumerate(clause.tokens) if at not in used and t.telling}
        found = _level_with(book, row, wanted - {"level"})
        if found is not None:
            return found
    return None


def _level_with(book: RuleBook, row: RulebookRow, wanted: set[str]) -> QueryFinding | None:
    """The first level of a class's table that holds all these words."""
    for at, part in enumerate(row.parts):
        hit = _TABLE.search(part.path)
        if not hit or not wanted or not wanted <= set(keys_of(part.text)):
            continue
        piece = book.piece(row, at)
        if piece is not None:
            told = part.text.partition(": ")[2]
            line = FoundLine(f"**{row.name}, level {hit[1]}**: {told}", (Cite(piece, piece.text),))
            return QueryFinding(_TOOL, [line], 1.0)
    return None


def _list(clause: AskedClause, book: RuleBook) -> QueryFinding | None:
    """Entries by criteria: how many, and which."""
    criteria = read_criteria(clause.text)
    if criteria is None:
        return None
    kinds = {kind for each in criteria.kinds for kind in keys_of(each.replace("_", " "))}
    told = {key for words in criteria.told for key in keys_of(words)}
    links = [
        Link(at, 1)
        for at, token in enumerate(clause.tokens)
        if token.key in kinds | told | {"level", "cantrip", "ritual", "list", "class"}
        or ordinal_of(token.text) in told
    ]
    wanted = Wanted(
        tool=_TOOL,
        intention="find_by_criteria",
        query=clause.text,
        viewer=book.viewer,
        edition=book.edition,
    )
    lists = [piece for piece in book.source.listed(wanted) if piece.kind == "list"]
    if not lists:
        return None
    fullest = max(lists, key=lambda piece: len(piece.data["names"]))
    head, _, names = fullest.text.partition(": ")
    line = FoundLine(f"**{head}**: {names}", (Cite(fullest, fullest.text),))
    query = ThingQuery(
        tool=_TOOL, kinds=list(criteria.kinds), want="count" if clause.counts else "list"
    )
    # Of two readings that explain as much, a list that was asked for by two criteria is meant.
    more = 0.05 if len(criteria.told) > 1 else 0.0
    return QueryFinding(_TOOL, [line], clause.coverage(links) + more, query)
