"""What training starts from: all-MiniLM-L6 with the words we keep, or a model that was shipped."""

import math
import re
from collections import Counter

import numpy as np

from freeform.adapters.encoder.table import HEADS, WIDTH

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
FIRST_WORD = 1_996
"""Where the list's words begin, the commonest first."""
PARTS = {
    "mix": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}


def kept_words(listed: list[str], texts: list[str], most: int) -> list[int]:
    """Marks, letters and their continuations, what the texts hold, then the commonest of the list."""
    place = {word: at for at, word in enumerate(listed)}
    letters = [at for at, w in enumerate(listed) if re.fullmatch(r"(##)?[\x21-\x7e’‘“”–—…]", w)]
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r"[a-z]+|[0-9]+", text.lower()))
    seen = [place[word] for word, _ in counts.most_common() if word in place]
    plain = re.compile(r"(##)?[a-z0-9']+")
    common = [at for at in range(FIRST_WORD, len(listed)) if plain.fullmatch(listed[at])]
    marks = [place[mark] for mark in SPECIAL]
    order = dict.fromkeys([*marks, *letters, *seen, *common])
    return sorted(list(order)[:most])


def arranged(raw: dict[str, np.ndarray], kept: list[int], longest: int) -> dict[str, np.ndarray]:
    """The tensors under the names that `encoder.HeadedEncoder` gives them."""
    raw = {name.removeprefix("bert."): tensor for name, tensor in raw.items()}
    kind = raw["embeddings.token_type_embeddings.weight"][0]
    made = {
        "words.weight": raw["embeddings.word_embeddings.weight"][kept],
        "places.weight": raw["embeddings.position_embeddings.weight"][:longest] + kind,
        "norm.weight": raw["embeddings.LayerNorm.weight"],
        "norm.bias": raw["embeddings.LayerNorm.bias"],
    }
    for layer in range(6):
        theirs, ours = f"encoder.layer.{layer}.", f"layers.{layer}."
        for end in ("weight", "bias"):
            looks = [raw[f"{theirs}attention.self.{p}.{end}"] for p in ("query", "key", "value")]
            made[f"{ours}look.{end}"] = np.concatenate(looks)
            for name, part in PARTS.items():
                made[f"{ours}{name}.{end}"] = raw[f"{theirs}{part}.{end}"]
    return made


def trained(table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The tensors of a shipped model under the names and in the shapes that PyTorch has them."""
    made = {}
    for name, tensor in table.items():
        where, dot, end = name.rpartition(".")
        if name in ("words", "places", "kinds"):
            made[f"{name}.weight"] = tensor
        if not dot:
            continue  # A number of the graph.
        turned = tensor.T if tensor.ndim == 2 else tensor
        if where.endswith("look"):
            turned = turned.copy()
            turned[:WIDTH] *= math.sqrt(WIDTH // HEADS)
        layered = f"layers.{where}" if where[0].isdigit() else where
        made[f"{layered}.{'weight' if end == 'w' else 'bias'}"] = turned
    return made
