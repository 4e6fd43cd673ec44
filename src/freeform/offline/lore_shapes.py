"""The shapes of clauses that tell a relation of two things (`lore_shapes.yaml`), over names that
stand in slots."""

import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from freeform.lore.model import Kind

_JOINT = r"(?:\s*,\s*(?:and\s+|or\s+)?{the}|\s+(?:and|or)\s+{the})"
_MANY = re.compile(r"\[(\d+)[a-z]\]")
_SLOT = re.compile(r"<(?P<group>\w+):(?P<kinds>\w+)(?P<many>\*?)>")
HEARSAY = re.compile(r"\b(?:rumou?r|speculation|theor(?:y|ies)|non-?canon|cut content)\w*", re.I)


class ClauseShape(NamedTuple):
    """What a clause of that form says. `subject`: the group that names whose fact it is, or `here`
    (the zone the page is about), or `topic` (whom the sentences before speak of)."""

    kind: Kind
    predicate: str
    subject: str
    pattern: re.Pattern[str]


@cache
def _table() -> dict[str, Any]:
    raw = (files("freeform.offline") / "lore_shapes.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(raw, Loader=yaml.CSafeLoader)
    return table


@cache
def shapes() -> tuple[ClauseShape, ...]:
    """All of them."""
    parts: dict[str, str] = _table()["parts"]
    made = []
    for kind, predicate, subject, pattern in _table()["shapes"]:
        written = _SLOT.sub(lambda found: _slot(found, parts["the"]), pattern)
        for name, part in parts.items():
            written = written.replace(f"<{name}>", part)
        made.append(ClauseShape(kind, predicate, subject, re.compile(written, re.I)))
    return tuple(made)


@cache
def kin() -> re.Pattern[str]:
    """Words for how one person stands to another."""
    return re.compile(_table()["parts"]["kin"], re.I)


@cache
def abstain() -> re.Pattern[str]:
    """A sentence in which this is found may deny, suppose or repeat."""
    return re.compile(_table()["abstain"], re.I)


def _slot(found: re.Match[str], the: str) -> str:
    one = rf"\[\d+[{found['kinds']}]\]"
    if found["many"]:
        joint = _JOINT.replace("{the}", the)
        return rf"(?P<{found['group']}>{one}(?:{joint}{one})*)"
    return rf"\[(?P<{found['group']}>\d+)[{found['kinds']}]\]"


def numbers(listed: str) -> list[int]:
    """The slots of a list."""
    return [int(found) for found in _MANY.findall(listed)] or [int(listed)]
