"""How much a text sounds as if it spoke to a game master: learnt from books, by common words alone.

Chapters that say whom they speak to taught it (`training/guidance/fit.py`); what games call their
game masters is no part of it, so that a book with a Host or a Bishop is heard as well.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from freeform.core.text import plain_form
from freeform.ingest.model import BookSection
from freeform.ingest.things.things import bare, text_of
from freeform.language.sentences import sentences

_WORD = re.compile(r"[a-z][a-z']+")


def features_of(text: str) -> dict[str, float]:
    """Words by how much of the text they are, and with `^` those that sentences begin with."""
    plain = plain_form(bare(text))
    said = Counter(_WORD.findall(plain))
    first = Counter(
        f"^{found[0]}" for line in sentences(plain) if (found := _WORD.search(line)) is not None
    )
    said.update(first)
    length = math.sqrt(sum(math.log1p(times) ** 2 for times in said.values())) or 1.0
    return {word: 3.0 * math.log1p(times) / length for word, times in said.items()}


def with_chapters(sections: Sequence[BookSection]) -> dict[str, dict[str, float]]:
    """What each section sounds like, and with `~` what stands beside it below the same heading: a
    short piece is known by its neighbours."""
    texts = {section.id: text_of(section) for section in sections}
    around: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for section in sections:
        around[_home(section)].append(texts[section.id])
    chapters = {home: features_of("\n\n".join(told)) for home, told in around.items()}
    beside = {home: _apart(told) for home, told in chapters.items()}
    return {
        section.id: features_of(texts[section.id]) | beside[_home(section)] for section in sections
    }


def _apart(told: Mapping[str, float]) -> dict[str, float]:
    return {f"~{word}": value for word, value in told.items()}


def _home(section: BookSection) -> tuple[str, ...]:
    return section.heading_path[:-1] or section.heading_path


def sounds_like_advice(sections: Sequence[BookSection]) -> dict[str, float]:
    """How likely each section is advice to a game master, by its id."""
    weights = _weights()
    return {
        id: 1.0 / (1.0 + math.exp(-_weighed(told, weights)))
        for id, told in with_chapters(sections).items()
    }


def _weighed(told: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights[""] + sum(weights.get(word, 0.0) * value for word, value in told.items())


@cache
def _weights() -> dict[str, float]:
    text = files("freeform.models").joinpath("guidance.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
