"""Which rows fit a question: by their vectors where they have one, and by the words they share with
it."""

import struct
from collections.abc import Mapping, Sequence
from operator import mul

from freeform.language.words import telling_words
from freeform.lore.judge.rows import text_of
from freeform.lore.model import Kind, NodeRow


def nearest(
    text: str, asked: bytes, rows: Sequence[NodeRow], vectors: Mapping[tuple[Kind, str], bytes]
) -> list[NodeRow]:
    """Best first; rows that share nothing with the question are left out. `asked`: the question's
    vector, or nothing."""
    wanted, numbers = set(telling_words(text)), _numbers(asked)
    scored = []
    for row in rows:
        score = len(wanted & set(telling_words(text_of(row)))) / max(1, len(wanted))
        vector = vectors.get((row.kind, row.id), b"")
        if numbers and len(vector) == len(asked):
            score += sum(map(mul, numbers, _numbers(vector)))
        if score > 0:
            scored.append((-score, row.kind, row.id, row))
    return [each[3] for each in sorted(scored, key=lambda each: each[:3])]


def _numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)
