"""What a rules system says of opposition as data: blocks, weapons, armour, conditions, powers,
resources, rests, fights, pushing, growth. Every word of a game stands in its file, none in code."""

from typing import Literal

from pydantic import Field

from freeform.core.record import Record

RollKind = Literal["check", "attack", "save", "damage", "any"]


class RollRule(Record):
    """How something bears on a roll: of the one who is in it, or, with `against`, of others who
    roll at them."""

    on: RollKind = "any"
    stats: list[str] = Field(default_factory=list)
    """Only rolls of these stats; none: all."""
    against: bool = False
    ranged: bool | None = None
    """Only attacks from afar, or only those near by."""
    advantage: int = 0
    bonus: int = 0
    dice: str = ""
    fails: bool = False
    critical: bool = False
    """A hit is a critical one."""
    effect: int = 0
    """Steps of effect, where the system has them."""


class RollCondition(Record):
    """A condition someone can be in, and what it does to rolls."""

    rolls: list[RollRule] = Field(default_factory=list)
    acts: bool = True
    defence: int = 0
    speed: bool = True
    """Whether one can get away."""
    resist: list[str] = Field(default_factory=list)
    ends_with: str = ""
    """The rest that ends it."""
    ends_when_hurt: bool = False


class Rider(Record):
    """What else a hit or a power brings, unless a save of that stat holds it off."""

    save: str = ""
    difficulty: int = 0
    damage: list[str] = Field(default_factory=list)
    half: bool = False
    """A good save halves the damage; else it spares it."""
    condition: str = ""
    turns: int = 0


class Weapon(Record):
    """A way to strike. `damage`: each `1d8 slashing`; a bare number where nothing is thrown."""

    name: str = ""
    stats: list[str] = Field(default_factory=list)
    """The best of these is added."""
    skill: str = ""
    to_hit: int | None = None
    """All that is added, as a block or a sheet prints it; None: it is made of its parts."""
    made_of: dict[str, int] = Field(default_factory=dict)
    """What `to_hit` is made of, where a sheet says."""
    damage: list[str] = Field(default_factory=list)
    adds_stat: bool = True
    """Whether the stat counts for damage, too."""
    bonus: int = 0
    gear: int = 0
    """Dice it brings to a pool."""
    trained: bool = True
    ranged: bool = False
    spends: str = ""
    """The resource that a shot costs one of."""
    item: str = ""
    """The thing one must have in hand."""
    on_hit: Rider | None = None


class Armour(Record):
    """What keeps blows off: a number to be hit, or what is taken from damage."""

    name: str = ""
    base: int = 0
    bonus: int = 0
    stat_cap: int | None = None
    """How much of the system's defence stat counts; None: all of it."""
    reduces: int = 0
    dice: int = 0
    """Dice thrown against damage; each success takes one off."""
    unhelpful_for: list[str] = Field(default_factory=list)
    """Skills that have disadvantage in it."""


class CombatBlock(Record):
    """The numbers of someone: of a hero, a person, a beast. All that is left out is the system's
    usual."""

    name: str = ""
    kind: str = ""
    """What it is: a class, a type of creature."""
    level: int = 1
    challenge: str = ""
    xp: int = 0
    stats: dict[str, int] = Field(default_factory=dict)
    skills: dict[str, int] = Field(default_factory=dict)
    """Skill to how often training counts: 1 trained, 2 twice; with `printed`, the whole number."""
    saves: dict[str, int] = Field(default_factory=dict)
    printed: bool = False
    """Skills and saves are whole numbers, as a creature's block prints them."""
    hp: int = 0
    hit_die: int = 0
    defence: int = 0
    """A number as printed; 0: made of armour and stats."""
    defence_of: dict[str, int] = Field(default_factory=dict)
    """What `defence` is made of, where a sheet says."""
    armour: list[str] = Field(default_factory=list)
    reduces: int = 0
    initiative: int | None = None
    strikes: dict[str, Weapon] = Field(default_factory=dict)
    routine: list[str] = Field(default_factory=list)
    """Strikes made in one turn; none: the first strike, once."""
    attacks: int = 1
    """Blows in one turn of one's own."""
    powers: list[str] = Field(default_factory=list)
    casting: str = ""
    """The stat that powers use."""
    resources: dict[str, int] = Field(default_factory=dict)
    resist: list[str] = Field(default_factory=list)
    vulnerable: list[str] = Field(default_factory=list)
    immune: list[str] = Field(default_factory=list)
    """Kinds of damage and conditions that do nothing."""
    rolls: list[RollRule] = Field(default_factory=list)
    """Traits that bear on rolls."""
    yields: float | None = None
    """The share of hit points at which they may give up or run; None: the system's; 0: never."""
    flees: bool = False
    """They run rather than give up."""
    of: str = ""
    """The creature whose block this one changes."""


class HeroPower(Record):
    """A spell, prayer or trick: what it costs, whom it strikes, what it brings."""

    name: str
    aliases: list[str] = Field(default_factory=list)
    level: int = 0
    costs: dict[str, int] = Field(default_factory=dict)
    on: Literal["foe", "foes", "self", "friend"] = "foe"
    attack: bool = False
    ranged: bool = True
    save: str = ""
    half: bool = False
    damage: list[str] = Field(default_factory=list)
    by_level: dict[str, list[str]] = Field(default_factory=dict)
    """Other damage from a level of the hero on."""
    times: int = 1
    """How often it strikes: three darts."""
    times_by_level: dict[str, int] = Field(default_factory=dict)
    heals: str = ""
    adds_stat: bool = False
    """Whether the casting stat counts for damage or healing."""
    adds_level: bool = False
    """Whether the hero's level counts for healing."""
    calms: bool = False
    """Who does not hold out fights no longer."""
    condition: str = ""
    turns: int = 0
    quick: bool = False
    """It takes no turn of its own: foes do not act on it."""


class Resource(Record):
    """Something one has so much of: slots, stress, arrows, coins, luck."""

    name: str
    max: int = 0
    start: int | None = None
    """None: it begins full."""
    fills: bool = False
    """It counts up and is bad when full, as stress does."""
    full: str = ""
    """The condition that comes when it is full; the count then starts over."""
    money: bool = False
    """It is what one pays with: foes can be bought off with it."""


class RestKind(Record):
    """A rest: how long, what it heals, what it gives back, what it ends."""

    name: str = ""
    minutes: int = 60
    heals: Literal["", "all", "half", "hit_dice"] = ""
    harm_steps: int = 0
    """Steps of harm that it mends."""
    restores: dict[str, int | str] = Field(default_factory=dict)
    """Resource to `all`, a number, or dice; what fills is emptied by as much."""
    per_day: bool = False
    """Once a day."""


class HarmLevel(Record):
    """One step of a track of harm."""

    name: str
    penalty: int | None = 0
    boxes: int = 0
    """How many such harms one can bear; 0: the track is counted by a clock alone."""
    effect: int = 0
    acts: bool = True


class Dying(Record):
    """What happens at the last: rolls each turn until it is decided."""

    sides: int = 20
    count: int = 1
    needs: int = 10
    stat: str = ""
    good: int = 3
    bad: int = 3
    natural: dict[str, Literal["rise", "bad2"]] = Field(default_factory=dict)
    bands: list[tuple[int, Literal["rise", "bargain", "dead"]]] = Field(default_factory=list)
    """Decided by one roll: from this total up."""
    wakes_after: str = "1d4"
    """Hours until one who is stable comes to."""
    instant_at: float = 0
    """Damage beyond nothing, in shares of the maximum, that kills outright; 0: none does."""


class Health(Record):
    """How harm is counted, and where it ends."""

    track_type: Literal["", "points", "levels", "boxes"] = ""
    name: str = "hit points"
    base: int = 0
    stat: str = ""
    """Points beside `base`: so many as this stat, or, with several joined by +, half their sum."""
    levels: list[HarmLevel] = Field(default_factory=list)
    damage_types: list[str] = Field(default_factory=list)
    harm_points: int = 0
    """What one step of harm is in points."""
    at_zero: str = ""
    """What a book says of it, in words."""
    foe_at_zero: Literal["dead", "out"] = "out"
    dying: Dying | None = None


class Fight(Record):
    """How a fight is fought."""

    foes: Literal["turns", "answer", "price"] = "turns"
    """`turns`: foes have turns of their own; `answer`: they strike when a roll goes badly; `price`:
    what failing costs is all they do."""
    against: Literal["defence", "tier"] = "defence"
    defence: int = 10
    defence_stat: str = ""
    attack_skill: str = ""
    attack_skill_ranged: str = ""
    natural: dict[str, str] = Field(default_factory=dict)
    """What the bare dice of an attack force."""
    damage: Literal["dice", "successes", "effect"] = "dice"
    harm_by_tier: dict[str, int] = Field(default_factory=dict)
    """Where foes are a price: the step of harm that a blow gone badly costs at each tier."""
    critical_doubles: bool = False
    initiative_dice: str = ""
    initiative_stat: str = ""
    unarmed: Weapon = Field(default_factory=Weapon)
    usual_block: str = ""
    """The creature whose block those have who have none."""
    save_base: int = 8
    """A power's difficulty: this, training and the casting stat."""
    yields: float = 0.5
    yield_stat: str = ""
    yield_difficulty: int = 10
    near_hinders_ranged: bool = False


class EffectLevels(Record):
    """Position and effect: the positions are the tiers; this is how much a deed does."""

    names: list[str] = Field(default_factory=lambda: ["zero", "limited", "standard", "great"])
    usual: int = 2
    critical: int = 1
    """What a critical adds."""


class Push(Record):
    """Pushing one's luck: before a roll, for a price; or after it, dice thrown again."""

    when: Literal["before", "after"] = "after"
    dice: int = 0
    costs: dict[str, int] = Field(default_factory=dict)
    keep: list[int] = Field(default_factory=list)
    """Dice that are not thrown again."""
    ones_cost: str = ""
    """The resource that pays for each 1 that lies there after pushing; `harm` for wounds."""


class Resist(Record):
    """Taking the edge off what just happened: roll a stat, pay so much less its highest die."""

    resource: str
    base: int = 6
    critical_gives: int = 1


class HeroClass(Record):
    """What a class gives by level; lists begin with level 1 and keep their last number."""

    name: str
    hit_die: int = 8
    damage: str = ""
    """Dice that this class does with any weapon, instead of the weapon's."""
    casting: str = ""
    saves: list[str] = Field(default_factory=list)
    skills: list[str] = Field(default_factory=list)
    armour: list[str] = Field(default_factory=list)
    weapons: list[str] = Field(default_factory=list)
    powers: dict[str, list[str]] = Field(default_factory=dict)
    """Level -> powers that come with it."""
    resources: dict[str, list[int]] = Field(default_factory=dict)
    attacks: list[int] = Field(default_factory=lambda: [1])
    advantage_damage: list[str] = Field(default_factory=list)
    """By level: what a weapon's hit with advantage does beside."""
    pays: dict[str, str] = Field(default_factory=dict)
    """The resource that this class spends instead of another."""


class Progression(Record):
    """How heroes grow."""

    resource: str = "xp"
    thresholds: list[int] = Field(default_factory=list)
    """What each level needs, level 1 first."""
    per_level: int = 0
    """Instead: so many and the present level; the count starts over."""
    on_failure: int = 0
    """What a failed roll teaches."""
    on_tier: dict[str, int] = Field(default_factory=dict)
    """What a roll of that tier teaches."""
    hp: Literal["", "half_die"] = ""
