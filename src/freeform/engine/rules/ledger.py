"""A turn's page in the book: what happened so far, the diffs, and the state they lead to."""

from dataclasses import dataclass
from typing import Any

from freeform.engine.rules.change import join, sketch, write
from freeform.engine.world.model import EngineEvent, FactUpdate, StateDiff
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import (
    Fact,
    GameState,
    Visibility,
    fact_id,
)


@dataclass(frozen=True)
class Disclosure:
    """Who may know a fact, and how the player's character came to know it."""

    visibility: Visibility = "known"
    method: str = ""


IN_PLAY = Disclosure()
ENGINE = Disclosure("engine")
"""Bookkeeping of the engine's own, never shown."""


class Ledger:
    """Collects the events, rolls and diffs of one turn.

    `state` is always the state after all of them.
    """

    def __init__(self, state: GameState) -> None:
        self.state, self._own = state, False
        self.events: list[EngineEvent] = []
        self.rolls: list[Roll] = []
        self._diffs: list[StateDiff] = []

    @property
    def diff(self) -> StateDiff:
        """Everything that changed, as one diff."""
        return join(StateDiff(), *self._diffs)

    def happen(self, type: str, /, tags: tuple[str, ...] = (), **details: Any) -> None:
        """Something happened for certain."""
        self.events.append(EngineEvent(type=type, details=details, tags=list(tags)))

    def change(self, diff: StateDiff) -> None:
        """The state moves on."""
        if not self._own:
            self.state, self._own = sketch(self.state), True  # made when something first changes
        self._diffs.append(diff)
        self.state = write(self.state, diff)

    def settle(
        self,
        subject: str,
        predicate: str,
        value: Any,
        *,
        text: str = "",
        tags: tuple[str, ...] = (),
        disclosure: Disclosure = IN_PLAY,
    ) -> str:
        """A subject's predicate has this value from now on; gives the fact's id."""
        said = {"value": value, "text": text} if text else {"value": value}
        old = self.state.fact(subject, predicate)
        visibility = disclosure.visibility
        turn: int | None = None
        method: str | None = None
        if visibility == "known":
            turn, method = self.state.turn_no, disclosure.method or "play"
        if old is None:
            fact = Fact(
                id=fact_id(subject, predicate),
                subject_id=subject,
                predicate=predicate,
                object=said,
                visibility=visibility,
                tags=list(tags),
                discovered_turn=turn,
                discovery_method=method,
            )
            self.change(StateDiff(facts_add=[fact]))
            return fact.id
        if old.object != said or old.visibility != visibility:
            update = FactUpdate(
                id=old.id,
                object=said,
                visibility=visibility,
                discovered_turn=turn,
                discovery_method=method,
            )
            self.change(StateDiff(facts_update=[update]))
        return old.id

    def note(self, subject: str, predicate: str, value: Any, **more: Any) -> None:
        """Bookkeeping of the engine's own, never shown."""
        kept = {"is": value, **more} if more else value
        self.settle(subject, predicate, kept, disclosure=ENGINE)

    def reveal(self, wanted: str, method: str) -> bool:
        """The player's character learns a fact; False when it was known or does not exist."""
        fact = self.state.facts.get(wanted)
        if fact is None or fact.visibility == "known":
            return False
        learnt = FactUpdate(
            id=wanted,
            visibility="known",
            discovered_turn=self.state.turn_no,
            discovery_method=method,
        )
        self.change(StateDiff(facts_update=[learnt]))
        self.happen("fact_learned", fact_id=wanted, text=str(fact.object.get("text", "")))
        return True
