"""One attempt: the action, the page it is written on, the rules and the dice."""

from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import trust
from freeform.engine.authored.system import ActionType
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.rules.fight.arms import hindering
from freeform.engine.rules.fight.health import effect_name, wounds_part
from freeform.engine.rules.fight.pushing import pushed_dice, remember_roll
from freeform.engine.rules.fight.resources import learn_from
from freeform.engine.rules.fight.saves import rolled_beside
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.numbers import Bearing, RollAsked, bearing_on, stat_parts
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.shelf.scene_lore import SceneLoreCache
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.rolled import RollPart
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
    goes_on: bool = False
    """The same person is spoken to right after it."""

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
        system, state = self.rules.system, self.page.state
        kind, target = self.kind, self.action.target_id
        skill = kind.skill if stat == kind.stat else ""
        label = stat_parts(stat, PLAYER, state, system, skill)[0]
        names = tuple(label.split("+"))
        bearing = bearing_on(RollAsked("check", PLAYER, target, names), state, system)
        bearing.bad += hindering(label, state, self.rules)
        parts, moved = self._situation(system.resolution.advantage == "bonus")
        throw = Throw(
            self.action.action,
            target,
            stat,
            tier,
            parts=tuple([*bearing.parts, *parts, *rolled_beside(bearing, self.chance)]),
            skill=skill,
            advantage=_together(advantage + moved, bearing) + pushed_dice(self.page),
            against=self._opposition(stat),
        )
        thrown = roll(throw, system, state, self.chance)
        thrown = thrown.model_copy(
            update={"effect": effect_name(thrown.outcome, bearing.effect, state, self.rules)}
        )
        self.page.rolls.append(thrown)
        remember_roll(thrown, self.action, self.page, self.rules)
        learn_from(thrown, tier, self.page, self.rules)
        return thrown.outcome

    def _opposition(self, stat: str) -> tuple[RollPart, ...]:
        """The roll of the one it is done to, where the system lets them."""
        kind, state, system = self.kind, self.page.state, self.rules.system
        who = self.action.target_id
        person = state.entities.get(who)
        if not kind.opposed_by or stat != kind.stat or person is None or person.type != "npc":
            return ()
        throw = Throw(self.action.action, PLAYER, kind.opposed_by, 1, by=who, kind="opposed")
        theirs = roll(throw, system, state, self.chance.at("opposed"))
        self.page.rolls.append(theirs)
        return (RollPart(label=kind.opposed_by, value=theirs.total, source=theirs.text),)

    def _situation(self, counted: bool) -> tuple[list[RollPart], int]:
        """What the situation gives or takes: trust in talk, cover in ambush, wounds always. Where
        advantage is no number, all but wounds is advantage."""
        state, parts = self.page.state, []
        action, target = self.action.action, self.action.target_id
        if action in SOCIAL and target:
            trusted = max(-1, min(1, trust(target, state) // 2))
            parts.append(RollPart(label="trust", value=trusted, source=state.name(target)))
        if action in ("attack", "steal") and hidden(self.page):
            parts.append(RollPart(label="out of sight", value=1, source="situation"))
        if action in UNSEEN and _unminded(self.page):
            parts.append(RollPart(label="unminded", value=1, source="situation"))
        moved = 0 if counted else sum(part.value for part in parts)
        wounds = wounds_part(state, self.rules)
        return [*(parts if counted else []), *([wounds] if wounds.value else [])], moved


def _together(advantage: int, bearing: Bearing) -> int:
    """Advantage from everywhere: reasons for and against cancel out."""
    if not bearing.good and not bearing.bad:
        return advantage
    good, bad = bool(bearing.good) or advantage > 0, bool(bearing.bad) or advantage < 0
    return good - bad


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
