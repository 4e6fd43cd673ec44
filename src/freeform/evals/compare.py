"""What differs between two values, place by place, and between two texts, word by word."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal

from freeform.core.record import Record, canonical

MOST = 60
"""Places listed for one turn: more tells a reader nothing."""
_PIECE = re.compile(r"\s+|\w+|[^\w\s]")


class Difference(Record):
    """One place where a replayed turn is not what was recorded."""

    part: str
    """Which output of the turn: `interpreter`, `rolls`, `final_text` …"""
    path: str
    """Where in it: `proposed_actions[0].target_id`; '' for the whole."""
    recorded: Any
    replayed: Any


def differences(part: str, recorded: Any, replayed: Any) -> list[Difference]:
    """Nothing when both have the same bytes."""
    if canonical(recorded) == canonical(replayed):
        return []
    found = _between(recorded, replayed, "")
    return [
        Difference(part=part, path=path, recorded=a, replayed=b)
        for path, a, b in list(found)[:MOST]
    ]


def _between(a: Any, b: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            yield from _between(a.get(key), b.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(a, list) and isinstance(b, list):
        for at in range(max(len(a), len(b))):
            yield from _between(_at(a, at), _at(b, at), f"{path}[{at}]")
    elif canonical(a) != canonical(b):
        yield path, a, b


def _at(rows: list[Any], at: int) -> Any:
    return rows[at] if at < len(rows) else None


Side = Literal["same", "gone", "new"]


def word_changes(before: str, after: str) -> list[tuple[Side, str]]:
    """Two texts as runs of words that stayed, went and came."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    runs: list[tuple[Side, str]] = []
    for kind, a, b, c, d in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if kind == "equal":
            runs.append(("same", "".join(old[a:b])))
            continue
        if a < b:
            runs.append(("gone", "".join(old[a:b])))
        if c < d:
            runs.append(("new", "".join(new[c:d])))
    return runs
