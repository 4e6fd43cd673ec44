"""The oracle: rolled in the open, kept in the log, taken back; tables of packs and of the house."""

from pathlib import Path

import pytest

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.engine.campaign.begin import Answers
from freeform.engine.campaign.oracle import ODDS, read_question, yes_or_no
from freeform.engine.shelf.books import general_tables
from freeform.packs.folder.load import load_pack
from freeform.packs.tables import MOST_ROLLS, RandomTable, draw
from freeform.services.campaigns import game_state, why
from freeform.services.gm.oracle import ask_oracle, list_tables
from freeform.services.house import opened_house
from freeform.services.packs import install_pack
from freeform.services.play import say_of, take_turn, undo
from freeform.services.scenario.forging import ForgeOrder, begin_forged
from tests.forge.test_play import offline


def gull(folder: Path) -> Path:
    """A pack with a good table and a bad one."""
    (folder / "tables").mkdir(parents=True)
    (folder / "pack.yaml").write_text("id: gull\nname: Gull\nversion: 1.0.0\n")
    (folder / "tables" / "empty.yaml").write_text("name: Empty\nrows: []\n")
    (folder / "tables" / "omens.yaml").write_text("name: Omens\nrows: [a gull, '{weather}']\n")
    (folder / "tables" / "rumours.yaml").write_text("name: Rumours\nrows: [The gulls know.]\n")
    return folder


async def test_the_log_is_witness_and_undo_takes_it_back(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        await install_pack(house, gull(tmp_path / "gull"))
        order = ForgeOrder(premise="a feud over a well", packs=["gull"], seed=2)
        await begin_forged(house, order, campaign="a")
        first = await ask_oracle(house, "a", "who lit the lamp?")
        assert first.kind == "idea" and first.rolls[0].table == "idea"
        found = await why(house, "a", first.fact_id, known_only=True)
        assert "who lit the lamp?" in found["fact"]["object"]["text"]
        logged = (await house.table.store.read("a"))[-1].entry
        assert logged.kind == "changed" and logged.details["rolls"][0]["rolled"]
        own = {row.id: row.source for row in (await list_tables(house, "a")).tables}
        assert own["omens"] == "pack gull: tables/omens.yaml" and own["twist"] == "general"
        whole = await ask_oracle(house, "a", "person")
        assert [roll.table for roll in whole.rolls] == ["person", "mood", "wants"]
        await undo(house, "a", 1)
        omen = await ask_oracle(house, "a", "Omens")
        assert omen.kind == "table" and "{" not in omen.text
        await undo(house, "a", 1)
        before = (await game_state(house, "a")).document()
        await undo(house, "a", 1)
        assert first.fact_id not in (await game_state(house, "a")).facts
        assert (await ask_oracle(house, "a", "who lit the lamp?")).text == first.text
        assert (await game_state(house, "a")).document() == before

        await take_turn(house, await say_of(house, "a", "I go to the cathedral"))
        told = await take_turn(house, await say_of(house, "a", "ask about gossip"))
        assert "The gulls know" in told.final_text


def test_odds_hold_over_a_hundred_and_words_are_read() -> None:
    for percent in ODDS.values():
        said = [yes_or_no(rolled, percent) for rolled in range(1, 101)]
        assert sum(answer.startswith("yes") for answer in said) == percent
        assert said == sorted(said, key=list(dict.fromkeys(said)).index)
    tables = general_tables()
    for text, odds in (
        ("Is she home? (very unlikely)", "very unlikely"),
        ("Is she home, 50/50", "even"),
        ("is it guarded - likely", "likely"),
        (", likely", "even"),
        ("Is she home?", "even"),
        ("Is it likely that she is home?", "even"),
    ):
        assert read_question(text, "", tables).odds == odds
    assert read_question("A twist", "", tables).table == "twist"
    with pytest.raises(UserError, match="ask the oracle something"):
        read_question("  ", "", tables)


def test_a_bad_table_is_named_and_the_rest_of_the_pack_is_used(tmp_path: Path) -> None:
    pack = load_pack(gull(tmp_path))
    assert [table.id for table in pack.tables] == ["omens", "rumours"]
    assert [problem.file for problem in pack.errors] == ["tables/empty.yaml"]
    assert "`weather`" in " ".join(problem.message for problem in pack.warnings)


def test_a_table_that_names_itself_without_end_is_drawn_from_in_a_moment() -> None:
    rows = ["{self} " * 200]
    tables = {"self": RandomTable.model_validate({"id": "self", "name": "Self", "rows": rows})}
    drawn = draw("self", tables, Chance(1))
    assert len(drawn.rolls) <= MOST_ROLLS
    assert "{" not in drawn.text


async def test_the_oracle_keeps_the_tables_lines(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        order = ForgeOrder(premise="a feud over a well", seed=2)
        await begin_forged(house, order, Answers(lines=["spiders"]), campaign="a")
        with pytest.raises(UserError, match="spiders"):
            await ask_oracle(house, "a", "are there spiders in the cellar?")
        assert (await house.table.store.read("a"))[-1].entry.kind != "changed"
