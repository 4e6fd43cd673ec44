"""A question and a passage as one row: [CLS] question [SEP] place [SEP] passage [SEP]."""

from collections.abc import Sequence
from dataclasses import dataclass

from freeform.adapters.reader.graph import (
    LONGEST,
    LONGEST_PLACE,
    LONGEST_QUESTION,
    PASSAGE,
    PLACE,
    QUESTION,
)


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """The numbers of the word pieces, their kinds, and where the passage's own begin and end."""

    ids: list[int]
    kinds: list[int]
    first: int
    end: int


def row_of(
    marks: tuple[int, int], question: Sequence[int], place: Sequence[int], passage: Sequence[int]
) -> ReaderRow:
    """What is too long is cut at its end; `marks` are those at the beginning and the end."""
    start, end = marks
    question, place = question[:LONGEST_QUESTION], place[:LONGEST_PLACE]
    ids = [start, *question, end, *place, end]
    kinds = [QUESTION] * (len(question) + 2) + [PLACE] * (len(place) + 1)
    first = len(ids)
    told = passage[: LONGEST - first - 1]
    ids += [*told, end]
    kinds += [PASSAGE] * (len(told) + 1)
    return ReaderRow(ids, kinds, first, first + len(told))
