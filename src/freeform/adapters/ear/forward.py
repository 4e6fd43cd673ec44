"""Runs the ear: on onnxruntime where it is installed, else in plain numpy."""

from importlib.util import find_spec
from typing import Protocol

import numpy as np

from freeform.adapters.encoder.forward import NumpyLayers, mean_of, session
from freeform.adapters.encoder.protobuf import constants
from freeform.adapters.encoder.table import Floats, Table, Wholes, restore


class EarRunner(Protocol):
    """Token numbers, their kinds and their mask (text, token) in; scores for each token (text,
    token, 44) and for each text (text, 31) out."""

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]: ...


def ear_runner(model: bytes, *, numpy_only: bool = False) -> EarRunner:
    """The fastest way to run the model file that this machine has."""
    if not numpy_only and find_spec("onnxruntime") is not None:
        try:
            return OnnxEar(model)
        except ImportError:
            # Installed, but without a library of the system that it needs.
            pass
    return NumpyEar(restore(constants(model)))


class OnnxEar:
    """On onnxruntime, on one thread: a player's line is too small to share."""

    def __init__(self, model: bytes) -> None:
        self._session = session(model, 1)

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]:
        at = np.arange(ids.shape[1], dtype=np.int64)
        given = {"ids": ids, "kinds_in": kinds, "at": at, "mask": mask}
        tokens, texts = self._session.run(None, given)
        return tokens, texts


class NumpyEar:
    """In plain numpy."""

    def __init__(self, table: Table) -> None:
        self._t = table
        self._layers = NumpyLayers(table)

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]:
        x = self._t["words"][ids] + self._t["places"][: ids.shape[1]] + self._t["kinds"][kinds]
        x = self._layers(x, mask)
        return self._layers.linear(x, "token"), self._layers.linear(mean_of(x, mask), "text")
