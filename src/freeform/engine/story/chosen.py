"""The facts a packet tells: those about what is in play, gone through once for a moment, and chosen
anew for each input."""

from collections.abc import Collection, Iterable
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


class FactChoice:
    """Facts about some subjects, and pinned ones, as one viewer may be told them."""

    def __init__(
        self, state: GameState, subjects: Iterable[str], pinned: Iterable[str], gm: bool
    ) -> None:
        seen = ("known", "hidden") if gm else ("known",)
        self._pinned = frozenset(pinned)
        known = {id: state.facts[id] for id in self._pinned}
        for subject in dict.fromkeys(subjects):
            known.update((fact.id, fact) for fact in state.facts_of(subject, newest=NEWEST))
        rows = [
            (id in self._pinned, fact.discovered_turn or 0, id, fact)
            for id, fact in known.items()
            if fact.visibility in seen
        ]
        rows.sort(reverse=True)  # no two have the same id: facts themselves are never compared
        self._in_order = [fact for *_, fact in rows]
        self._subjects = frozenset(fact.subject_id for fact in self._in_order)

    def within(self, budget: int, named: Collection[str]) -> list[dict[str, Any]]:
        """Pinned ones first, then those of whom was named, then the newest; as many as the budget
        holds."""
        kept, spent = [], 0
        for fact in self._ordered(named):
            text = str(fact.object.get("text") or fact.object)
            spent += (_FRAME + len(text)) // LETTERS_PER_TOKEN
            if spent > max(budget, FACT_TOKENS):
                break
            kept.append(fields(fact, *_UNTOLD))
        return sorted(kept, key=lambda row: str(row["id"]))

    def _ordered(self, named: Collection[str]) -> list[Fact]:
        first = self._subjects.intersection(named)
        if not first:
            return self._in_order
        pinned = self._pinned
        return sorted(
            self._in_order,
            key=lambda fact: (fact.id in pinned, fact.subject_id in first),
            reverse=True,
        )
