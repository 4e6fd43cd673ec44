"""The weights of all-MiniLM-L6-v2, read from safetensors.

Attention's three matrices are kept as one, its scale is folded in, and the one token
type is added to the places.
"""

import json
import math
from pathlib import Path

import numpy as np

from freeform.adapters.encoder.table import HEADS, LAYERS, WIDTH, Table


def read_safetensors(file: Path) -> Table:
    """Every float32 tensor of the file, by name."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = (8 + size + at for at in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[first:last], dtype="<f4").reshape(entry["shape"])
    return tensors


def arrange(raw: Table) -> Table:
    """The tensors as our forward pass takes them. Matrices are (in, out): `x @ w + b`."""
    raw = {name.removeprefix("bert."): tensor for name, tensor in raw.items()}
    table = {
        "words": raw["embeddings.word_embeddings.weight"],
        "places": raw["embeddings.position_embeddings.weight"]
        + raw["embeddings.token_type_embeddings.weight"][0],
        "norm.w": raw["embeddings.LayerNorm.weight"],
        "norm.b": raw["embeddings.LayerNorm.bias"],
    }
    shrink = np.float32(1 / math.sqrt(WIDTH // HEADS))
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        attention = f"{at}attention.self."
        ask, key, value = (f"{attention}{part}" for part in ("query", "key", "value"))
        table |= {
            f"{layer}.look.w": np.concatenate(
                [raw[f"{ask}.weight"].T * shrink, raw[f"{key}.weight"].T, raw[f"{value}.weight"].T],
                axis=1,
            ),
            f"{layer}.look.b": np.concatenate(
                [raw[f"{ask}.bias"] * shrink, raw[f"{key}.bias"], raw[f"{value}.bias"]]
            ),
        }
        for ours, theirs in (
            ("mix", "attention.output.dense"),
            ("wide", "intermediate.dense"),
            ("narrow", "output.dense"),
        ):
            table[f"{layer}.{ours}.w"] = raw[f"{at}{theirs}.weight"].T
            table[f"{layer}.{ours}.b"] = raw[f"{at}{theirs}.bias"]
        for ours, theirs in (
            ("norm1", "attention.output.LayerNorm"),
            ("norm2", "output.LayerNorm"),
        ):
            table[f"{layer}.{ours}.w"] = raw[f"{at}{theirs}.weight"]
            table[f"{layer}.{ours}.b"] = raw[f"{at}{theirs}.bias"]
    return {name: np.ascontiguousarray(tensor, dtype=np.float32) for name, tensor in table.items()}
