"""What a common noun names, a place, a person or a body of people, by a table made of WordNet
(`models/noun_kinds.json`): for the nouns that the vocabulary does not have."""

import json
from functools import cache
from importlib.resources import files

from freeform.language.inflection import singular

NOUN_KINDS = ("place", "person", "faction")
SHARE = 0.5
"""So much of what a noun means is of its kind; chosen on the words of `vocabulary.yaml`."""


@cache
def _table() -> dict[str, str]:
    raw = (files("freeform") / "models" / "noun_kinds.json").read_text(encoding="utf-8")
    told: dict[str, str] = json.loads(raw)
    return {word: kind for kind, words in told.items() for word in words.split()}


def noun_kind(word: str) -> str:
    """`place`, `person`, `faction`, or '' where it may be anything."""
    small = word.lower().rpartition("-")[2]  # An arch-mage is a mage.
    return _table().get(small) or _table().get(singular(small), "")
