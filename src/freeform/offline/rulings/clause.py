"""A deed as it was typed, taken apart: the verb, what follows it, and what stands after each
preposition."""

from dataclasses import dataclass

from freeform.language.forms import is_adverb, is_told_of_another
from freeform.language.inflection import lemma
from freeform.language.words import word_class
from freeform.offline.interpreter.hearing import Hearing

_ONE = frozenset({"i", "we", "i'll", "i'd", "me", "let", "lets"})
_JOINTS = frozenset({",", ";", ":", ".", "!", "?", "and", "then", "--", "—", "but"})
_ALL_IN_ONE = (("in", "front", "of"), ("out", "of"), ("up", "to"), ("over", "to"))


@dataclass(frozen=True)
class WordRun:
    """Some tokens of a text: from the first, before the last."""

    first: int
    last: int


@dataclass(frozen=True)
class DeedClause:
    """A verb with what it is done to, and what its prepositions bind."""

    hearing: Hearing
    verb: str
    """As it is compared."""
    particle: str
    object: WordRun
    bound: tuple[tuple[str, WordRun], ...]
    whole: WordRun
    rest: WordRun
    """What follows the deed itself: a purpose, a condition, what someone is told."""

    def after(self, *prepositions: str) -> WordRun | None:
        """What the first of those prepositions binds."""
        return next((span for word, span in self.bound if word in prepositions), None)

    def words(self, span: WordRun) -> str:
        """A stretch as it was typed."""
        return self.hearing.typed.phrase(span.first, span.last)

    def plain_words(self, span: WordRun) -> list[str]:
        """Its words as they are compared."""
        return [self.hearing.plain(at) for at in range(span.first, span.last)]

    @property
    def text(self) -> str:
        """All of it, as typed."""
        return self.words(self.whole)


def deed_clauses(hearing: Hearing) -> list[DeedClause]:
    """Every clause of a text that begins with a verb of one's own, in order."""
    tokens = hearing.typed.tokens
    clauses, at = [], 0
    while at < len(tokens):
        end = _end(hearing, at)
        start = _verb_at(hearing, at, end)
        if start < end and _is_ones_own(hearing, at, start):
            clauses.append(_cut(hearing, start, end))
        at = end + 1
    return clauses


def _end(hearing: Hearing, at: int) -> int:
    """Where a clause ends: at a mark, or at `and` before another verb."""
    tokens = hearing.typed.tokens
    for here in range(at, len(tokens)):
        if tokens[here].kind == "quote":
            return here
        if hearing.plain(here) in _JOINTS and not _goes_on(hearing, here):
            return here
    return len(tokens)


def _goes_on(hearing: Hearing, at: int) -> bool:
    """Whether `and` joins two things, not two deeds."""
    if hearing.plain(at) not in ("and", ","):
        return False
    following = hearing.plain(at + 1)
    if following in _JOINTS or following in ("i", "we", "then"):
        return False
    return following in hearing.words.determiners or following not in hearing.verbs.by_head


def _is_ones_own(hearing: Hearing, first: int, verb: int) -> bool:
    """Whether the deed is told of oneself, or bidden: `I wedge it`, `wedge it`; not `she wedged it`
    nor `wedged it`, which may be anybody's."""
    said = {hearing.plain(at) for at in range(first, verb)}
    return bool(_ONE & said) or not is_told_of_another(hearing.plain(verb))


def _verb_at(hearing: Hearing, first: int, last: int) -> int:
    at = first
    if hearing.plain(at) in word_class("deed_ends") and hearing.plain(at) != "so":
        # `While Beryl counts I slide the coin …`: the deed begins after its circumstances.
        told = [here for here in range(first, last) if hearing.plain(here) in ("i", "we")]
        at = told[-1] if told else at
    while at < last:
        word = hearing.plain(at)
        if word not in word_class("before_a_deed") and not is_adverb(word):
            return at
        at += 1
    return last


def _cut(hearing: Hearing, first: int, last: int) -> DeedClause:
    end = _purpose(hearing, first + 1, last)
    particle = ""
    at = first + 1
    if hearing.plain(at) in word_class("deed_particles") and at < end:
        particle, at = hearing.plain(at), at + 1
    elif end - 1 > first and hearing.plain(end - 1) in word_class("deed_particles"):
        particle, end = hearing.plain(end - 1), end - 1
    bound: list[tuple[str, WordRun]] = []
    marks = _marks(hearing, at, end)
    object = WordRun(at, marks[0][1] if marks else end)
    for number, (word, _, begins) in enumerate(marks):
        stop = marks[number + 1][1] if number + 1 < len(marks) else end
        bound.append((word, WordRun(begins, stop)))
    verb = lemma(hearing.plain(first))
    return DeedClause(
        hearing, verb, particle, object, tuple(bound), WordRun(first, last), WordRun(end, last)
    )


def _marks(hearing: Hearing, first: int, last: int) -> list[tuple[str, int, int]]:
    """Each preposition, where it stands and where what it binds begins."""
    marks, at = [], first
    while at < last:
        run = next((r for r in _ALL_IN_ONE if hearing.typed.has(at, r, last)), ())
        if run:
            marks.append((" ".join(run), at, at + len(run)))
            at += len(run)
        elif hearing.plain(at) in word_class("deed_places"):
            marks.append((hearing.plain(at), at, at + 1))
            at += 1
        else:
            at += 1
    return marks


def _purpose(hearing: Hearing, first: int, last: int) -> int:
    """Where the deed itself ends and what it is for begins."""
    for at in range(first, last):
        word, following = hearing.plain(at), hearing.plain(at + 1)
        if word in word_class("deed_ends") and not _is_meant(hearing, at):
            return at
        if word == "to" and following in hearing.verbs.by_head and not _is_named(hearing, at + 1):
            return at
    return last


def _is_meant(hearing: Hearing, at: int) -> bool:
    """`the till`, `to whoever is there`: what is spoken of, and no end."""
    before = hearing.plain(at - 1)
    return before in hearing.words.determiners or before in word_class("deed_places")


def _is_named(hearing: Hearing, at: int) -> bool:
    return any(mention.first <= at < mention.last for mention in hearing.mentions)
