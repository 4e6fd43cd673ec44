"""Belongings that stand in a table: what, how many, and where it is."""

import re
from collections.abc import Iterator, Mapping, Sequence

from freeform.assistant.sheet.model import Item
from freeform.assistant.sheet.written.tables import coins_of_row
from freeform.assistant.sheet.written.things import WORN, split_list, thing, with_what_is_said
from freeform.language.forms import is_denial
from freeform.language.words import stop_words

_COUNTS = re.compile(r"\d{1,4}(?:\s*\+\s*\d{1,4})*")
_WHERE = re.compile(r"where|place|location|kept|stored|container|carried|holder|bag\b", re.I)

_STATE = ("equipped", "attuned", "attunable", "magic", "charges")
"""What a remark in another column may say of a thing."""


def things_of_rows(rows: Sequence[Mapping[str, str]]) -> Iterator[Item]:
    """The things of all rows, and once each what holds them."""
    holders = set[str]()
    for row in rows:
        for item in () if list(coins_of_row(row)) else _things(row):
            if item.container and item.container not in holders:
                holders.add(item.container)
                yield Item(name=item.container, type="container", equipped=True)
            yield item


def _things(row: Mapping[str, str]) -> Iterator[Item]:
    """Those of one row; a cell of several has as many counts, `1+13`, or none."""
    (_, name), *rest = row.items()
    where = next((cell for head, cell in rest if _WHERE.search(head)), "")
    counted = next((cell for head, cell in rest if _COUNTS.fullmatch(cell)), "")
    others = [cell for _, cell in rest if cell and cell not in (where, counted)]
    if not (where or counted):
        yield thing(" ".join(row.values()))
        return
    counts = [int(each) for each in re.findall(r"\d+", counted)]
    bag, worn = _place(where)
    remarks = re.sub(r"[()]", " ", "; ".join((where, *others)))
    for said, count in _named(name, counts):
        made, marked = thing(said, bag, worn), thing(f"{said} ({remarks})", bag, worn)
        placed = where if where.lower() != bag.lower() else ""
        told = "; ".join(each for each in (made.desc, placed, *others) if each)
        state = {key: getattr(marked, key) for key in _STATE}
        yield made.model_copy(update={**state, "qty": count or made.qty, "desc": told})


def _named(name: str, counts: Sequence[int]) -> list[tuple[str, int]]:
    """The things of a cell with how many there are of each; 0 where nothing counts them."""
    parts = re.split(r"\s+\+\s+", name) if " + " in name else with_what_is_said(split_list(name))
    if len(counts) == len(parts) > 1:
        return list(zip(parts, counts, strict=True))
    if not counts:
        return [(part, 0) for part in parts]
    first, _, rest = name.partition(",")
    whole = f"{first} ({rest.strip()})" if rest.strip() else name
    return [(whole, counts[0])]


def _place(where: str) -> tuple[str, bool]:
    """What holds a thing, without small words and what is told besides; or that it is worn."""
    if WORN.match(where):
        return "", True
    said = re.split(r"\s*[(,;]|\.\s", where, maxsplit=1)[0].split()
    if any(map(is_denial, said)) or where[:1].isdigit():
        return "", False
    while said and said[0].lower() in stop_words():
        said = said[1:]
    named = " ".join(said)
    return named[:1].upper() + named[1:], False
