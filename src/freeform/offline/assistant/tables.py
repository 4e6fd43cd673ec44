"""Answers in rows: several things side by side, and lists of things that fit."""

from collections.abc import Sequence
from typing import Any

from freeform.assistant.passes import Numbered
from freeform.assistant.quotes import sentences_of
from freeform.core.text import shorten

_COLUMNS, _ROWS = 4, 12


def comparison(sources: Sequence[Numbered], entities: Sequence[str]) -> list[str]:
    """A table of what two or more entries each say of the same things; nothing if they share no fields."""
    rows = [each for each in sources if _fields(each)][:_COLUMNS]
    if len(rows) < 2:
        return []
    shared = [key for key in _fields(rows[0]) if sum(key in _fields(each) for each in rows) >= 2][
        :_ROWS
    ]
    if len(shared) < 2:
        return []
    head = (
        "| | "
        + " | ".join(f"{each.piece.title}{_edition(each)} [{each.n}]" for each in rows)
        + " |"
    )
    lines = [head, "|---" * (len(rows) + 1) + "|"]
    for key in shared:
        cells = [shorten(str(_fields(each).get(key, "–")), 80).replace("|", "/") for each in rows]
        lines.append(f"| {key.replace('_', ' ')} | {' | '.join(cells)} |")
    return lines


def listing(sources: Sequence[Numbered]) -> list[str]:
    """One line for each entry that was found."""
    lines = []
    for each in sources:
        first = next(iter(sentences_of(each.piece.text)), "")
        lines.append(
            f"- **{each.piece.title}**{_edition(each)}: {shorten(' '.join(first.split()), 160)} [{each.n}]"
        )
    return lines


def _fields(each: Numbered) -> dict[str, Any]:
    return {
        key: value
        for key, value in each.piece.data.items()
        if isinstance(value, str | int | float) and value != ""
    }


def _edition(each: Numbered) -> str:
    return f" ({each.piece.edition})" if each.piece.edition else ""
