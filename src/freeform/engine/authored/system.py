"""A rules system as data: how dice decide, what actions there are, what failure brings."""

from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.authored.opposition import (
    Armour,
    CombatBlock,
    EffectLevels,
    Fight,
    Health,
    HeroClass,
    HeroPower,
    Progression,
    Push,
    Resist,
    Resource,
    RestKind,
    RollCondition,
    Weapon,
)
from freeform.engine.world.costs import Costs

Method = Literal["sum_bands", "dice_pool", "target_number", "roll_under", "highest_die"]
OUTCOMES = ("botch", "failure", "mixed", "success", "critical")
"""From worst to best; every method ends in one of these."""


class Band(Record):
    """An outcome from this total up."""

    outcome: str
    at_least: int


class Resolution(Record):
    """How dice decide. Which fields count depends on `method`; unknown totals cannot happen."""

    method: Method = "sum_bands"
    dice_count: int = 2
    die_type: int = 6
    bands: list[Band] = Field(default_factory=list)
    """sum_bands: by total. target_number: by how far the total lies above the difficulty.
    roll_under: by how far the dice lie below the score."""
    natural: dict[str, str] = Field(default_factory=dict)
    """Outcomes forced by the sum of the dice alone, e.g. {"12": "critical"} or, on a d20, {"1":
    "botch"}; '' takes back what is inherited."""
    difficulty_range: tuple[int, int] = (3, 10)
    difficulty_default: int = 6
    difficulties: dict[str, int] = Field(default_factory=dict)
    """target_number: tier name ("0", "1", "2") -> difficulty. roll_under: what the tier takes from
    the score."""
    base_pool: int = 2
    ones_cancel_successes: bool = False
    botch_on_ones: bool = False
    pool_outcome_thresholds: dict[str, int] = Field(default_factory=dict)
    stat_default: int = 0
    doubles: dict[str, str] = Field(default_factory=dict)
    """highest_die: what two or more dice showing that number make, as {"6": "critical"}."""
    explodes: int = 0
    """Dice showing this or more are thrown once more, and count beside; 0: none are."""
    advantage: Literal["bonus", "twice", "die"] = "bonus"
    """What an advantage is: a number added, the dice thrown twice, a die more."""


class ActionType(Record):
    """One kind of action.

    `verbs` are the words people use; `stat` is what is rolled when it is risky.
    """

    verbs: list[str] = Field(default_factory=list)
    target: Literal["none", "any", "person", "place", "thing", "person_or_thing"] = "any"
    needs_target: bool = False
    needs_presence: bool = True
    roll: Literal["never", "risky", "always"] = "risky"
    stat: str = ""
    tier: int = 0
    minutes: int = 5
    minutes_of_a_thing: int = 0
    """Of one thing instead of a whole place, where that is quicker: to look through a drawer."""
    costs: Costs = Field(default_factory=Costs)
    risk_flags: list[str] = Field(default_factory=list)
    topic: bool = False
    """The details name a topic, as with `ask`."""
    free: bool = False
    """Words at the table, no deed: a turn of nothing else costs nothing."""
    deed: str = ""
    """What the engine does for it, where that is not what its name says: `rest`, `cast` …"""
    skill: str = ""
    """The skill that is rolled, where the system has skills."""
    opposed_by: str = ""
    """The stat or skill that the one it is done to rolls against it."""
    rest: str = ""
    """Of `rest`: which one."""
    power: str = ""
    """Of `cast`: the power that this action is."""


AT_THE_TABLE = {
    "ooc": ActionType(target="none", needs_presence=False, roll="never", minutes=0, free=True),
    "gm_question": ActionType(needs_presence=False, roll="never", minutes=0, free=True),
    "express": ActionType(needs_presence=False, roll="never", minutes=0, free=True),
    "plan": ActionType(target="none", needs_presence=False, roll="never", minutes=0, free=True),
}
"""What every table has, that of a campaign begun before there were such kinds too."""

AMONG_FOES = {"plead": "persuade", "pay_off": "persuade", "call_on": "threaten"}
"""How a fight ends beside blows, under every system that has fights, and the action each is rolled
as."""
GIVING_UP = ActionType(target="none", roll="never", minutes=1, deed="surrender")


class Tier(Record):
    """What failing costs at this level of danger; `mixed` is paid on a mixed result."""

    name: str
    failure: Costs = Field(default_factory=Costs)
    mixed: Costs = Field(default_factory=Costs)
    move: bool = False
    """A failure lets the game master make a tension move."""


class Streak(Record):
    """How many failures in a row bind a consequence, and what it is."""

    threshold: int = 3
    costs: Costs = Field(default_factory=lambda: Costs(harm=1))
    text: str = "The run of bad luck catches up."


class SystemPart(Record):
    """What of a system may lie in files of its own: lists that are long."""

    weapons: dict[str, Weapon] = Field(default_factory=dict)
    armours: dict[str, Armour] = Field(default_factory=dict)
    conditions: dict[str, RollCondition] = Field(default_factory=dict)
    powers: dict[str, HeroPower] = Field(default_factory=dict)
    creatures: dict[str, CombatBlock] = Field(default_factory=dict)
    classes: dict[str, HeroClass] = Field(default_factory=dict)


class System(SystemPart):
    """The whole of a rules system, as `content/systems/*.yaml` holds it, inheritance already
    followed."""

    id: str
    name: str
    inherits: str | None = None
    resolution: Resolution = Field(default_factory=Resolution)
    stat_schema: dict[str, Any] = Field(default_factory=dict)
    stats: list[str] = Field(default_factory=list)
    """The stats a roll may use, flat; `stat_map` says which stands for an action's general stat."""
    stat_map: dict[str, list[str]] = Field(default_factory=dict)
    stat_range: tuple[int, int] = (-1, 3)
    action_types: dict[str, ActionType] = Field(default_factory=dict)
    tiers: dict[str, Tier] = Field(default_factory=dict)
    streak: Streak = Field(default_factory=Streak)
    escalation: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)
    """profile -> steps from soft to lethal: {"level", "text", "costs", "tier"}."""
    gear_words: list[str] = Field(default_factory=list)
    """Things one must carry to use: a word in a player's text that needs an item behind it."""
    harmless_words: list[str] = Field(default_factory=list)
    """What an improvised deed may begin with to need no dice: to dance, to warm one's hands."""
    health: Health = Field(default_factory=Health)
    licence: str = ""
    """Whose rules these are, as their licence asks it to be said."""
    includes: list[str] = Field(default_factory=list)
    """Files beside this one that are part of it, as `srd52/creatures`."""
    shows_parts: bool = False
    """Whether rolls keep what they are made of; campaigns of before do not."""
    skills: dict[str, str] = Field(default_factory=dict)
    """Skill -> the stat it goes with."""
    training: list[int] = Field(default_factory=list)
    """What training adds, by level."""
    fight: Fight | None = None
    resources: dict[str, Resource] = Field(default_factory=dict)
    rests: dict[str, RestKind] = Field(default_factory=dict)
    effect_levels: EffectLevels | None = None
    push: Push | None = None
    resist: Resist | None = None
    progression: Progression | None = None
    extraction: dict[str, Any] = Field(default_factory=dict)
    """For ingest only."""

    @cached_property
    def verbs(self) -> dict[str, list[str]]:
        """The words for each kind of action."""
        return {name: kind.verbs for name, kind in self.action_types.items()}
