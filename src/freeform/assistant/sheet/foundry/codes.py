"""What Foundry's short codes mean."""

from freeform.assistant.sheet.model import Cost

SKILL_OF = {
    "acr": "acrobatics", "ani": "animal_handling", "arc": "arcana", "ath": "athletics", "dec": "deception",
    "his": "history", "ins": "insight", "itm": "intimidation", "inv": "investigation", "med": "medicine",
    "nat": "nature", "prc": "perception", "prf": "performance", "per": "persuasion", "rel": "religion",
    "slt": "sleight_of_hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip
SIZES = {
    "tiny": "tiny",
    "sm": "small",
    "med": "medium",
    "lg": "large",
    "huge": "huge",
    "grg": "gargantuan",
}
ARMOR_WORDS = {"lgt": "Light Armor", "med": "Medium Armor", "hvy": "Heavy Armor", "shl": "Shields"}
WEAPON_WORDS = {"sim": "Simple Weapons", "mar": "Martial Weapons"}
GROUPS = {
    "simpleM": "simple melee", "simpleR": "simple ranged", "martialM": "martial melee", "martialR": "martial ranged",
    "natural": "natural melee", "improv": "improvised melee", "siege": "siege ranged",
}  # fmt: skip
PROPS = {
    "ada": "Adamantine", "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy",
    "lgt": "Light", "lod": "Loading", "mgc": "Magical", "rch": "Reach", "rel": "Reload", "ret": "Returning",
    "sil": "Silvered", "spc": "Special", "thr": "Thrown", "two": "Two-Handed", "ver": "Versatile",
    "stealthDisadvantage": "Stealth disadvantage",
}  # fmt: skip
SCHOOLS = {
    "abj": "Abjuration", "con": "Conjuration", "div": "Divination", "enc": "Enchantment", "evo": "Evocation",
    "ill": "Illusion", "nec": "Necromancy", "trs": "Transmutation",
}  # fmt: skip
COSTS: dict[str, Cost] = {
    "action": "action", "bonus": "bonus", "reaction": "reaction", "reactiondamage": "reaction", "minute": "minute",
    "hour": "hour", "special": "special",
}  # fmt: skip
TOOLS = {
    "alchemist": "Alchemist's Supplies", "brewer": "Brewer's Supplies", "calligrapher": "Calligrapher's Supplies",
    "carpenter": "Carpenter's Tools", "cartographer": "Cartographer's Tools", "cobbler": "Cobbler's Tools",
    "cook": "Cook's Utensils", "glassblower": "Glassblower's Tools", "jeweler": "Jeweler's Tools",
    "leatherworker": "Leatherworker's Tools", "mason": "Mason's Tools", "painter": "Painter's Supplies",
    "potter": "Potter's Tools", "smith": "Smith's Tools", "tinker": "Tinker's Tools", "weaver": "Weaver's Tools",
    "woodcarver": "Woodcarver's Tools", "thief": "Thieves' Tools", "disg": "Disguise Kit", "forg": "Forgery Kit",
    "herb": "Herbalism Kit", "navg": "Navigator's Tools", "pois": "Poisoner's Kit", "game": "Gaming Set",
    "vehicle": "Vehicles", "art": "Artisan's Tools", "music": "Musical Instrument",
}  # fmt: skip
RESETS = {
    "sr": "short rest",
    "lr": "long rest",
    "day": "day",
    "dawn": "dawn",
    "dusk": "dusk",
    "charges": "",
}
BARE = {
    "unarmoredMonk": (10, "wis", "no shield"), "unarmoredBarb": (10, "con", ""), "unarmoredBard": (10, "cha", ""),
    "mage": (13, "", ""), "draconic": (13, "", ""),
}  # fmt: skip
"""Ways to reckon Armor Class without armour: the base, a further ability, a condition."""
