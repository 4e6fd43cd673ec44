"""Where sentences end."""

import re

_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+[\"'”’)\]]*(?=\s|$)|$)", re.S)
SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\n+")
"""The end of a sentence in a text that is still being written: what follows it has begun."""


def sentences(text: str) -> list[str]:
    """The sentences of plain prose."""
    return [found[0].strip() for found in _SENTENCE.finditer(text)]
