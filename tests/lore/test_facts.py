"""What is told of one thing: facts with all who say so, conflicts, gaps; and what speaks for each way at a fork."""

from pathlib import Path

import pytest

from freeform.core.errors import NotFound
from freeform.lore.model import Kind
from freeform.lore.publish.facts import LoreFact, evidence_for, facts_of
from tests.lore.emberfall import GAME, SAID_BUT_MISSING, after_ashmoor, ports_on, run


def by(facts: list[LoreFact], predicate: str) -> dict[str, LoreFact]:
    return {fact.value: fact for fact in facts if fact.predicate == predicate}


async def test_sources_that_say_the_same_in_other_words_stand_behind_one_fact(
    tmp_path: Path,
) -> None:
    ports = after_ashmoor(tmp_path / "lore.db")
    told = await facts_of(ports.store, GAME, "zone", "ashmoor")
    levels = by(told.facts, "level_range")
    assert [(s.tier, s.quote) for s in levels["10-20"].sources] == [
        (1, "Level: 10-20"),
        (2, "Level range: 10 to 20"),
    ]
    assert len(levels) == 1
    ways = by(told.facts, "connects_to")
    assert ways["Greyford"].confidence > ways["Tarn Heights"].confidence > 0
    assert ways["Greyford"].value_kind == "zone"


async def test_what_a_better_source_denies_is_told_but_not_kept(tmp_path: Path) -> None:
    ports = after_ashmoor(tmp_path / "lore.db")
    told = await facts_of(ports.store, GAME, "zone", "ashmoor")
    factions = by(told.facts, "faction")
    assert factions["Cinder Court"].kept and not factions["Reed Folk"].kept
    assert told.facts.index(factions["Reed Folk"]) > told.facts.index(factions["Cinder Court"])
    [conflict] = [each for each in told.conflicts if each.predicate == "faction"]
    assert (conflict.kind, conflict.kept) == ("error", "Cinder Court")
    assert [(gap.name, gap.why) for gap in told.gaps] == [(SAID_BUT_MISSING, "dead link")]


async def test_every_quote_told_of_any_node_stands_in_its_stored_page(tmp_path: Path) -> None:
    ports = ports_on(tmp_path / "lore.db")
    await run(ports, ["Ashmoor", "Greyford"])
    quotes = 0
    for row in await ports.store.rows(GAME):
        for fact in (await facts_of(ports.store, GAME, row.kind, row.id)).facts:
            for source in fact.sources:
                page = await ports.store.page(GAME, source.url)
                assert page and source.quote in page.text, source
                quotes += 1
    assert quotes > 20


@pytest.mark.parametrize("kind", ["zone", "npc"])
async def test_what_nobody_has_researched_is_not_found(tmp_path: Path, kind: Kind) -> None:
    ports = after_ashmoor(tmp_path / "lore.db", ask=True)
    with pytest.raises(NotFound, match="tarn_heights"):
        await facts_of(ports.store, GAME, kind, "tarn_heights")


async def test_each_way_at_a_fork_has_the_words_that_name_it(tmp_path: Path) -> None:
    ports = after_ashmoor(tmp_path / "lore.db", ask=True)
    [decision] = await ports.store.decisions()
    ways = await evidence_for(ports.store, decision)
    assert [way.option for way in ways] == decision.options
    assert [len(way.sources) for way in ways] == [2, 2, 1]
    assert all(way.option in source.quote for way in ways for source in way.sources)
    early = decision.model_copy(update={"zone_name": "Tarn Heights"})
    assert [way.sources for way in await evidence_for(ports.store, early)] == [[], [], []]
