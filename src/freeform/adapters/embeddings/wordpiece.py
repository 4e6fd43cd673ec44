"""Cuts text into the word pieces a BERT vocabulary knows: lower case, no accents, longest piece
first."""

import re
import unicodedata
from collections.abc import Sequence

_MAX_LETTERS = 100
_SPECIAL = ("[CLS]", "[SEP]", "[UNK]", "[PAD]")
_CACHE = 50_000


class WordPiece:
    """The tokenizer of uncased BERT models. Numbers are the lines of the vocabulary file."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._number = {piece: number for number, piece in enumerate(vocabulary)}
        self._start, self._end, self._unknown, self.pad = (self._number[name] for name in _SPECIAL)
        self._seen: dict[str, list[int]] = {}

    def encode(self, text: str, most: int) -> list[int]:
        """The numbers of the text's pieces between start and end marks, at most `most` in all."""
        numbers = [self._start]
        for word in _words(text):
            pieces = self._seen.get(word)
            if pieces is None:
                pieces = self._pieces(word)
                if len(self._seen) < _CACHE:
                    self._seen[word] = pieces
            numbers += pieces
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self._end]

    def _pieces(self, word: str) -> list[int]:
        """One word: the longest known piece, then the longest that continues it, and so on."""
        if len(word) > _MAX_LETTERS:
            return [self._unknown]
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._number.get(mark + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return [self._unknown]
        return pieces


_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


def _words(text: str) -> list[str]:
    """Words and single marks of punctuation, in the plain form the vocabulary is written in."""
    if text.isascii():
        # Nearly every English text: nothing to decompose, no sign outside the simple classes.
        return _PLAIN.findall(_controls(text).lower())
    spaced = "".join(_spaced(c) for c in unicodedata.normalize("NFC", text))
    plain = "".join(
        c for c in unicodedata.normalize("NFD", spaced.lower()) if unicodedata.category(c) != "Mn"
    )
    return "".join(f" {c} " if _is_mark(c) else c for c in plain).split()


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _controls(text: str) -> str:
    return _CONTROL.sub("", text)


def _spaced(c: str) -> str:
    """White space as a space, controls as nothing, an ideograph as a word of its own."""
    if c in "\t\n\r" or unicodedata.category(c) == "Zs":
        return " "
    if c == "\ufffd" or unicodedata.category(c).startswith("C"):
        return ""
    return f" {c} " if _is_ideograph(ord(c)) else c


_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


def _is_ideograph(code: int) -> bool:
    return code >= 0x3400 and any(first <= code <= last for first, last in _IDEOGRAPHS)


def _is_mark(c: str) -> bool:
    """Punctuation, counting every ASCII sign that is neither letter nor digit."""
    return unicodedata.category(c).startswith("P") or (
        c.isascii() and not c.isalnum() and not c.isspace()
    )
