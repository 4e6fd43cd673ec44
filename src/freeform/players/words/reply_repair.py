"""What a model meant: an option in other letters, `none` for nothing, words in quotes, a memory by
its id or its text.

Only the shape is put right here. Nothing is guessed: an option that is not on the table stays in
the player's own words, and a memory the player was not told is no memory.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from freeform.core.text import plain_form, shorten
from freeform.language.sentences import sentences
from freeform.language.words import telling_words, words

LONGEST_OPTION = 200
_WEIGHTY = 4
"""Letters of a word that tells one deed from another."""
_NOTHING = frozenset(("", "none", "null", "nil", "n/a", "na", "empty"))
_NO_DEED = _NOTHING | {"nothing", "no", "no one", "nobody"}
_ASIDE = frozenset(("nothing", "silence", "silent", "says nothing", "no words", "no dialogue"))
"""In brackets a remark that nothing is said; without them, words one may well say."""
_LEAD = re.compile(
    r"^(?:(?:i(?:'d| would| will|'ll)?|we(?:'d|'ll)?|let'?s|let us|then|please|maybe|perhaps|so)[ ,]+"
    r"(?:should |could |propose (?:that )?(?:we )?|say (?:that )?(?:we )?|suggest (?:that )?(?:we )?|go and |rather )?)+",
    re.I,
)
_MARKS = re.compile(r"\*+|`+|^#+\s*")
_LIST = re.compile(r"^\s*(?:[-•]|\d+[.)])\s+")
_QUOTES = "\"“”'‘’«»"
_ID = re.compile(r"[\w.:-]+")


def something(text: str) -> str:
    """The words, or '' where a model wrote that there are none."""
    bare = plain_form(text).strip(" .…-–—" + _QUOTES)
    inner = bare.strip("()[]* .")
    return "" if inner in _NOTHING or (bare[:1] in "([*" and inner in _ASIDE) else text.strip()


def option_meant(text: str, options: Iterable[str]) -> str:
    """The option of the table that these words name, or the words as an option would be put; '' for
    nothing."""
    words = _MARKS.sub("", _LIST.sub("", something(text))).strip()
    words = re.sub(r"\s*\(done \d+ times?\)\s*$", "", words).strip(_QUOTES + " .!")
    if plain_form(words) in _NO_DEED:
        return ""
    bare = _LEAD.sub("", words)
    known = {_key(option): option for option in options if option}
    found = known.get(_key(words)) or known.get(_key(bare))
    return found or shorten(bare[:1].upper() + bare[1:], LONGEST_OPTION)


def spoken(text: str, name: str) -> str:
    """Words said aloud, without quotes around them, marks of a page, or the speaker's own name
    before them."""
    said = _MARKS.sub("", something(text)).strip()
    head, colon, rest = said.partition(":")
    called = words(name)
    if colon and rest.strip() and words(head) in (called, *([word] for word in called)):
        said = rest.strip()
    if (
        len(said) > 1
        and said[0] in _QUOTES
        and said[-1] in _QUOTES
        and not set(said[1:-1]) & set('"“”')
    ):
        said = said[1:-1].strip()
    return something(said)


def memory_meant(said: str, memories: Sequence[Mapping[str, Any]]) -> str:
    """The id of the memory that was told, if the player was told it: by id, or by its whole text.
    Else ''."""
    ids = {str(row["fact_id"]) for row in memories}
    named = [str(id).strip(".:-") for id in _ID.findall(said)]
    if found := [id for id in named if id in ids]:
        return found[0]
    told = _key(said)
    return next(
        (str(row["fact_id"]) for row in memories if told and _key(row["believed"]) == told), ""
    )


@lru_cache(maxsize=4_096)
def _key(text: str) -> str:
    return " ".join(words(text))


def same_deed(action: str, suggestion: str, most: int = 600) -> str:
    """The check's suggestion, if it is this action put otherwise and no other deed; else ''."""
    words = spoken(suggestion, "")
    told, known = _weighty(words), _weighty(action)
    return shorten(words, most) if told and 2 * len(told & known) >= len(told) else ""


def _weighty(text: str) -> set[str]:
    """The words that tell one deed from another."""
    return {word for word in telling_words(text, "trying") if len(word) >= _WEIGHTY}


def cut_short(text: str, most: int) -> str:
    """Whole sentences up to a length; a single endless one is cut at a word."""
    if len(text) <= most:
        return text.strip()
    kept = ""
    for sentence in sentences(text[: most * 2]):
        if len(kept) + len(sentence) + 1 > most:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or shorten(text, most)
