"""Small truths about text: tokens, slugs, plain forms, clean input."""

import re
import unicodedata

_PIECE = re.compile(r"[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]{1,4}")
_TYPOGRAPHY = tuple(zip("‘’“”–—…", "''\"\"--.", strict=True))
MAX_INPUT = 4000


def count_tokens(text: str) -> int:
    """About how many tokens a model will count: words of up to six letters are one, longer ones
    more."""
    return len(_PIECE.findall(text))


def words_in(text: str) -> int:
    """How many words a reader reads; in writing without blanks two letters count as one."""
    spaced = len(text.split())
    if text.isascii():
        return spaced
    return spaced + _wide_letters(text) // 2


def _wide_letters(text: str) -> int:
    """Letters two columns wide; each letter that occurs is looked up once."""
    wide = [letter for letter in set(text) if unicodedata.east_asian_width(letter) in "WF"]
    return sum(map(text.count, wide))


def plain_form(text: str) -> str:
    """Lower case, no accents, straight quotes: the form in which words are compared."""
    if text.isascii():
        return text.lower()
    for curly, straight in _TYPOGRAPHY:  # far quicker than `translate` on a page of prose
        text = text.replace(curly, straight)
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    for mark in filter(unicodedata.combining, set(decomposed)):  # each that occurs once
        decomposed = decomposed.replace(mark, "")
    return decomposed.casefold()


def slug(text: str) -> str:
    """A name as an id: `The Neon Dragon` becomes `the_neon_dragon`."""
    return re.sub(r"[^a-z0-9]+", "_", plain_form(text)).strip("_")


def visible(text: str) -> str:
    """The text without control characters; line breaks and tabs become spaces between words."""
    kept = (
        c if unicodedata.category(c)[0] != "C" else (" " if c in "\n\r\t" else "") for c in text
    )
    return re.sub(r" {2,}", " ", "".join(kept)).strip()


def shorten(text: str, most: int) -> str:
    """At most that many characters, cut at a word, with an ellipsis where something was cut."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[most // 2 :] else cut).rstrip() + "…"
