"""Which things the words take for one's own: `with my gun` is a claim, `with a knot` is none."""

import re

from freeform.core.text import plain_form
from freeform.language.ear import HeardAct
from freeform.offline.referee.families import best

_HAVING = re.compile(r"I have (?:an? |some )?(.+)$")
_BY_TOOL = frozenset({"attack", "threaten", "unlock_break"})
"""What stands or falls with the tool it is done with."""
_MARKED = 0.35
_ASSERTED = 0.3


def is_claimed(claim: str, act: HeardAct, text: str) -> bool:
    """Whether a thing that the rules take for claimed is one by the ear, too."""
    having = _HAVING.match(claim)
    if having is None or act.flags["asserts"] >= _ASSERTED:
        return True
    roles = ("item", "instrument") if best(act.families)[0] in _BY_TOOL else ("item",)
    claimed = set(plain_form(having[1]).split())
    for span in act.spans:
        said = set(plain_form(text[span.start : span.end]).split())
        if span.role in roles and span.sure >= _MARKED and said & claimed:
            return True
    return False
