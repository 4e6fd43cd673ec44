"""Tables of prices: each row that names a thing and its cost is a thing of its own."""

import re
from collections.abc import Iterator

from freeform.assistant.rulebook.blocks import Block
from freeform.assistant.rulebook.model import RuleEntry
from freeform.assistant.rulebook.words import DAMAGE, kept

_COIN = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}
_PRICE = re.compile(r"^\+?([\d,]+(?:\.\d+)?)\s*(cp|sp|ep|gp|pp)\b", re.I)


def priced_things(block: Block) -> Iterator[RuleEntry]:
    """The things in the tables of a block that have a column `Cost`."""
    for paragraph in block.paragraphs:
        if paragraph.lstrip().startswith("|"):
            yield from _rows(paragraph, block.heading)


def _rows(table: str, title: str) -> Iterator[RuleEntry]:
    rows = [[cell.strip(" *_") for cell in line.strip().strip("|").split("|")] for line in table.split("\n")]
    heads = [cell.lower() for cell in rows[0]]
    if "cost" not in heads or len(rows) < 3:
        return
    cost_at = heads.index("cost")
    group = ""
    for row in rows[1:]:
        if len(row) != len(heads) or set("".join(row)) <= set("-: "):
            continue
        name, price = row[0], _PRICE.match(row[cost_at])
        if name and not any(row[1:]):
            group = name
            continue
        if not name or not price:
            continue
        told = {rows[0][i]: cell for i, cell in enumerate(row) if i and cell.strip("—- ")}
        text = "  \n".join(f"**{label}** {cell}" for label, cell in told.items())
        kind = "armor" if "armor class (ac)" in heads or "armor class" in heads else "weapon" if "damage" in heads else "gear"
        harm = next((cell for head, cell in zip(heads, row, strict=True) if head == "damage"), "")
        yield RuleEntry(
            kind,
            name,
            f"*{group or title}*\n\n{text}",
            tags=["equipment", kind],
            data=kept(
                cost=price[0],
                cost_gp=round(float(price[1].replace(",", "")) * _COIN[price[2].lower()], 4),
                group=(group or title).lower(),
                damage=[kind for kind in DAMAGE if kind in harm],
                dice=harm.partition(" ")[0],
            ),
        )
