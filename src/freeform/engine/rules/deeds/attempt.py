"""One attempt: the action, the page it is written on, the rules and the dice."""

from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import trust
from freeform.engine.authored.system import ActionType
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.shelf.scene_lore import SceneLoreCache
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER

SOCIAL = ("persuade", "deceive", "ask", "talk")
UNSEEN = ("steal", "hide", "deceive", "unlock", "flee")
"""What is easier in disguise, or while eyes are elsewhere."""


@dataclass(frozen=True)
class Attempt:
    """What a deed works with. Deeds give back the outcome, or '' when no dice were needed."""

    action: AllowedAction
    page: Ledger
    rules: Rules
    chance: Chance
    background: Background = NO_BACKGROUND

    @property
    def lore(self) -> SceneLoreCache:
        """What the books say of the scene."""
        return self.background.lore

    @property
    def kind(self) -> ActionType:
        """The type of the action."""
        return self.rules.action_type(self.action.action)[1]

    @property
    def name(self) -> str:
        """What the target is called."""
        return self.page.state.name(self.action.target_id) if self.action.target_id else ""

    @property
    def here(self) -> str:
        """The place of the scene."""
        return self.page.state.scene.location_id

    def throw(self, stat: str, tier: int, advantage: int = 0) -> str:
        """Rolls in the open and gives the outcome."""
        bonus = self._bonus() + advantage
        throw = Throw(self.action.action, self.action.target_id, stat, tier, bonus)
        thrown = roll(throw, self.rules.system, self.page.state, self.chance)
        self.page.rolls.append(thrown)
        return thrown.outcome

    def _bonus(self) -> int:
        """What the situation gives or takes: trust in talk, cover in ambush, wounds always."""
        state, bonus = self.page.state, 0
        if self.action.action in SOCIAL and self.action.target_id:
            bonus += max(-1, min(1, trust(self.action.target_id, state) // 2))
        if self.action.action in ("attack", "steal") and hidden(self.page):
            bonus += 1
        if self.action.action in UNSEEN and _unminded(self.page):
            bonus += 1
        harm = state.clocks.get(self.rules.scenario.cost_clocks.get("harm", ""))
        levels = self.rules.system.health.get("levels")
        if harm and levels:
            wound = levels[min(harm.value, len(levels)) - 1] if harm.value else {}
            bonus += int(wound.get("penalty") or 0)
        elif harm and harm.value * 2 > harm.max:
            bonus -= 1
        return bonus


def hidden(page: Ledger) -> bool:
    """Whether the player's character is out of sight."""
    return bool(page.state.value("campaign", "situation:hidden") == "active")


def _unminded(page: Ledger) -> bool:
    """Whether the player's character is disguised, or someone here has eyes for something else."""
    state = page.state
    if state.value(PLAYER, "disguised"):
        return True
    return any(state.value(who, "distracted") for who in present_people(page))


def present_people(page: Ledger) -> list[str]:
    """Everyone in the scene but the player's character."""
    return [who for who in page.state.scene.present_entity_ids if who != PLAYER]
