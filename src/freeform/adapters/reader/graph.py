"""What the reader's heads say of a token and of a text; the reader as an ONNX file."""

from collections.abc import Mapping

from freeform.adapters.encoder.headed import build as build_headed
from freeform.adapters.encoder.table import Table

LONGEST = 192
"""In word pieces: question, place and passage with the marks between them."""
LONGEST_QUESTION, LONGEST_PLACE = 48, 24
PER_TOKEN = 3
"""An answer begins here; it ends here; this is part of one."""
PER_TEXT = 1
"""The passage answers the question."""
QUESTION, PLACE, PASSAGE = 0, 1, 2
"""The kinds of tokens."""


def build(table: Table, notes: Mapping[str, str]) -> bytes:
    """The reader's model file."""
    return build_headed("reader", table, (PER_TOKEN, PER_TEXT), notes)
