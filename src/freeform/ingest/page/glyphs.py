"""Mends the letters of a text layer: ligatures, odd spaces, hyphens, private-use glyphs.

Pure. Private-use glyphs that no habit explains stay as they are until the whole book has been asked
(numbers.learn_digits); what is unknown then shows as U+FFFD, is counted, and is reported by page.
"""

import re
import unicodedata

LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "\u0132": "IJ", "\u0133": "ij",
}  # fmt: skip

#: Where the big foundries put their alternate figures and letters (Adobe's corporate use area, and the
#: symbol-font habit of adding 0xF000 to the character code).
OLD_STYLE_FIGURES = range(0xF730, 0xF73A)
SMALL_CAPITALS = range(0xF761, 0xF77B)
SYMBOL_ASCII = range(0xF020, 0xF07F)
BULLETS = "\uf0b7\uf0a7\uf0d8\uf076\uf0fc\u25cf\u25aa\u25e6\u2023\u2043\u25a0\u25c6\u2666\u25ba\u27a2\uf06c\uf06e"

_SPACES = re.compile(r"[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_NOTHING = re.compile("[\u200b-\u200d\u2060\ufeff\u0000-\u0008\u000b\u000c\u000e-\u001f]")
# Some books print one hyphen as a run of hyphens of different kinds.
_SOFT = re.compile("-*[\u00ad\u2010\u2011][\u00ad\u2010\u2011-]*")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\ufffd\ufffe]")
_ODD = re.compile("[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2012-\u2027\u2030-\u205e]")
_LONELY_ACCENT = re.compile("(\\w)\\s?([\u0300-\u036f])")

UNKNOWN = "\ufffd"


def mend(text: str) -> str:
    """The text with one kind of space, one kind of hyphen and no ligatures.

    Space at either end stays, as one blank: it says that a word ends there.
    """
    if not _ODD.search(text):
        return text if "  " not in text else _SPACES.sub(" ", text)
    if text.strip() in ("\u0335", "\u0336"):  # a lone stroke is how some books draw a dash
        return "—"
    text = _NOTHING.sub("", text)
    text = _SOFT.sub("-", text)
    for ligature, letters in LIGATURES.items():
        if ligature in text:
            text = text.replace(ligature, letters)
    text = _SPACES.sub(" ", text)
    if _PRIVATE.search(text):
        text = _PRIVATE.sub(lambda found: known_glyph(found[0]), text)
    if _LONELY_ACCENT.search(text):
        text = unicodedata.normalize("NFC", text)
    return text


def known_glyph(glyph: str) -> str:
    """The letter a private-use glyph stands for by the foundries' habits; else itself, for the book
    to explain."""
    code = ord(glyph)
    if glyph in BULLETS:
        return "•"
    if code in OLD_STYLE_FIGURES:
        return chr(code - 0xF730 + ord("0"))
    if code in SMALL_CAPITALS:
        return chr(code - 0xF761 + ord("A"))
    if code in SYMBOL_ASCII:
        return chr(code - 0xF000)
    return glyph


def give_up(text: str, mapping: dict[str, str]) -> tuple[str, int]:
    """The text with what was learnt of the book's private glyphs, the rest as U+FFFD, and how many
    are left."""
    if not _PRIVATE.search(text):
        return text, 0
    left = 0

    def letter(found: re.Match[str]) -> str:
        nonlocal left
        known = mapping.get(found[0])
        left += known is None
        return UNKNOWN if known is None else known

    return _PRIVATE.sub(letter, text), left


_NO_LETTER = re.compile(r"[\W_]+")


def is_garbled(text: str) -> bool:
    """Whether a page's text is no language: its fonts gave glyph numbers, not letters.

    Marks outnumber letters and figures, or most longer words in Latin letters have no vowel.
    """
    marks = re.sub(r"[—–−.|•…-]", "", text).split()  # tables are full of dashes
    total = sum(map(len, marks))
    if total < 80:
        return False
    if len(_NO_LETTER.sub("", text)) < 0.5 * total:
        return True
    longer = [word for word in re.findall(r"[A-Za-z]{4,}", text) if not word.isupper()]
    return len(longer) >= 20 and sum(
        1 for word in longer if re.search(r"[aeiouyAEIOUY]", word)
    ) < 0.6 * len(longer)


def is_bullet(text: str) -> bool:
    """Whether a run is nothing but a list mark."""
    mark = text.strip()
    return len(mark) == 1 and (mark in BULLETS or mark in "•·○❖✦■▪")


_CUT_LIGATURE = re.compile(r"\b(\w*f[fil]{1,2}) (\w+)")


def join_ligatures(text: str, known: frozenset[str] | set[str]) -> str:
    """The text with words whole that a space cut behind a ligature (`Diffi culty`), where the book
    itself has the whole word elsewhere."""
    if "f" not in text:
        return text

    def whole(found: re.Match[str]) -> str:
        joined = found[1] + found[2]
        return joined if joined.lower() in known else found[0]

    return _CUT_LIGATURE.sub(whole, text)


def join_hyphenated(first: str, second: str, known: frozenset[str] | set[str] = frozenset()) -> str:
    """Two lines as one text. A hyphen at the line's end goes when the word is known whole, or is
    plainly broken.

    `known`: words of the book in lower case.
    """
    if not first or not second:
        return first + second
    if first.endswith("-") and len(first) > 1 and first[-2].isalpha() and second[0].isalpha():
        head = re.search(r"([^\W\d_]+)-$", first)
        tail = re.match(r"[^\W\d_]+", second)
        if head and tail:
            whole, apart = (head[1] + tail[0]).lower(), f"{head[1]}-{tail[0]}".lower()
            if apart in known and whole not in known:
                return first + second
            if whole in known or (
                second[0].islower() and apart not in known and not _compound(head[1])
            ):
                return first[:-1] + second
        return first + second
    if first[-1] in "/—–" and not first.endswith((" —", " –")):
        return first + second
    first, second = first.rstrip(), second.lstrip()
    return f"{first}{'' if unspaced(first[-1:], second[:1]) else ' '}{second}"


def unspaced(before: str, after: str) -> bool:
    """Whether two letters that meet at a line's end belong to writing that sets no blanks between
    words: both are as wide as they are high."""
    return bool(before and after) and all(
        unicodedata.east_asian_width(letter) in "WF" for letter in (before, after)
    )


def _compound(head: str) -> bool:
    """First halves that usually keep their hyphen."""
    return head.lower() in {"half", "self", "non", "well", "ill", "all", "cross", "high", "low", "long", "short", "two",
                            "three", "four", "one", "semi", "ex", "foot", "mid", "single", "multi"}  # fmt: skip
