"""The best evidence for a question: by its rare words, and by the sort of answer it wants."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from freeform.engine.knowledge.evidence import Evidence
from freeform.engine.knowledge.question import PlayerQuestion
from freeform.engine.knowledge.viewpoint import DETAIL
from freeform.engine.world.state import PLAYER
from freeform.language.inflection import lemma
from freeform.language.relevance import Relevance, Saying, Share, telling
from freeform.language.tables import cues
from freeform.language.words import words

SURE, FAIR = 0.6, 0.3
"""How much of a question an answer must have, and how much what is near it."""
_OF_TARGET, _AS_WANTED, _NOT_AS_WANTED = 0.1, 0.15, 0.75
_ASIDE = 0.8
"""What a sentence about something else counts that has the words by chance."""
_SECOND = 0.45
_TERSE = 4
_MEASURED = 0.4
_MEASURES = ("number", "amount", "distance", "duration", "size", "moment")
_SEEN = ("place", "detail", "person", "thing", "way")
_OWN = ("carried",)
"""Sources that speak of what the asker has."""


@dataclass(frozen=True)
class Found:
    """A piece of evidence with how well it fits."""

    piece: Evidence
    share: Share
    score: float
    as_wanted: bool
    """It has the sort of answer that is wanted."""
    of_named: bool
    """It speaks of everything that was named."""
    of_all: bool
    """And says more of it than the name."""
    measured: bool
    """It has a measure, and one was wanted."""
    most: float
    """How many of the words that count it has, as a share of them."""

    @property
    def is_sure(self) -> bool:
        """Whether it may be taken for the answer."""
        return self.share.part >= SURE and self.most >= SURE and self.of_all

    @property
    def is_measured(self) -> bool:
        """Whether it has the measure that was asked for, and most of what it is asked of."""
        return self.measured and self.share.part >= _MEASURED and self.of_all


class Shelf:
    """The evidence of a moment, ready for questions."""

    def __init__(self, pieces: Sequence[Evidence]) -> None:
        self.pieces = list(pieces)
        self._relevance = Relevance([_saying(piece) for piece in self.pieces])

    def ranked(self, question: PlayerQuestion) -> list[Found]:
        """What has anything of it, the best first."""
        found = []
        for number, piece in enumerate(self.pieces):
            share = self._relevance.share(number, question.wanted)
            if share.part > 0 and _may_serve(piece, share, question):
                found.append(_weigh(piece, share, question))
        return sorted(found, key=_order)

    def fitting(self, question: PlayerQuestion, most: int) -> list[Evidence]:
        """What may be weighed by meaning, those with most of its words first."""
        found = []
        for number, piece in enumerate(self.pieces):
            left_out = not question.left_out.isdisjoint(telling(piece.text))
            if not (left_out or piece.text.endswith("?")):
                part = self._relevance.share(number, question.wanted).part
                found.append((-part * piece.weight, number, piece))
        return [piece for _, _, piece in sorted(found, key=lambda row: row[:2])[:most]]

    def beside(self, piece: Evidence) -> list[Evidence]:
        """The sentences before and after it in the same text."""
        return [
            other
            for other in self.pieces
            if other.source == piece.source and abs(other.place - piece.place) == 1
        ]


def has_sort(text: str, sort: str) -> bool:
    """Whether a text has the sort of answer that is wanted."""
    wanted = _wanted_words(sort)
    said = words(text)
    if sort in ("number", "amount", "size") and any(word.isdecimal() for word in said):
        return True
    return not wanted or not wanted.isdisjoint(said)


def choose(ranked: Sequence[Found], question: PlayerQuestion, shelf: Shelf) -> list[Evidence]:
    """The best sentence, with the one beside it that has what is wanted, or one that adds to it."""
    best = ranked[0]
    if len(words(best.piece.text)) < _TERSE:
        after = [other for other in shelf.beside(best.piece) if other.place > best.piece.place]
        return [best.piece, *after[:1]]
    if not best.as_wanted:
        for other in shelf.beside(best.piece):
            if has_sort(other.text, question.wants):
                return sorted([best.piece, other], key=lambda piece: piece.place)
    for second in ranked[1:]:
        adds = second.share.found - best.share.found
        if adds and second.score >= _SECOND and second.as_wanted and second.of_all:
            return [best.piece, second.piece]
    return [best.piece]


def _order(found: Found) -> tuple[float, int, int, str]:
    """The best first; of equals what is plain to see, then the shorter."""
    piece = found.piece
    seen = piece.source.kind in _SEEN and piece.source.where != "habit"
    return (-round(found.score, 3), 0 if seen else 1, len(piece.text), piece.text)


def _may_serve(piece: Evidence, share: Share, question: PlayerQuestion) -> bool:
    """What one carries or is oneself answers where it speaks of what was named, or says much of
    it; questions answer none."""
    aside = piece.source.kind in ("thread", "self") or piece.source.where == "role"
    if aside or piece.text.endswith("?"):
        return False
    if not question.left_out.isdisjoint(telling(piece.text)):
        return False
    if question.is_of_own_state and "you" not in words(piece.text):
        return False
    if piece.source.kind not in _OWN:
        return True
    return not piece.about.isdisjoint(question.targets) or len(share.found) > 1


def _weigh(piece: Evidence, share: Share, question: PlayerQuestion) -> Found:
    score = share.part * piece.weight
    as_wanted = _is_as_wanted(piece, question)
    targets = frozenset(question.targets)
    of_target = not piece.about.isdisjoint(targets)
    if of_target:
        score += _OF_TARGET
    if piece.source.id in targets:
        score += _OF_TARGET
    if piece.source.kind == "detail" and f"{DETAIL}{piece.source.id}" not in targets:
        score *= _ASIDE
    if not as_wanted:
        score *= _NOT_AS_WANTED
    elif _wanted_words(question.wants):
        score += _AS_WANTED
    measured = as_wanted and question.wants in _MEASURES
    more = not question.beyond or not question.beyond.isdisjoint(share.found)
    of_named = _is_of_named(piece, question)
    counted = question.counted
    most = len(counted & share.found) / len(counted) if counted else float(question.is_of_hearing)
    return Found(piece, share, score, as_wanted, of_named, of_named and more, measured, most)


def _is_as_wanted(piece: Evidence, question: PlayerQuestion) -> bool:
    if question.wants == "number":
        return _is_counted(piece.text, question.head)
    kind = {"person": "npc", "place": "location"}.get(question.wants, "")
    others = piece.about - frozenset(question.targets) - {PLAYER}
    entities = question.view.state.entities
    named = [id for id in others if id in entities and entities[id].type == kind]
    return bool(named) or has_sort(piece.text, question.wants)


def _is_counted(text: str, head: str) -> bool:
    """Whether a number stands right before what is counted."""
    said = words(text)
    for at, word in enumerate(said):
        if lemma(word) == head and any(has_sort(w, "number") for w in said[max(0, at - 2) : at]):
            return True
    return False


def _is_of_named(piece: Evidence, question: PlayerQuestion) -> bool:
    """Whether everything that was named is spoken of."""
    said = telling(f"{piece.text} {piece.implied}")
    return all(
        not piece.about.isdisjoint(subject.ids) or (subject.words and subject.words <= said)
        for subject in question.subjects
    )


def _saying(piece: Evidence) -> Saying:
    return Saying(telling(piece.text), telling(piece.implied))


@cache
def _wanted_words(sort: str) -> frozenset[str]:
    return frozenset(cues("questions")["wants"].get(sort, "").split())
