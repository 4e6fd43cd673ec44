"""The encoder as part of an ONNX graph: float32, or int8 where the matrices are int8.

An int8 matrix meets its input in int8 too. The input's scale is taken per token, not per batch as
the usual dynamic quantisation does: that is nearer to the float32 result, and a text hardly depends
on what stands beside it. `unsigned` takes the input as uint8 around 128: on x86 onnxruntime has
quick code for that alone (ten times as quick), which wants matrices of `QUICK_STEPS`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.encoder.protobuf import (
    KINDS,
    attribute,
    block,
    port,
    tensor,
    whole,
    with_notes,
)
from freeform.adapters.encoder.table import EPSILON, HEADS, STEPS, WIDTH, Table, layers_of

_OPSET, _FORMAT = 20, 9


class Graph:
    """Nodes and constants in the order they were added."""

    def __init__(self, table: Table, *, unsigned: bool = False) -> None:
        self._unsigned = unsigned
        self._parts: list[bytes] = []
        self._count, self._layers = 0, layers_of(table)
        self._small = {name for name, values in table.items() if values.dtype == np.int8}
        for name, values in table.items():
            self.constant(name, values)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds a constant; its name."""
        self._parts.append(block(5, tensor(name, np.ascontiguousarray(value))))
        return name

    def floats(self, name: str, *values: float) -> str:
        """Adds a small constant; its name."""
        return self.constant(name, np.array(values, dtype=np.float32))

    def wholes(self, name: str, *values: int) -> str:
        """Adds a small constant; its name."""
        return self.constant(name, np.array(values, dtype=np.int64))

    def node(
        self,
        kind: str,
        *inputs: str,
        out: Sequence[str] = (),
        **settings: int | float | Sequence[int],
    ) -> str:
        """Adds a node; the name of its first output."""
        self._count += 1
        names = out or [f"n{self._count}"]
        body = b"".join(block(1, name) for name in inputs)
        body += b"".join(block(2, name) for name in names)
        body += block(4, kind)
        body += b"".join(block(5, attribute(k, v)) for k, v in settings.items())
        self._parts.append(block(1, body))
        return names[0]

    def takes(self, name: str, kind: str, *dims: str | int) -> None:
        """Names an input."""
        self._parts.append(block(11, port(name, kind, dims)))

    def gives(self, name: str, kind: str, *dims: str | int) -> None:
        """Names an output."""
        self._parts.append(block(12, port(name, kind, dims)))

    def file(self, name: str, notes: Mapping[str, str] | None = None) -> bytes:
        """The model file, with notes beside the graph."""
        graph = block(2, name) + b"".join(self._parts)
        versions = block(8, block(1, "") + whole(2, _OPSET))
        made = whole(1, _FORMAT) + block(2, "freeform-rpg") + block(7, graph) + versions
        return with_notes(made, notes or {})

    def linear(self, x: str, name: str, out: Sequence[str] = ()) -> str:
        """x @ w + b."""
        matrix = f"{name}.w"
        y = self._in_int8(x, matrix) if matrix in self._small else self.node("MatMul", x, matrix)
        return self.node("Add", y, f"{name}.b", out=out)

    def dense(self, x: str, name: str, out: Sequence[str] = ()) -> str:
        """The same with the input as it is: only the matrix is kept small."""
        matrix = f"{name}.w"
        if matrix in self._small:
            floats = self.node("Cast", matrix, to=KINDS["float32"])
            matrix = self.node("Mul", floats, f"{matrix}.scale")
        return self.node("Add", self.node("MatMul", x, matrix), f"{name}.b", out=out)

    def _in_int8(self, x: str, matrix: str) -> str:
        reach = self.node("ReduceMax", self.node("Abs", x), "last", keepdims=1)
        scale = self.node("Max", self.node("Mul", reach, "step"), "least")
        steps = self.node("Div", x, scale)
        if self._unsigned:
            steps = self.node("Cast", self.node("Add", steps, "half_way"), to=KINDS["uint8"])
            sums = self.node("MatMulInteger", steps, matrix, "middle_of_uint8")
        else:
            steps = self.node("Cast", self.node("Round", steps), to=KINDS["int8"])
            sums = self.node("MatMulInteger", steps, matrix)
        y = self.node("Mul", self.node("Cast", sums, to=KINDS["float32"]), scale)
        return self.node("Mul", y, f"{matrix}.scale")

    def norm(self, x: str, name: str) -> str:
        """Each token at mean 0 and spread 1, then scaled and shifted."""
        weights = (f"{name}.w", f"{name}.b")
        return self.node("LayerNormalization", x, *weights, epsilon=EPSILON, axis=-1)

    def words(self, ids: str) -> str:
        """The rows of the word table."""
        rows = self.node("Gather", "words", ids)
        if "words" not in self._small:
            return rows
        floats = self.node("Cast", rows, to=KINDS["float32"])
        return self.node("Mul", floats, self.node("Gather", "words.scale", ids))

    def layers(self, x: str) -> str:
        """The encoder's layers over embedded tokens; wants the input `mask` (text, token)."""
        heads = self.wholes("heads", 0, 0, HEADS, WIDTH // HEADS)
        flat = self.wholes("flat", 0, 0, WIDTH)
        one, far = self.floats("one", 1), self.floats("far", 10_000)
        middle = self.wholes("middle", 1, 2)
        if self._small:
            self.floats("step", 1 / STEPS)
            self.floats("least", 1e-9)
            self.wholes("last", -1)
        if self._unsigned:
            self.floats("half_way", 128.5)
            self.constant("middle_of_uint8", np.array(128, dtype=np.uint8))
        # Tokens that only fill up the batch are pushed out of every softmax.
        shut = self.node("Unsqueeze", self.node("Mul", self.node("Sub", "mask", one), far), middle)
        x = self.norm(x, "norm")
        for layer in range(self._layers):
            seen = self._attention(x, layer, heads, shut)
            mixed = self.linear(self.node("Reshape", seen, flat), f"{layer}.mix")
            x = self.norm(self.node("Add", x, mixed), f"{layer}.norm1")
            wide = self.node("Gelu", self.linear(x, f"{layer}.wide"))
            narrow = self.linear(wide, f"{layer}.narrow")
            x = self.norm(self.node("Add", x, narrow), f"{layer}.norm2")
        return x

    def _attention(self, x: str, layer: int, heads: str, shut: str) -> str:
        names = [f"{layer}.{part}" for part in ("ask", "key", "value")]
        self.node("Split", self.linear(x, f"{layer}.look"), out=names, axis=2, num_outputs=3)
        ask, key, value = (self.node("Reshape", name, heads) for name in names)
        ask = self.node("Transpose", ask, perm=[0, 2, 1, 3])
        value = self.node("Transpose", value, perm=[0, 2, 1, 3])
        key = self.node("Transpose", key, perm=[0, 2, 3, 1])
        scores = self.node("Add", self.node("MatMul", ask, key), shut)
        weight = self.node("Softmax", scores, axis=-1)
        return self.node("Transpose", self.node("MatMul", weight, value), perm=[0, 2, 1, 3])

    def mean(self, x: str) -> str:
        """The mean of each text's tokens."""
        second = self.wholes("second", 1)
        total = self.node("MatMul", self.node("Unsqueeze", "mask", second), x)
        count = self.node("ReduceSum", "mask", second, keepdims=1)
        count = self.node("Unsqueeze", count, second)
        return self.node("Squeeze", self.node("Div", total, count), second)
