"""JSON as models write it: single quotes, trailing commas, raw line breaks, comments, an end that
never comes. Reads what can be read, and says whether it was whole."""

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))+", re.S)
_BARE = re.compile(r"[^\s,:{}\[\]\"'“”]+")
_CLOSES = re.compile(r"\s*(?:[,:}\]]|\Z)")
_QUOTES = {'"': '"', "'": "'", "“": "”"}
_PLAIN = {closing: re.compile(rf"[^\\{closing}]+") for closing in _QUOTES.values()}
_CODE = re.compile(r"[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_DEEPEST = 60
_ENDED = object()
"""What stands where the text ended before a value began."""


@dataclass(frozen=True)
class LooseValue:
    """What was read, where it ended, and whether every bracket and quote was closed."""

    value: Any
    end: int
    whole: bool


def read_loosely(text: str, start: int = 0) -> LooseValue:
    """The value that begins at `start`; ValueError where none can be made out."""
    reader = _Reader(text, start)
    value = reader.value(0)
    if value is _ENDED:
        raise ValueError("nothing is there")
    return LooseValue(value, reader.at, reader.whole)


class _Reader:
    """Walks the text once, bracket by bracket."""

    def __init__(self, text: str, start: int) -> None:
        self._text, self.at, self.whole = text, start, True

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("brackets in brackets in brackets")
        sign = self._next()
        if not sign:
            return self._ended()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._array(depth)
        if sign in _QUOTES:
            return self._string()
        return self._word()

    def _next(self) -> str:
        """The next sign that is no space; '' at the end."""
        space = _SPACE.match(self._text, self.at)
        if space:
            self.at = space.end()
        return self._text[self.at : self.at + 1]

    def _ended(self) -> Any:
        self.whole = False
        return _ENDED

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        read: dict[str, Any] = {}
        while True:
            sign = self._next()
            if sign in ("", "}", "]"):
                self._close(sign)
                return read
            if sign == ",":
                self.at += 1
                continue
            key = self.value(depth + 1)
            if self._next() != ":":
                self.whole = self.whole and bool(self._next())
                if self.whole:
                    raise ValueError(f"no value for {key!r}")
                return read
            self.at += 1
            value = self.value(depth + 1)
            if value is not _ENDED:
                read[str(key)] = value

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        read: list[Any] = []
        while True:
            sign = self._next()
            if sign in ("", "}", "]"):
                self._close(sign)
                return read
            if sign == ",":
                self.at += 1
                continue
            if sign == ":":
                raise ValueError("a list with a colon in it")
            value = self.value(depth + 1)
            if self.whole:  # half a row is none
                read.append(value)

    def _close(self, sign: str) -> None:
        self.whole = self.whole and bool(sign)
        self.at += len(sign)

    def _string(self) -> str:
        """A string; what looks like its closing quote but has words after it is part of it."""
        closing = _QUOTES[self._text[self.at]]
        self.at += 1
        pieces: list[str] = []
        while self.at < len(self._text):
            plain = _PLAIN[closing].match(self._text, self.at)
            if plain:
                pieces.append(plain[0])
                self.at = plain.end()
                continue
            sign = self._text[self.at]
            self.at += 1
            if sign == "\\":
                pieces.append(self._escape())
            elif _CLOSES.match(self._text, self.at):
                return "".join(pieces)
            else:
                pieces.append(sign)
        self.whole = False
        return "".join(pieces)

    def _escape(self) -> str:
        sign = self._text[self.at : self.at + 1]
        self.at += 1
        if sign != "u":
            return _ESCAPES.get(sign, sign)
        code = _CODE.match(self._text, self.at)
        if code is None:
            self.at = min(len(self._text), self.at + 4)
            return ""
        self.at = code.end()
        letter = str(json.loads(f'"\\u{code[0]}"'))
        return "" if "\ud800" <= letter <= "\udfff" else letter

    def _word(self) -> Any:
        """A number, true, false, null, or a word without quotes."""
        bare = _BARE.match(self._text, self.at)
        if bare is None:
            raise ValueError(f"a stray {self._text[self.at]!r}")
        self.at = bare.end()
        word = bare[0]
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        try:
            return json.loads(word)
        except ValueError:
            return word
