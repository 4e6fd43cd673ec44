"""How much of what a question asks about is in each of several sentences: rare words weigh more."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import log
from typing import NamedTuple

from freeform.language.inflection import lemma
from freeform.language.tables import cues
from freeform.language.words import telling_words

_BESIDE, _MEMBER, _KIN = 0.85, 0.9, 0.6
"""What a word counts that is implied, one of the sort asked for, and one much the same."""
_BEGINS_ALIKE = 5


class Saying(NamedTuple):
    """A sentence by its telling words: those it says, and those it is about without saying them."""

    said: frozenset[str]
    implied: frozenset[str] = frozenset()


class Share(NamedTuple):
    """How much of a question a sentence has, from 0 to 1, and which of its words."""

    part: float
    found: frozenset[str]


class Relevance:
    """Sentences made ready to be weighed against questions."""

    def __init__(self, sayings: Sequence[Saying]) -> None:
        self._sayings = sayings
        seen: Counter[str] = Counter()
        for saying in sayings:
            seen.update(saying.said | saying.implied)
        self._seen, self._count = seen, len(sayings)

    def worth(self, word: str) -> float:
        """How telling a word is here: the fewer sentences have it, the more."""
        return log(1 + self._count / max(0.5, self._seen[word]))

    def share(self, number: int, wanted: dict[str, float]) -> Share:
        """Of one sentence: how much of the wanted words it has. Their values weigh them anew."""
        saying = self._sayings[number]
        whole = sum(self.worth(word) * weight for word, weight in wanted.items())
        have, found = 0.0, set[str]()
        for word, weight in wanted.items():
            match = _match(word, saying)
            if match:
                found.add(word)
                have += match * self.worth(word) * weight
        return Share(have / whole if whole else 0.0, frozenset(found))


def saying(text: str, implied: str = "") -> Saying:
    """A sentence, and what it is about beside its words."""
    return Saying(telling(text), telling(implied))


@lru_cache(maxsize=8192)
def telling(text: str) -> frozenset[str]:
    """The telling words of a text, as what their forms share."""
    return frozenset(lemma(word) for word in telling_words(text, "talk"))


def _match(word: str, saying: Saying) -> float:
    """1 for the word itself, less for what stands near it."""
    if word in saying.said:
        return 1.0
    if word in saying.implied:
        return _BESIDE
    if not _members().get(word, frozenset()).isdisjoint(saying.said):
        return _MEMBER
    near = _kin().get(word, frozenset())
    if not near.isdisjoint(saying.said) or _begins(word, saying.said):
        return _KIN
    return _KIN * _BESIDE if not near.isdisjoint(saying.implied) else 0.0


def _begins(word: str, others: Iterable[str]) -> bool:
    """Whether one begins as the other does: `drunk`, `drunker`."""
    if len(word) < _BEGINS_ALIKE:
        return False
    return any(
        len(other) >= _BEGINS_ALIKE and (other.startswith(word) or word.startswith(other))
        for other in others
    )


def near(word: str) -> frozenset[str]:
    """Words that answer for a word, by the rows of `cues/kin.yaml`; itself is not among them."""
    return _kin().get(word, frozenset()) | _members().get(word, frozenset())


@cache
def _members() -> dict[str, frozenset[str]]:
    """Words for a sort of thing, with what is of it."""
    sorts: dict[str, frozenset[str]] = {}
    for name, row in cues("kin")["sorts"].items():
        for word in name.split():
            sorts[lemma(word)] = frozenset(map(lemma, row.split()))
    return sorts


@cache
def _kin() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for row in cues("kin")["alike"]:
        for word in row.split():
            alike.setdefault(lemma(word), set()).update(map(lemma, row.split()))
    return {word: frozenset(others - {word}) for word, others in alike.items()}
