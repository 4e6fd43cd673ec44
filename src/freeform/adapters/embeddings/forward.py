"""Runs the embedder: on onnxruntime where it is installed, else in plain numpy."""

from importlib.util import find_spec
from typing import Protocol

import numpy as np

from freeform.adapters.encoder.forward import NumpyLayers, mean_of, session
from freeform.adapters.encoder.protobuf import constants
from freeform.adapters.encoder.table import Floats, Table, Wholes, restore


class Runner(Protocol):
    """Token numbers and their mask (text, token) in, unit vectors (text, 384) out."""

    def __call__(self, ids: Wholes, mask: Floats) -> Floats: ...


def runner(model: bytes, threads: int, *, numpy_only: bool = False) -> Runner:
    """The fastest way to run the model file that this machine has."""
    if numpy_only or find_spec("onnxruntime") is None:
        return NumpyRunner(restore(constants(model)))
    return OnnxRunner(model, threads)


class OnnxRunner:
    """On onnxruntime."""

    def __init__(self, model: bytes, threads: int) -> None:
        self._session = session(model, threads)

    def __call__(self, ids: Wholes, mask: Floats) -> Floats:
        at = np.arange(ids.shape[1], dtype=np.int64)
        (vectors,) = self._session.run(None, {"ids": ids, "at": at, "mask": mask})
        return np.asarray(vectors, dtype=np.float32)


class NumpyRunner:
    """In plain numpy."""

    def __init__(self, table: Table) -> None:
        self._t = table
        self._layers = NumpyLayers(table)

    def __call__(self, ids: Wholes, mask: Floats) -> Floats:
        x = self._t["words"][ids] + self._t["places"][: ids.shape[1]]
        mean = mean_of(self._layers(x, mask), mask)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), dtype=np.float32)
