"""What the numbers in a D&D Beyond character mean. Their modifiers name things in words; the rest
is ids."""

from freeform.assistant.sheet.model import ABILITIES, Cost

ABILITY_OF = dict(enumerate(ABILITIES, start=1))
LONG = {
    "strength": "str", "dexterity": "dex", "constitution": "con", "intelligence": "int", "wisdom": "wis",
    "charisma": "cha",
}  # fmt: skip
SKILL_OF = dict(
    enumerate(
        "athletics acrobatics sleight_of_hand stealth arcana history investigation nature religion animal_handling "
        "insight medicine perception survival deception intimidation performance persuasion".split(),
        start=2,
    )
)
ALIGNMENTS = dict(
    enumerate(
        "Lawful Good,Neutral Good,Chaotic Good,Lawful Neutral,Neutral,Chaotic Neutral,Lawful Evil,Neutral Evil,"
        "Chaotic Evil".split(","),
        start=1,
    )
)
SIZES = {2: "tiny", 3: "small", 4: "medium", 5: "large", 6: "huge", 7: "gargantuan"}
CONDITIONS = dict(
    enumerate(
        "Blinded Charmed Deafened Exhaustion Frightened Grappled Incapacitated Invisible Paralyzed Petrified Poisoned "
        "Prone Restrained Stunned Unconscious".split(),
        start=1,
    )
)
EXHAUSTION = 4
COSTS: dict[int, Cost] = {
    1: "action",
    3: "bonus",
    4: "reaction",
    6: "minute",
    7: "hour",
    8: "special",
}
RESETS = {1: "short rest", 2: "long rest", 3: "dawn", 4: ""}
ARMOR = {1: "light", 2: "medium", 3: "heavy", 4: "shield"}
WEAPON_GROUP = {1: "simple", 2: "martial"}
NEWER_BOOKS = frozenset({145, 146, 147, 148})
"""The core books of 2024."""
SPEEDS = {
    "walking": "walk",
    "flying": "fly",
    "swimming": "swim",
    "climbing": "climb",
    "burrowing": "burrow",
}
SIMPLE = frozenset(
    "club dagger greatclub handaxe javelin light-hammer mace quarterstaff sickle spear crossbow-light dart shortbow "
    "sling".split()
)
MARTIAL = frozenset(
    "battleaxe flail glaive greataxe greatsword halberd lance longsword maul morningstar pike rapier scimitar "
    "shortsword trident war-pick warhammer whip blowgun crossbow-hand crossbow-heavy longbow net musket pistol".split()
)
