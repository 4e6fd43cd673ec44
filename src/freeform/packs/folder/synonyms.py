"""The names other people use for our fields and types, and ours for them."""

from freeform.core.text import slug
from freeform.packs.model import TYPES, EntryType

LIST_FIELDS = (
    "aliases",
    "tags",
    "related_entities",
    "related_factions",
    "related_locations",
    "related_threads",
)
REFS = ("related_entities", "related_factions", "related_locations")
FIELDS = ("id", "type", "name", *LIST_FIELDS, "extends", "overrides", "gm_only", "extra")

FIELD_VARIANTS: dict[str, str] = {
    "entity_id": "id", "slug": "id", "uid": "id",
    "kind": "type", "category": "type", "entity_type": "type", "content_type": "type",
    "title": "name", "display_name": "name",
    "alias": "aliases", "aka": "aliases", "also_known_as": "aliases",
    "tag": "tags", "keywords": "tags",
    "entity_refs": "related_entities", "entities": "related_entities", "related": "related_entities",
    "related_npcs": "related_entities", "related_entity": "related_entities", "entity_ids": "related_entities",
    "faction_refs": "related_factions", "factions": "related_factions", "faction_ids": "related_factions",
    "location_refs": "related_locations", "locations": "related_locations", "location_ids": "related_locations",
    "thread_refs": "related_threads", "threads": "related_threads", "thread_ids": "related_threads",
    "extend": "extends", "override": "overrides", "replaces": "overrides",
    "gm": "gm_only", "dm_only": "gm_only", "secret": "gm_only",
}  # fmt: skip

MANIFEST_VARIANTS: dict[str, str] = {
    "pack_id": "id", "title": "name", "dependencies": "depends_on", "requires": "depends_on",
    "depends": "depends_on", "licence": "license", "authors": "author", "summary": "description",
    "keywords": "tags", "game_system": "system", "contents": "provides",
}  # fmt: skip

_TYPE_WORDS: dict[EntryType, str] = {
    "location": "locations place places site sites region regions city cities town towns area areas district "
    "districts dungeon dungeons building buildings geography atlas gazetteer settlement settlements",
    "npc": "npcs person people persons character characters char cast creature creatures monster monsters being "
    "beings individual individuals pc pcs",
    "faction": "factions organization organizations organisation organisations org orgs group groups guild guilds "
    "corporation corporations clan clans gang gangs order orders house houses",
    "culture": "cultures lore society societies religion religions custom customs language languages belief beliefs "
    "people_and_culture concept concepts note notes misc deity deities god gods rule rules",
    "history": "histories timeline timelines era eras chronicle chronicles past",
    "technology": "technologies tech magic spell spells vehicle vehicles system systems cyberware",
    "item": "items object objects artifact artifacts artefact artefacts equipment gear treasure weapon weapons thing "
    "things relic relics",
    "event": "events adventure adventures quest quests encounter encounters incident incidents session sessions "
    "plot plots hook hooks",
}  # fmt: skip
TYPE_OF: dict[str, EntryType] = {
    word: kind for kind, words in _TYPE_WORDS.items() for word in words.split()
}
TYPE_OF.update({kind: kind for kind in TYPES})


def type_of(word: str) -> EntryType | None:
    """Our type for a type or folder name, if it is one of the common ones."""
    return TYPE_OF.get(slug(word))


def type_of_folder(file_path: str) -> EntryType | None:
    """The type the nearest folder name speaks of: `02 People/Kings/aldo.md` is an npc."""
    for folder in reversed(file_path.split("/")[:-1]):
        for word in (slug(folder), *reversed(slug(folder).split("_"))):
            if word in TYPE_OF:
                return TYPE_OF[word]
    return None
