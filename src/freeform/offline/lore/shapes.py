"""The shapes of clauses that tell a relation of two things (`shapes.yaml`), over names that
stand in slots."""

import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from freeform.lore.model import Kind

_JOINT = r"(?:\s*,\s*(?:and\s+|or\s+)?{the}|\s+(?:and|or)\s+{the})"
_MANY = re.compile(r"\[(\d+)[a-zA-Z]\]")
_SLOT = re.compile(r"<(?P<group>\w+):(?P<kinds>\w+)(?P<many>\*?)>")
HEARSAY = re.compile(r"\b(?:rumou?r|speculation|theor(?:y|ies)|non-?canon|cut content)\w*", re.I)


class ClauseShape(NamedTuple):
    """What a clause of that form says. `subject`: the group that names whose fact it is, or `here`
    (the zone the page is about), or `topic` (whom the sentences before speak of)."""

    kind: Kind
    predicate: str
    subject: str
    pattern: re.Pattern[str]
    ever: bool = False
    """Whether it also holds when the clause tells of what is over."""


@cache
def _table() -> dict[str, Any]:
    raw = (files("freeform.offline.lore") / "shapes.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(raw, Loader=yaml.CSafeLoader)
    return table


@cache
def shapes() -> tuple[ClauseShape, ...]:
    """All of them."""
    parts: dict[str, str] = _table()["parts"]
    made = []
    for kind, predicate, subject, pattern, *ever in _table()["shapes"]:
        written = _SLOT.sub(lambda found: _slot(found, parts["the"]), pattern)
        for _ in range(2):  # A part may hold a part.
            for name, part in parts.items():
                written = written.replace(f"<{name}>", part)
        made.append(ClauseShape(kind, predicate, subject, re.compile(written, re.I), bool(ever)))
    return tuple(made)


@cache
def kin() -> re.Pattern[str]:
    """Words for how one person stands to another."""
    return re.compile(_table()["parts"]["kin"], re.I)


@cache
def hearsay() -> re.Pattern[str]:
    """A sentence in which this is found may only repeat what others say."""
    return re.compile(_table()["hearsay"], re.I)


@cache
def wish() -> re.Pattern[str]:
    """A clause in which this is found tells what somebody wants."""
    return re.compile(_table()["wish"], re.I)


@cache
def denial() -> re.Pattern[str]:
    """A clause in which this is found may deny, suppose, or tell of another time."""
    return re.compile(_table()["denial"], re.I)


def _slot(found: re.Match[str], the: str) -> str:
    one = rf"\[\d+[{found['kinds']}]\]"
    if found["many"]:
        joint = _JOINT.replace("{the}", the)
        return rf"(?P<{found['group']}>{one}(?:{joint}{one})*)"
    return rf"\[(?P<{found['group']}>\d+)[{found['kinds']}]\]"


def numbers(listed: str) -> list[int]:
    """The slots of a list."""
    return [int(found) for found in _MANY.findall(listed)] or [int(listed)]
