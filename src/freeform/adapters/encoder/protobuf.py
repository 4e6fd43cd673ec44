"""As much of the protobuf wire format as an ONNX file needs: a dozen message kinds need no 30 MB
library."""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
"""ONNX's number for each type of element."""
_GRAPH, _NOTES = 7, 14
"""The fields of a model that hold its graph, and texts by key."""
_CONSTANT, _NAME = 5, 8
"""The field of a graph that holds a constant, and that of a constant with its name."""


def varint(number: int) -> bytes:
    """A whole number, seven bits to a byte; negative ones as 64 bits."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def whole(field: int, number: int) -> bytes:
    """A field holding a whole number."""
    return varint(field << 3) + varint(number)


def block(field: int, value: bytes | str) -> bytes:
    """A field holding bytes, text or another message."""
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def attribute(name: str, value: int | float | Sequence[int]) -> bytes:
    """A setting of a node."""
    head = block(1, name)
    if isinstance(value, float):
        return head + varint(2 << 3 | 5) + struct.pack("<f", value) + whole(20, 1)
    if isinstance(value, int):
        return head + whole(3, value) + whole(20, 2)
    return head + b"".join(whole(8, item) for item in value) + whole(20, 7)


def tensor(name: str, value: NDArray[Any]) -> bytes:
    """A constant of the graph."""
    dims = b"".join(whole(1, size) for size in value.shape)
    return dims + whole(2, KINDS[str(value.dtype)]) + block(8, name) + block(9, value.tobytes())


def port(name: str, kind: str, dims: Iterable[str | int]) -> bytes:
    """An input or output of the graph; a dimension is a size or a name."""
    shape = b"".join(block(1, block(2, d) if isinstance(d, str) else whole(1, d)) for d in dims)
    return block(1, name) + block(2, block(1, whole(1, KINDS[kind]) + block(2, shape)))


def fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message, in order: whole numbers and blocks."""
    at = 0
    while at < len(message):
        key, at = _read(message, at)
        match key & 7:
            case 0:
                number, at = _read(message, at)
                yield key >> 3, number
            case 2:
                size, at = _read(message, at)
                yield key >> 3, message[at : at + size]
                at += size
            case 5:
                at += 4
            case _:
                raise ValueError(f"wire type {key & 7} is not used in our files")


def _read(message: memoryview, at: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def constants(file: bytes) -> dict[str, NDArray[Any]]:
    """The constants of a model file, by name."""
    types = {number: name for name, number in KINDS.items()}
    found: dict[str, NDArray[Any]] = {}
    for number, value in fields(graph_of(file)):
        if number == _CONSTANT and isinstance(value, memoryview):
            parts = list(fields(value))
            dims = [v for k, v in parts if k == 1 and isinstance(v, int)]
            one = {k: v for k, v in parts if k != 1}
            name, data = one[8], one[9]
            assert isinstance(name, memoryview) and isinstance(data, memoryview)
            found[bytes(name).decode()] = np.frombuffer(data, dtype=types[int(one[2])]).reshape(
                dims
            )
    return found


def lend(file: bytes, kept: Mapping[str, NDArray[Any]]) -> bytes:
    """The model file with these constants in its graph instead of those of the same names; with an
    empty one a constant is left out, to be lent again by a file that has it."""
    graph: list[bytes] = []
    for number, value in fields(graph_of(file)):
        if number == _CONSTANT and isinstance(value, memoryview) and _name_of(value) in kept:
            continue
        graph.append(_field(number, value))
    for name, values in kept.items():
        if values.size:
            graph.append(block(_CONSTANT, tensor(name, np.ascontiguousarray(values))))
    made: list[bytes] = []
    for number, value in fields(memoryview(file)):
        made.append(block(_GRAPH, b"".join(graph)) if number == _GRAPH else _field(number, value))
    return b"".join(made)


def _field(number: int, value: int | memoryview) -> bytes:
    return whole(number, value) if isinstance(value, int) else block(number, bytes(value))


def _name_of(constant: memoryview) -> str:
    name = next(value for key, value in fields(constant) if key == _NAME)
    assert isinstance(name, memoryview)
    return bytes(name).decode()


def graph_of(file: bytes) -> memoryview:
    """The graph of a model file, as it lies there."""
    return next(v for k, v in fields(memoryview(file)) if k == _GRAPH and isinstance(v, memoryview))


def with_notes(file: bytes, kept: Mapping[str, str]) -> bytes:
    """The model file with these notes instead of those it has."""
    made = b""
    for number, value in fields(memoryview(file)):
        if number != _NOTES:
            made += whole(number, value) if isinstance(value, int) else block(number, bytes(value))
    return made + b"".join(block(_NOTES, block(1, k) + block(2, v)) for k, v in kept.items())


def notes(file: bytes) -> dict[str, str]:
    """The notes of a model file, by key; the graph itself is passed over."""
    found: dict[str, str] = {}
    for number, value in fields(memoryview(file)):
        if number == _NOTES and isinstance(value, memoryview):
            parts = [part for _, part in fields(value) if isinstance(part, memoryview)]
            key, note = (bytes(part).decode() for part in parts)
            found[key] = note
    return found
