"""Examples and pairs as arrays, some words hidden, so that more is learnt."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from corpus import Example
from mentions import Mention
from outcomes import Outcome
from pairs import Pair
from premises import Premise

from freeform.adapters.ear.graph import (
    ANSWERS,
    LONGEST,
    OUTCOME,
    OUTCOME_CHOICES,
    PER_OUTCOME,
    PER_TEXT,
    PREMISE,
    QUESTION,
    TOUCHES,
)
from freeform.adapters.ear.pairs import pair_of
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.ear import FAMILIES, FLAGS, KINDS, ROLES
from freeform.language.meaning.outcome import OUTCOME_ROLES, STATES
from freeform.language.meaning.premise import PREMISE_LABELS, STORY_GENRES, STORY_SHAPES

HIDDEN = 0.06
OUTSIDE = len(FAMILIES)


@dataclass
class Row:
    """One example: a number for each token and each thing to be learnt of it."""

    ids: np.ndarray
    kinds: np.ndarray
    places: list[tuple[int, int]]
    begins: np.ndarray
    family: np.ndarray
    flags: np.ndarray
    tags: np.ndarray
    acts: np.ndarray
    """For each token the number of its act, -1 outside."""
    text: np.ndarray
    weight: float = 0.0
    """How much it counts as a pair; 0 where it is an input."""
    head: int = TOUCHES
    """Which score of the text a pair is about."""
    nouns: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """Of a premise: what each token names."""
    changed: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """Of a deed whose outcome is read: each token's part in it."""


def row_of(
    example: Example, words: WordPiece, named: Sequence[Mention], luck: random.Random | None = None
) -> Row:
    """The example as it is, or with some words hidden when there is luck to choose them by."""
    pieces = words.pieces(example.text, signs_apart=True)[: LONGEST - 2]
    ids = [words.start, *(piece.number for piece in pieces), words.end]
    row = _empty(ids, [(0, 0), *((piece.start, piece.end) for piece in pieces), (0, 0)])
    for start, end, kind in named:
        row.kinds[_within(row.places, start, end)] = KINDS.index(kind) + 1
    for number, act in enumerate(example.acts):
        row.text[FAMILIES.index(act.family)] = 1
        within = _within(row.places, act.start, act.end)
        row.acts[within] = number
        row.family[within] = FAMILIES.index(act.family)
        row.begins[within[:1]] = 1
        for flag in act.flags:
            row.text[len(FAMILIES) + FLAGS.index(flag)] = 1
            row.flags[within, FLAGS.index(flag)] = 1
        for span in act.spans:
            held = _within(row.places, span.start, span.end)
            row.tags[held] = 2 + 2 * ROLES.index(span.role)
            row.tags[held[:1]] = 1 + 2 * ROLES.index(span.role)
    if luck:
        hidden = [luck.random() < HIDDEN and end > start for start, end in row.places]
        row.ids[np.array(hidden)] = words.mask
    return row


def pair_row(words: WordPiece, pair: Pair, luck: random.Random | None = None) -> Row:
    """A sentence beside a topic or a question; with luck, some words of the sentence are hidden."""
    ids, kinds = pair_of(words, pair.sentence, pair.topic, pair.kind)
    row = _empty(ids, [(0, 0)] * len(ids))
    row.kinds[:] = kinds
    row.head = ANSWERS if pair.kind == QUESTION else TOUCHES
    row.text[row.head] = pair.touches
    row.weight = pair.weight
    if luck:
        ends = ids.index(words.end)
        hidden = [at for at in range(1, ends) if luck.random() < HIDDEN]
        row.ids[hidden] = words.mask
    return row


def premise_row(words: WordPiece, premise: Premise, luck: random.Random | None = None) -> Row:
    """A premise; with luck, some of its words are hidden."""
    pieces = words.pieces(premise.text, signs_apart=True)[: LONGEST - 2]
    ids = [words.start, *(piece.number for piece in pieces), words.end]
    row = _empty(ids, [(0, 0), *((piece.start, piece.end) for piece in pieces), (0, 0)])
    row.kinds[1:-1] = PREMISE
    row.nouns = np.zeros(len(ids), np.int64)
    for noun in premise.nouns:
        held = _within(row.places, noun.start, noun.end)
        row.nouns[held] = 2 + 2 * PREMISE_LABELS.index(noun.label)
        row.nouns[held[:1]] = 1 + 2 * PREMISE_LABELS.index(noun.label)
    first = len(FAMILIES) + len(FLAGS)
    for name, share in premise.shapes.items():
        row.text[first + STORY_SHAPES.index(name)] = share
    if premise.genre:
        row.text[first + len(STORY_SHAPES) + STORY_GENRES.index(premise.genre)] = 1
    if luck:
        hidden = [luck.random() < HIDDEN and end > start for start, end in row.places]
        row.ids[np.array(hidden)] = words.mask
    return row


def outcome_row(words: WordPiece, outcome: Outcome, luck: random.Random | None = None) -> Row:
    """A deed and what becomes of it; with luck, some of its words are hidden."""
    pieces = words.pieces(outcome.deed, signs_apart=True)[: LONGEST - 2]
    ids = [words.start, *(piece.number for piece in pieces), words.end]
    row = _empty(ids, [(0, 0), *((piece.start, piece.end) for piece in pieces), (0, 0)])
    row.kinds[1:-1] = OUTCOME
    row.changed = np.zeros(len(ids), np.int64)
    for part in outcome.parts:
        held = _within(row.places, part.start, part.end)
        row.changed[held] = 2 + 2 * OUTCOME_ROLES.index(part.role)
        row.changed[held[:1]] = 1 + 2 * OUTCOME_ROLES.index(part.role)
    first = sum(PER_TEXT[:4])
    for state, share in outcome.states.items():
        row.text[first + STATES.index(state)] = share
    for names, chosen, size in zip(OUTCOME_CHOICES, outcome.choices, PER_OUTCOME, strict=False):
        first += size
        if chosen:
            row.text[first + names.index(chosen)] = 1
    if luck:
        hidden = [luck.random() < HIDDEN and end > start for start, end in row.places]
        row.ids[np.array(hidden)] = words.mask
    return row


def _empty(ids: Sequence[int], places: list[tuple[int, int]]) -> Row:
    count = len(ids)
    return Row(
        ids=np.array(ids),
        kinds=np.zeros(count, np.int64),
        places=places,
        begins=np.zeros(count, np.float32),
        family=np.full(count, OUTSIDE, np.int64),
        flags=np.zeros((count, len(FLAGS)), np.float32),
        tags=np.zeros(count, np.int64),
        acts=np.full(count, -1, np.int64),
        text=np.zeros(sum(PER_TEXT), np.float32),
    )


def _within(places: Sequence[tuple[int, int]], start: int, end: int) -> list[int]:
    """The tokens of a stretch."""
    return [n for n, (a, b) in enumerate(places) if b > a and a < end and b > start]


def side_by_side(rows: Sequence[Row]) -> dict[str, np.ndarray]:
    """Rows as a batch, as long as the longest; acts are numbered through."""
    longest = max(len(row.ids) for row in rows)
    names = ("ids", "kinds", "begins", "family", "flags", "tags")
    made = {
        name: np.stack([_padded(getattr(row, name), longest, 0) for row in rows]) for name in names
    }
    words = [_padded(np.array([b > a for a, b in row.places]), longest, False) for row in rows]
    premises = np.array([len(row.nouns) > 0 for row in rows])
    outcomes = np.array([len(row.changed) > 0 for row in rows])
    made["real"] = np.stack(words) & ~premises[:, None] & ~outcomes[:, None]
    made["is_premise"] = premises
    made["premise_real"] = np.stack(words) & premises[:, None]
    made["nouns"] = np.stack([_padded(row.nouns, longest, 0) for row in rows])
    made["is_outcome"] = outcomes
    made["outcome_real"] = np.stack(words) & outcomes[:, None]
    made["changed"] = np.stack([_padded(row.changed, longest, 0) for row in rows])
    made["text"] = np.stack([row.text for row in rows])
    made["head"] = np.array([len(row.text) + row.head for row in rows])
    made["weight"] = np.array([row.weight for row in rows], np.float32)
    lengths = np.array([len(row.ids) for row in rows])
    made["mask"] = np.arange(longest)[None, :] < lengths[:, None]
    made["acts"], made["act_family"] = _numbered(rows, longest)
    return made


def _numbered(rows: Sequence[Row], longest: int) -> tuple[np.ndarray, np.ndarray]:
    """For each token the number of its act in the batch, and each act's family."""
    acts = np.full((len(rows), longest), -1, np.int64)
    families: list[int] = []
    for n, row in enumerate(rows):
        for number in range(int(row.acts.max()) + 1):
            held = np.flatnonzero(row.acts == number)
            if len(held):
                acts[n, held] = len(families)
                families.append(int(row.family[held[0]]))
    return acts, np.array(families, np.int64)


def _padded(values: np.ndarray, longest: int, fill: float) -> np.ndarray:
    missing = (longest - len(values), *values.shape[1:])
    return np.concatenate([values, np.full(missing, fill, values.dtype)])
