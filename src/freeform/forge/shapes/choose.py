"""Which shape and genre a wish asks for: by words, by meaning, by chance among equals."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.language.inflection import lemma
from freeform.language.meaning.topics import Topics

NEAR = 0.7
"""What has this share of the best score is as good as the best."""
_ENOUGH = 2.0
_BY_MEANING = 1.0
"""A sure guess by meaning weighs as much as one word."""


class SignedKind(Protocol):
    """What says by which words it is meant."""

    @property
    def id(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def signs(self) -> list[str]: ...


Kind = TypeVar("Kind", bound=SignedKind)


def scores(text: str, kinds: Mapping[str, Kind], topics: Topics | None) -> dict[str, float]:
    """How well each kind fits the text."""
    said = _lemmas(text)
    found = {id: _signs_in(said, kind.signs) for id, kind in kinds.items()}
    if topics is not None and text and not _is_plain(found):
        (row,) = topics.touches([text], [kind.about for kind in kinds.values()])
        for id, likely in zip(kinds, row, strict=True):
            found[id] += _BY_MEANING * likely
    return found


def _is_plain(found: Mapping[str, float]) -> bool:
    """Whether words alone say it: then nobody has to be asked what the text means."""
    best, *rest = sorted(found.values(), reverse=True)
    return best >= _ENOUGH and best * NEAR > rest[0]


def choose_kind(found: Mapping[str, float], chance: Chance) -> str:
    """One of the best, by chance; any of all where nothing speaks for one."""
    best = max(found.values(), default=0.0)
    near = [id for id, score in found.items() if score >= best * NEAR]
    return chance.choose(sorted(near))


def named_kind(wanted: str, kinds: Mapping[str, Kind], names: Sequence[str] = ()) -> str:
    """The kind somebody asked for by its id, its name or one of its words; '' for none."""
    plain = plain_form(wanted).strip()
    for id, name in zip(kinds, names or kinds, strict=True):
        if plain in (id, plain_form(name)):
            return id
    found = scores(wanted, kinds, None)
    best = max(found, key=lambda id: found[id])
    return best if found[best] > 0 else ""


def _signs_in(said: list[str], signs: Sequence[str]) -> float:
    """How much of the signs is said; a sign of several words counts for more."""
    joined = f" {' '.join(said)} "
    total = 0.0
    for sign in dict.fromkeys(" ".join(_lemmas(sign)) for sign in signs):
        if sign and f" {sign} " in joined:
            total += 1.0 + 0.5 * sign.count(" ")
    return total


def _lemmas(text: str) -> list[str]:
    return [lemma(word) for word in re.findall(r"[a-z0-9]+", plain_form(text).replace("'s", ""))]
