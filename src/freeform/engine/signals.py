"""What a turn tells whoever watches it, while it is being played."""

from collections.abc import Callable
from dataclasses import dataclass

from freeform.engine.log import Resolved
from freeform.engine.world.model import TurnResult


@dataclass(frozen=True)
class Facts:
    """What happened is settled and written down; the words come next."""

    resolved: Resolved


@dataclass(frozen=True)
class Prose:
    """A piece of the narration."""

    piece: str


@dataclass(frozen=True)
class Again:
    """The narration starts over: what was shown of it does not count."""


@dataclass(frozen=True)
class TurnDone:
    """The turn is over."""

    result: TurnResult


Signal = Facts | Prose | Again | TurnDone
Show = Callable[[Signal], None]


def quiet(signal: Signal) -> None:
    """Shows nothing."""
