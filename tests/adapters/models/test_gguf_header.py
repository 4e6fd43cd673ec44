"""How many tokens a model file says it was made for; whatever it holds, reading it never fails."""

import struct
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from freeform.adapters.models.gguf_model import window_of

_UINT32, _STRING, _ARRAY = 4, 8, 9


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def _file(*pairs: bytes) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs)


ARCHITECTURE = _text("general.architecture") + struct.pack("<I", _STRING) + _text("llama")
WORDS = (
    _text("tokenizer.tokens") + struct.pack("<IIQ", _ARRAY, _STRING, 2) + _text("a") + _text("b")
)
NUMBERS = _text("tokenizer.types") + struct.pack("<IIQIII", _ARRAY, _UINT32, 3, 1, 2, 3)
LENGTH = _text("llama.context_length") + struct.pack("<II", _UINT32, 8192)


def test_the_length_is_found_behind_other_values(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    file.write_bytes(_file(ARCHITECTURE, WORDS, NUMBERS, LENGTH))
    assert window_of(file) == 8192


def test_a_file_that_does_not_say_gives_none(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    for held in (b"", b"nonsense", _file(ARCHITECTURE), _file(ARCHITECTURE, LENGTH)[:-3]):
        file.write_bytes(held)
        assert window_of(file) == 0
    assert window_of(tmp_path / "none.gguf") == 0


@given(st.binary(max_size=200), st.integers(0, 120))
def test_a_broken_file_never_breaks_us(tmp_path_factory: object, noise: bytes, cut: int) -> None:
    whole = _file(ARCHITECTURE, WORDS, NUMBERS, LENGTH)
    file = tmp_path_factory.getbasetemp() / "noise.gguf"  # type: ignore[attr-defined]
    file.write_bytes(whole[:cut] + noise)
    assert window_of(file) >= 0
