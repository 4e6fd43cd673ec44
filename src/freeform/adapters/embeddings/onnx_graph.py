"""The model as an ONNX graph: float32, or int8 where the matrices are int8.

An int8 matrix meets its input in int8 too. The input's scale is taken per token, not per batch as
the usual dynamic quantisation does: that is nearer to the float32 result, and a text hardly depends
on what stands beside it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freeform.adapters.embeddings.protobuf import KINDS, attribute, block, port, tensor, whole
from freeform.adapters.embeddings.weights import EPSILON, HEADS, LAYERS, WIDTH, Table

_OPSET, _FORMAT = 20, 9


class _Graph:
    """Nodes and constants in the order they were added."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._count = 0

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds a constant; its name."""
        self.parts.append(block(5, tensor(name, np.ascontiguousarray(value))))
        return name

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
        body = b"".join(block(1, name) for name in inputs) + b"".join(
            block(2, name) for name in names
        )
        body += block(4, kind) + b"".join(block(5, attribute(k, v)) for k, v in settings.items())
        self.parts.append(block(1, body))
        return names[0]


def floats(*values: float) -> NDArray[np.float32]:
    """A small constant."""
    return np.array(values, dtype=np.float32)


def wholes(*values: int) -> NDArray[np.int64]:
    """A small constant."""
    return np.array(values, dtype=np.int64)


def build(table: Table) -> bytes:
    """The model file. In: `ids` and `mask` (text, token), `at` (token). Out: `vectors` (text, 384),
    unit length."""
    g = _Graph()
    small = {name for name, values in table.items() if values.dtype == np.int8}
    for name, values in table.items():
        g.constant(name, values)
    heads = g.constant("heads", wholes(0, 0, HEADS, WIDTH // HEADS))
    flat = g.constant("flat", wholes(0, 0, WIDTH))
    one, far = g.constant("one", floats(1)), g.constant("far", floats(10_000))
    second, middle = g.constant("second", wholes(1)), g.constant("middle", wholes(1, 2))
    if small:
        step, least = g.constant("step", floats(1 / 127)), g.constant("least", floats(1e-9))
        last = g.constant("last", wholes(-1))

    def linear(x: str, name: str) -> str:
        matrix = f"{name}.w"
        if matrix in small:
            reach = g.node("ReduceMax", g.node("Abs", x), last, keepdims=1)
            scale = g.node("Max", g.node("Mul", reach, step), least)
            whole_x = g.node("Cast", g.node("Round", g.node("Div", x, scale)), to=KINDS["int8"])
            sums = g.node("Cast", g.node("MatMulInteger", whole_x, matrix), to=KINDS["float32"])
            y = g.node("Mul", g.node("Mul", sums, scale), f"{matrix}.scale")
        else:
            y = g.node("MatMul", x, matrix)
        return g.node("Add", y, f"{name}.b")

    def norm(x: str, name: str) -> str:
        return g.node("LayerNormalization", x, f"{name}.w", f"{name}.b", epsilon=EPSILON, axis=-1)

    words = g.node("Gather", "words", "ids")
    if "words" in small:
        words = g.node(
            "Mul",
            g.node("Cast", words, to=KINDS["float32"]),
            g.node("Gather", "words.scale", "ids"),
        )
    # Tokens that only fill up the batch are pushed out of every softmax.
    shut = g.node("Unsqueeze", g.node("Mul", g.node("Sub", "mask", one), far), middle)
    x = norm(g.node("Add", words, g.node("Gather", "places", "at")), "norm")
    for layer in range(LAYERS):
        names = [f"{layer}.{part}" for part in ("ask", "key", "value")]
        g.node("Split", linear(x, f"{layer}.look"), out=names, axis=2, num_outputs=3)
        ask, key, value = (g.node("Reshape", name, heads) for name in names)
        ask, value = (g.node("Transpose", part, perm=[0, 2, 1, 3]) for part in (ask, value))
        key = g.node("Transpose", key, perm=[0, 2, 3, 1])
        weight = g.node("Softmax", g.node("Add", g.node("MatMul", ask, key), shut), axis=-1)
        seen = g.node("Transpose", g.node("MatMul", weight, value), perm=[0, 2, 1, 3])
        x = norm(
            g.node("Add", x, linear(g.node("Reshape", seen, flat), f"{layer}.mix")),
            f"{layer}.norm1",
        )
        wide = g.node("Gelu", linear(x, f"{layer}.wide"))
        x = norm(g.node("Add", x, linear(wide, f"{layer}.narrow")), f"{layer}.norm2")
    total = g.node("MatMul", g.node("Unsqueeze", "mask", second), x)
    count = g.node("Unsqueeze", g.node("ReduceSum", "mask", second, keepdims=1), second)
    mean = g.node("Squeeze", g.node("Div", total, count), second)
    g.node("Div", mean, g.node("ReduceL2", mean, second, keepdims=1), out=["vectors"])
    g.parts += [
        block(11, port("ids", "int64", ["text", "token"])),
        block(11, port("at", "int64", ["token"])),
        block(11, port("mask", "float32", ["text", "token"])),
        block(12, port("vectors", "float32", ["text", WIDTH])),
    ]
    graph = block(2, "all-MiniLM-L6-v2") + b"".join(g.parts)
    versions = block(8, block(1, "") + whole(2, _OPSET))
    return whole(1, _FORMAT) + block(2, "freeform-rpg") + block(7, graph) + versions
