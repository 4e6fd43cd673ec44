"""The sorts of things a book holds, the words that announce them, and what each is in a pack."""

import re
from typing import Any, Literal, get_args

from freeform.core.text import plain_form, slug
from freeform.ingest.model import ChapterIntent, ContentType
from freeform.language.forms import is_plural
from freeform.language.inflection import singular
from freeform.packs.model import EntryType

Kind = Literal[
    "creature", "person", "spell", "item", "condition", "class", "people", "deity", "place", "faction", "event",
    "history", "feature", "rule", "thing",
]  # fmt: skip
"""A `thing` is an entry of a catalogue whose kind nothing says."""
KINDS: tuple[Kind, ...] = get_args(Kind)

ENTRY_TYPE: dict[Kind, EntryType] = {
    "creature": "npc", "person": "npc", "spell": "technology", "item": "item", "condition": "culture",
    "class": "culture", "people": "culture", "deity": "culture", "place": "location", "faction": "faction",
    "event": "event", "history": "history", "feature": "culture", "rule": "culture",
    "thing": "culture",
}  # fmt: skip
CONTENT: dict[Kind, ContentType] = {
    "creature": ContentType.NPC, "person": ContentType.NPC, "spell": ContentType.RULES, "item": ContentType.ITEM,
    "condition": ContentType.RULES, "class": ContentType.RULES, "people": ContentType.CULTURE,
    "deity": ContentType.CULTURE, "place": ContentType.LOCATION, "faction": ContentType.FACTION,
    "event": ContentType.EVENT, "history": ContentType.HISTORY, "feature": ContentType.RULES,
    "rule": ContentType.RULES, "thing": ContentType.GENERAL,
}  # fmt: skip
KIND_OF_CONTENT: dict[ContentType, Kind] = {
    ContentType.NPC: "person", ContentType.LOCATION: "place", ContentType.FACTION: "faction",
    ContentType.CULTURE: "people", ContentType.ITEM: "item", ContentType.EVENT: "event",
    ContentType.HISTORY: "history", ContentType.RULES: "rule", ContentType.TABLE: "rule", ContentType.GENERAL: "rule",
}  # fmt: skip

_WORDS: dict[Kind, str] = {
    "creature": "monster creature beast bestiary adversary foe enemy antagonist animal critter horror menagerie "
    "stat_block statistics dragon demon devil giant golem elemental undead nonplayer_character",
    "spell": "spell cantrip ritual rite charm rote discipline sphere psionic prayer miracle incantation "
    "spellbook",
    "item": "item equipment gear weapon armor armour treasure artifact artefact vehicle potion trinket tool goods "
    "relic ammunition poison mount cyberware implant outfit weaponry wares armory "
    "loot consumable supply accessory device drug vessel starship spaceship ship",
    "condition": "condition status affliction ailment status_effect disease",
    "class": "class subclass archetype playbook career profession calling occupation",
    "people": "race ancestry species people heritage kin kith subrace culture society custom religion faith "
    "belief ethnicity lineage",
    "deity": "god deity pantheon divinity goddess patron",
    "place": "location place city region district plane geography gazetteer settlement realm land town village "
    "neighborhood neighbourhood map site dungeon kingdom country continent landmark atlas underworld",
    "faction": "faction organization organisation guild clan house order corporation gang syndicate cult company "
    "brotherhood alliance power_group government army",
    "person": "personality personage npc cast character_of_note notable who's_who key_figure supporting_cast ally",
    "event": "event encounter hook scene scenario quest mission plot episode act",
    "history": "history timeline chronology past age era chronicle origin",
    "feature": "feature trait talent feat ability power perk merit flaw edge move stunt skill background",
    "rule": "rule combat action check adventuring movement resting healing casting environment difficulty trap "
    "madness hazard damage attack initiative level experience multiclassing customization mechanic system "
    "test conflict spellcasting",
}  # fmt: skip
_OF: dict[str, Kind] = {
    word.replace("_", " "): kind for kind, words in _WORDS.items() for word in words.split()
}
_TWO = sorted((word for word in _OF if " " in word), key=len, reverse=True)
_WORD = re.compile(r"[a-z']+")
_LISTING = frozenset(
    {"list", "lists", "index", "table", "tables", "by", "creating", "using", "customizing"}
)

BY_INTENT: dict[ChapterIntent, Kind | None] = {
    ChapterIntent.SETTING: "place", ChapterIntent.FACTIONS: "faction", ChapterIntent.MECHANICS: "rule",
    ChapterIntent.CHARACTERS: "class", ChapterIntent.NARRATIVE: None, ChapterIntent.REFERENCE: None,
    ChapterIntent.META: None, ChapterIntent.EQUIPMENT: "item", ChapterIntent.BESTIARY: "creature",
}  # fmt: skip


def kind_word(word: str) -> Kind | None:
    """The kind a single word announces, plural or not."""
    plain = word.lower()
    return _OF.get(plain) or _OF.get(singular(plain))


def announced(title: str) -> Kind | None:
    """The kind of things a heading announces: its head noun counts, so `Magic Item Descriptions`
    are items."""
    text = plain_form(title)
    text = (
        re.sub(r"\([^)]*\)", " ", text).split(":")[-1]
        if ":" in text
        else re.sub(r"\([^)]*\)", " ", text)
    )
    for phrase in _TWO:
        if phrase in text:
            return _OF[phrase]
    words = _WORD.findall(text.split(" of ")[0].split(" for ")[0])
    if _LISTING & set(words) and not {"descriptions", "a-z"} & set(words):
        return None
    for word in reversed(words):
        if kind := kind_word(word):
            return kind
    return None


def announces_many(title: str) -> Kind | None:
    """The kind of a heading in the plural: what stands below it are things of that kind."""
    kind = announced(title)
    if kind is None:
        return None
    words = _WORD.findall(plain_form(title))
    plural = any(is_plural(w) and kind_word(w) == kind for w in words) or bool({"descriptions", "gear",
        "equipment", "bestiary", "gazetteer", "treasure", "geography", "pantheon", "a-z"} & set(words))  # fmt: skip
    return kind if plural else None


_MEANT: dict[str, Kind] = {
    "npc": "person", "character": "person", "people": "people", "culture": "people", "race": "people", "species": "people",
    "god": "deity", "goddess": "deity", "deities": "deity", "location": "place", "region": "place", "city": "place",
    "group": "faction", "organization": "faction", "organisation": "faction", "guild": "faction", "monster": "creature",
    "weapon": "item", "artifact": "item", "object": "item", "power": "spell", "ritual": "spell", "battle": "event",
}  # fmt: skip
"""What models call the kinds besides their names."""


def kind_meant(said: Any) -> Any:
    """A kind as a model spells it, as the list has it; anything else as it stands."""
    word = slug(said) if isinstance(said, str) else said
    return _MEANT.get(word, word) if isinstance(word, str) else word
