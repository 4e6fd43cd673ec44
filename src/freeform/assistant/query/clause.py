"""READ THIS FIRST. One asking part of a question as its words, what each of them may mean, and how
much of it a reading explains.

    "Which level 3 spells do I have prepared?"
       level 3 ── test: level is 3
       spells  ── kind
       prepared ─ test: prepared
    all of its telling words are explained, so the reading is taken
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freeform.assistant.query.model import FieldValue, Row, RowTest
from freeform.assistant.query.schema import Phrase, phrase, schema
from freeform.core.text import plain_form
from freeform.language.inflection import lemma
from freeform.language.words import stop_words, unowned, word_class

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
}
_SMALL = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "twenty": 20,
}
_NTH = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)$")
_MINE = frozenset({"i", "my", "me", "mine", "im", "ive", "i'm", "i've"})
_HELPERS = frozenset({"did", "do", "does", "have", "has", "had"})
_OVER = re.compile(r"\b(?:more than|over|above|at least)\s+(\w+)", re.I)
_FROM = re.compile(r"\+?(\d+) or (?:better|more|higher|above)\b", re.I)
_UNDER = re.compile(r"\b(?:fewer than|less than|under|below|at most)\s+(\w+)", re.I)
_ANY_OF_IT = frozenset({"got"})
"""How people begin who leave out `have I`."""
_ASKS_FOR = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.I)
_ASKED = re.compile(r"\?\s+")
_ASSENT = re.compile(r",?\s(?:right|correct|or not|yes or no)\s*\?+\s*$", re.I)
_TURNED = re.compile(
    r"\b(?:do|does|did|can|could|is|are|am|was|were|will|would|have|has) (?:i|we|he|she|they|it)\b",
    re.I,
)
"""The helper before the one who does it: `if I walk up to him do I get advantage`. `Will
you` asks for a favour."""
_NEGATED = frozenset({"not", "n't", "without", "never", "no", "un"})


@dataclass(frozen=True)
class AskedWord:
    """A word of the clause."""

    text: str
    key: str
    """Its lemma."""
    start: int
    end: int
    telling: bool
    """Whether a reading must explain it."""


@dataclass(frozen=True)
class Link:
    """A run of words that means something."""

    at: int
    size: int

    @property
    def places(self) -> range:
        return range(self.at, self.at + self.size)


@dataclass
class AskedClause:
    """A clause and its words."""

    text: str
    skip: frozenset[str] = frozenset()
    """Words that name the one who asks."""
    tokens: list[AskedWord] = field(default_factory=list)

    def __post_init__(self) -> None:
        small = stop_words() | {"s"}
        asking = schema().asking
        for hit in _WORD.finditer(self.text):
            word = unowned(plain_form(hit[0]))
            key = lemma(word)
            telling = word not in small and key not in asking and word not in self.skip
            self.tokens.append(AskedWord(word, key, hit.start(), hit.end(), telling))

    @cached_property
    def keys(self) -> list[str]:
        """The lemmas in order."""
        return [token.key for token in self.tokens]

    @property
    def mine(self) -> bool:
        """Whether the one who asks speaks of themselves."""
        return any(token.text in _MINE or token.text in self.skip for token in self.tokens)

    @property
    def by_name(self) -> bool:
        """Whether it names the one who asks."""
        return any(token.text in self.skip for token in self.tokens)

    @property
    def counts(self) -> bool:
        """Whether a number of things is wanted."""
        return bool(re.search(r"\bhow many\b|\bnumber of\b|\bcount\b", self.text, re.I))

    @property
    def asks_whether(self) -> bool:
        """Whether it can be answered with yes or no; of several questions the last."""
        *before, last = _ASKED.split(self.text.rstrip("? "))
        if before and _ASKS_FOR.match(last):
            return False
        first = self.tokens[0].text if self.tokens else ""
        if first in word_class("auxiliaries") or first in _ANY_OF_IT:
            return True
        if _ASKS_FOR.search(self.text):
            return False
        return bool(_ASSENT.search(self.text) or _TURNED.search(self.text))

    @cached_property
    def deeds(self) -> set[int]:
        """The places of verbs after `did`, `does`, `have`: notes tell deeds in other words, so they
        say less of what is asked than names and things."""
        found = set()
        for at, token in enumerate(self.tokens[:-1]):
            if token.text not in _HELPERS:
                continue
            place = at + 1
            while place < len(self.tokens) and self._is_subject(place):
                place += 1
            if place < len(self.tokens):
                found.add(place)
        return found

    def _is_subject(self, place: int) -> bool:
        token = self.tokens[place]
        return not token.telling or self.text[token.start : token.end][:1].isupper()

    def find(self, key: Phrase) -> list[Link]:
        """Where a phrase stands."""
        size = len(key)
        if not size:
            return []
        last = len(self.keys) - size + 1
        return [Link(at, size) for at in range(last) if tuple(self.keys[at : at + size]) == key]

    def negated(self, link: Link) -> bool:
        """Whether a `not` stands right before, or within two words before."""
        before = self.tokens[max(0, link.at - 2) : link.at]
        return any(token.text in _NEGATED or token.text.endswith("n't") for token in before)

    def after(self, link: Link, *words: str) -> bool:
        """Whether one of these words leads to it, articles aside."""
        at = link.at - 1
        while at >= 0 and self.tokens[at].text in {"the", "my", "a", "an", "his", "her", "your"}:
            at -= 1
        return at >= 0 and self.tokens[at].text in words

    def levels(self) -> list[tuple[int, Link]]:
        """The levels it speaks of: `level 3`, `3rd-level`, `third level`."""
        found = []
        for at, token in enumerate(self.tokens):
            if token.key != lemma("level"):
                continue
            after = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
            before = self.tokens[at - 1].text if at else ""
            if after.isdigit():
                found.append((int(after), Link(at, 2)))
            elif (number := ordinal(before)) is not None:
                found.append((number, Link(at - 1, 2)))
        return found or self._bare_ordinals()

    def _bare_ordinals(self) -> list[tuple[int, Link]]:
        """`And 2nd?`, `third slots`."""
        found = []
        for at, token in enumerate(self.tokens):
            if _NTH.match(token.text):
                found.append((int(_NTH.match(token.text)[1]), Link(at, 1)))  # type: ignore[index]
        return found

    def amounts(self, name: str) -> list[tuple[RowTest, Link]]:
        """Tests on an amount: `more than five`."""
        found = []
        for pattern, op in ((_OVER, "over"), (_FROM, "over"), (_UNDER, "under")):
            for hit in pattern.finditer(self.text):
                number = _SMALL.get(hit[1].lower()) or (int(hit[1]) if hit[1].isdigit() else None)
                if number is not None and pattern is _FROM:
                    number -= 1
                if number is not None:
                    test = RowTest(field=name, op="over" if op == "over" else "under", value=number)
                    found.append((test, self._between(hit.start(), hit.end())))
        return found

    def _between(self, start: int, end: int) -> Link:
        places = [at for at, t in enumerate(self.tokens) if t.start >= start and t.end <= end]
        return Link(places[0], len(places)) if places else Link(0, 0)

    def coverage(self, links: Iterable[Link]) -> float:
        """The share of the telling words that these links explain."""
        telling = {at for at, token in enumerate(self.tokens) if token.telling}
        if not telling:
            return 1.0 if list(links) else 0.0
        done = {at for link in links for at in link.places}
        return len(telling & done) / len(telling)


def ordinal(word: str) -> int | None:
    """`3rd` and `third` are 3."""
    if hit := _NTH.match(word):
        return int(hit[1])
    return _ORDINALS.get(word)


def small_number(word: str) -> int | None:
    """`five` and `5` are 5."""
    return int(word) if word.isdigit() else _SMALL.get(word)


@dataclass(frozen=True)
class NamedRow:
    """Rows that a run of words names."""

    rows: tuple[Row, ...]
    link: Link
    whole: bool
    """The whole name was said, not a part of it."""


def named_rows(clause: AskedClause, rows: Sequence[Row], longest: int = 6) -> list[NamedRow]:
    """The rows named in a clause, the longest names first, none overlapping: by a whole name, its
    head without what is in brackets, or by a telling word of it."""
    whole, parts = _by_phrase(rows), _by_word(rows)
    taken: list[NamedRow] = []
    used: set[int] = set()
    count = len(clause.tokens)
    for size in range(min(longest, count), 0, -1):
        for at in range(count - size + 1):
            link = Link(at, size)
            if used & set(link.places):
                continue
            found = whole.get(tuple(clause.keys[at : at + size]))
            if found and any(clause.tokens[place].telling for place in link.places):
                taken.append(NamedRow(tuple(found), link, True))
                used |= set(link.places)
    for at, token in enumerate(clause.tokens):
        if at in used or not token.telling or len(token.key) < 3:
            continue
        found = parts.get(token.key) or _kin(token.key, parts)
        if found:
            taken.append(NamedRow(tuple(found), Link(at, 1), False))
    return taken


def _by_phrase(rows: Sequence[Row]) -> dict[Phrase, list[Row]]:
    found: dict[Phrase, list[Row]] = {}
    for row in rows:
        for name in dict.fromkeys((row.name, *row.names)):
            found.setdefault(phrase(name), []).append(row)
    return found


def _by_word(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    small = stop_words()
    for row in rows:
        for word in dict.fromkeys(phrase(row.name)):
            if word not in small and len(word) > 2 and not word.isdigit():
                found.setdefault(word, []).append(row)
    return found


def _kin(key: str, parts: dict[str, list[Row]]) -> list[Row]:
    """Rows whose name begins as the word does: `intimidate`, Intimidation."""
    size = 6
    if len(key) < size:
        return []
    near = [word for word in parts if word[:size] == key[:size] and abs(len(word) - len(key)) < 5]
    return parts[near[0]] if len(near) == 1 else []


_VALUES = ("school", "status", "origin", "container")
"""Fields whose values are words that a question may use."""


@dataclass
class ClauseReading:
    """What was heard."""

    kinds: dict[str, list[Link]] = field(default_factory=dict)
    tests: list[tuple[RowTest, Link]] = field(default_factory=list)
    fields: dict[str, list[Link]] = field(default_factory=dict)
    orders: dict[str, list[Link]] = field(default_factory=dict)
    named: list[NamedRow] = field(default_factory=list)

    def links(self, *groups: dict[str, list[Link]]) -> list[Link]:
        """The words behind these groups."""
        return [link for group in groups for links in group.values() for link in links]


def read_clause(clause: AskedClause, rows: Sequence[Row]) -> ClauseReading:
    """Names first, whole ones; then what the schema knows; parts of names only where it knows
    nothing."""
    every = named_rows(clause, rows)
    whole = [each for each in every if each.whole]
    taken = {place for each in whole if each.link.size > 1 for place in each.link.places}
    heard = ClauseReading()
    known = schema()
    for key, kind in known.kinds.items():
        for link in _free(clause.find(key), taken):
            heard.kinds.setdefault(kind, []).append(link)
    for key, test in known.marks.items():
        for link in _free(clause.find(key), taken):
            heard.tests.append((_maybe_not(clause, test, link), link))
    for key, names in known.fields.items():
        for link in _free(clause.find(key), taken):
            for name in names:
                heard.fields.setdefault(name, []).append(link)
    for key, order in known.orders.items():
        for link in _free(clause.find(key), taken):
            heard.orders.setdefault(order, []).append(link)
    spoken = {
        place
        for link in heard.links(heard.kinds, heard.fields, heard.orders)
        for place in link.places
    }
    spoken |= {place for _, link in heard.tests for place in link.places}
    heard.named = whole + [each for each in every if not each.whole and each.link.at not in spoken]
    return heard


def _free(links: list[Link], taken: set[int]) -> list[Link]:
    return [link for link in links if not taken & set(link.places)]


def _maybe_not(clause: AskedClause, test: RowTest, link: Link) -> RowTest:
    return test.model_copy(update={"op": "not"}) if clause.negated(link) else test


def told_values(clause: AskedClause, rows: Sequence[Row]) -> list[tuple[RowTest, Link]]:
    """Tests by the words of values that these rows have: `abjuration spells`."""
    found = []
    for name in _VALUES:
        values = dict.fromkeys(str(row.fields[name]) for row in rows if row.fields.get(name))
        for value in values:
            for link in clause.find(phrase(value)):
                found.append((RowTest(field=name, value=value), link))
    return found


def plain_value(value: FieldValue) -> str:
    """A value as a person would write it."""
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
