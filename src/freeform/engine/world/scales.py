"""Words that cannot both be true of one thing: the scales of opposites.yaml."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.core.text import plain_form

_LONGEST = 24


@cache
def scales() -> list[tuple[frozenset[str], frozenset[str]]]:
    """Each scale with its two sides."""
    text = (files("freeform.engine.world") / "opposites.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, Loader=yaml.CSafeLoader)
    return [(frozenset(map(str, left)), frozenset(map(str, right))) for left, right in rows]


@cache
def _words() -> frozenset[str]:
    return frozenset(word for scale in scales() for side in scale for word in side)


def word_on_scale(value: Any) -> str:
    """The value as a word of a scale; '' when it is none."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return ""
    plain = plain_form(value)
    return plain if plain in _words() else ""


@cache
def opposite_words(value: str) -> frozenset[str]:
    """The words that cannot be true of what has this value; those on its own side left out."""
    mine: set[str] = set()
    others: set[str] = set()
    for left, right in scales():
        for side, other in ((left, right), (right, left)):
            if value in side:
                mine |= side
                others |= other
    return frozenset(others - mine)
