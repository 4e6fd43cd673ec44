"""What happened can be searched: this campaign and branch only, and no secret in a player's view."""

from pathlib import Path

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.engine.campaign import timeline
from freeform.engine.campaign.diverged import diverged
from freeform.engine.campaign.sessions import (
    active,
    end_session,
    history,
    recap,
    start_session,
)
from freeform.engine.shelf import pack_install
from freeform.engine.table import Table
from freeform.retrieval.model import GM, PLAYER, LoreRetrievalQuery, Viewer
from tests.engine.inn_pack import at_the_inn, install, play, started, write_pack


async def found(
    table: Table, words: str, corpus: str = "history", viewer: Viewer = PLAYER, campaign: str = "c"
) -> list[str]:
    """The texts a search gives."""
    assert table.lore
    query = LoreRetrievalQuery.model_validate({"keywords": words, "corpus": corpus})
    result = await pack_install.search(
        table.lore.books, query, viewer, campaign=campaign, store=table.store
    )
    return [chunk.text for chunk in result.chunks]


async def begin_at(table: Table, folder: Path) -> None:
    install(table, write_pack(folder))
    await started(table)


async def test_turns_are_found_and_after_an_undo_they_are_not(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        await play(table, "go to the yard", "ask Finn about the grey mare")
        assert any("without her rider" in text for text in await found(table, "the grey mare"))
        await timeline.undo("c", 1, table.store)
        assert not any("rider" in text for text in await found(table, "the grey mare"))
        await timeline.redo("c", table.store)
        assert any("without her rider" in text for text in await found(table, "the grey mare"))


async def test_another_branch_and_another_campaign_are_not_seen(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        await started(table, "other")
        await play(table, "go to the yard")
        await timeline.branch("c", table.store, None, "what-if")
        await play(table, "search the pump")
        assert any("whistle" in text for text in await found(table, "brass whistle"))
        await timeline.switch("c", "main", table.store)
        assert not any("whistle" in text for text in await found(table, "brass whistle"))
        assert not any(
            "yard" in text for text in await found(table, "go to the yard", campaign="other")
        )


async def test_no_hidden_fact_is_in_a_players_view(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        secret = "Orla smuggles brandy"
        for corpus in ("history", "all"):
            seen = await found(table, "Orla smuggles brandy through the cellar", corpus)
            assert not any(secret in text for text in seen)
            known_to_gm = await found(table, "Orla smuggles brandy through the cellar", corpus, GM)
            assert any(secret in text for text in known_to_gm)
        finn = Viewer.parse("npc:t:finn")
        assert not any(
            secret in text for text in await found(table, "Orla smuggles brandy", "all", finn)
        )
        unbarred = "paid a crown to leave the gate unbarred"
        assert not any("unbarred" in text for text in await found(table, unbarred, "all"))
        assert any("unbarred" in text for text in await found(table, unbarred, "all", finn))


async def test_packs_and_history_are_searched_together_or_apart(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        await play(table, "go to the yard")
        assert table.lore
        for corpus, sources in (
            ("authored", {"authored"}),
            ("history", {"history"}),
            ("all", {"authored", "history"}),
        ):
            query = LoreRetrievalQuery.model_validate(
                {"keywords": "the yard lantern", "corpus": corpus}
            )
            result = await pack_install.search(
                table.lore.books, query, GM, campaign="c", store=table.store
            )
            assert {chunk.source for chunk in result.chunks} == sources


async def test_a_nights_end_and_its_recap_cite_turns_of_that_night(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        await start_session("c", table)
        await play(table, "go to the yard", "search the pump")
        ended = await end_session("c", table)
        assert (ended.turn_range_start, ended.turn_range_end) == (1, 2)
        assert ended.summary and "[t2]" in ended.summary
        told = await recap("c", table)
        assert "[t2]" in told and "whistle" in told
        assert any("whistle" in text for text in await found(table, "summary of session 1 whistle"))


async def test_the_table_of_sessions_follows_an_undo(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        await play(table, "go to the yard")
        await start_session("c", table)
        await play(table, "search the pump")
        await end_session("c", table)
        assert sessions(tmp_path) == [("session_1", 2, 2)]
        await timeline.undo("c", 1, table.store)
        assert sessions(tmp_path) == [("session_1", 2, None)]
        assert active(await table.store.get_state("c"))
        await timeline.undo("c", 1, table.store)
        assert sessions(tmp_path) == [] and history(await table.store.get_state("c")) == []


def sessions(home: Path) -> list[tuple[str, int, int | None]]:
    """The rows of the table."""
    shelf = CampaignShelf(home)
    try:
        with shelf.campaign("c").reading() as db:
            return db.execute(
                "select id, turn_range_start, turn_range_end from sessions order by id"
            ).fetchall()
    finally:
        shelf.close()


async def test_what_play_has_changed_of_the_pack_is_listed(tmp_path: Path) -> None:
    async with at_the_inn(tmp_path) as table:
        await begin_at(table, tmp_path / "inn")
        assert (await diverged("c", table.store)).entities == []
        await play(table, "go to the yard", "ask Finn about the grey mare", "search the pump")
        strayed = {each.id: each for each in (await diverged("c", table.store)).entities}
        assert {"t:finn", "t:yard"} <= set(strayed)
        assert any("without her rider" in change.now for change in strayed["t:finn"].changes)
        await timeline.undo("c", 3, table.store)
        assert (await diverged("c", table.store)).entities == []
