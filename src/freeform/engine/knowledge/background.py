"""What lies ready while a turn is resolved: lore, what was told lately, pages of rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from freeform.engine.ports import TurnText
from freeform.engine.shelf.rule_pages import RulePage
from freeform.engine.shelf.scene_lore import NO_LORE, SceneLoreCache


@dataclass(frozen=True)
class Background:
    """Fetched before the dice fall, since resolving a turn asks nobody."""

    lore: SceneLoreCache = NO_LORE
    told: Sequence[TurnText] = ()
    """The words of the last turns, oldest first."""
    pages: Sequence[RulePage] = ()
    """What the rulebooks say on what was asked out of character."""


NO_BACKGROUND = Background()
