"""Cuts text into the word pieces a BERT vocabulary knows: lower case, no accents, longest piece
first."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_MAX_LETTERS = 100
_SPECIAL = ("[CLS]", "[SEP]", "[UNK]", "[PAD]")
_CACHE = 50_000
_TEXTS, _SHORT = 500, 500
"""Words and short texts whose pieces are remembered, and the letters of a short one."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece of a word by its number, and where it stands in the text."""

    number: int
    start: int
    end: int


class WordPiece:
    """The tokenizer of uncased BERT models. Numbers are the lines of the vocabulary file."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._number = {piece: number for number, piece in enumerate(vocabulary)}
        self.start, self.end, self._unknown, self.pad = (self._number[name] for name in _SPECIAL)
        self.mask = self._number.get("[MASK]", self._unknown)
        self._seen: dict[str, list[tuple[int, int]]] = {}
        self._cut_texts = lru_cache(maxsize=_TEXTS)(self._cut_text)

    def knows(self, word: str) -> bool:
        """Whether a word is one piece."""
        return word in self._number

    def encode(self, text: str, most: int) -> list[int]:
        """The numbers of the text's pieces between start and end marks, at most `most` in all."""
        numbers = [self.start]
        for word in _words(text):
            numbers += [number for number, _ in self._pieces_of(word)]
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self.end]

    def pieces(self, text: str, *, signs_apart: bool = False) -> list[PlacedPiece]:
        """The text's pieces with their places. `signs_apart` parts an emoji from a word it hangs
        on, which the models' own tokenizer does not. Passages come with question after question."""
        cut = self._cut_texts if len(text) <= _SHORT else self._cut_text
        return [*cut(text, signs_apart)]

    def _cut_text(self, text: str, signs_apart: bool) -> list[PlacedPiece]:
        if text.isascii() and not _CONTROL.search(text):
            return self._plain_pieces(text)
        found: list[PlacedPiece] = []
        for word in _placed_words(text, signs_apart):
            first = 0
            for number, last in self._pieces_of(word.letters):
                found.append(PlacedPiece(number, word.starts[first], word.ends[last - 1]))
                first = last
        return found

    def _plain_pieces(self, text: str) -> list[PlacedPiece]:
        """The same for nearly every English text: a letter stands for itself."""
        found: list[PlacedPiece] = []
        for word in _PLAIN.finditer(text.lower()):
            start = word.start()
            first = 0
            for number, last in self._pieces_of(word[0]):
                found.append(PlacedPiece(number, start + first, start + last))
                first = last
        return found

    def _pieces_of(self, word: str) -> list[tuple[int, int]]:
        """The numbers of a word's pieces, each with where in the word it ends."""
        pieces = self._seen.get(word)
        if pieces is None:
            pieces = self._cut(word)
            if len(self._seen) < _CACHE:
                self._seen[word] = pieces
        return pieces

    def _cut(self, word: str) -> list[tuple[int, int]]:
        """The longest known piece, then the longest that continues it, and so on."""
        whole_unknown = [(self._unknown, len(word))]
        if len(word) > _MAX_LETTERS:
            return whole_unknown
        pieces: list[tuple[int, int]] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._number.get(mark + word[start:end])
                if number is not None:
                    pieces.append((number, end))
                    start = end
                    break
            else:
                return whole_unknown
        return pieces


class _PlacedWord:
    """A word in the vocabulary's plain form, and for each letter where it stands in the text."""

    __slots__ = ("ends", "letters", "starts")

    def __init__(self) -> None:
        self.letters = ""
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, letter: str, at: int) -> None:
        self.letters += letter
        self.starts.append(at)
        self.ends.append(at + 1)


_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _words(text: str) -> list[str]:
    """Words and single marks of punctuation, in the plain form the vocabulary is written in."""
    if text.isascii():
        # Nearly every English text: nothing to decompose, no sign outside the simple classes.
        return _PLAIN.findall(_CONTROL.sub("", text).lower())
    return [word.letters for word in _placed_words(text, False)]


def _placed_words(text: str, signs_apart: bool) -> list[_PlacedWord]:
    """The same words, with where they stand; an accent belongs to the letter before it."""
    words: list[_PlacedWord] = []
    goes_on = False
    for letter, at in _letters(text):
        if letter == " ":
            goes_on = False
        elif unicodedata.category(letter) == "Mn":
            if words and words[-1].ends[-1] == at:
                words[-1].ends[-1] = at + 1
        else:
            alone = _stands_alone(letter, signs_apart)
            if alone or not goes_on:
                words.append(_PlacedWord())
            words[-1].add(letter, at)
            goes_on = not alone
    return words


def _letters(text: str) -> Iterator[tuple[str, int]]:
    """Small letters and accents apart, each with its place; white space as a space, controls as
    nothing."""
    lowered = text.lower()
    aligned = len(lowered) == len(text)
    for at, typed in enumerate(text):
        category = unicodedata.category(typed)
        if typed in "\t\n\r" or category.startswith("Z"):
            yield " ", at
        elif typed != "\ufffd" and not category.startswith("C"):
            small = lowered[at] if aligned else typed.lower()
            for letter in unicodedata.normalize("NFD", small):
                yield letter, at


def _stands_alone(letter: str, signs_apart: bool) -> bool:
    """Whether it is a word of its own: punctuation, an ideograph, or a sign where asked."""
    if _is_mark(letter) or _is_ideograph(ord(letter)):
        return True
    return signs_apart and unicodedata.category(letter) == "So"


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
