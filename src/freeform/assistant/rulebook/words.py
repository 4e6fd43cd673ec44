"""The words by which things of the rules are told apart in running text: first lines, labelled lines, names."""

import re
from typing import Any

SPELL = re.compile(
    r"^[*_]+\s*(?:(?P<level>\d)(?:st|nd|rd|th)[- ]level (?P<school>\w+)|(?P<cantrip>\w+) cantrip"
    r"|Level (?P<newer>\d) (?P<newschool>\w+)|(?P<newcantrip>\w+) Cantrip)(?P<rest>[^*_]*?)[*_]*\s*$",
    re.I,
)
MONSTER = re.compile(
    r"^[*_]+\s*(?P<size>Tiny|Small|Medium|Large|Huge|Gargantuan)(?: or \w+)? (?P<type>(?:swarm of \w+ )?[a-z]+)"
    r"(?: \((?P<sub>[^)]*)\))?,\s*(?P<align>[^*_]+?)\s*[*_]*\s*$",
    re.I,
)
ITEM = re.compile(
    r"^[*_]+\s*(?P<what>Weapon|Armor|Wondrous items?|Ring|Rod|Staff|Wand|Potion|Scroll)\b(?P<more>[^*_]*?),?\s*"
    r"(?P<rarity>(?:very rare|uncommon|common|rare|legendary|artifact|rarity varies|rarity by)[^*_]*?)[*_]*\s*$",
    re.I,
)
LABEL = re.compile(r"^\*\*(?P<label>[A-Z][\w ()/'-]{1,28}?)[.:]?\*\*[.:]?\s*(?P<value>.*)$", re.S)
CLASSES = (
    "Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk", "Paladin", "Ranger", "Rogue", "Sorcerer", "Warlock",
    "Wizard",
)  # fmt: skip
RACES = ("Dwarf", "Elf", "Halfling", "Human", "Dragonborn", "Gnome", "Half-Elf", "Half-Orc", "Tiefling", "Orc", "Goliath")
CONDITIONS = (
    "Blinded", "Charmed", "Deafened", "Exhaustion", "Frightened", "Grappled", "Incapacitated", "Invisible",
    "Paralyzed", "Petrified", "Poisoned", "Prone", "Restrained", "Stunned", "Unconscious",
)  # fmt: skip
ACTIONS = frozenset(
    "attack dash disengage dodge help hide ready search use_an_object grappling shoving_a_creature two-weapon_fighting "
    "opportunity_attacks magic influence study utilize".split()
)
MONSTER_PARTS = frozenset(
    "actions|bonus actions|reactions|legendary actions|lair actions|regional effects|traits|variant".split("|")
)
_NUMBER = re.compile(r"-?\d+")
DAMAGE = tuple("acid bludgeoning cold fire force lightning necrotic piercing poison psychic radiant slashing thunder".split())


def labels_in(paragraphs: list[str]) -> dict[str, str]:
    """`**Armor Class** 17 (natural armor)` and its like, by label in small letters."""
    found: dict[str, str] = {}
    for paragraph in paragraphs:
        for line in paragraph.split("\n"):
            if match := LABEL.match(line.strip(" -")):
                found.setdefault(match["label"].strip().lower(), match["value"].strip())
    return found


def first_number(text: str) -> int | None:
    """The first whole number in a text."""
    match = _NUMBER.search(text.replace("−", "-").replace(",", ""))
    return int(match[0]) if match else None


def challenge(text: str) -> float | None:
    """`1/4 (50 XP)` as 0.25."""
    match = re.match(r"\s*(\d+)(?:\s*/\s*(\d+))?", text)
    if not match:
        return None
    return int(match[1]) / int(match[2]) if match[2] and int(match[2]) else float(match[1])


def damage_in(text: str) -> list[str]:
    """The kinds of damage a text deals."""
    return [kind for kind in DAMAGE if re.search(rf"\d\s+{kind} damage|\b{kind} damage\b", text, re.I)]


def level_words(level: int) -> str:
    """`3rd-level` for 3, `cantrip` for 0."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{level}{ends.get(level, 'th')}-level" if level else "cantrip"


def kept(**data: Any) -> dict[str, Any]:
    """The data that says something."""
    return {key: value for key, value in data.items() if value not in (None, "", [], {}, False)}
