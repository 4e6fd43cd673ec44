"""Accepted lore becomes a pack that is in order, and that answers questions."""

from pathlib import Path

import pytest

from freeform.core.errors import NotFound
from freeform.lore.publish.graph_view import shown_graph
from freeform.lore.publish.publish import publish
from freeform.packs.folder.check import validate_pack
from tests.lore.emberfall import GAME, after_ashmoor


@pytest.fixture
async def ports(tmp_path: Path):
    return after_ashmoor(tmp_path / "l.db")


async def test_the_pack_is_in_order_and_every_fact_names_its_source_and_licence(
    ports, tmp_path: Path
) -> None:
    pack = await publish(ports.store, GAME, tmp_path / "pack")
    assert validate_pack(tmp_path / "pack").ok
    assert pack.errors == []
    entry = pack.entry("ashmoor")
    assert entry is not None and entry.type == "location"
    assert entry.related_locations == [
        f"emberfall:{name}" for name in ("greyford", "sunken_vale", "tarn_heights")
    ]
    assert entry.related_factions == ["emberfall:cinder_court"]
    assert {fact["licence"] for fact in entry.extra["facts"]} == {"CC-BY-SA-4.0"}
    assert all(1 <= fact["source"] <= len(entry.extra["sources"]) for fact in entry.extra["facts"])
    assert pack.manifest.license is not None and pack.manifest.license.type == "cc-by-sa"
    text = "\n".join(section.text for section in entry.sections)
    assert "Ashmoor connects to Greyford, Sunken Vale and Tarn Heights." in text


async def test_what_is_disputed_is_for_the_game_master_only(ports, tmp_path: Path) -> None:
    pack = await publish(ports.store, GAME, tmp_path / "pack")
    entry = pack.entry("ashmoor")
    assert entry is not None
    [disputed] = [section for section in entry.sections if "Disputed" in section.heading]
    assert disputed.gm_only and "Reed Folk" in disputed.text


async def test_every_kind_of_thing_has_its_entry(ports, tmp_path: Path) -> None:
    pack = await publish(ports.store, GAME, tmp_path / "pack")
    types = {entry.local_id: entry.type for entry in pack.entries}
    assert types["mara_vell"] == "npc" and types["cinder_court"] == "faction"
    assert types["the_ember_crown"] == "item" and types["the_kiln"] == "location"
    assert types["history_of_ashmoor"] == "history"


async def test_a_faction_tells_who_leads_it(ports, tmp_path: Path) -> None:
    await publish(ports.store, GAME, tmp_path / "pack")
    assert "Leader of Cinder Court: Mara Vell." in (
        tmp_path / "pack/factions/cinder_court.md"
    ).read_text(encoding="utf-8")


async def test_publishing_again_needs_to_be_asked_for(ports, tmp_path: Path) -> None:
    first = await publish(ports.store, GAME, tmp_path / "pack")
    again = await publish(ports.store, GAME, tmp_path / "pack", replace=True)
    assert first.digest == again.digest


async def test_a_game_without_accepted_lore_says_what_to_do(ports, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="lore start"):
        await publish(ports.store, "Nowhere", tmp_path / "pack")


async def test_every_edge_that_is_shown_has_both_its_ends(ports) -> None:
    for zone in ("", "Greyford"):
        graph = await shown_graph(ports.store, GAME, zone)
        known = {(node.kind, node.id) for node in graph.nodes}
        ends = {(e.source_kind, e.source_id) for e in graph.edges} | {
            (e.target_kind, e.target_id) for e in graph.edges
        }
        assert ends and ends <= known
    with pytest.raises(NotFound, match="Ashmoor"):
        await shown_graph(ports.store, GAME, "Narnia")


async def test_rows_are_found_by_what_they_say(ports) -> None:
    assert (await ports.store.near(GAME, "tower of black brick", 1))[0].id == "the_kiln"
