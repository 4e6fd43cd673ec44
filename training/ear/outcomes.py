"""Deeds with what becomes of them, as `training/outcomes/FORMAT.md` says."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from freeform.language.meaning.outcome import STATES

_PLAINLY = 0.25
"""How often a deed is typed without capitals, and how often without its last stop."""
_ROLES = ("where", "who", "on", "verb")
"""Where two stretches overlap, the later one holds."""
_MOODS = {-1: "worse", 0: "same", 1: "better"}
_KNOWN = frozenset(STATES)


@dataclass(frozen=True)
class Part:
    """Where a stretch stands and what part it plays."""

    role: str
    start: int
    end: int


@dataclass(frozen=True)
class Outcome:
    """A deed as it was typed."""

    hand: str
    """Whose it is: a hand is held back whole."""
    deed: str
    parts: tuple[Part, ...]
    said: tuple[str, ...]
    """What is so afterwards, in the writer's words."""
    states: dict[str, float]
    """The same as far as they are known states, with shares that add up to 1."""
    choices: tuple[str, str, str, str]
    """Kind, subject, mood, risk; empty where nobody said."""


def read_outcomes(folder: Path) -> list[Outcome]:
    """Every deed of the folder, in a fixed order."""
    found: list[Outcome] = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            found.append(_read(file.stem, json.loads(line)))
    return found


def _read(hand: str, row: dict[str, Any]) -> Outcome:
    deed, on = row["deed"], row["on"]
    subject = "nobody" if not on else "me" if on == "me" else "named"
    parts = tuple(_part(deed, role, row[role]) for role in _ROLES if _is_there(row, role))
    return Outcome(
        hand=hand,
        deed=deed,
        parts=parts,
        said=tuple(row["is"]),
        states=_shares([known for said in row["is"] if (known := known_state(said))]),
        choices=(row["kind"], subject, _MOODS[row["mood"]], row["risk"]),
    )


def _is_there(row: dict[str, Any], role: str) -> bool:
    return bool(row[role]) and row[role] != "me" and row[role] in row["deed"]


def _part(deed: str, role: str, said: str) -> Part:
    start = deed.index(said)
    return Part(role, start, start + len(said))


def known_state(said: str) -> str:
    """A known state for what somebody wrote: the same, or without its last words."""
    words = said.lower().split()
    for count in range(len(words), 0, -1):
        if (state := " ".join(words[:count])) in _KNOWN:
            return state
    return ""


def _shares(states: Sequence[str]) -> dict[str, float]:
    """The first counts twice."""
    kept = list(dict.fromkeys(states))
    whole = len(kept) + 1
    return {state: (1 if at else 2) / whole for at, state in enumerate(kept)}


def retyped(outcome: Outcome, luck: random.Random) -> Outcome:
    """The same, typed with less care at times; no letter moves."""
    deed = outcome.deed
    if luck.random() < _PLAINLY and len(deed.lower()) == len(deed):
        deed = deed.lower()
    if luck.random() < _PLAINLY and deed.endswith((".", "!")):
        deed = deed[:-1] + " "
    return replace(outcome, deed=deed)
