"""Which facts a packet tells: gone through once for a moment, and chosen for each input."""

from collections.abc import Collection, Iterable, Iterator
from heapq import merge
from itertools import chain
from typing import Any

from freeform.core.record import fields
from freeform.engine.world.state import Fact, GameState

FACT_TOKENS = 1500
"""What facts may take even where all else has spent the budget: a game master without them makes up
others."""
NEWEST = 60
"""Facts of one subject that are considered: the newest, so that a long campaign costs no more."""
LETTERS_PER_TOKEN = 3
"""Of JSON; prose has about four. Good enough to keep a budget, and quick."""
_FRAME = 160
"""Letters of a fact's JSON besides its text."""
_UNTOLD = ("discovered_turn", "discovery_method", "origin", "pack_id")


_Row = tuple[int, str, Fact]
"""When it was learnt, its id, the fact: no two have the same id, so facts are never compared."""


class FactChoice:
    """The facts of a moment as one viewer may be told them: each subject's are gone through once,
    and only where there is room for them."""

    def __init__(self, state: GameState, pinned: Iterable[str], gm: bool) -> None:
        self._state = state
        self._seen = ("known", "hidden") if gm else ("known",)
        self._pinned = frozenset(pinned)
        self._first = self._newest_first(map(state.facts.__getitem__, self._pinned))
        self._of: dict[str, list[_Row]] = {}

    def within(
        self, budget: int, subjects: Iterable[str], named: Collection[str]
    ) -> list[dict[str, Any]]:
        """Pinned ones first, then those of whom was named, then the newest; as many as the budget
        holds."""
        kept, spent = [], 0
        for _, _, fact in chain(self._told_anyway(named), self._others(subjects, named)):
            text = str(fact.object.get("text") or fact.object)
            spent += (_FRAME + len(text)) // LETTERS_PER_TOKEN
            if spent > max(budget, FACT_TOKENS):
                break
            kept.append(fields(fact, *_UNTOLD))
        return sorted(kept, key=lambda row: str(row["id"]))

    def _told_anyway(self, named: Collection[str]) -> list[_Row]:
        if not named:
            return self._first
        return sorted(self._first, key=lambda row: row[2].subject_id in named, reverse=True)

    def _others(self, subjects: Iterable[str], named: Collection[str]) -> Iterator[_Row]:
        """Those of the subjects that are not pinned; merged only as far as they are read."""
        every = dict.fromkeys(subjects)
        for some in ([id for id in every if id in named], [id for id in every if id not in named]):
            yield from merge(*map(self._about, some), reverse=True)

    def _about(self, subject: str) -> list[_Row]:
        if subject not in self._of:
            facts = self._state.facts_of(subject, newest=NEWEST)
            self._of[subject] = self._newest_first(
                fact for fact in facts if fact.id not in self._pinned
            )
        return self._of[subject]

    def _newest_first(self, facts: Iterable[Fact]) -> list[_Row]:
        rows = [
            (fact.discovered_turn or 0, fact.id, fact)
            for fact in facts
            if fact.visibility in self._seen
        ]
        return sorted(rows, reverse=True)
