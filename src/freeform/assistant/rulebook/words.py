"""The words by which things of the rules are told apart in running text: first lines, labelled
lines, names."""

import re
from typing import Any

SPELL = re.compile(
    r"^(?:(?P<level>\d)(?:st|nd|rd|th)[- ]level (?P<school>\w+)|Level (?P<newer>\d) (?P<newschool>\w+)"
    r"|(?P<cantrip>\w+) cantrip)(?P<rest>.*)$",
    re.I,
)
MONSTER = re.compile(
    r"^(?P<size>Tiny|Small|Medium|Large|Huge|Gargantuan)(?: or \w+)? "
    r"(?P<type>swarm of (?:Tiny|Small|Medium) \w+|[a-z]+)(?: \((?P<sub>[^)]*)\))?,\s*(?P<align>.+)$",
    re.I,
)
ITEM = re.compile(
    r"^(?P<what>Weapon|Armor|Wondrous items?|Ring|Rod|Staff|Wand|Potion|Scroll)\b(?P<more>.*?),?\s*"
    r"(?P<rarity>(?:very rare|uncommon|common|rare|legendary|artifact|rarity varies|rarity by).*)$",
    re.I,
)
LABEL = re.compile(r"^\*\*(?P<label>[A-Z][\w ()/'-]{1,28}?)[.:]?\*\*[.:]?\s*(?P<value>.*)$", re.S)
CLASSES = (
    "Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk", "Paladin", "Ranger", "Rogue", "Sorcerer", "Warlock",
    "Wizard",
)  # fmt: skip
RACES = (
    "Dwarf",
    "Elf",
    "Halfling",
    "Human",
    "Dragonborn",
    "Gnome",
    "Half-Elf",
    "Half-Orc",
    "Tiefling",
    "Orc",
    "Goliath",
)
CONDITIONS = (
    "Blinded", "Charmed", "Deafened", "Exhaustion", "Frightened", "Grappled", "Incapacitated", "Invisible",
    "Paralyzed", "Petrified", "Poisoned", "Prone", "Restrained", "Stunned", "Unconscious",
)  # fmt: skip
ACTIONS = frozenset(
    "attack dash disengage dodge help hide ready search use_an_object grappling shoving_a_creature two-weapon_fighting "
    "opportunity_attacks magic influence study utilize".split()
)
MONSTER_PARTS = frozenset(
    "actions|bonus actions|reactions|legendary actions|lair actions|regional effects|traits|variant".split(
        "|"
    )
)
_NUMBER = re.compile(r"-?\d+")
DAMAGE = tuple(
    "acid bludgeoning cold fire force lightning necrotic piercing poison psychic radiant slashing thunder".split()
)


_LEAD = re.compile(
    r"^[*_]{1,3}(?=\S)(?P<head>[^*_]+(?:[*_]+\s*[*_]*\s*,\s*[*_\s]+[^*_]+)*)[*_]{1,3}\s*(?P<rest>.*)$",
    re.S,
)
_BROKEN = (
    (re.compile(r"\*\*Casting\*\*\s*\*\*Time:?\s*\*\*:?"), "**Casting Time:**"),
    (re.compile(r"\*\*Armor\*\* Class\b"), "**Armor Class**"),
    (
        re.compile(
            r"\*\*Hit\*\*\s*\*?\*?Points?\b(\*\*)?|\*\*Hit Point\*\* ?s\b|\*\*Hit Point\*\*(?= ?\d)"
        ),
        "**Hit Points**",
    ),
)


def lead(paragraphs: list[str]) -> tuple[str, list[str]]:
    """The slanted first line of a thing (`Wondrous item, rare`) without its marks, and what follows
    it."""
    if not paragraphs:
        return "", []
    match = _LEAD.match(paragraphs[0].strip())
    if not match:
        return "", paragraphs
    head = re.sub(r"\s+(?=,)", "", re.sub(r"\s+", " ", re.sub(r"[*_]", "", match["head"]))).strip(
        " ."
    )
    rest = match["rest"].strip()
    return head, [*([rest] if rest else []), *paragraphs[1:]]


def mended(paragraphs: list[str]) -> list[str]:
    """Paragraphs whose labels a conversion broke in two, whole again."""
    text = "\n\n".join(paragraphs)
    for broken, whole in _BROKEN:
        text = broken.sub(whole, text)
    return text.split("\n\n") if text else []


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
    return [
        kind for kind in DAMAGE if re.search(rf"\d\s+{kind} damage|\b{kind} damage\b", text, re.I)
    ]


def level_words(level: int) -> str:
    """`3rd-level` for 3, `cantrip` for 0."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{level}{ends.get(level, 'th')}-level" if level else "cantrip"


def kept(**data: Any) -> dict[str, Any]:
    """The data that says something."""
    return {
        k: v for k, v in data.items() if v is not None and v is not False and v not in ("", [], {})
    }
