"""Where a text names something of the scene, and of what kind, as the game marks it for the ear."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

KINDS = ("person", "thing", "place", "way")
Mention = tuple[int, int, str]
_ARTICLE = re.compile(r"(?:the|a|an|my|our|his|her) ", re.I)


def mentions(text: str, entities: Sequence[Mapping[str, Any]]) -> list[Mention]:
    """Names and aliases, then the last word of a longer name; the longest first, none over another."""
    names = [name for entity in entities for name in _names(entity)]
    names.sort(key=lambda name: -len(name[0]))
    found: list[Mention] = []
    for name, kind in names:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I):
            start, end = match.span()
            if all(end <= a or start >= b for a, b, _ in found):
                found.append((start, end, kind))
    return sorted(found)


def _names(entity: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Without articles; a kind we do not know is a thing."""
    kind = entity.get("kind", "thing")
    kind = kind if kind in KINDS else "thing"
    full = [_ARTICLE.sub("", name, count=1) for name in (entity["name"], *entity["aliases"])]
    last = [name.split()[-1] for name in full if " " in name]
    return [(name, kind) for name in dict.fromkeys([*full, *last]) if len(name) > 2]


def some_of(found: Sequence[Mention], luck: random.Random) -> list[Mention]:
    """As a game may mark them: none at all, or all but a few."""
    if luck.random() < 0.35:
        return []
    return [mention for mention in found if luck.random() > 0.12]
