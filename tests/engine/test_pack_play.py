"""Packs at the table: a scene's lore, what people tell and keep, what can be found, and upgrades that change nothing."""

from dataclasses import replace
from pathlib import Path

from freeform.engine.campaign.why import why
from tests.engine.inn_pack import FINN, MOOD, at_the_inn, install, play, started, write_pack


async def test_entering_a_scene_reads_the_books_and_staying_does_not(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        turns = await play(table, "go to the yard", "look around", "wait")
        hits = [
            row.entry.lore["hit"]
            for row in await table.store.read("c")
            if row.entry.kind == "resolved"
        ]
        assert len(turns) == 3 and hits == [False, True, True]
        assert table.lore
        scene = (await table.store.get_state("c")).scene
        notes = await table.lore.get("c", scene.id)
        assert notes and notes.location_id == "t:yard" and notes.atmosphere == [MOOD]
        assert notes.npc_briefings["t:finn"].disposition.startswith("Cheerful")


async def test_someone_who_walks_in_is_added_and_the_rest_of_the_notes_stays(
    tmp_path: Path,
) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        assert table.lore
        begun, state = await table.store.begun("c"), await table.store.get_state("c")
        first = await table.lore.of_scene("c", state, begun.packs, "")
        assert set(first.notes.npc_briefings) == {"t:orla"} and not first.hit
        joined = state.scene.model_copy(
            update={"present_entity_ids": [*state.scene.present_entity_ids, "t:finn"]}
        )
        with_finn = replace(state, scene=joined)
        second = await table.lore.of_scene("c", with_finn, begun.packs, "")
        assert set(second.notes.npc_briefings) == {"t:orla", "t:finn"} and not second.hit
        assert second.notes.atmosphere == first.notes.atmosphere
        assert (await table.lore.of_scene("c", with_finn, begun.packs, "")).hit


async def test_notes_that_were_invalidated_are_read_again(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        assert table.lore
        begun, state = await table.store.begun("c"), await table.store.get_state("c")
        made = (await table.lore.of_scene("c", state, begun.packs, "")).notes
        await table.lore.invalidate("c", state.scene.id)
        assert await table.lore.get("c", state.scene.id) is None
        again = await table.lore.of_scene("c", state, begun.packs, "")
        assert not again.hit and again.notes.npc_briefings == made.npc_briefings


async def test_entering_a_place_for_the_first_time_tells_the_atmosphere_of_the_pack(
    tmp_path: Path,
) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        for seed in range(3):
            await started(table, f"c{seed}", seed)
            first, _, again = await play(
                table, "go to the yard", "go to the taproom", "go to the yard", campaign=f"c{seed}"
            )
            assert MOOD in first.final_text
            assert MOOD not in again.final_text


async def test_a_person_of_the_pack_tells_what_he_knows_and_not_what_he_withholds(
    tmp_path: Path,
) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        _, told, kept = await play(
            table,
            "go to the yard",
            "ask Finn about the grey mare",
            "ask Finn about the gate and the crown",
        )
        assert "without her rider" in told.final_text
        assert "unbarred" not in kept.final_text and any(
            e.type == "withheld" for e in kept.engine_events
        )
        state = await table.store.get_state("c")
        known = [f.object.get("text", "") for f in state.facts.values() if f.visibility == "known"]
        assert any("without her rider" in text for text in known)
        assert not any("unbarred" in text for text in known)


async def test_what_he_told_leads_back_to_file_section_and_words_of_the_pack(
    tmp_path: Path,
) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        await play(table, "go to the yard", "ask Finn about the grey mare")
        (learnt,) = [
            f
            for f in (await table.store.get_state("c")).facts_of("t:finn")
            if "told:" in f.predicate
        ]
        page, *rest = (await why("c", learnt.id, table))["chain"]
        assert (page["pack"], page["version"], page["file"]) == ("t", "1.0.0", "npcs/finn.md")
        assert page["section"] == "Finn > Knows" and "grey mare" in page["quote"]
        assert rest and rest[0]["turn_no"] == 2
        of_orla = (await why("c", "t:orla", table))["chain"][0]
        assert of_orla["file"] == "npcs/orla.md" and of_orla["quote"]


async def test_a_scenarios_fact_about_someone_of_a_pack_points_to_the_pack(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        facts = (await table.store.get_state("c")).facts
        assert (facts["f_smuggling"].origin, facts["f_smuggling"].pack_id) == ("pack", "t")
        assert (facts["f_door"].origin, facts["f_door"].pack_id) == ("campaign", None)


async def test_searching_the_right_spot_finds_what_the_pack_hides_there(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        install(table, write_pack(tmp_path / "inn"))
        await started(table)
        _, wrong, right = await play(
            table, "go to the yard", "search the lantern", "search the pump"
        )
        assert "whistle" not in wrong.final_text
        assert "brass whistle" in right.final_text


LINES = ("go to the yard", "look around", "ask Finn about the grey mare", "search the pump", "wait")


async def test_a_campaign_begun_before_an_upgrade_plays_on_exactly_as_without_it(
    tmp_path: Path,
) -> None:
    plain, upgraded = tmp_path / "plain", tmp_path / "upgraded"
    told: dict[str, list[tuple[str, str]]] = {}
    states = {}
    for home in (plain, upgraded):
        async with at_the_inn(home) as table:
            install(table, write_pack(home / "inn"))
            await started(table)
            turns = await play(table, LINES[0])
            if home is upgraded:
                other = FINN.replace(
                    "The grey mare came home", "The black colt of the grey mare came home"
                )
                install(
                    table, write_pack(home / "inn2", "1.1.0", "Snow, and no sound at all.", other)
                )
        async with at_the_inn(home) as table:
            turns += await play(table, *LINES[1:])
            told[home.name] = [(turn.final_text, str(turn.state_diff)) for turn in turns]
            state = (await table.store.get_state("c")).document()
            states[home.name] = state
    assert told["plain"] == told["upgraded"]
    assert states["plain"] == states["upgraded"]
    async with at_the_inn(upgraded) as table:
        await started(table, "new")
        assert (await table.store.begun("new")).packs["t"].version == "1.1.0"
        _, heard = await play(
            table, "go to the yard", "ask Finn about the grey mare", campaign="new"
        )
        assert "black colt" in heard.final_text
