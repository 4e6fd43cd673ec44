"""What is said beside a premise about how it should be told: wishes, and no people or places.

`no aliens`, `slow burn please`, `for two players:`, `Like a western but tender.` A premise falls
into stretches at its marks; those at its beginning and its end that are like such wishes are taken
off, and the story is what is left.
"""

import re
from dataclasses import dataclass, field

from freeform.language.forms import is_plural
from freeform.language.likeness import examples

_MARKS = re.compile(r"(\s*[,;:.!?()—–]+\s*|\s+-\s+)")
_ALIKE = 0.62
"""How like an example a stretch must be."""
_LONGEST = 9
"""Words of a wish."""
_OPENS = re.compile(r"^(?:and|but|or)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:no|any|the) ([\w-]+(?: [\w-]+)?)$", re.IGNORECASE)
_PLEASE = re.compile(r"\b(?:please|pls|plz)\b", re.IGNORECASE)


@dataclass(frozen=True)
class PremiseAsides:
    """A premise without what was said beside it, and that."""

    story: str
    wishes: tuple[str, ...] = field(default=())
    """In the player's own words: how it should be told."""
    without: tuple[str, ...] = field(default=())
    """What should not be in it."""


def without_asides(premise: str) -> PremiseAsides:
    """The story of a premise and the wishes beside it; all of it is the story where nothing else
    would be left."""
    parts = _MARKS.split(premise)
    said, marks = parts[::2], [*parts[1::2], ""]
    kinds = [_kind(text) for text in said]
    first, last = 0, len(said)
    while first < last and _is_aside(said, kinds, first, marks):
        first += 1
    while last > first and _is_aside(said, kinds, last - 1, marks):
        last -= 1
    kept = zip(said[first:last], marks[first:last], strict=True)
    story = "".join(text + mark for text, mark in kept)
    aside = [n for n in range(len(said)) if not first <= n < last and said[n].strip()]
    if not re.search(r"[^\W\d_]{3,}.*\s.*[^\W\d_]{3,}", story):
        return PremiseAsides(premise)
    without = [_unwanted(said[n]) for n in aside if kinds[n] == "without"]
    wishes = tuple(said[n].strip() for n in aside)
    return PremiseAsides(story.strip(" ,;:—–-("), wishes, tuple(filter(None, without)))


def _kind(text: str) -> str:
    """The kind of wish that a stretch is; '' for the story."""
    if not text.strip() or len(text.split()) > _LONGEST:
        return ""
    best = examples("asides").best(text)
    return best.kind if best.likeness >= _ALIKE and best.kind != "story" else ""


def _is_aside(said: list[str], kinds: list[str], at: int, marks: list[str]) -> bool:
    """Whether a stretch is a wish. `no ticket` may be part of the story: it is a wish where it is
    of several, where one asks for it, or where another wish stands beside it."""
    text, kind = said[at], kinds[at]
    if not text.strip():
        return True
    if kind != "without":
        return bool(kind)
    if _OPENS.match(text) and not _PLEASE.search(text):
        return False
    beside = [kinds[n] for n in (at - 1, at + 1) if 0 <= n < len(kinds)]
    stands_alone = at == 0 and ":" in marks[0]
    is_several = is_plural(_unwanted(text).split()[-1].lower()) if _unwanted(text) else False
    of_a_list = at > 0 and re.search(r"\bno\b", said[at - 1], re.IGNORECASE) is not None
    asked = bool(_PLEASE.search(text)) or stands_alone or any(kinds_of_wish(beside))
    return asked or (is_several and not of_a_list)


def kinds_of_wish(kinds: list[str]) -> list[str]:
    """Those that are wishes of another kind than to leave something out."""
    return [kind for kind in kinds if kind and kind != "without"]


def _unwanted(text: str) -> str:
    """What is not wanted: `aliens`."""
    found = _WITHOUT.search(_PLEASE.sub("", text).strip())
    return found[1].lower() if found else ""
