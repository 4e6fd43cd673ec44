"""Tables of prices: each row that names a thing and its cost is a thing of its own."""

import re
from collections.abc import Generator, Iterator

from freeform.assistant.rulebook.blocks import BookBlock
from freeform.assistant.rulebook.model import RuleEntry
from freeform.assistant.rulebook.words import DAMAGE, kept

_COIN = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}
_WHOLE = frozenset({"Shield", "Breastplate"})
_PRICE = re.compile(r"^\+?([\d,]+(?:\.\d+)?)\s*(cp|sp|ep|gp|pp)\b", re.I)


def priced_things(block: BookBlock) -> Iterator[RuleEntry]:
    """The things in the tables of a block that have a column `Cost`."""
    top: list[str] = []
    group = ""
    for paragraph in block.paragraphs:
        if not paragraph.lstrip().startswith("|"):
            continue
        rows = [
            [cell.strip(" *_") for cell in line.strip().strip("|").split("|")]
            for line in paragraph.split("\n")
        ]
        # A table broken over a page goes on without its head.
        goes_on = (
            len(rows[0]) == len(top) and bool(_PRICE.match(rows[0][_cost(top)])) if top else False
        )
        if not goes_on:
            top, rows, group = rows[0], rows[1:], ""
        if _cost(top) >= 0:
            group = yield from _rows(top, rows, block.heading, group)
        else:
            top = []


def _cost(heads: list[str]) -> int:
    return next((i for i, cell in enumerate(heads) if cell.lower() in ("cost", "price")), -1)


def _rows(
    top: list[str], rows: list[list[str]], title: str, group: str
) -> Generator[RuleEntry, None, str]:
    heads, cost_at = [cell.lower() for cell in top], _cost(top)
    for row in rows:
        if len(row) != len(heads) or set("".join(row)) <= set("-: "):
            continue
        name, price = row[0], _PRICE.match(row[cost_at])
        if name and not any(row[1:]):
            group = name
            continue
        if not name or not price:
            continue
        told = {top[i]: cell for i, cell in enumerate(row) if i and cell.strip("—- ")}
        text = "  \n".join(f"**{label}** {cell}" for label, cell in told.items())
        kind = (
            "armor"
            if "armor class (ac)" in heads or "armor class" in heads
            else "weapon"
            if "damage" in heads
            else "gear"
        )
        harm = next((cell for head, cell in zip(heads, row, strict=True) if head == "damage"), "")
        whole = (
            f"{name} Armor" if kind == "armor" and " " not in name and name not in _WHOLE else name
        )
        yield RuleEntry(
            kind,
            whole,
            f"*{group or title}*\n\n{text}",
            aliases=[name] if whole != name else [],
            tags=["equipment", kind],
            data=kept(
                cost=price[0],
                cost_gp=round(float(price[1].replace(",", "")) * _COIN[price[2].lower()], 4),
                group=(group or title).lower(),
                damage=[kind for kind in DAMAGE if kind in harm],
                dice=harm.partition(" ")[0],
            ),
        )
    return group
