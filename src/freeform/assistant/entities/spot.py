"""Finds known names in running text: the longest run of words that is a name, a rare word of one, or a typo of one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from freeform.assistant.entities.fold import folded, stemmed, tokens
from freeform.assistant.entities.match import Match, match
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import Tool
from freeform.language.rough_stem import rough_stem
from freeform.language.words import stop_words, word_class

LONGEST, MOST_WORDS = 7, 400
"""A name has at most so many words; a question longer than that is looked at only so far."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Word:
    """A word of the text, where it stands, and its folded form."""

    text: str
    start: int
    end: int
    key: str

    @property
    def capital(self) -> bool:
        """Written like a name."""
        return self.text[:1].isupper()


@dataclass(frozen=True)
class NameSpot:
    """A name found in the text, and in which tables."""

    text: str
    start: int
    end: int
    confidence: float
    found: Mapping[Tool, Match]


@cache
def common_words() -> frozenset[str]:
    """Words of every day: a name that is one of them needs a reason to be taken for a name."""
    text = (files("freeform.assistant.entities") / "common_words.txt").read_text(encoding="utf-8")
    return frozenset(folded(word) for word in text.split())


def split(text: str) -> list[Word]:
    """The words of the text."""
    found = []
    for hit in _WORD.finditer(text):
        key = " ".join(tokens(hit[0]))
        if key:
            found.append(Word(hit[0], hit.start(), hit.end(), key))
        if len(found) == MOST_WORDS:
            break
    return found


def spot(text: str, tables: Mapping[Tool, NameTable]) -> list[NameSpot]:
    """Every known name in the text, in order, none overlapping another."""
    words = split(text)
    taken: list[tuple[int, int, NameSpot]] = []
    for length in range(min(LONGEST, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            if any(at < end and start < at + length for start, end, _ in taken):
                continue
            if found := _known(text, words[at : at + length], tables, at == 0):
                taken.append((at, at + length, found))
    for at, word in enumerate(words):
        if not any(start <= at < end for start, end, _ in taken):
            found = _rare(word, tables, at == 0)
            # A small word nobody knows is looked at more closely only where no name was found yet.
            if not found and (word.capital or not taken):
                found = _typo(text, words, at, tables)
            if found:
                ends = next((i for i in range(at, len(words)) if words[i].end == found.end), at)
                taken.append((at, ends + 1, found))
    return [found for _, _, found in sorted(taken, key=lambda row: row[0])]


def _known(
    text: str, run: list[Word], tables: Mapping[Tool, NameTable], first: bool
) -> NameSpot | None:
    """The run as it stands is a name, an alias or another form of one."""
    if len(run) > 1 and (run[0].key in _edges() or run[-1].key in _edges()):
        return None
    said = text[run[0].start : run[-1].end]
    if (
        len(run) > 1
        and run[-1].key in _GENERIC
        and any(_holds(table, text, run[:-1]) for table in tables.values())
    ):
        return None  # `athletics bonus`: the name is `athletics`.
    key, stems = folded(said), stemmed(said)
    common = len(run) == 1 and run[0].key in common_words()
    plain = common and (first or not run[0].capital)
    found: dict[Tool, Match] = {}
    for tool, table in tables.items():
        if rows := table.by_name.get(key):
            found[tool] = Match(tuple(rows), "exact", 1.0)
        elif rows := table.by_alias.get(key):
            found[tool] = Match(tuple(rows), "alias", 0.97)
        elif not common and len(key) > 3 and (rows := table.by_stem.get(stems)):
            found[tool] = Match(tuple(rows), "folded", 0.92)
    if not found:
        return None
    sure = max(hit.confidence for hit in found.values())
    return NameSpot(said, run[0].start, run[-1].end, 0.5 if plain else sure, found)


def _rare(word: Word, tables: Mapping[Tool, NameTable], first: bool) -> NameSpot | None:
    """A word that stands in one name only is that name cut short: `Eldaryth`."""
    if len(word.key) < 4 or word.key in common_words() or rough_stem(word.key) in _common_stems():
        return None
    found: dict[Tool, Match] = {}
    for tool, table in tables.items():
        at = table.by_word.get(rough_stem(word.key))
        names = {row for spelling in at or () for row in table.spellings[spelling].rows}
        if names and len({folded(table.names[row].name) for row in names}) == 1:
            found[tool] = Match(tuple(sorted(names)), "part", 0.82)
    if not found:
        return None
    return NameSpot(
        word.text, word.start, word.end, 0.85 if word.capital and not first else 0.7, found
    )


def _typo(
    text: str, words: list[Word], at: int, tables: Mapping[Tool, NameTable]
) -> NameSpot | None:
    """A word nobody knows, alone or with its neighbours, that is nearly a name."""
    word = words[at]
    if len(word.key) < 5 or word.key in common_words() or rough_stem(word.key) in _common_stems():
        return None
    best: NameSpot | None = None
    for start, end in _windows(words, at):
        run = words[start:end]
        said = text[run[0].start : run[-1].end]
        found = {
            tool: hit
            for tool, table in tables.items()
            if (hit := match(said, table)).strategy == "ngram" and hit.rows
        }
        if found:
            sure = max(hit.confidence for hit in found.values())
            if best is None or sure > best.confidence + 0.02:
                best = NameSpot(said, run[0].start, run[-1].end, sure, found)
    return best if best and best.confidence >= 0.68 else None


def _windows(words: list[Word], at: int) -> list[tuple[int, int]]:
    """Runs of words that may be one name: as far as capitals go, or a small word with its neighbours."""
    if words[at].capital:
        start = end = at
        while end + 1 < len(words) and (
            words[end + 1].capital or words[end + 1].key in ("of", "the")
        ):
            end += 1
        while end > at and not words[end].capital:
            end -= 1
        while (
            start
            and (words[start - 1].capital or words[start - 1].key in ("of", "the"))
            and at - start < 3
        ):
            start -= 1
        while start < at and (not words[start].capital or words[start].key in _edges()):
            start += 1
        return list(dict.fromkeys([(start, end + 1), (at, at + 1)]))
    near = [(at, at + 1), (at, at + 2), (at - 1, at + 1)]
    return [
        (start, end)
        for start, end in near
        if start >= 0
        and end <= len(words)
        and words[start].key not in _edges()
        and words[end - 1].key not in _edges()
    ]


def _holds(table: NameTable, text: str, run: list[Word]) -> bool:
    key = folded(text[run[0].start : run[-1].end])
    return key in table.by_name or key in table.by_alias


@cache
def _edges() -> frozenset[str]:
    """Words that no name begins or ends with in running text; `up` and `out` may end one."""
    return stop_words() - word_class("particles")


@cache
def _common_stems() -> frozenset[str]:
    return frozenset(rough_stem(word) for word in common_words())


_GENERIC = frozenset("bonus check checks modifier skill spell condition action".split())
