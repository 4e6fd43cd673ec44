"""Runs the model: on onnxruntime where it is installed, else in plain numpy (several times slower,
same answers)."""

from importlib.util import find_spec
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.embeddings.protobuf import constants
from freeform.adapters.embeddings.weights import (
    EPSILON,
    HEADS,
    LAYERS,
    WIDTH,
    Floats,
    Table,
    restore,
)


class Runner(Protocol):
    """Token numbers and their mask (text, token) in, unit vectors (text, 384) out."""

    def __call__(self, ids: NDArray[np.int64], mask: Floats) -> Floats: ...


def runner(model: bytes, threads: int, *, numpy_only: bool = False) -> Runner:
    """The fastest way to run the model file that this machine has."""
    if numpy_only or find_spec("onnxruntime") is None:
        return NumpyRunner(restore(constants(model)))
    return OnnxRunner(model, threads)


class OnnxRunner:
    """On onnxruntime."""

    def __init__(self, model: bytes, threads: int) -> None:
        import onnxruntime as ort  # type: ignore[import-untyped,unused-ignore]

        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        # Spinning threads starve each other on a busy machine.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        self._session: Any = ort.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, ids: NDArray[np.int64], mask: Floats) -> Floats:
        at = np.arange(ids.shape[1], dtype=np.int64)
        (vectors,) = self._session.run(None, {"ids": ids, "at": at, "mask": mask})
        return np.asarray(vectors, dtype=np.float32)


class NumpyRunner:
    """The same graph, written out."""

    def __init__(self, table: Table) -> None:
        self._t = table

    def __call__(self, ids: NDArray[np.int64], mask: Floats) -> Floats:
        t, (texts, tokens) = self._t, ids.shape
        shut = (mask - 1)[:, None, None, :] * np.float32(10_000)
        x = self._norm(t["words"][ids] + t["places"][:tokens], "norm")
        for layer in range(LAYERS):
            look = self._linear(x, f"{layer}.look").reshape(texts, tokens, 3, HEADS, WIDTH // HEADS)
            ask, key, value = look.transpose(2, 0, 3, 1, 4)
            weight = ask @ key.transpose(0, 1, 3, 2) + shut
            weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
            weight /= weight.sum(axis=-1, keepdims=True)
            seen = (weight @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
            x = self._norm(x + self._linear(seen, f"{layer}.mix"), f"{layer}.norm1")
            x = self._norm(
                x + self._linear(_gelu(self._linear(x, f"{layer}.wide")), f"{layer}.narrow"),
                f"{layer}.norm2",
            )
        mean = (x * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), dtype=np.float32)

    def _linear(self, x: Floats, name: str) -> Floats:
        return np.asarray(x @ self._t[f"{name}.w"] + self._t[f"{name}.b"], dtype=np.float32)

    def _norm(self, x: Floats, name: str) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
        return np.asarray(x * self._t[f"{name}.w"] + self._t[f"{name}.b"], dtype=np.float32)


def _gelu(x: Floats) -> Floats:
    """x · Φ(x), with Φ by the error function's rational approximation (Abramowitz and Stegun
    7.1.26)."""
    z = np.abs(x) / np.float32(sqrt(2))
    k = 1 / (1 + np.float32(0.3275911) * z)
    poly = k * (
        0.254829592 + k * (-0.284496736 + k * (1.421413741 + k * (-1.453152027 + k * 1.061405429)))
    )
    error = 1 - poly * np.exp(-z * z)
    return np.asarray(x * 0.5 * (1 + np.sign(x) * error), dtype=np.float32)
