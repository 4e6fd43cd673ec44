"""The citations of an answer, checked: only numbers that exist, counted anew in the order of their appearance."""

import re
from collections.abc import Sequence

from freeform.assistant.model import CitedSource, Disagreement
from freeform.assistant.passes import Numbered

_ONE = r"\d{1,4}"
CITED = re.compile(
    rf"\s?(?:\[|【)\^?(?:sources?\s*|#)?({_ONE}(?:\s*(?:,|;|&|and|-|–|to)\s*(?:sources?\s*|#|\^)?{_ONE})*)(?:\]|】)(?!\()",
    re.I,
)
"""Numbers in square brackets as models write them: [3], [1, 2], [1-3], [^2], [source 4]."""
_RANGE = re.compile(rf"({_ONE})\s*(?:-|–|to)\s*({_ONE})")


def numbers_in(cite: str) -> list[int]:
    """The numbers of one citation, a range as all that lie in it."""
    whole = _RANGE.sub(lambda hit: ",".join(map(str, range(int(hit[1]), int(hit[2]) + 1))), cite)
    return list(dict.fromkeys(int(n) for n in re.findall(r"\d+", whole)))


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
