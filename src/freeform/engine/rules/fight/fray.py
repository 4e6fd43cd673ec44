"""A blow and what it is struck in."""

from dataclasses import dataclass, replace

from freeform.core.chance import Chance
from freeform.engine.authored.opposition import Fight, Weapon
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState


@dataclass(frozen=True)
class Blow:
    """Who strikes whom, with what."""

    by: str
    target: str
    weapon: Weapon
    tier: int = 0
    advantage: tuple[str, ...] = ()
    """What gives an advantage beside conditions: `hidden`."""
    hindered: tuple[str, ...] = ()
    spared: bool = False
    """It is meant to knock down, not to kill."""


@dataclass(frozen=True)
class Fray:
    """What a blow is struck in: the page, the rules, the dice."""

    page: Ledger
    rules: Rules
    chance: Chance

    @property
    def state(self) -> GameState:
        """The state as it stands."""
        return self.page.state

    @property
    def fight(self) -> Fight:
        """The system's way of fighting."""
        return self.rules.system.fight or Fight()

    def at(self, *path: int | str) -> "Fray":
        """The same, with dice of its own."""
        return replace(self, chance=self.chance.at(*path))


def whose(who: str, state: GameState) -> str:
    """Where someone's numbers stand."""
    return "sheet" if who == PLAYER else f"{state.name(who)}'s block"
