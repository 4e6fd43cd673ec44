"""What a GGUF file says of itself, as far as we ask: how many tokens its model was made to see at once."""

import struct
from pathlib import Path
from typing import BinaryIO

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY = 8, 9
_INTEGERS = {0: "<B", 2: "<H", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_MOST_KEYS = 1000


def window_of(path: Path) -> int:
    """The model's `context_length`; 0 when the file does not say, or does not read."""
    try:
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                return 0
            _, _, keys = struct.unpack("<IQQ", file.read(20))
            for _ in range(min(keys, _MOST_KEYS)):
                key = file.read(_number(file, "<Q")).decode(errors="replace")
                kind = _number(file, "<I")
                if key.endswith(".context_length") and kind in _INTEGERS:
                    return max(0, _number(file, _INTEGERS[kind]))
                _skip(file, kind)
    except (OSError, ValueError, struct.error, OverflowError, MemoryError):
        pass
    return 0


def _number(file: BinaryIO, form: str) -> int:
    return int(struct.unpack(form, file.read(struct.calcsize(form)))[0])


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        file.seek(_number(file, "<Q"), 1)
    elif kind == _ARRAY:
        inner, count = _number(file, "<I"), _number(file, "<Q")
        if inner in _SIZES:
            file.seek(_SIZES[inner] * count, 1)
        else:
            for _ in range(count):
                _skip(file, inner)
    elif kind in _SIZES:
        file.seek(_SIZES[kind], 1)
    else:
        raise ValueError(f"a value of kind {kind}")
