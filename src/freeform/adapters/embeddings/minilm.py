"""MiniLmEmbedder: all-MiniLM-L6-v2 on this machine, without PyTorch."""

import asyncio
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from freeform.core.errors import Unavailable
from freeform.retrieval.ports import Vector

NAME = "all-minilm-l6-v2-int8"
MODEL_FILE, VOCABULARY_FILE = "model.onnx", "vocab.txt"
LONGEST = 256
"""In word pieces, as the model was trained; the rest of a longer text is not read."""
_BATCH_TOKENS, _FEW = 1024, 3
HOW_TO_GET = "get the embedder with `freeform-rpg models get-embedder`"


def folder_in(models: Path) -> Path:
    """Where the model lies below the home's `models` folder."""
    return models / NAME


class MiniLmEmbedder:
    """384 numbers per text. Loads at the first call; on onnxruntime, or in numpy alone where that
    is missing."""

    def __init__(self, folder: Path, *, threads: int = 0, numpy_only: bool = False) -> None:
        self._folder, self._numpy_only = folder, numpy_only
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._ready: _Loaded | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def missing(folder: Path) -> str:
        """What keeps it from running, with the fix; empty when nothing does."""
        if find_spec("numpy") is None:
            return "numpy is not installed: install the extra with `pip install freeform-rpg[embeddings]`"
        if not all((folder / name).is_file() for name in (MODEL_FILE, VOCABULARY_FILE)):
            return f"the embedding model is not here yet: {HOW_TO_GET}"
        return ""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        """One at a time, whichever thread and loop asks."""
        with self._lock:
            if self._ready is None:
                if reason := self.missing(self._folder):
                    raise Unavailable(reason, passing=False)
                self._ready = _Loaded(self._folder, self._threads, self._numpy_only)
            return self._ready.embed(texts)


class _Loaded:
    """The tokenizer and the model in memory."""

    def __init__(self, folder: Path, threads: int, numpy_only: bool) -> None:
        from freeform.adapters.embeddings.forward import runner
        from freeform.adapters.encoder.wordpiece import WordPiece

        vocabulary = (folder / VOCABULARY_FILE).read_text(encoding="utf-8").splitlines()
        self._pieces = WordPiece(vocabulary)
        model = folder / MODEL_FILE
        # A lone question is too small to share: on one thread it waits for no other.
        self._one = lru_cache(maxsize=1)(
            lambda: runner(model.read_bytes(), 1, numpy_only=numpy_only)
        )
        self._many = lru_cache(maxsize=1)(
            lambda: runner(model.read_bytes(), threads, numpy_only=numpy_only)
        )

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Texts of like length go together, so that little is computed for padding."""
        import numpy as np

        encoded = [self._pieces.encode(text, LONGEST) for text in texts]
        vectors: list[Vector] = [b""] * len(texts)
        waiting = sorted(range(len(texts)), key=lambda n: len(encoded[n]), reverse=True)
        while waiting:
            longest = len(encoded[waiting[0]])
            batch, waiting = (
                waiting[: _BATCH_TOKENS // longest],
                waiting[_BATCH_TOKENS // longest :],
            )
            ids = np.zeros((len(batch), longest), dtype=np.int64)
            mask = np.zeros((len(batch), longest), dtype=np.float32)
            for row, n in enumerate(batch):
                ids[row, : len(encoded[n])] = encoded[n]
                mask[row, : len(encoded[n])] = 1
            run = self._many() if len(batch) > _FEW else self._one()
            for n, vector in zip(batch, run(ids, mask), strict=True):
                vectors[n] = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        return vectors
