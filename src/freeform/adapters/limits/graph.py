"""A sentence and a topic as one row of tokens, and the reader of limits as an ONNX file."""

from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np

from freeform.adapters.encoder.headed import build as build_headed
from freeform.adapters.encoder.protobuf import constants, graph_of, lend, notes, with_notes
from freeform.adapters.encoder.table import Table

LONGEST = 96
"""In word pieces, with the marks between them: [CLS] topic [SEP] sentence [SEP]."""
LONGEST_TOPIC = 20
PER_TOKEN, PER_TEXT = 1, 1
"""One score of a text: it touches the topic. The one of each token means nothing."""
SENTENCE, TOPIC = 0, 1
"""The kinds of tokens."""
WORDS = ("words", "words.scale")
"""The table of word pieces, which stays as all-MiniLM-L6 has it: the ear's file lends it."""


def row_of(
    marks: tuple[int, int], sentence: Sequence[int], topic: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The numbers of the tokens, and their kinds. A sentence too long is cut at its end."""
    begin, end = marks
    about = [begin, *topic[:LONGEST_TOPIC], end]
    said = [*sentence[: LONGEST - len(about) - 1], end]
    return about + said, [TOPIC] * len(about) + [SENTENCE] * len(said)


def build(table: Table, kept: Mapping[str, str]) -> bytes:
    """The model file, whole."""
    return build_headed("limits", table, (PER_TOKEN, PER_TEXT), kept)


def without_words(model: bytes, ear: bytes) -> bytes:
    """The file that is shipped: its table of words is the ear's, and is left to the ear's file."""
    slim = lend(model, dict.fromkeys(WORDS, np.zeros(0, dtype=np.float32)))
    return with_notes(slim, {"crc32": str(crc32(graph_of(slim))), "words": _sign_of(ear)})


def with_words(slim: bytes, ear: bytes) -> bytes:
    """The whole model again; a damaged file, or one of another ear, raises ValueError."""
    kept = notes(slim)
    if int(kept["crc32"]) != crc32(graph_of(slim)):
        raise ValueError("the graph is not the one that was shipped")
    if kept["words"] != _sign_of(ear):
        raise ValueError("it was made for another ear")
    table = constants(ear)
    return lend(slim, {name: table[name] for name in WORDS})


def _sign_of(ear: bytes) -> str:
    """What tells the words of one ear from those of another."""
    table = constants(ear)["words"]
    return str(crc32(table.tobytes(), crc32(notes(ear)["vocabulary"].encode())))
