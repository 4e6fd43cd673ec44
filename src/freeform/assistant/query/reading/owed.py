"""Whether the purse pays what the notes say is owed, and what would be left of it: the sheet has
one number, a passage that was read has the other."""

import re
from collections.abc import Sequence

from freeform.assistant.query.asked.sums import coins_in, in_copper, purse_of
from freeform.assistant.query.clause import AskedClause, plain_value
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine
from freeform.assistant.query.reading.telling import ToldRead, said_by
from freeform.assistant.query.schema import glosses_of

PAYING = "Paying"
"""What such questions mean, in everyday words."""
MEANT = 0.45
"""How near a question must be to them."""
LIKELIEST = 8
"""Passages among which the sum is looked for."""
_LEFT = re.compile(r"\bleft\b|\bremain\w*\b|\bleave[sd]?\b", re.I)
_SUM = re.compile(r"(\d[\d,]*)\s*(?:(gp|sp|cp|pp)\b|(gold|silver|copper|platinum))", re.I)
_SHORT = {"gold": "gp", "silver": "sp", "copper": "cp", "platinum": "pp"}


def owed_line(clause: AskedClause, desk: QueryDesk, read: Sequence[ToldRead]) -> FoundLine | None:
    """The line that compares both; None where none is asked for, or one of the two is not known."""
    purse = purse_of(desk.sheet_rows)
    left = _LEFT.search(clause.text)
    if purse is None or not (clause.asks_whether or left):
        return None
    if max(desk.near_texts(clause.text, glosses_of(PAYING)), default=0.0) < MEANT:
        return None
    for each in read[:LIKELIEST]:
        price = _sum_in(said_by(each)) or _sum_in(each.piece.text)
        if each.piece.tool != "session_notes" or not price:
            continue
        held = plain_value(purse.fields["value"])
        cites = (Cite(each.piece, each.piece.text.strip()), Cite(purse.piece))
        return FoundLine(_compared(coins_in(held), price, is_rest=bool(left)), cites)
    return None


def _sum_in(text: str) -> int:
    """The first sum of money in a text, in copper; 0 where there is none."""
    hit = _SUM.search(text)
    if hit is None:
        return 0
    return in_copper(f"{hit[1]} {(hit[2] or _SHORT[hit[3].lower()]).lower()}")


def _compared(coins: dict[str, int], price: int, *, is_rest: bool) -> str:
    """Gold pays gold, where there is enough of it; else all coins do."""
    whole = in_copper(", ".join(f"{count} {coin}" for coin, count in coins.items()))
    gold = coins.get("gp", 0) * 100
    have = gold if gold >= price else whole
    told = f"you have {have / 100:g} gp, and it comes to {price / 100:g} gp"
    if is_rest and have >= price:
        return f"**{(have - price) / 100:g} gp** would be left: {told}"
    return f"{'Yes' if have >= price else 'No'}: {told}"
