"""The normal form of a fifth-edition sheet: eight sections, and the effects from which its numbers
follow.

Importers fill in what a file states. Totals (`score`, `mod`, `total`, `dc` …) are filled by
`complete`.
"""

from typing import Any, Literal

from pydantic import Field

from freeform.assistant.model import Number
from freeform.core.record import Record

SECTIONS = (
    "character_basics", "combat_info", "abilities_info", "inventory_info", "magic_info", "story_info",
    "social_info", "progress_info",
)  # fmt: skip
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
Rank = Literal["", "half", "proficient", "expert"]
Caster = Literal["", "full", "half", "half_up", "third", "pact"]
Kind = Literal[
    "bonus",
    "proficiency",
    "expertise",
    "half",
    "half_up",
    "set",
    "advantage",
    "disadvantage",
    "maximum",
    "ignore",
]
Cost = Literal["action", "bonus", "reaction", "none", "minute", "hour", "special"]


class Origin(Record):
    """Where a sheet came from. `hash` is of the raw file, which is kept unchanged."""

    kind: str
    file: str = ""
    hash: str = ""
    at: str = ""


class SheetEffect(Record):
    """Something that changes a number. `target`: `score:str`, `skill:athletics`, `skills`,
    `checks`, `save:dex`, `saves`, `ac`, `ac:armored`, `ac:base`, `initiative`, `speed:walk`,
    `speed:unarmored`, `speed:heavy_armor`, `hp`, `hp:level`, `passive:perception`, `attack:ranged`,
    `damage:melee`,
    `attack:spell`, `dc`, `prof`, `carry`."""

    target: str
    kind: Kind = "bonus"
    value: int = 0
    ability: str = ""
    """Counts that ability's modifier, beside the value."""
    level_of: str = ""
    """Counts so many times as levels in that class."""
    dice: str = ""
    when: str = ""
    """A condition: such an effect is told, never counted."""
    source: str = ""


class ClassLevel(Record):
    """Levels in one class."""

    name: str
    subclass: str = ""
    level: int = 1
    hit_die: int = 8
    hit_dice_used: int = 0
    start: bool = False
    caster: Caster = ""
    ability: str = ""
    prepares: bool = False


class AbilityScore(Record):
    """One of the six."""

    base: int = 10
    bonus: int = 0
    override: int | None = None
    score: int = 10
    mod: int = 0


class CharacterBasics(Record):
    """Who this is."""

    name: str = ""
    player: str = ""
    species: str = ""
    lineage: str = ""
    classes: list[ClassLevel] = Field(default_factory=list)
    level: int = 0
    background: str = ""
    alignment: str = ""
    size: str = "medium"
    appearance: dict[str, str] = Field(default_factory=dict)
    abilities: dict[str, AbilityScore] = Field(default_factory=dict)


class HitPoints(Record):
    """`rolled` is what the hit dice gave, without Constitution; `current` and `removed` follow from
    each other."""

    max: int = 0
    current: int = 0
    temp: int = 0
    override: int | None = None
    rolled: int | None = None
    removed: int | None = None
    stated: int | None = None


class CheckedNumber(Record):
    """A skill, save or tool: how well trained, and what it comes to."""

    ability: str = ""
    rank: float = 0
    bonus: int = 0
    total: int = 0
    passive: int = 0
    advantage: list[str] = Field(default_factory=list)


class Uses(Record):
    """How often something can be used."""

    max: int = 0
    used: int = 0
    reset: str = ""


class SheetAction(Record):
    """Something the character can do in a turn."""

    name: str
    cost: Cost = "none"
    uses: Uses | None = None
    save: str = ""
    desc: str = ""
    source: str = ""


class Attack(Record):
    """A way to strike. `damage` is one text for each way to hold it."""

    name: str
    to_hit: int = 0
    damage: list[str] = Field(default_factory=list)
    range: str = ""
    props: list[str] = Field(default_factory=list)
    source_item: str = ""


class CombatInfo(Record):
    """What a fight asks for."""

    hp: HitPoints = Field(default_factory=HitPoints)
    ac: Number = Field(default_factory=lambda: Number(label="Armor Class", value=10))
    initiative: int = 0
    speeds: dict[str, int] = Field(default_factory=dict)
    hit_dice: dict[str, Uses] = Field(default_factory=dict)
    death_saves: dict[str, int] = Field(default_factory=dict)
    conditions: list[str] = Field(default_factory=list)
    exhaustion: int = 0
    saves: dict[str, CheckedNumber] = Field(default_factory=dict)
    defenses: dict[str, list[str]] = Field(default_factory=dict)
    attacks: list[Attack] = Field(default_factory=list)
    actions: list[SheetAction] = Field(default_factory=list)


class Feature(Record):
    """A feature, trait or feat. `level` is the level of the class that brings it."""

    name: str
    origin: str = ""
    level: int = 0
    desc: str = ""


class AbilitiesInfo(Record):
    """What the character is trained in and can do."""

    prof_bonus: int = 2
    skills: dict[str, CheckedNumber] = Field(default_factory=dict)
    tools: dict[str, CheckedNumber] = Field(default_factory=dict)
    languages: list[str] = Field(default_factory=list)
    armor: list[str] = Field(default_factory=list)
    weapons: list[str] = Field(default_factory=list)
    senses: dict[str, str] = Field(default_factory=dict)
    features: list[Feature] = Field(default_factory=list)
    feats: list[Feature] = Field(default_factory=list)


class Item(Record):
    """A thing carried. Armour says its class, a weapon its damage; a named thing tells its story in
    `desc`."""

    name: str
    type: str = ""
    qty: int = 1
    weight: float = 0.0
    """Of one, in pounds."""
    equipped: bool = False
    attuned: bool = False
    attunable: bool = False
    charges: Uses | None = None
    container: str = ""
    magic: bool = False
    rarity: str = ""
    homebrew: bool = False
    props: list[str] = Field(default_factory=list)
    grants: list[str] = Field(default_factory=list)
    desc: str = ""
    armor: str = ""
    """light, medium, heavy or shield."""
    armor_class: int = 0
    dex_cap: int | None = None
    strength: int = 0
    stealth_disadvantage: bool = False
    damage: str = ""
    damage_types: list[str] = Field(default_factory=list)
    versatile: str = ""
    weapon: str = ""
    """`simple melee`, `martial ranged` …"""
    base: str = ""
    """The plain thing it is a kind of: `longsword`."""
    range: str = ""
    bonus: int = 0
    """To hit and damage."""
    ability: str = ""
    """The ability that wields it, where the sheet says so."""
    proficient: bool | None = None
    curse: str = ""


IN_GOLD = {"pp": 10.0, "gp": 1.0, "ep": 0.5, "sp": 0.1, "cp": 0.01}
"""What a coin is worth in gold pieces."""


class InventoryInfo(Record):
    """What is carried."""

    items: list[Item] = Field(default_factory=list)
    currency: dict[str, int] = Field(default_factory=dict)
    attunement: Uses = Field(default_factory=lambda: Uses(max=3))
    encumbrance: dict[str, float] = Field(default_factory=dict)

    @property
    def coins(self) -> list[str]:
        """Each kind of coin there is any of; of several, what they come to in gold."""
        held = {coin: count for coin, count in self.currency.items() if count}
        told = [f"{count} {coin}" for coin, count in held.items()]
        if len(held) > 1 and held.keys() <= IN_GOLD.keys():
            worth = sum(count * IN_GOLD[coin] for coin, count in held.items())
            told.append(f"{worth:.2f}".rstrip("0").rstrip(".") + " gp in all")
        return told or ["0 gp"]


class Casting(Record):
    """How a class casts."""

    cls: str
    ability: str
    dc: int = 0
    attack: int = 0
    prepared_max: int | None = None


class Spell(Record):
    """A spell the character has."""

    name: str
    level: int = 0
    school: str = ""
    time: str = ""
    range: str = ""
    comp: str = ""
    dur: str = ""
    conc: bool = False
    ritual: bool = False
    prepared: bool = False
    always: bool = False
    source: str = ""
    dc: int | None = None
    uses: Uses | None = None
    desc: str = ""


class Pact(Record):
    """Pact magic's slots, all of one level."""

    level: int = 0
    max: int = 0
    used: int = 0


class MagicInfo(Record):
    """Spells and what casting them costs."""

    casters: list[Casting] = Field(default_factory=list)
    slots: dict[str, Uses] = Field(default_factory=dict)
    pact: Pact | None = None
    spells: list[Spell] = Field(default_factory=list)


class StoryInfo(Record):
    """Who the character is when no dice roll."""

    background_feature: Feature | None = None
    traits: str = ""
    ideals: str = ""
    bonds: str = ""
    flaws: str = ""
    backstory: dict[str, str] = Field(default_factory=dict)
    """Sections by heading; a text without headings is under ''."""
    appearance: str = ""


class SheetRelation(Record):
    """Someone the character knows."""

    who: str
    kind: str = ""
    text: str = ""


class SocialInfo(Record):
    """Friends, enemies and those between."""

    allies: list[SheetRelation] = Field(default_factory=list)
    enemies: list[SheetRelation] = Field(default_factory=list)
    organizations: list[SheetRelation] = Field(default_factory=list)
    relationships: list[SheetRelation] = Field(default_factory=list)


class Objective(Record):
    """Something promised or sought."""

    text: str
    state: str = "open"


class ProgressInfo(Record):
    """How far the character has come."""

    xp: int | None = None
    milestones: list[str] = Field(default_factory=list)
    levels: list[str] = Field(default_factory=list)
    objectives: list[Objective] = Field(default_factory=list)
    notes: str = ""


class Sheet(Record):
    """A character. `missing` says what the file did not have, or what could not be read."""

    id: str = ""
    system: str = "dnd5e"
    edition: Literal["2014", "2024"] = "2014"
    source: Origin = Field(default_factory=lambda: Origin(kind="hand"))
    raw_ref: str = ""
    character_basics: CharacterBasics = Field(default_factory=CharacterBasics)
    combat_info: CombatInfo = Field(default_factory=CombatInfo)
    abilities_info: AbilitiesInfo = Field(default_factory=AbilitiesInfo)
    inventory_info: InventoryInfo = Field(default_factory=InventoryInfo)
    magic_info: MagicInfo = Field(default_factory=MagicInfo)
    story_info: StoryInfo = Field(default_factory=StoryInfo)
    social_info: SocialInfo = Field(default_factory=SocialInfo)
    progress_info: ProgressInfo = Field(default_factory=ProgressInfo)
    effects: list[SheetEffect] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    page: str = ""
    """A written sheet as it was written: what no field holds can still be read there."""
    derived: dict[str, Number] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.character_basics.name

    @property
    def rules(self) -> Literal["5.1", "5.2"]:
        """The rules it is played by, as rulebooks call them."""
        return "5.2" if self.edition == "2024" else "5.1"

    def section(self, name: str) -> Any:
        """One of the eight, by its name."""
        return getattr(self, name)
