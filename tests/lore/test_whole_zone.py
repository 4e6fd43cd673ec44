"""All that working one zone leaves behind, whole: its steps, the messages and their order, and the rows."""

import json
from pathlib import Path

from inline_snapshot import snapshot

from freeform.lore.model import Relation
from tests.lore.emberfall import GAME, ports_on, run


async def test_the_messages_and_rows_of_a_zone(tmp_path: Path) -> None:
    ports = ports_on(tmp_path / "lore.db")
    await run(ports, ["Ashmoor"])
    steps = await ports.store.steps_done(GAME)
    mine = [f"{s.agent} {s.step} {s.name}" for s in steps if s.zone_name == "Ashmoor"]
    assert mine == snapshot(
        [
            "world_lore_researcher 0 pick",
            "world_lore_researcher 1 zone_overview_search",
            "world_lore_researcher 2 zone_overview_extract",
            "world_lore_researcher 3 npc_search",
            "world_lore_researcher 4 npc_extract",
            "world_lore_researcher 5 faction_search_extract",
            "world_lore_researcher 6 lore_search_extract",
            "world_lore_researcher 7 narrative_items",
            "world_lore_researcher 8 cross_reference",
            "world_lore_researcher 9 discover_connected_zones",
            "world_lore_researcher 10 package_and_send",
            "world_lore_validator 0 validate",
        ]
    )
    raw = ports.store._db  # type: ignore[attr-defined]
    sent = raw.execute("select agent, body, sent from outbox order by seq").fetchall()
    assert [_message(*row) for row in sent] == snapshot(
        [
            "world_lore_researcher → world_lore_validator: research_package (sent)",
            "world_lore_validator → world_lore_researcher: validation_result (sent)",
            "world_lore_researcher → world_lore_validator: research_package (sent)",
            "world_lore_validator → world_lore_researcher: validation_result (sent)",
            "world_lore_researcher → world_lore_validator: research_package (sent)",
            "world_lore_validator → world_lore_researcher: validation_result (sent)",
            "world_lore_researcher → world_lore_validator: research_package (sent)",
            "world_lore_validator → world_lore_researcher: validation_result (sent)",
        ]
    )
    graph = await ports.store.graph(GAME)
    assert [f"{node.kind} {node.id}" for node in graph.nodes] == snapshot(
        [
            "faction cinder_court",
            "faction reed_folk",
            "lore farreach",
            "lore history_of_ashmoor",
            "lore the_kiln",
            "narrative_item the_ember_crown",
            "npc mara_vell",
            "npc old_tam",
            "zone ashmoor",
            "zone greyford",
            "zone sunken_vale",
            "zone tarn_heights",
        ]
    )
    assert [_edge(edge) for edge in graph.edges] == snapshot(
        [
            "farreach —ABOUT → ashmoor",
            "history_of_ashmoor —ABOUT → ashmoor",
            "the_kiln —ABOUT → ashmoor",
            "mara_vell —BELONGS_TO → cinder_court",
            "old_tam —BELONGS_TO → reed_folk",
            "ashmoor —CONNECTS_TO → greyford",
            "ashmoor —CONNECTS_TO → sunken_vale",
            "ashmoor —CONNECTS_TO → tarn_heights",
            "greyford —CONNECTS_TO → ashmoor",
            "greyford —CONNECTS_TO → tarn_heights",
            "sunken_vale —CONNECTS_TO → ashmoor",
            "tarn_heights —CONNECTS_TO → ashmoor",
            "tarn_heights —CONNECTS_TO → greyford",
            "the_ember_crown —FOUND_IN → ashmoor",
            "mara_vell —LOCATED_IN → ashmoor",
            "old_tam —LOCATED_IN → ashmoor",
            "mara_vell —RELATES_TO rival→ old_tam",
            "cinder_court —STANCE_TOWARD hostile→ reed_folk",
            "reed_folk —STANCE_TOWARD hostile→ cinder_court",
        ]
    )
    package = await ports.store.package(GAME, "ashmoor")
    assert package is not None
    assert package.zone_data.model_dump(mode="json", exclude_defaults=True) == snapshot(
        {
            "sources": [
                {
                    "url": "http://127.0.0.1/wiki/Ashmoor",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Ashmoor",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "459996670",
                    "sha256": "ff2cc54d89a071ed9363fe504532442cb34bd4a8908f8e176f4f90bc5b89d103",
                },
                {
                    "url": "http://127.0.0.2/wiki/Ashmoor",
                    "domain": "127.0.0.2",
                    "tier": 2,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Ashmoor",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "1863332700",
                    "sha256": "39c87b85c0ed722f4a8fb03b75d503afafb6a0a6e5d8f096c88a86787164030f",
                },
                {
                    "url": "http://127.0.0.1/wiki/Greyford",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Greyford",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "1799490559",
                    "sha256": "38965ecc10c793e9ec46b2423c06663b37c259f452526702e4084a37749d7961",
                },
                {
                    "url": "http://127.0.0.1/wiki/Sunken_Vale",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Sunken Vale",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "208262187",
                    "sha256": "1ec8bbb64c06f713dbd28db2f3b5a5435a4ab7d1ecd00f8a2344a907e797e4e1",
                },
                {
                    "url": "http://127.0.0.1/wiki/Tarn_Heights",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Tarn Heights",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "3257791908",
                    "sha256": "81a99093da53a5297ce6e95f0fee74a50a056cda8c5498688f025761f5aa3e41",
                },
                {
                    "url": "http://127.0.0.1/wiki/Mara_Vell",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Mara Vell",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "2812953604",
                    "sha256": "bba1a2e12333026e54de0689360a732c698cead154420b58b98e6d36809a318c",
                },
                {
                    "url": "http://127.0.0.1/wiki/Old_Tam",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "Old Tam",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "1595356116",
                    "sha256": "833ea3983e650b37e7bcd83ccb848edfaee0757251c96b7cdae4bbc4de633f94",
                },
                {
                    "url": "http://127.0.0.1/wiki/The_Kiln",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "The Kiln",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "1707677623",
                    "sha256": "128cd81ab69918922c23b45c02c4b5bef34bb0c5c03a09614fd79d21497938b8",
                },
                {
                    "url": "http://127.0.0.1/wiki/The_Ember_Crown",
                    "domain": "127.0.0.1",
                    "tier": 1,
                    "accessed_at": "2091-03-15T19:00:00+00:00",
                    "title": "The Ember Crown",
                    "licence": "CC-BY-SA-4.0",
                    "revision": "2281242354",
                    "sha256": "4699625338f9ae30d41a0b8797b61e2818930dcc713eb0b1e9f69f93d518e339",
                },
            ],
            "confidence": 0.7475,
            "updated_at": "2091-03-15T19:00:00+00:00",
            "id": "ashmoor",
            "name": "Ashmoor",
            "game": "Emberfall",
            "level_range": {"min": 10, "max": 20},
            "narrative_arc": "The heroes of Ashmoor learn who lit the last fire.",
            "political_climate": "The Cinder Court rules by fear, and the Reed Folk hide in the marsh.",
            "connected_zones": ["greyford", "sunken_vale", "tarn_heights"],
            "places": ["The Kiln", "Saltgate"],
            "faction_ids": ["cinder_court"],
            "aliases": ["ash_moor"],
            "facts": {"description": "Ashmoor is a burnt moor at the foot of the mountains."},
        }
    )
    assert package.confidence == snapshot(
        {
            "ashmoor.level_range": 0.878,
            "ashmoor.faction": 0.52,
            "ashmoor.connects_to.greyford": 0.878,
            "ashmoor.connects_to.sunken_vale": 0.878,
            "ashmoor.connects_to.tarn_heights": 0.8,
            "ashmoor.npc.mara_vell": 0.8,
            "ashmoor.npc.old_tam": 0.8,
            "ashmoor.place.the_kiln": 0.8,
            "ashmoor.place.saltgate": 0.8,
            "ashmoor.item.the_ember_crown": 0.8,
            "ashmoor.description.Ashmoor is a burnt moor at the foot of t": 0.8,
            "ashmoor.narrative_arc.The heroes of Ashmoor learn who lit the ": 0.8,
            "ashmoor.political_climate.The Cinder Court rules by fear, and the ": 0.8,
            "cinder_court.hostile.reed_folk": 0.8,
            "cinder_court.leader": 0.8,
            "cinder_court.ideology.fire cleans all debts": 0.8,
            "cinder_court.goal.to rule the moors": 0.8,
            "reed_folk.hostile.cinder_court": 0.8,
            "reed_folk.ideology.The Reed Folk are at war with the Cinder": 0.8,
            "farreach.content.Farreach was an ancient empire. Its war ": 0.8,
            "farreach.category": 0.8,
            "history_of_ashmoor.content.Ashmoor was founded in the third century": 0.8,
            "saltgate.zone": 0.8,
            "the_kiln.zone": 0.8,
            "the_kiln.category": 0.8,
            "the_kiln.content.The Kiln is a tower of black brick that ": 0.8,
            "the_ember_crown.significance": 0.8,
            "the_ember_crown.zone": 0.8,
            "the_ember_crown.wielder.queen_isolde": 0.8,
            "the_ember_crown.wielder.mara_vell": 0.8,
            "the_ember_crown.power.grants its bearer sight in smoke": 0.8,
            "the_ember_crown.story_arc.The Ember Crown was worn by Queen Isolde": 0.8,
            "mara_vell.faction.cinder_court": 0.878,
            "mara_vell.zone": 0.8,
            "mara_vell.personality.proud but fair": 0.8,
            "mara_vell.role.Steward": 0.878,
            "mara_vell.relation.old_tam": 0.8,
            "mara_vell.motivation.to end the long drought": 0.8,
            "old_tam.role.member": 0.8,
            "old_tam.role.Ferryman": 0.8,
            "mara_vell.quest.to find the lost keys of the Kiln": 0.8,
            "old_tam.zone": 0.8,
            "old_tam.faction.reed_folk": 0.8,
        }
    )
    await ports.store.close()


def _message(agent: str, body: str, sent: int) -> str:
    told = json.loads(body)
    return f"{agent} → {told['target_agent']}: {told['message_type']} ({'sent' if sent else 'waiting'})"


def _edge(edge: Relation) -> str:
    return f"{edge.source_id} —{edge.name} {edge.label}→ {edge.target_id}"
