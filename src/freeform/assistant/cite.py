"""The citations of an answer, checked: only numbers that exist, counted anew in the order of their appearance."""

import re
from collections.abc import Sequence

from freeform.assistant.model import CitedSource, Disagreement
from freeform.assistant.numbering import CITED, numbers_in
from freeform.assistant.passes import Numbered


def cited(
    answer: str, numbered: Sequence[Numbered], differing: Sequence[Disagreement]
) -> tuple[str, list[CitedSource], list[Disagreement]]:
    """The answer with its numbers made 1, 2, 3 …, and the sources they mean; a number that means nothing is cut."""
    there = {each.n: each for each in numbered}
    order: dict[int, int] = {}

    def again(hit: re.Match[str]) -> str:
        known = [n for n in numbers_in(hit[1]) if n in there]
        lead = hit[0][: len(hit[0]) - len(hit[0].lstrip())]
        return (
            lead + "".join(f"[{order.setdefault(n, len(order) + 1)}]" for n in known)
            if known
            else ""
        )

    text = CITED.sub(again, answer)
    sides = [
        each.model_copy(update={"sides": [CITED.sub(again, side) for side in each.sides]})
        for each in differing
    ]
    return text, [_source(there[n], new) for n, new in order.items()], sides


def _source(each: Numbered, n: int) -> CitedSource:
    piece = each.piece
    return CitedSource(
        n=n,
        tool=piece.tool,
        where=str(piece.where) or piece.title,
        quote=each.quote,
        title=piece.title,
        section=piece.section,
        edition=piece.edition,
        piece=piece.id,
    )
