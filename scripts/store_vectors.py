"""Stores the vectors of our own packs' texts for the tests: float32 in plain numpy, so that no kernel matters.

    python scripts/store_vectors.py

Needs the embedder's weights (`make test` fetches them); takes a few minutes.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from freeform.adapters.sqlite.passages.passages import SqlitePassages  # noqa: E402
from freeform.core.clock import SystemClock  # noqa: E402
from freeform.engine.authored.library import content_folder  # noqa: E402
from freeform.evals.suites.retrieval.own_packs import GOLD, run_own_packs  # noqa: E402
from freeform.retrieval.ports import Embedder, Vector  # noqa: E402
from tests.retrieval.shelf import real_embedder  # noqa: E402
from tests.retrieval.stored import FILE, key_of  # noqa: E402


class Storing:
    """Passes texts on to an embedder and keeps what came back."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.kept: dict[str, Vector] = {}

    @property
    def name(self) -> str:
        return self._inner.name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors = await self._inner.embed(texts)
        for text, vector in zip(texts, vectors, strict=True):
            self.kept[key_of(text)] = vector
        return vectors


async def store(file: Path) -> int:
    """Asks the gold set once, and writes every vector it took."""
    storing = Storing(real_embedder(numpy_only=True))
    packs = content_folder("packs")
    await run_own_packs(GOLD, packs, SqlitePassages(), storing, SystemClock())
    keys = sorted(storing.kept)
    vectors = np.array([np.frombuffer(storing.kept[key], dtype="<f4") for key in keys])
    # A byte a number is near enough: the order of what is found does not change by it.
    scales = np.abs(vectors).max(axis=1, keepdims=True) / 127
    small = np.rint(vectors / scales).astype(np.int8)
    np.savez_compressed(file, keys=np.array(keys), vectors=small)
    return len(keys)


if __name__ == "__main__":
    print(f"{asyncio.run(store(FILE))} vectors in {FILE.relative_to(ROOT)}")
