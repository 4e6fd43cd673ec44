"""Numbers in boxes: a number with its label below or above it, and an icon, as on cards. Pure.

A reader sees such a box as short lines one below the other (`7`, `WOUNDS`), or a row of boxes as
two lines (`7 12 5`, `WOUNDS GUARD PACE`). Here they become lines that say `WOUNDS: 7`.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from freeform.ingest.things.catalogue.pairs import VALUE, plain_line

Bit = Literal["value", "label", "icon", ""]
#: Boxes side by side from which on short lines are boxes.
LEAST = 2
_LABEL = re.compile(r"[^\W\d_][^\W\d_'’/&-]*(?: [^\W\d_][^\W\d_'’/&-]*){0,2}")
LONGEST = 24


def bit_of(text: str) -> Bit:
    """What a short line would be in a box: a number, a label or an icon."""
    plain = plain_line(text).strip()
    if VALUE.fullmatch(plain):
        return "value"
    if plain and len(plain) <= 2 and not any(letter.isalnum() for letter in plain):
        return "icon"
    if _LABEL.fullmatch(plain) and len(plain) <= LONGEST:
        return "label"
    return ""


def read_boxes(texts: Sequence[str]) -> list[str]:
    """Lines with what stands in boxes as `Label: number`; all other lines as they are."""
    out: list[str] = []
    run: list[tuple[Bit, str]] = []
    for text in texts:
        bit = bit_of(text)
        if bit:
            run.append((bit, text))
            continue
        out += _closed(run)
        run = []
        out.append(text)
    return _rows_of_boxes([*out, *_closed(run)])


def _closed(run: Sequence[tuple[Bit, str]]) -> list[str]:
    """A run of bits as lines: paired where numbers and labels take turns."""
    bits = [(bit, plain_line(text).strip()) for bit, text in run if bit != "icon"]
    at = next((n for n, (bit, _) in enumerate(bits) if _takes_turns(bits[n:])), None)
    if at is None:
        return [text for _, text in run]
    turns = bits[at:]
    if len(turns) % 2:
        turns = turns[:-1]
    pairs = list(zip(turns[::2], turns[1::2], strict=True))
    lines = [f"{b[1]}: {a[1]}" if a[0] == "value" else f"{a[1]}: {b[1]}" for a, b in pairs]
    rest = bits[at + len(turns) :]
    return [*(text for _, text in bits[:at]), *lines, *(text for _, text in rest)]


def _takes_turns(bits: Sequence[tuple[Bit, str]]) -> bool:
    pairs = len(bits) // 2
    even = bits[: 2 * pairs]
    return pairs >= LEAST and all(before[0] != after[0] for before, after in pairwise(even))


def _rows_of_boxes(lines: Sequence[str]) -> list[str]:
    """Two lines of as many numbers as single words are a row of boxes."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        pair = _dealt(lines[at], lines[at + 1]) if at + 1 < len(lines) else []
        out += pair or [lines[at]]
        at += 2 if pair else 1
    return out


def _dealt(first: str, second: str) -> list[str]:
    one, other = plain_line(first).split(), plain_line(second).split()
    if len(one) != len(other) or len(one) < LEAST + 1:
        return []
    for values, labels in ((one, other), (other, one)):
        if all(map(VALUE.fullmatch, values)) and all(map(_LABEL.fullmatch, labels)):
            return [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
    return []
