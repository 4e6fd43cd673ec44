"""Sums over the rows of a sheet: all coins in gold, things of one name in several bags, what the
purse can pay."""

import re
from collections.abc import Sequence

from freeform.assistant.query.clause import (
    AskedClause,
    ClauseReading,
    plain_value,
    read_clause,
)
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding, Row
from freeform.assistant.query.schema import Phrase, called, phrase
from freeform.assistant.query.sheet_lines import value_line

_COIN = re.compile(r"(?<![\d.,])(\d[\d,]*)\s*(pp|gp|ep|sp|cp)\b(?! in all)")
_COPPER = {"pp": 1000, "gp": 100, "ep": 50, "sp": 10, "cp": 1}
_IN_GOLD = re.compile(r"\bworth\b|\b(?:in|as|into) (?:gold|gp)\b", re.I)
_METALS = frozenset({"gold", "gp", "silver", "copper", "rich", "gold piece"})
SURELY = 0.8
"""What a sum explains of a clause that speaks of all money and asks for it in gold."""
_BARE = re.compile(r"^\d+\s*[x×]?\s+")
_INSIDE = re.compile(r"\d{1,4}")


def in_copper(said: str) -> int:
    """Coins in the smallest of them."""
    return sum(int(n.replace(",", "")) * _COPPER[coin] for n, coin in _COIN.findall(said))


def coins_in(said: str) -> dict[str, int]:
    """How many of each coin."""
    return {coin: int(n.replace(",", "")) for n, coin in _COIN.findall(said)}


def purse_of(rows: Sequence[Row]) -> Row | None:
    """The row that tells all coins."""
    return next((row for row in rows if row.name == "Money"), None)


def affordable(
    clause: AskedClause, rows: Sequence[Row], books: Sequence[Row]
) -> QueryFinding | None:
    """Whether the purse holds the price of what the clause names."""
    links = [*clause.find(phrase("afford")), *clause.find(phrase("enough money"))]
    purse = purse_of(rows)
    priced = [book for book in books if in_copper(str(book.fields.get("cost", "")))]
    if not links or purse is None or not priced:
        return None
    book, held = priced[0], plain_value(purse.fields["value"])
    price, have = in_copper(str(book.fields["cost"])), in_copper(held)
    lead = "Yes" if have >= price else "No"
    text = (
        f"{lead}: **{book.name}** costs {book.fields['cost']}, you have {held} ({have / 100:g} gp)"
    )
    cites = (Cite(book.piece, book.quotes.get("cost", "")), Cite(purse.piece))
    named = [each.link for each in read_clause(clause, books).named]
    return QueryFinding(
        "character_data", [FoundLine(text, cites)], clause.coverage([*links, *named])
    )


def worth_in_gold(clause: AskedClause, rows: Sequence[Row]) -> QueryFinding | None:
    """What all coins come to, where that is asked: `what is all my money worth in gold`."""
    purse = purse_of(rows)
    names = [name for name in called("money") if name not in _METALS]
    spoken = [link for name in names for link in clause.find(phrase(name))]
    if purse is None or not spoken or not _IN_GOLD.search(clause.text):
        return None
    held = plain_value(purse.fields["value"])
    line = FoundLine(f"**{in_copper(held) / 100:g} gp** in all: {held}", (Cite(purse.piece),))
    coverage = max(SURELY, clause.coverage([*spoken, *clause.find(phrase("gold"))]))
    return QueryFinding("character_data", [line], coverage)


def summed_lines(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> list[FoundLine]:
    """A line for each thing; those of one name in several places as one, with their sum."""
    groups: dict[Phrase, list[Row]] = {}
    for row in rows:
        groups.setdefault(_kept_as(row), []).append(row)
    things = [row for row in rows if "item" in row.kinds]
    held = [row for row in things if "container" not in row.kinds]
    if clause.counts and len(things) == len(rows) and len({*map(_kept_as, held)}) > 1:
        return [_of_several(held)]
    lines = []
    for same in groups.values():
        if len(same) > 1 and clause.counts and all("item" in row.kinds for row in same):
            lines.append(_together(same))
        else:
            lines += [value_line(clause, heard, row) for row in same]
    return lines


def _kept_as(row: Row) -> Phrase:
    """What a row is one of: its name without numbers and what counts it, `rations 6 days`."""
    bare = phrase(re.sub(r"\b\d+(?: days?)?\b|\b\w+ (?:of|with) (?=\d)", " ", row.name))
    return bare or phrase(row.name)


def _together(rows: Sequence[Row]) -> FoundLine:
    counts = [_how_many(row) for row in rows]
    parts = []
    for row, count in zip(rows, counts, strict=True):
        place = f" in the {row.fields['container']}" if row.fields.get("container") else ""
        parts.append(f"{count}{place or (' at hand' if row.fields.get('equipped') else '')}")
    name = re.sub(r"\s*\b\d+(?: days?)?\b", "", min((row.name for row in rows), key=len))
    text = f"**{name}**: {sum(counts)} ({', '.join(parts)})"
    return FoundLine(text, tuple(Cite(row.piece) for row in rows))


def _of_several(rows: Sequence[Row]) -> FoundLine:
    """Things of several names that one word means, with their sum: scrolls of this and that."""
    parts = [f"{_how_many(row)} {_BARE.sub('', row.name).strip()}" for row in rows]
    text = f"**{sum(map(_how_many, rows))}** in all: {', '.join(parts)}"
    return FoundLine(text, tuple(Cite(row.piece) for row in rows))


def _how_many(row: Row) -> int:
    """How many a row stands for: a bundle of 20 arrows is twenty."""
    inside = _INSIDE.search(row.name)
    count = row.fields["quantity"]
    own = int(count) if isinstance(count, int | float) else 1
    return int(inside[0]) * own if inside else own
