"""An encoder with a head for each token and one for the text: its ONNX file, and how it is run, on
onnxruntime where it is installed, else in plain numpy."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.encoder.forward import NumpyLayers, mean_of, session
from freeform.adapters.encoder.graph import Graph
from freeform.adapters.encoder.protobuf import constants
from freeform.adapters.encoder.table import (
    QUICK_STEPS,
    WIDTH,
    Floats,
    Table,
    Wholes,
    quantise,
    restore,
)

HEADS = ("token", "text")
_REMEMBERED = 128
"""Texts of which all that was read is kept: some ten kilobytes each."""


def build(name: str, table: Table, heads: tuple[int, int], notes: Mapping[str, str]) -> bytes:
    """The model file. In: `ids`, `kinds` and `mask` (text, token), `at` (token). Out: `tokens`
    (text, token, heads[0]) and `texts` (text, heads[1]), scores before any softmax; `means`
    (text, 384), what the scores of a text are made from."""
    ends = {key: values for key, values in table.items() if key.startswith(HEADS)}
    body = {key: values for key, values in table.items() if key not in ends}
    g = Graph(quantise(body, QUICK_STEPS) | quantise(ends), unsigned=True)
    x = g.node("Add", g.words("ids"), g.node("Gather", "places", "at"))
    x = g.layers(g.node("Add", x, g.node("Gather", "kinds", "kinds_in")))
    mean = g.node("Identity", g.mean(x), out=["means"])
    g.dense(x, "token", out=["tokens"])
    g.dense(mean, "text", out=["texts"])
    g.takes("ids", "int64", "text", "token")
    g.takes("kinds_in", "int64", "text", "token")
    g.takes("at", "int64", "token")
    g.takes("mask", "float32", "text", "token")
    g.gives("tokens", "float32", "text", "token", heads[0])
    g.gives("texts", "float32", "text", heads[1])
    g.gives("means", "float32", "text", WIDTH)
    return g.file(name, notes)


class HeadedRunner(Protocol):
    """Token numbers, their kinds and their mask (text, token) in; scores for each token
    (text, token, score) and for each text (text, score) out."""

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]: ...

    def means(self, ids: Wholes, kinds: Wholes, mask: Floats) -> Floats:
        """The mean of each text's tokens (text, 384): what the scores of a text are made from."""
        ...


def headed_runner(model: bytes, *, numpy_only: bool = False) -> HeadedRunner:
    """The fastest way to run the model file that this machine has."""
    if not numpy_only and find_spec("onnxruntime") is not None:
        try:
            return OnnxHeaded(model)
        except ImportError:
            # Installed, but without a library of the system that it needs.
            pass
    return NumpyHeaded(restore(constants(model)))


def side_by_side(
    rows: Sequence[tuple[Sequence[int], Sequence[int]]], pad: int
) -> tuple[Wholes, Wholes, Floats]:
    """Rows of token numbers and kinds as one batch, as long as the longest, and its mask."""
    longest = max(len(ids) for ids, _ in rows)
    ids = np.full((len(rows), longest), pad, dtype=np.int64)
    kinds = np.zeros((len(rows), longest), dtype=np.int64)
    mask = np.zeros((len(rows), longest), dtype=np.float32)
    for row, (its_ids, its_kinds) in enumerate(rows):
        ids[row, : len(its_ids)], kinds[row, : len(its_ids)] = its_ids, its_kinds
        mask[row, : len(its_ids)] = 1
    return ids, kinds, mask


class OnnxHeaded:
    """On onnxruntime, on one thread: a player's line is too small to share. One text by itself is
    read once for all that is asked of it."""

    def __init__(self, model: bytes) -> None:
        self._session = session(model, 1)
        self._lately = lru_cache(maxsize=_REMEMBERED)(self._of_one)

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]:
        if len(ids) == 1 and mask.all():
            return self._lately(_numbers(ids), _numbers(kinds))[:2]
        tokens, texts = self._session.run(["tokens", "texts"], _given(ids, kinds, mask))
        return tokens, texts

    def means(self, ids: Wholes, kinds: Wholes, mask: Floats) -> Floats:
        """The mean of each text's tokens."""
        if len(ids) == 1 and mask.all():
            return self._lately(_numbers(ids), _numbers(kinds))[2]
        (means,) = self._session.run(["means"], _given(ids, kinds, mask))
        return np.asarray(means, dtype=np.float32)

    def _of_one(self, ids: bytes, kinds: bytes) -> tuple[Floats, Floats, Floats]:
        numbers = np.frombuffer(ids, dtype=np.int64)[None]
        mask = np.ones(numbers.shape, dtype=np.float32)
        given = _given(numbers, np.frombuffer(kinds, dtype=np.int64)[None], mask)
        tokens, texts, means = self._session.run(["tokens", "texts", "means"], given)
        for scores in (tokens, texts, means):
            scores.flags.writeable = False
        return tokens, texts, means


def _numbers(row: Wholes) -> bytes:
    return np.ascontiguousarray(row, dtype=np.int64).tobytes()


def _given(ids: Wholes, kinds: Wholes, mask: Floats) -> dict[str, NDArray[Any]]:
    at = np.arange(ids.shape[1], dtype=np.int64)
    return {"ids": ids, "kinds_in": kinds, "at": at, "mask": mask}


class NumpyHeaded:
    """In plain numpy."""

    def __init__(self, table: Table) -> None:
        self._t = table
        self._layers = NumpyLayers(table)

    def __call__(self, ids: Wholes, kinds: Wholes, mask: Floats) -> tuple[Floats, Floats]:
        x = self._through(ids, kinds, mask)
        return self._layers.linear(x, "token"), self._layers.linear(mean_of(x, mask), "text")

    def means(self, ids: Wholes, kinds: Wholes, mask: Floats) -> Floats:
        """The mean of each text's tokens."""
        return mean_of(self._through(ids, kinds, mask), mask)

    def _through(self, ids: Wholes, kinds: Wholes, mask: Floats) -> Floats:
        x = self._t["words"][ids] + self._t["places"][: ids.shape[1]] + self._t["kinds"][kinds]
        return self._layers(x, mask)
