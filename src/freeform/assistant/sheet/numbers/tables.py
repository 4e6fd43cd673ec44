"""The tables of the game that numbers follow from: skills, proficiency, spell slots, sizes, plain
weapons."""

from freeform.assistant.sheet.model import Caster

ABILITY_NAMES = {
    "str": "Strength", "dex": "Dexterity", "con": "Constitution",
    "int": "Intelligence", "wis": "Wisdom", "cha": "Charisma",
}  # fmt: skip
SKILLS = {
    "acrobatics": "dex", "animal_handling": "wis", "arcana": "int", "athletics": "str", "deception": "cha",
    "history": "int", "insight": "wis", "intimidation": "cha", "investigation": "int", "medicine": "wis",
    "nature": "int", "perception": "wis", "performance": "cha", "persuasion": "cha", "religion": "int",
    "sleight_of_hand": "dex", "stealth": "dex", "survival": "wis",
}  # fmt: skip
SKILL_USES: dict[str, tuple[str, ...]] = {
    "acrobatics": ("balance", "tumble", "escape a grapple"),
    "athletics": ("grapple", "grappling", "shove", "climb", "climbing", "jump", "swim", "swimming"),
    "deception": ("lie", "lying", "bluff"),
    "insight": ("sense motive", "read a lie"),
    "investigation": ("search", "deduce"),
    "medicine": ("stabilize", "first aid"),
    "perception": ("spot", "notice", "listen"),
    "persuasion": ("persuade", "negotiate"),
    "sleight_of_hand": ("pickpocket", "palm"),
    "stealth": ("sneak", "sneaking", "hide", "hiding"),
    "survival": ("track", "forage"),
}
"""What people do with a skill, so that a sheet is found by it."""
CASTERS: dict[str, tuple[Caster, str]] = {
    "bard": ("full", "cha"), "cleric": ("full", "wis"), "druid": ("full", "wis"), "sorcerer": ("full", "cha"),
    "wizard": ("full", "int"), "paladin": ("half", "cha"), "ranger": ("half", "wis"),
    "artificer": ("half_up", "int"), "warlock": ("pact", "cha"),
}  # fmt: skip
SUBCASTERS: dict[str, tuple[Caster, str]] = {
    "eldritch knight": ("third", "int"), "arcane trickster": ("third", "int"),
}  # fmt: skip
PREPARES = frozenset({"cleric", "druid", "paladin", "wizard", "artificer"})
HIT_DICE = {
    "barbarian": 12, "fighter": 10, "paladin": 10, "ranger": 10, "artificer": 8, "bard": 8, "cleric": 8,
    "druid": 8, "monk": 8, "rogue": 8, "warlock": 8, "sorcerer": 6, "wizard": 6,
}  # fmt: skip
_FULL = (
    "2", "3", "42", "43", "432", "433", "4331", "4332", "43331", "43332", "433321", "433321", "4333211", "4333211",
    "43332111", "43332111", "433321111", "433331111", "433332111", "433332211",
)  # fmt: skip
XP = (
    0, 300, 900, 2700, 6500, 14000, 23000, 34000, 48000, 64000, 85000, 100000, 120000, 140000, 165000, 195000,
    225000, 265000, 305000, 355000,
)  # fmt: skip
SIZES = {"tiny": 0.5, "small": 1.0, "medium": 1.0, "large": 2.0, "huge": 4.0, "gargantuan": 8.0}
MARTIAL = frozenset(
    "battleaxe flail glaive greataxe greatsword halberd lance longsword maul morningstar pike rapier scimitar "
    "shortsword trident warpick warhammer whip blowgun handcrossbow heavycrossbow longbow net".split()
)
LANGUAGE_WORDS = {
    "deep": "Deep Speech",
    "cant": "Thieves' Cant",
    "sylvan": "Sylvan",
    "undercommon": "Undercommon",
}


def skill_name(skill: str) -> str:
    """As people write it: `Sleight of Hand`."""
    return skill.replace("_", " ").title().replace(" Of ", " of ")


def modifier(score: int) -> int:
    """What a score adds to a roll."""
    return (score - 10) // 2


def proficiency(level: int) -> int:
    """The proficiency bonus at a level."""
    return 2 + max(0, level - 1) // 4


def slots_at(caster_level: int) -> dict[int, int]:
    """Spell slots by spell level, for a full caster or a joined caster level."""
    if caster_level < 1:
        return {}
    return {i: int(n) for i, n in enumerate(_FULL[min(caster_level, 20) - 1], start=1)}


def caster_level(kind: Caster, level: int, *, alone: bool, edition: str) -> int:
    """What levels in a class count for towards slots. A class alone reads its own table, which
    rounds up."""
    match kind:
        case "full":
            return level
        case "half":
            if alone:
                return (level + 1) // 2 if level > 1 or edition == "2024" else 0
            return (level + 1) // 2 if edition == "2024" else level // 2
        case "half_up":
            return (level + 1) // 2
        case "third":
            return ((level + 2) // 3 if level >= 3 else 0) if alone else level // 3
        case "" | "pact":
            return 0


def pact_at(level: int) -> tuple[int, int]:
    """How many pact slots there are at a warlock level, and of what spell level."""
    if level < 1:
        return 0, 0
    count = 1 if level == 1 else 2 if level < 11 else 3 if level < 17 else 4
    return count, min(5, (level + 1) // 2)
