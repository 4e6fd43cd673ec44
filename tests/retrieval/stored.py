"""Vectors of our own packs' texts, stored: the same on every processor, which int8 kernels are not.

`python scripts/store_vectors.py` makes the file anew when a pack or a question has changed.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from freeform.retrieval.ports import Vector

FILE = Path(__file__).with_name("own_packs_vectors.npz")
NAME = "stored-minilm"


def key_of(text: str) -> str:
    """How a text is named in the file."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class StoredVectors:
    """An embedder that knows only the texts it was stored with."""

    def __init__(self, file: Path = FILE) -> None:
        with np.load(file) as stored:
            keys, vectors = stored["keys"], stored["vectors"].astype("<f4")
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = dict(zip(keys.tolist(), vectors, strict=True))

    @property
    def name(self) -> str:
        return NAME

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        unknown = [text for text in texts if key_of(text) not in self._vectors]
        if unknown:
            pytest.fail(
                f"{len(unknown)} texts have no stored vector, among them {unknown[0][:80]!r}; "
                "run: python scripts/store_vectors.py"
            )
        return [self._vectors[key_of(text)].tobytes() for text in texts]
