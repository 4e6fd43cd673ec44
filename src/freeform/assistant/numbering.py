"""Numbers in square brackets as models write them: [3], [1, 2], [1-3], [^2], [source 4]."""

import re

_ONE = r"\d{1,4}"
CITED = re.compile(
    rf"\s?(?:\[|【)\^?(?:sources?\s*|#)?({_ONE}(?:\s*(?:,|;|&|and|-|–|to)\s*(?:sources?\s*|#|\^)?{_ONE})*)(?:\]|】)(?!\()",
    re.I,
)
_RANGE = re.compile(rf"({_ONE})\s*(?:-|–|to)\s*({_ONE})")


def numbers_in(cite: str) -> list[int]:
    """The numbers of one citation, a range as all that lie in it."""
    whole = _RANGE.sub(lambda hit: ",".join(map(str, range(int(hit[1]), int(hit[2]) + 1))), cite)
    return list(dict.fromkeys(int(n) for n in re.findall(r"\d+", whole)))
