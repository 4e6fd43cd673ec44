"""What a rulebook is made of: one entry for each thing, with data that filters and tables can
use."""

from dataclasses import dataclass, field
from typing import Any, Literal

from freeform.packs.model import EntryType

Edition = Literal["5.1", "5.2"]
KINDS: dict[str, EntryType] = {
    "spell": "technology", "monster": "npc", "magic_item": "item", "weapon": "item", "armor": "item", "gear": "item",
    "tool": "item", "plane": "location", "class": "culture", "subclass": "culture", "feature": "culture",
    "feat": "culture", "race": "culture", "trait": "culture", "background": "culture", "condition": "culture",
    "skill": "culture", "ability": "culture", "action": "culture", "rule": "culture", "weapon_property": "culture",
    "damage_type": "culture",
}  # fmt: skip
"""Our kinds of rules, and the type of pack entry each is kept as."""
FOLDERS = {
    "spell": "spells", "monster": "monsters", "magic_item": "magic_items", "weapon": "equipment",
    "armor": "equipment", "gear": "equipment", "tool": "equipment", "plane": "planes", "class": "classes",
    "subclass": "subclasses", "feature": "features", "feat": "feats", "race": "races", "trait": "races",
    "background": "backgrounds", "condition": "conditions", "skill": "skills", "ability": "abilities",
    "action": "rules", "rule": "rules", "weapon_property": "equipment", "damage_type": "rules",
}  # fmt: skip
ATTRIBUTION = {
    "5.1": "This work includes material taken from the System Reference Document 5.1 (“SRD 5.1”) by Wizards of the "
    "Coast LLC and available at https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 is licensed "
    "under the Creative Commons Attribution 4.0 International License available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode.",
    "5.2": "This work includes material from the System Reference Document 5.2 (“SRD 5.2”) by Wizards of the Coast "
    "LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2 is licensed under the Creative Commons Attribution "
    "4.0 International License, available at https://creativecommons.org/licenses/by/4.0/legalcode.",
}
"""The line that the licence asks to be carried along."""


@dataclass
class RuleEntry:
    """One thing of the rules before it is written: Markdown under a title, and what is known of it
    as data."""

    kind: str
    name: str
    body: str
    aliases: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    path: str = ""
    """The headings of the book that lead to it."""


@dataclass
class Book:
    """A rulebook as read: its entries, edition and licence."""

    name: str
    edition: Edition
    entries: list[RuleEntry]
    source: str
    """`5e-database JSON`, `HTML` or `Markdown`."""
    license: str = "cc-by"
    attribution: str = ""
    notes: list[str] = field(default_factory=list)
