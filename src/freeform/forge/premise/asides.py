"""What is said beside a premise about how it should be told: wishes, and no people or places.

`no aliens`, `slow burn please`, `for two players:`, `Like a western but tender.` A premise falls
into stretches at its marks; those at its beginning and its end that are like such wishes are taken
off, and the story is what is left. `no boats` may be a wish or part of the story (`The bridge is
gone, no boats`): it is a wish where one asks for it or where another wish stands beside it; else it
is told as it was said, and nobody and nothing in the story is called so.
"""

import re
from dataclasses import dataclass, field

from freeform.language.likeness import examples

_MARKS = re.compile(r"(\s*[,;:.!?()—–]+\s*|\s+-\s+)")
_ALIKE = 0.62
"""How like an example a stretch must be."""
_LONGEST = 9
"""Words of a wish."""
_OPENS = re.compile(r"^(?:and|but|or)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:no|any|out the) ([\w-]+(?: [\w-]+)?)$", re.IGNORECASE)
_STOP = re.compile(r"[.!?]")
_PLEASE = re.compile(r"\b(?:please|pls|plz)\b", re.IGNORECASE)
_ABSENT, _UNWANTED = "without", "unwanted"


@dataclass(frozen=True)
class PremiseAsides:
    """A premise without what was said beside it, and that."""

    story: str
    wishes: tuple[str, ...] = field(default=())
    """In the player's own words: how it should be told."""
    without: tuple[str, ...] = field(default=())
    """What should not be in it."""
    absent: tuple[str, ...] = field(default=())
    """What the story itself says is not there."""
    present: str = ""
    """The story without the words for that."""


def without_asides(premise: str) -> PremiseAsides:
    """The story of a premise and the wishes beside it; all of it is the story where nothing else
    would be left."""
    parts = _MARKS.split(premise)
    said, marks = parts[::2], [*parts[1::2], ""]
    kinds = _in_company([_kind(text) for text in said], marks)
    first, last = 0, len(said)
    while first < last and _is_aside(said[first], kinds[first]):
        first += 1
    while last > first and _is_aside(said[last - 1], kinds[last - 1]):
        last -= 1
    if not _is_story("".join(said[n] + marks[n] for n in range(first, last))):
        first, last = 0, len(said)
    inside = range(first, last)
    aside = [n for n in range(len(said)) if n not in inside and said[n].strip()]
    without = [_unwanted(said[n]) for n in aside if kinds[n] == _UNWANTED]
    absent = [_unwanted(said[n]) for n in inside if kinds[n] in (_ABSENT, _UNWANTED)]
    story = "".join(said[n] + marks[n] for n in inside)
    return PremiseAsides(
        story.strip(" ,;:—–-(") if aside else premise,
        tuple(said[n].strip() for n in aside),
        tuple(filter(None, without)),
        tuple(filter(None, absent)),
        "".join(said[n] + marks[n] for n in inside if kinds[n] not in (_ABSENT, _UNWANTED)),
    )


def _is_story(text: str) -> bool:
    return re.search(r"[^\W\d_]{3,}.*\s.*[^\W\d_]{3,}", text) is not None


def _kind(text: str) -> str:
    """The kind of wish that a stretch is; '' for the story."""
    if not text.strip() or len(text.split()) > _LONGEST:
        return ""
    best = examples("asides").best(text)
    if best.likeness < _ALIKE or best.kind == "story":
        return ""
    if best.kind not in (_ABSENT, _UNWANTED):
        return best.kind
    if _PLEASE.search(text):
        return _UNWANTED
    return "" if _OPENS.match(text) or not _unwanted(text) else best.kind


def _in_company(kinds: list[str], marks: list[str]) -> list[str]:
    """The kinds, where what is only said not to be there is unwanted beside a wish."""
    found, size = list(kinds), len(kinds)
    for at in [*range(size), *reversed(range(size))]:
        if found[at] == _ABSENT and _is_beside_a_wish(found, marks, at):
            found[at] = _UNWANTED
    return found


def _is_beside_a_wish(kinds: list[str], marks: list[str], at: int) -> bool:
    """Whether a wish stands beside it, in its sentence or where it is one of its own; what stands
    behind a colon is the story."""
    ends = at + 1 == len(kinds) or bool(_STOP.search(marks[at]))
    begins = at == 0 or bool(_STOP.search(marks[at - 1]))
    alone = begins and ends
    before = at > 0 and (alone or not begins) and ":" not in marks[at - 1]
    behind = at + 1 < len(kinds) and (alone or not ends) and ":" not in marks[at]
    near = [kinds[at - 1]] * before + kinds[at + 1 : at + 2] * behind
    return any(kind not in ("", _ABSENT) for kind in near)


def _is_aside(text: str, kind: str) -> bool:
    return not text.strip() or kind not in ("", _ABSENT)


def _unwanted(text: str) -> str:
    """What is not wanted: `aliens`."""
    found = _WITHOUT.search(_PLEASE.sub("", text).strip())
    return found[1].lower() if found else ""
