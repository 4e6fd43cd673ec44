"""The tensors of a small BERT: their shape, and how they are kept as int8."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Wholes: TypeAlias = NDArray[np.int64]
Table: TypeAlias = dict[str, NDArray[Any]]
"""Tensors by name: float32, or int8 with the scales beside them under `<name>.scale`."""

LAYERS, WIDTH, HEADS = 6, 384, 12
"""The shape of MiniLM-L6: layers, numbers per token, heads of attention."""
EPSILON = 1e-12
STEPS = 127
"""How far an int8 reaches."""
QUICK_STEPS = 63
"""Two products of a uint8 and such a number fit 16 bits, in which older processors add them up:
what comes out is the same on every processor."""


def layers_of(table: Iterable[str]) -> int:
    """How many layers there are among named tensors."""
    return sum(name.endswith(".look.b") for name in table)


def quantise(table: Table, steps: int = STEPS) -> Table:
    """Matrices as int8 with a scale per output channel (per row for the word table); vectors and
    small tables as they are."""
    small: Table = {}
    for name, tensor in table.items():
        if tensor.ndim == 1 or not (name == "words" or name.endswith(".w")):
            small[name] = tensor
            continue
        axis = 1 if name == "words" else 0
        reach = STEPS if name == "words" else steps
        scale = np.maximum(np.abs(tensor).max(axis=axis, keepdims=True), 1e-12) / reach
        scale = scale.astype(np.float32)
        small[name] = np.rint(tensor / scale).astype(np.int8)
        small[f"{name}.scale"] = scale
    return small


def restore(small: Table) -> Table:
    """The float32 tensors again, as near as int8 kept them."""
    table: Table = {}
    for name, tensor in small.items():
        if tensor.dtype == np.int8:
            table[name] = tensor.astype(np.float32) * small[f"{name}.scale"]
        elif not name.endswith(".scale"):
            table[name] = tensor.astype(np.float32)
    return table
