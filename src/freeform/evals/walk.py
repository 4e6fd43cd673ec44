"""Goes through a log turn by turn: what was so before, what was decided, what was told, what is so
after."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from freeform.engine.log import Begun, Changed, Entry, Narrated, Resolved
from freeform.engine.rules.change import apply
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState
from freeform.language.meaning.sense import RememberedSense


@dataclass(frozen=True)
class TurnStep:
    """One turn with the states around it. `before` carries the number of the turn, as the engine
    saw it."""

    rules: Rules
    before: GameState
    resolved: Resolved
    after: GameState
    narrated: Narrated | None = None

    @property
    def turn_no(self) -> int:
        """Which turn."""
        return self.resolved.turn_no

    @property
    def text(self) -> str:
        """What the player read."""
        return self.narrated.final_text if self.narrated else ""


def walk(
    begun: Begun,
    entries: Iterable[Entry],
    start: GameState | None = None,
    sense: RememberedSense | None = None,
) -> Iterator[TurnStep]:
    """Every turn of the entries in order. `start` is the state before the first of them; else the
    beginning. `sense` knows what answers mean."""
    rules = Rules.of(begun, sense=sense)
    state = start or apply(GameState(campaign_id=""), begun.state_diff)
    pending: tuple[GameState, Resolved] | None = None
    for entry in entries:
        match entry:
            case Begun():
                continue
            case Resolved():
                if pending:
                    yield TurnStep(rules.knowing(state), *pending, after=state)
                pending = (state.at_turn(entry.turn_no), entry)
                state = replace(apply(state, entry.state_diff), turn_no=entry.turn_no)
            case Narrated():
                state = apply(state, entry.state_diff)
                if pending:
                    yield TurnStep(rules.knowing(state), *pending, after=state, narrated=entry)
                pending = None
            case Changed():
                state = apply(state, entry.state_diff)
    if pending:
        yield TurnStep(rules.knowing(state), *pending, after=state)
