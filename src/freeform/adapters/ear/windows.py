"""Cuts what is longer than the model reads into windows of whole sentences."""

from collections.abc import Sequence

from freeform.adapters.encoder.wordpiece import PlacedPiece
from freeform.language.sentences import SENTENCE_END


def windows(text: str, pieces: Sequence[PlacedPiece], most: int) -> list[list[PlacedPiece]]:
    """The pieces in as few windows as hold whole sentences; a sentence too long for one is cut."""
    if len(pieces) <= most:
        return [list(pieces)] if pieces else []
    found: list[list[PlacedPiece]] = [[]]
    for sentence in _sentences(text, pieces):
        for first in range(0, len(sentence), most):
            part = sentence[first : first + most]
            if len(found[-1]) + len(part) > most:
                found.append([])
            found[-1] += part
    return found


def _sentences(text: str, pieces: Sequence[PlacedPiece]) -> list[list[PlacedPiece]]:
    """The pieces of each sentence."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    found: list[list[PlacedPiece]] = [[]]
    waiting = iter([*ends, len(text) + 1])
    end = next(waiting)
    for piece in pieces:
        while piece.start >= end:
            end = next(waiting)
            if found[-1]:
                found.append([])
        found[-1].append(piece)
    return found
