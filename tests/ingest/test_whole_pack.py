"""All that a small book leaves behind, whole: the pack's files, one of them in full, and the registry of things."""

import json
from pathlib import Path
from typing import Any

from inline_snapshot import snapshot

from freeform.ingest.config import IngestReport
from tests.ingest.reading import Reading


def test_the_files_of_a_pack(read_once: tuple[Reading, IngestReport]) -> None:
    pack = Path(read_once[1].path)
    files = sorted(file.relative_to(pack).as_posix() for file in pack.rglob("*") if file.is_file())
    assert files == snapshot(
        [
            "culture/drenched.md",
            "culture/held.md",
            "culture/moonstruck.md",
            "culture/playing_the_game.md",
            "culture/running_the_game.md",
            "factions/the_guild_of_lamps.md",
            "locations/harrow_quay.md",
            "locations/saint_orrin_s_gate.md",
            "locations/the_drowned_coast.md",
            "locations/the_salt_stair.md",
            "npcs/captain_ilse_varr.md",
            "npcs/marsh_hound.md",
            "npcs/reed_knight.md",
            "npcs/tide_wisp.md",
            "pack.yaml",
            "scenarios/coast.yaml",
            "systems/coast.yaml",
            "technology/ash_veil.md",
            "technology/bell_of_warning.md",
            "technology/cold_lantern.md",
            "technology/door_of_salt.md",
            "technology/ember_dart.md",
        ]
    )


def test_an_entry_in_full(read_once: tuple[Reading, IngestReport]) -> None:
    (file,) = Path(read_once[1].path).rglob("*marsh_hound*.md")
    assert file.read_text(encoding="utf-8").splitlines() == snapshot(
        [
            "---",
            "id: marsh_hound",
            "type: npc",
            "tags: [creature, medium_beast, medium, beast, unaligned]",
            "source: The Drowned Coast Guide",
            "source_file: coast.pdf",
            "page: 4",
            "pages: '4'",
            "thing: creature",
            "chapter: Creatures",
            "extra:",
            "  numbers:",
            "    armor_class: 13",
            "    hit_points: 22",
            "    hit_dice: 4d8 + 4",
            "    speed: 30 ft.",
            "    challenge: '1'",
            "    xp: 200",
            "    size: Medium",
            "    creature_type: beast",
            "    alignment: unaligned",
            "    abilities:",
            "      strength: 12",
            "      dexterity: 14",
            "      constitution: 12",
            "      intelligence: 4",
            "      wisdom: 12",
            "      charisma: 6",
            "  fields:",
            "    STR: 12 (+1)",
            "    DEX: 14 (+2)",
            "    CON: 12 (+1)",
            "    INT: 4 (-3)",
            "    WIS: 12 (+1)",
            "    CHA: 6 (-2)",
            "    Armor Class: 13",
            "    Hit Points: 22 (4d8 + 4)",
            "    Speed: 30 ft.",
            "    Challenge: 1 (200 XP)",
            "---",
            "",
            "# Marsh Hound",
            "",
            "*Medium beast, unaligned*",
            "",
            "**Armor Class** 13",
            "",
            "**Hit Points** 22 (4d8 + 4)",
            "",
            "**Speed** 30 ft.",
            "",
            "| STR | DEX | CON | INT | WIS | CHA |",
            "| --- | --- | --- | --- | --- | --- |",
            "| 12 (+1) | 14 (+2) | 12 (+1) | 4 (-3) | 12 (+1) | 6 (-2) |",
            "",
            "**Challenge** 1 (200 XP)",
            "",
            "The hound follows a trail through water.",
        ]
    )


def test_the_registry_of_things(read_once: tuple[Reading, IngestReport]) -> None:
    file = Path(read_once[1].work) / "enrich" / "entity_registry.json"
    registry = json.loads(file.read_text(encoding="utf-8"))
    assert sorted(registry) == snapshot(["entities"])
    assert [_line(entity) for entity in registry["entities"]] == snapshot(
        [
            "ash_veil: spell (technology), p. 2, 0.999, 0 mentions, ['spell', '1st_level_illusion', 'level', 'illusion'] []",
            "bell_of_warning: spell (technology), p. 2, 0.999, 0 mentions, ['spell', '2nd_level_ward', 'level', 'ward'] []",
            "cold_lantern: spell (technology), p. 2, 0.999, 0 mentions, ['spell', '1st_level_conjuring', 'level', 'conjuring'] []",
            "door_of_salt: spell (technology), p. 3, 0.999, 0 mentions, ['spell', '3rd_level_ward', 'level', 'ward'] []",
            "ember_dart: spell (technology), p. 3, 0.999, 0 mentions, ['spell', '1st_level_evocation', 'level', 'evocation'] []",
            "marsh_hound: creature (npc), p. 4, 0.98, 0 mentions, ['creature', 'medium_beast', 'medium', 'beast', 'unaligned'] []",
            "reed_knight: creature (npc), p. 4, 0.98, 0 mentions, ['creature', 'medium_undead', 'medium', 'undead', 'lawful'] []",
            "tide_wisp: creature (npc), p. 4, 0.98, 0 mentions, ['creature', 'small_elemental', 'small', 'elemental', 'neutral'] []",
            "drenched: condition (culture), p. 6, 0.75, 1 mentions, ['condition', 'drenched', 'cold', 'damage'] []",
            "held: condition (culture), p. 6, 0.75, 1 mentions, ['condition', 'held', 'speed', 'cannot'] []",
            "moonstruck: condition (culture), p. 6, 0.75, 1 mentions, ['condition', 'moonstruck', 'rolls', 'twice'] []",
            "the_drowned_coast: place (location), p. 7, 0.9, 0 mentions, ['place', 'coast', 'lies', 'north'] []",
            "saint_orrin_s_gate: place (location), p. 7, 0.75, 0 mentions, ['place', 'tower', 'stands', 'causeway'] ['mentions harrow_quay', 'mentions captain_ilse_varr']",
            "harrow_quay: place (location), p. 7, 0.75, 4 mentions, ['place', 'harrow', 'quay', 'town'] ['mentions the_guild_of_lamps', 'mentions captain_ilse_varr']",
            "the_salt_stair: place (location), p. 7, 0.75, 1 mentions, ['place', 'stair', 'cliff', 'east'] ['mentions harrow_quay', 'mentions the_guild_of_lamps']",
            "the_guild_of_lamps: faction (faction), p. 8, 0.75, 5 mentions, ['faction', 'members', 'guild', 'keep'] ['mentions the_salt_stair', 'mentions harrow_quay']",
            "captain_ilse_varr: person (npc), p. 7, 0.5, 4 mentions, ['person', 'named'] []",
        ]
    )


def _line(entity: dict[str, Any]) -> str:
    ties = [f"{tie['kind']} {tie['target']}" for tie in entity["relationships"]]
    head = f"{entity['id']}: {entity['kind']} ({entity['type']}), p. {entity['page']}"
    return f"{head}, {entity['confidence']}, {entity['mentions']} mentions, {entity['tags']} {ties}"
