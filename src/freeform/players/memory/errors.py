"""Which error a lost detail becomes, and how it reads: chosen by what makes the error possible,
never at will.

conflation needs a similar memory with another detail of that kind, drift a number or a name,
colouring a feeling; simplification is always possible. Level 1 is a slip, 2 is further off, 3 has
nothing left but the shape of it.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from freeform.language.words import words
from freeform.players.memory.model import CorruptionType, MemoryFact, Mind, Slot
from freeform.players.memory.wording import (
    colour,
    drift_name,
    drift_number,
    has_number,
    is_proper,
    simplify,
    vague,
)

LIKE_ENOUGH = 0.35
"""How similar a memory must be before it is mixed up with another."""
EMOTIONAL, ANALYTICAL, SCATTERED, BALANCED = (
    {"emotional_coloring": 0.5, "simplification": 0.3, "detail_drift": 0.2, "conflation": 0.1},
    {"detail_drift": 0.4, "simplification": 0.3, "conflation": 0.2, "emotional_coloring": 0.1},
    {"conflation": 0.5, "simplification": 0.3, "detail_drift": 0.2, "emotional_coloring": 0.1},
    {"detail_drift": 0.3, "simplification": 0.3, "emotional_coloring": 0.2, "conflation": 0.2},
)
"""How each kind of person tends to err: the design's weights, with a small chance where it gave
none."""


def draw(mind: Mind, fact_id: str, slot: str, epoch: int, purpose: str) -> float:
    """A number from 0 up to 1 that is the same for ever: the same question has the same answer."""
    name = f"{mind.seed}|{mind.agent}|{fact_id}|{slot}|{epoch}|{purpose}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) / 2**64


def tendencies(mind: Mind) -> dict[str, float]:
    """How this person tends to err."""
    if mind.emotional_memory > 0.7:
        return EMOTIONAL
    if mind.analytical > 0.7:
        return ANALYTICAL
    return SCATTERED if mind.detail_oriented < 0.3 else BALANCED


def possible(fact: MemoryFact, slot: Slot, neighbour: MemoryFact | None) -> list[CorruptionType]:
    """The errors that this detail can become."""
    found: list[CorruptionType] = []
    if neighbour is not None and slot.kind != "gist":
        found.append("conflation")
    if (slot.kind == "name" and is_proper(slot.text)) or (
        slot.kind == "number" and has_number(slot.text)
    ):
        found.append("detail_drift")
    if (
        slot.kind in ("feeling", "gist")
        and fact.feeling
        and colour(slot.text, fact.feeling, 1) != slot.text
    ):
        found.append("emotional_coloring")
    return [*found, "simplification"]


def choose(mind: Mind, options: Sequence[CorruptionType], u: float) -> CorruptionType:
    """One of the options, by this person's tendencies; `u` decides."""
    weights = tendencies(mind)
    total = sum(weights[option] for option in options)
    for option in options:
        u -= weights[option] / total
        if u < 0:
            return option
    return options[-1]


def similarity(a: MemoryFact, b: MemoryFact) -> float:
    """From 0 to 1: shared words, and whether they are about the same subject or say the same kind
    of thing."""
    mine, theirs = _words_in(a.text), _words_in(b.text)
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    return min(1.0, shared + 0.35 * (a.predicate == b.predicate) + 0.25 * (a.subject == b.subject))


@lru_cache(maxsize=4_096)
def _words_in(text: str) -> frozenset[str]:
    return frozenset(words(text))


def mixed_up_with(
    mind: Mind, fact: MemoryFact, slot: Slot, epoch: int, known: Sequence[MemoryFact], before: float
) -> tuple[MemoryFact, Slot] | None:
    """The memory that this detail is taken from, if one is similar enough; the likelier the more
    similar (cubed).

    Only what was learnt before the error was made counts: later memories never change an old error.
    The draw does not depend on the order of `known`.
    """
    best: tuple[float, str, MemoryFact, Slot] | None = None
    for other in known:
        if (
            other.id == fact.id
            or other.created_at > before
            or (like := similarity(fact, other)) < LIKE_ENOUGH
        ):
            continue
        for theirs in other.slots:
            same = theirs.kind == slot.kind and (
                slot.kind != "name" or _role(theirs) == _role(slot)
            )
            if same and theirs.text.casefold() != slot.text.casefold():
                worth = draw(mind, fact.id, f"{slot.name}~{other.id}", epoch, "neighbour") ** (
                    1 / like**3
                )
                if best is None or (worth, other.id) > best[:2]:
                    best = (worth, other.id, other, theirs)
                break
    return (best[2], best[3]) if best else None


def distorted(
    fact: MemoryFact, slot: Slot, error: CorruptionType, level: int, u: float, taken: str = ""
) -> str:
    """The detail as it is now believed. `u` is fixed for the error, so that a deeper level goes on
    in its direction."""
    match error:
        case "conflation":
            return taken
        case "detail_drift" if slot.kind == "number":
            return drift_number(slot.text, level, u)
        case "detail_drift":
            return drift_name(slot.text, level, u) if level < 3 else vague(slot)
        case "emotional_coloring":
            return colour(slot.text, fact.feeling, level)
        case "simplification" | "false_confidence" | "detail_drift":
            return simplify(slot.text, level) if slot.kind == "gist" else vague(slot)


def _role(slot: Slot) -> str:
    """Whether it is a person or a thing: nobody takes a door for a man."""
    return slot.name.partition("_")[0]
