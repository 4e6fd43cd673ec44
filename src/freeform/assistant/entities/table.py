"""The names of one tool, ready to be looked up: by spelling, by stem, by their words, by how they begin, by trigrams.

Each way is made when first used: exact look-ups cost nothing but a dictionary.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from freeform.assistant.entities.fold import content, folded, grams, stemmed, tokens
from freeform.assistant.model import Name
from freeform.language.rough_stem import rough_stem

_POSTINGS = 9_000
"""So many entries of the trigram index are counted at most: the rarest trigrams first."""


@dataclass(frozen=True)
class Spelling:
    """One way a name is written, and the names that are written so."""

    text: str
    rows: tuple[int, ...]
    alias: bool


class NameTable:
    """Names of one tool. A row is one `Name`; a spelling may belong to several rows."""

    def __init__(self, names: Sequence[Name]) -> None:
        self.names = list(names)

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Rows by folded name."""
        return _group((folded(name.name), row) for row, name in enumerate(self.names))

    @cached_property
    def by_alias(self) -> dict[str, list[int]]:
        """Rows by folded alias."""
        return _group(
            (folded(alias), row) for row, name in enumerate(self.names) for alias in name.aliases
        )

    @cached_property
    def by_stem(self) -> dict[str, list[int]]:
        """Rows by the stems of a name or alias."""
        return _group((stemmed(text), row) for text, row in self._texts())

    @cached_property
    def spellings(self) -> list[Spelling]:
        """Every folded spelling once, in order: what prefixes and trigrams are looked up in."""
        names, aliases = self.by_name, self.by_alias
        keys = sorted(names.keys() | aliases.keys())
        return [
            Spelling(
                key,
                tuple(dict.fromkeys([*names.get(key, ()), *aliases.get(key, ())])),
                key not in names,
            )
            for key in keys
            if key
        ]

    @cached_property
    def by_words(self) -> dict[str, list[int]]:
        """Spellings by their carrying words, in any order."""
        return _group((word_key(spelling.text), at) for at, spelling in enumerate(self.spellings))

    @cached_property
    def by_word(self) -> "dict[str, array[int]]":
        """Spellings by each of their carrying words' stems."""
        found: dict[str, array[int]] = {}
        for at, spelling in enumerate(self.spellings):
            for word in {rough_stem(word) for word in content(spelling.text.split())}:
                found.setdefault(word, array("l")).append(at)
        return found

    @cached_property
    def _by_gram(self) -> "dict[str, array[int]]":
        found: dict[str, array[int]] = {}
        for at, spelling in enumerate(self.spellings):
            for gram in grams(spelling.text):
                found.setdefault(gram, array("l")).append(at)
        return found

    def holding(self, words: Iterable[str]) -> list[int]:
        """Spellings that hold all these words."""
        lists = sorted((self.by_word.get(rough_stem(word), array("l")) for word in words), key=len)
        if not lists or not lists[0]:
            return []
        left = set(lists[0])
        for more in lists[1:]:
            left &= set(more)
        return sorted(left)

    def beginning(self, text: str, most: int = 8) -> list[int]:
        """Spellings that begin with the text."""
        keys = self._keys
        at = bisect_left(keys, text)
        found: list[int] = []
        while at < len(keys) and keys[at].startswith(text) and len(found) < most:
            found.append(at)
            at += 1
        return found

    @cached_property
    def _keys(self) -> list[str]:
        return [spelling.text for spelling in self.spellings]

    def like(self, text: str, most: int = 48) -> list[int]:
        """Spellings that share most trigrams with the text, best first; the rarest trigrams are counted first."""
        lists = sorted(
            (self._by_gram[gram] for gram in grams(text) if gram in self._by_gram), key=len
        )
        taken: list[array[int]] = []
        total = 0
        for postings in lists:
            if taken and total + len(postings) > _POSTINGS:
                break
            taken.append(postings)
            total += len(postings)
        return [at for at, _ in Counter(chain.from_iterable(taken)).most_common(most)]

    def _texts(self) -> Iterable[tuple[str, int]]:
        for row, name in enumerate(self.names):
            yield name.name, row
            for alias in name.aliases:
                yield alias, row


def word_key(text: str) -> str:
    """A name's carrying words, each as its stem, in the order of the alphabet."""
    return " ".join(sorted(rough_stem(word) for word in content(tokens(text))))


def _group(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for key, row in pairs:
        if key:
            rows = found.setdefault(key, [])
            if row not in rows[-4:]:
                rows.append(row)
    return found
