"""Tables whose rows are things: a column of names, and columns that say something of each. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from freeform.ingest.model import Block, BookSection
from freeform.ingest.things.catalogue.members import Member, table_rows
from freeform.ingest.things.catalogue.pairs import VALUE, key_of, plain_line
from freeform.ingest.things.catalogue.schemas import MemberGroup

#: Rows a table of things has at least, and words a name has at most.
LEAST_ROWS, NAME_WORDS = 3, 7
#: Share of a table's columns that must be known things for its columns to be things.
TURNED = 0.5
_LETTERS = re.compile(r"[^\W\d_]{2}")
_NOTHING = frozenset({"", "-", "—", "–", "−", "n/a"})


def row_catalogues(
    sections: Sequence[BookSection], turned: Collection[str] = ()
) -> list[MemberGroup]:
    """One catalogue for each set of column heads; tables with the same heads are one. `turned`:
    tables that were read by their columns."""
    found: dict[tuple[str, ...], MemberGroup] = {}
    heads: dict[tuple[str, int], list[str]] = {}
    for section in sections:
        for number, block in enumerate(section.blocks):
            rows = table_rows(block) if block.kind == "table" else []
            if len(rows) < LEAST_ROWS or f"{section.id}|{number}" in turned:
                continue
            chapter = (section.chapter_id, len(rows[0]))
            if _is_data(rows[0], rows[1:]):
                rows.insert(0, heads.get(chapter, [""] * len(rows[0])))
            heads[chapter] = rows[0]
            _read(section, f"{section.id}|{number}", block, rows, found)
    return [catalogue for catalogue in found.values() if len(catalogue.members) >= LEAST_ROWS]


def read_turned(sections: Sequence[BookSection], known: Sequence[MemberGroup]) -> set[str]:
    """Tables whose columns are things of the book's catalogues, and whose rows say something of
    each: those things get the fields. The tables so read."""
    owners: dict[str, tuple[MemberGroup, str]] = {}
    for group in known:
        for member in group.members:
            owners.setdefault(key_of(member.own_name.split("(")[0]), (group, member.id))
    turned: set[str] = set()
    for section in sections:
        for number, block in enumerate(section.blocks):
            rows = table_rows(block) if block.kind == "table" else []
            if len(rows) >= LEAST_ROWS and _tell_columns(rows, owners):
                turned.add(f"{section.id}|{number}")
    return turned


def _tell_columns(
    rows: Sequence[Sequence[str]], owners: Mapping[str, tuple[MemberGroup, str]]
) -> bool:
    names = {place: key_of(cell) for place, cell in enumerate(rows[0]) if place and key_of(cell)}
    mine = {place: owners[name] for place, name in names.items() if name in owners}
    if len(mine) < 2 or len(mine) < TURNED * len(names):
        return False
    for row in rows[1:]:
        again = sum(1 for place, name in names.items() if key_of("".join(row[place:][:1])) == name)
        if again >= 2:
            break  # the heads once more: another part of the table
        if key_of(row[0]) and not VALUE.match(row[0]):
            _tell(row, mine)
    return True


def _tell(row: Sequence[str], mine: Mapping[int, tuple[MemberGroup, str]]) -> None:
    label = row[0].strip(" .:")
    for place, (group, id) in mine.items():
        if place < len(row) and row[place].strip() not in _NOTHING:
            group.fields[id].setdefault(label, row[place])
            group.labels.setdefault(key_of(label), label)
            group.counts[key_of(label)] += 1


def _is_data(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is one of the others: it has a number where a column has numbers."""
    for place, cell in enumerate(head):
        column = [row[place] for row in rows if place < len(row)]
        numbers = sum(1 for below in column if VALUE.match(below.strip()))
        is_dice = bool(re.fullmatch(r"\d*[dD]\d+\W*", cell.strip()))
        if VALUE.match(cell.strip()) and not is_dice and numbers >= 0.6 * len(column):
            return True
    return False


def _read(
    section: BookSection,
    id: str,
    block: Block,
    table: Sequence[Sequence[str]],
    found: dict[tuple[str, ...], MemberGroup],
) -> None:
    head, *rows = table
    names = _name_column(head, rows)
    if names is None:
        return
    heads = {
        place: words
        for place, words in enumerate(head)
        if place != names and key_of(words) and not VALUE.match(words)
    }
    if not heads:
        return
    keys = (key_of(head[names]), *(key_of(words) for words in heads.values()))
    made = found.setdefault(keys, MemberGroup(members=[], labels={}))
    for row_number, row in enumerate(rows):
        member = _member(section, f"{id}.{row_number}", row, names, block)
        if member is None:
            continue
        told = {
            words: row[place]
            for place, words in heads.items()
            if place < len(row) and row[place].strip() not in _NOTHING
        }
        if not told:
            continue
        member.subtitle = VALUE.sub("", head[names]).strip()
        made.members.append(member)
        made.fields[member.id] = told
        made.labels |= {key_of(words): words for words in told}
        made.counts.update(key_of(words) for words in told)


def _member(
    section: BookSection, id: str, row: Sequence[str], names: int, block: Block
) -> Member | None:
    name = plain_line(row[names]).strip(" .:*†‡—-") if names < len(row) else ""
    if not _LETTERS.search(name) or len(name.split()) > NAME_WORDS + 3:
        return None
    return Member(
        id=id,
        name=name,
        section=section,
        path=section.heading_path,
        page=block.page_start,
        lines=[],
        leads=[],
        inline=True,
    )


def _name_column(head: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """The first column that holds names: words, short, nearly all different."""
    if len(rows) < LEAST_ROWS:
        return None
    for place in range(min(2, len(head))):
        cells = [row[place] for row in rows if place < len(row) and row[place].strip()]
        named = [cell for cell in cells if _LETTERS.search(cell) and not VALUE.match(cell)]
        short = [cell for cell in named if len(cell.split()) <= NAME_WORDS]
        if len(short) >= 0.8 * len(rows) and len({key_of(cell) for cell in short}) >= 0.9 * len(
            short
        ):
            return place
        if len(named) > 0.5 * len(rows):
            return None
    return None
