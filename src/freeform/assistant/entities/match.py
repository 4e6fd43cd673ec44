"""What a mention means in one table: the surest way that finds something, and never a guess between
namesakes."""

import re
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from freeform.assistant.entities.fold import content, folded, stemmed
from freeform.assistant.entities.table import NameTable, word_key
from freeform.assistant.model import EntitySearchResult, Name, Strategy

CLOSE, SURE, MARGIN, MAYBE = 0.74, 0.86, 0.06, 0.72
"""A misspelling is at least that like; one of a name that is known elsewhere, more; and better than
the next by so much."""
_NUMBER = re.compile(r"\d+")
_SHARED = 6
"""A word that more names share says nothing about which is meant."""


@dataclass(frozen=True)
class Match:
    """Rows of the table that a mention means, how they were found, and names it might have meant
    instead."""

    rows: tuple[int, ...] = ()
    strategy: Strategy = "exact"
    confidence: float = 0.0
    maybe: tuple[str, ...] = ()


def match(mention: str, table: NameTable, *, known_elsewhere: bool = False) -> Match:
    """The surest way wins: exact, alias, folded, reordered, part, prefix, then trigrams with a
    margin.

    `known_elsewhere`: the very spelling is a name of another tool, so a different spelling here
    must be sure.
    """
    key = folded(mention)
    if not key:
        return Match()
    if rows := table.by_name.get(key):
        return Match(tuple(rows), "exact", 1.0)
    if rows := table.by_alias.get(key):
        return Match(tuple(rows), "alias", 0.97)
    if rows := table.by_stem.get(stemmed(mention)):
        return Match(tuple(rows), "folded", 0.92)
    if at := table.by_words.get(word_key(mention)):
        return Match(_rows(table, at), "reordered", 0.9)
    return _by_part(key, table, known_elsewhere) or _by_likeness(key, table, known_elsewhere)


def _by_part(key: str, table: NameTable, known_elsewhere: bool) -> Match | None:
    words = content(key.split())
    if known_elsewhere and len(words) < 2:
        # `Mira` is a name of its own elsewhere: `Mira Stone` here may be someone else, unless
        # nobody else fits.
        found = [at for at in table.holding(words) if table.spellings[at].text.split()[0] == key]
        return _parts(table, found, 0.8) if len(found) == 1 else None
    found = table.holding(words)
    if not found and len(key) >= 4:
        found = table.beginning(key)
        return _parts(table, found, 0.78, "prefix") if 0 < len(found) <= 3 else None
    return (
        _parts(table, found, 0.86 if len(words) > 1 else 0.82)
        if 0 < len(found) <= _SHARED
        else None
    )


def _parts(
    table: NameTable, found: list[int], confidence: float, strategy: Strategy = "part"
) -> Match:
    """One name: it is meant. Several: each is kept, less sure; they stay apart."""
    rows = _rows(table, found)
    several = len({folded(table.names[row].name) for row in rows}) > 1
    maybe = tuple(dict.fromkeys(table.names[row].name for row in rows)) if several else ()
    return Match(rows, strategy, round(confidence - (0.15 if several else 0.0), 2), maybe)


def _by_likeness(key: str, table: NameTable, known_elsewhere: bool) -> Match:
    scored: dict[int, float] = {}
    for at in table.like(key):
        scored[at] = likeness(key, table.spellings[at].text)
    best = sorted(scored, key=lambda at: (-scored[at], at))[:6]
    if not best:
        return Match()
    need = max(SURE if known_elsewhere else CLOSE, floor(key))
    top = scored[best[0]]
    same = set(table.spellings[best[0]].rows)
    rivals = [
        at
        for at in best[1:]
        if not same & set(table.spellings[at].rows) and scored[at] > top - MARGIN
    ]
    if top < need:
        near = [at for at in best if scored[at] >= MAYBE]
        return Match(maybe=_names(table, near[:3]))
    if rivals:
        return Match(maybe=_names(table, [best[0], *rivals]))
    return Match(table.spellings[best[0]].rows, "ngram", round(0.9 * top, 3))


def likeness(one: str, other: str) -> float:
    """From 0 to 1. Numbers must be equal: +1 and +2 are different swords however alike their names
    are."""
    if _NUMBER.findall(one) != _NUMBER.findall(other):
        return 0.0
    straight = OSA.normalized_similarity(one, other)
    if straight >= 0.9 or " " not in one or " " not in other:
        return straight
    return max(
        straight,
        0.97
        * OSA.normalized_similarity(*(" ".join(sorted(text.split())) for text in (one, other))),
    )


def floor(key: str) -> float:
    """Short names bear fewer wrong letters: none up to three, one up to six."""
    longest = len(key)
    if longest <= 3:
        return 1.0
    return 0.74 if longest <= 6 else 0.78


def results(found: Match, table: NameTable) -> list[EntitySearchResult]:
    """The match as records: one for each name it means, with every section that name stands in."""
    groups: dict[str, list[Name]] = {}
    for row in found.rows:
        groups.setdefault(folded(table.names[row].name), []).append(table.names[row])
    made = []
    for names in groups.values():
        sections = list(dict.fromkeys(name.section for name in names))
        pieces = list(dict.fromkeys(piece for name in names for piece in name.pieces))
        editions = {name.edition for name in names}
        made.append(
            EntitySearchResult(
                found_in_sections=sections,
                match_confidence=found.confidence,
                matched_text=names[0].name,
                match_strategy=found.strategy,
                tool=names[0].tool,
                pieces=pieces,
                kind=names[0].kind,
                edition=editions.pop() if len(editions) == 1 else "",
            )
        )
    return made


def _rows(table: NameTable, found: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row for at in found for row in table.spellings[at].rows))


def _names(table: NameTable, found: list[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(table.names[table.spellings[at].rows[0]].name for at in found))
