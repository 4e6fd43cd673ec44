"""The ear in memory: word pieces, the model, and what turns its scores into what was heard."""

import json
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np

from freeform.adapters.ear.decode import Numbers, Scores, by_words, heard_in, sigmoid
from freeform.adapters.ear.graph import (
    ANSWERS,
    LONGEST,
    OUTCOME,
    PER_TEXT,
    PREMISE,
    QUESTION,
)
from freeform.adapters.ear.outcomes import outcome_in
from freeform.adapters.ear.pairs import pair_of
from freeform.adapters.ear.premises import premise_in
from freeform.adapters.ear.sense import LoadedSense, shipped_weights
from freeform.adapters.ear.tuning import Tuning
from freeform.adapters.ear.windows import windows
from freeform.adapters.encoder.headed import headed_runner, side_by_side
from freeform.adapters.encoder.protobuf import graph_of, notes
from freeform.adapters.encoder.table import Floats
from freeform.adapters.encoder.wordpiece import PlacedPiece, WordPiece
from freeform.language.ear import FAMILIES, FLAGS, KINDS, NOTHING_HEARD, HeardText
from freeform.language.meaning.outcome import NO_OUTCOME, OutcomeHeard
from freeform.language.meaning.premise import NOTHING_READ, PremiseHeard

Kinds = Sequence[tuple[int, int, str]]
_BATCH = 16
"""Pairs that are looked at together."""


class LoadedEar:
    """Made from a model file; a damaged one raises what its reading raises."""

    def __init__(self, model: bytes, *, numpy_only: bool = False) -> None:
        kept = notes(model)
        if int(kept["crc32"]) != crc32(graph_of(model)):
            raise ValueError("the graph is not the one that was shipped")
        self._words = WordPiece(kept["vocabulary"].split("\n"))
        given = json.loads(kept["tuning"])
        known = {field.name for field in fields(Tuning)}
        self.knows_answers = "answer" in given
        """Whether it was trained to say what answers a question, and that was calibrated."""
        numbers: dict[str, Any] = {name: _frozen(given[name]) for name in given if name in known}
        self._tuning = Tuning(**numbers)
        self._run = headed_runner(model, numpy_only=numpy_only)

    @cached_property
    def sense(self) -> LoadedSense:
        """What texts mean; read when it is first asked for."""
        return LoadedSense(self._words, self._run, shipped_weights())

    def hear(self, text: str, kinds: Kinds) -> HeardText:
        """Windows are heard one by one and joined."""
        pieces = self._words.pieces(text, signs_apart=True)
        heard = [self._window(text, some, kinds) for some in windows(text, pieces, LONGEST - 2)]
        return _joined(heard)

    def read_premise(self, text: str) -> PremiseHeard:
        """The kind of story and the setting by the beginning, nouns by all of it."""
        pieces = self._words.pieces(text, signs_apart=True)
        read: list[PremiseHeard] = []
        for some in windows(text, pieces, LONGEST - 2):
            rows, of_text, words_at = self._scores(text, some, [PREMISE] * len(some))
            read.append(premise_in(rows, of_text, words_at))
        if not read:
            return NOTHING_READ
        spans = [span for part in read for span in part.spans]
        return PremiseHeard(tuple(spans), read[0].shapes, read[0].genres)

    def read_outcome(self, text: str) -> OutcomeHeard:
        """By the beginning of a deed too long to be read at once."""
        pieces = self._words.pieces(text, signs_apart=True)[: LONGEST - 2]
        if not pieces:
            return NO_OUTCOME
        return outcome_in(*self._scores(text, pieces, [OUTCOME] * len(pieces)))

    def _window(self, text: str, pieces: Sequence[PlacedPiece], kinds: Kinds) -> HeardText:
        marks = [_kind_at(piece, kinds) for piece in pieces]
        rows, of_text, words_at = self._scores(text, pieces, marks)
        return heard_in(Scores(rows, of_text), words_at, self._tuning)

    def _scores(
        self, text: str, pieces: Sequence[PlacedPiece], marks: Sequence[int]
    ) -> tuple[Numbers, Numbers, list[tuple[int, int]]]:
        """What the model says of each word and of the whole, and where the words stand."""
        words = self._words
        ids = np.array([[words.start, *(piece.number for piece in pieces), words.end]])
        kinds = np.array([[0, *marks, 0]])
        tokens, texts = self._run(ids, kinds, np.ones(ids.shape, dtype=np.float32))
        places = [(piece.start, piece.end) for piece in pieces]
        rows, words_at = by_words(tokens[0, 1:-1], places, text)
        return rows, texts[0], words_at

    def knows(self, word: str) -> bool:
        """Whether a word stands whole in the vocabulary."""
        return self._words.knows(word)

    def answers(self, question: str, sentences: Sequence[str]) -> list[float]:
        """Every sentence beside the question."""
        weight, more = self._tuning.answer
        scores = self._pairs([(sentence, question) for sentence in sentences])
        return [float(chance) for chance in sigmoid(weight * scores[:, ANSWERS] + more)]

    def _pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """The scores of every pair, a few at a time: those of one length together."""
        scores = np.zeros((len(pairs), sum(PER_TEXT)), dtype=np.float32)
        made = [pair_of(self._words, sentence, beside, QUESTION) for sentence, beside in pairs]
        order = sorted(range(len(made)), key=lambda at: len(made[at][0]))
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            scores[some] = self._scored([made[at] for at in some])
        return scores

    def _scored(self, made: Sequence[tuple[list[int], list[int]]]) -> Floats:
        return self._run(*side_by_side(made, self._words.pad))[1]


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _kind_at(piece: PlacedPiece, kinds: Kinds) -> int:
    """The kind that stands where the piece stands, 0 where none does."""
    for start, end, kind in kinds:
        if start < piece.end and piece.start < end:
            return KINDS.index(kind) + 1
    return 0


def _joined(parts: Sequence[HeardText]) -> HeardText:
    """Windows of one text: all their acts, and how likely any of them has each thing."""
    if len(parts) < 2:
        return parts[0] if parts else NOTHING_HEARD
    acts = [act for part in parts for act in part.acts]
    families: dict[str, float] = {}
    flags: dict[str, float] = {}
    for name in FAMILIES:
        families[name] = _any([part.families[name] for part in parts])
    for name in FLAGS:
        flags[name] = _any([part.flags[name] for part in parts])
    return HeardText(acts=tuple(acts), families=families, flags=flags)


def _any(chances: Sequence[float]) -> float:
    none = 1.0
    for chance in chances:
        none *= 1 - chance
    return 1 - none
