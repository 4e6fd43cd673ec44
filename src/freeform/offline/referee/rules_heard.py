"""What the rules' reading of an act and its opening say of its family: learnt from the corpus."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from freeform.engine.world.model import ProposedAction
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.interpreter.words import read

OTHER = "other"
_NOTHING = "nothing"
_WEIGHT = 0.9
"""How much of it counts: the ear reads the same words, so both err together at times."""


def as_ruled(actions: Sequence[ProposedAction]) -> str:
    """The rules' reading in short: its first action, and whether that is done to anything known."""
    if not actions:
        return _NOTHING
    first = actions[0]
    return f"{first.action}{'+' if first.target_id else ''}"


def as_opened(text: str) -> str:
    """How the words of an act open: as a question, a quotation, with `I`, with `you`, or not so."""
    tokens = read(text).tokens
    if not tokens:
        return OTHER
    if tokens[0].kind == "quote":
        return "quote"
    first = tokens[0].plain
    if first in lexicon().question_words | lexicon().question_starts:
        return "asking"
    if text.rstrip().endswith("?"):
        return "question"
    return first if first in ("i", "you", "we") else OTHER


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, dict[str, float]]]:
    text = files("freeform.models").joinpath("rules_heard.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return table


def together(
    families: Mapping[str, float], actions: Sequence[ProposedAction], text: str
) -> dict[str, float]:
    """What the ear, the rules and the opening make likely, all heard."""
    ruled, opened = as_ruled(actions), as_opened(text)
    table = _table()
    weighed = {}
    for family, sure in families.items():
        said, begun = table["ruled"][family], table["opened"][family]
        evidence = said.get(ruled, said[OTHER]) * begun.get(opened, begun[OTHER])
        weighed[family] = sure * evidence**_WEIGHT
    total = sum(weighed.values()) or 1.0
    return {family: sure / total for family, sure in weighed.items()}
