"""Runs the encoder: a session on onnxruntime, and the same layers in plain numpy (several times
slower, same answers)."""

from math import sqrt
from typing import Any

import numpy as np

from freeform.adapters.encoder.table import EPSILON, HEADS, WIDTH, Floats, Table, layers_of


def session(model: bytes, threads: int) -> Any:
    """The model file on onnxruntime."""
    import onnxruntime as ort  # type: ignore[import-untyped,unused-ignore]

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    # Spinning threads starve each other on a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class NumpyLayers:
    """The same graph, written out."""

    def __init__(self, table: Table) -> None:
        self._t = table

    def __call__(self, x: Floats, mask: Floats) -> Floats:
        """The layers over embedded tokens (text, token, 384)."""
        texts, tokens, _ = x.shape
        shut = (mask - 1)[:, None, None, :] * np.float32(10_000)
        x = self._norm(x, "norm")
        for layer in range(layers_of(self._t)):
            look = self.linear(x, f"{layer}.look").reshape(texts, tokens, 3, HEADS, WIDTH // HEADS)
            ask, key, value = look.transpose(2, 0, 3, 1, 4)
            weight = ask @ key.transpose(0, 1, 3, 2) + shut
            weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
            weight /= weight.sum(axis=-1, keepdims=True)
            seen = (weight @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
            x = self._norm(x + self.linear(seen, f"{layer}.mix"), f"{layer}.norm1")
            wide = _gelu(self.linear(x, f"{layer}.wide"))
            x = self._norm(x + self.linear(wide, f"{layer}.narrow"), f"{layer}.norm2")
        return x

    def linear(self, x: Floats, name: str) -> Floats:
        """x @ w + b."""
        return np.asarray(x @ self._t[f"{name}.w"] + self._t[f"{name}.b"], dtype=np.float32)

    def _norm(self, x: Floats, name: str) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
        return np.asarray(x * self._t[f"{name}.w"] + self._t[f"{name}.b"], dtype=np.float32)


def mean_of(x: Floats, mask: Floats) -> Floats:
    """The mean of each text's tokens."""
    total = (x * mask[:, :, None]).sum(axis=1)
    return np.asarray(total / mask.sum(axis=1, keepdims=True), dtype=np.float32)


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
