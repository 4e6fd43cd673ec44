"""What every LoreStore promises: one suite, run on each way of having one."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.adapters.mcp.caller import McpCaller
from freeform.adapters.mcp.lore import McpLore
from freeform.adapters.sqlite.lore.store import SqliteLore
from freeform.adapters.surreal.connection import SurrealConnection
from freeform.adapters.surreal.rows import SurrealRows
from freeform.adapters.surreal.store import SurrealLore
from freeform.apps.lore_mcp.serve import make_app, new_server
from freeform.apps.lore_mcp.tools import add_storage
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.lore.budget import CycleSpent, DaySpent
from freeform.lore.messages import RESEARCHER, VALIDATOR, DeadLetter
from freeform.lore.ports import GraphWrite, LoreStore, Reservation, StepCommit
from tests.contracts.lore_cases import (
    GAME,
    accepted,
    claim,
    commit,
    decision,
    envelope,
    package,
    page,
)
from tests.lore_served import served
from tests.retrieval.shelf import HashedWords

AT = "2091-03-15T19:00:00+00:00"


@pytest.fixture(params=["sqlite", "surreal", "mcp"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LoreStore]:
    if request.param == "surreal":
        made: LoreStore = SurrealLore(
            SurrealRows(SurrealConnection(f"surrealkv://{tmp_path / 'lore'}")), HashedWords()
        )
    else:
        made = SqliteLore(tmp_path / "lore.db", HashedWords())
    if request.param == "mcp":
        server = new_server("storage")
        add_storage(server, made)
        async with served(make_app(server, key="k1")) as url:
            client = McpLore(McpCaller(f"{url}/mcp", "k1"))
            yield client
            await client.close()
    else:
        yield made
    await made.close()


async def test_a_step_is_written_once(store: LoreStore) -> None:
    first = commit("a", 1, messages=[envelope("m1")], decisions=[decision("d1")])
    assert await store.commit_step(first) is True
    assert await store.commit_step(first) is False
    (kept,) = await store.steps_done(GAME)
    assert kept.model_dump(exclude={"messages", "decisions", "checkpoint"}) == first.model_dump(
        exclude={"messages", "decisions", "checkpoint"}
    )
    assert [each.message_id for each in await store.unsent(RESEARCHER)] == ["m1"]
    assert [each.decision_id for each in await store.decisions()] == ["d1"]
    assert await store.load_checkpoint(GAME) == first.checkpoint


async def test_steps_stand_in_order_and_each_game_has_its_own(store: LoreStore) -> None:
    for n, key in enumerate("zyx", start=1):
        await store.commit_step(commit(key, n))
    await store.commit_step(commit("w", 1, game="other"))
    assert [step.key for step in await store.steps_done(GAME)] == ["z", "y", "x"]
    assert await store.games() == ["other", GAME]
    await store.commit_step(commit("v", 4))
    assert await store.games() == [GAME, "other"]
    assert await store.load_checkpoint("nowhere") is None


async def test_a_commit_on_an_older_checkpoint_changes_nothing_at_all(store: LoreStore) -> None:
    await store.commit_step(commit("a", 1))
    with pytest.raises(Conflict, match="another researcher"):
        await store.commit_step(
            commit("b", 1, messages=[envelope("m1")], decisions=[decision("d1")])
        )
    assert [step.key for step in await store.steps_done(GAME)] == ["a"]
    assert await store.unsent(RESEARCHER) == [] and await store.decisions() == []


async def test_a_message_goes_from_outbox_to_inbox_and_has_one_effect(store: LoreStore) -> None:
    sent = envelope("m1")
    await store.commit_step(commit("a", messages=[sent, envelope("m2")]))
    assert await store.unsent(RESEARCHER, limit=1) == [sent]
    await store.mark_sent("m1")
    assert [each.message_id for each in await store.unsent(RESEARCHER)] == ["m2"]
    assert await store.accept(sent) is True
    assert await store.accept(sent) is False
    assert await store.waiting(VALIDATOR) == [sent]
    await store.commit_step(
        commit("b", agent=VALIDATOR, consumed="m1", messages=[envelope("m3", RESEARCHER)])
    )
    assert await store.waiting(VALIDATOR) == []
    assert await store.accept(sent) is False, "delivered again after its effect"
    assert await store.waiting(VALIDATOR) == []
    assert [each.message_id for each in await store.unsent(VALIDATOR)] == ["m3"]


async def test_the_newest_page_and_an_exact_one(store: LoreStore) -> None:
    old, new = page("old text"), page("new text", asked_url="https://wiki.test/Alias")
    for each in (old, new, new):
        await store.put_page(GAME, each)
    assert await store.page(GAME, old.url) == new
    assert await store.page(GAME, "https://wiki.test/Alias") == new
    assert await store.page(GAME, old.url, old.sha256) == old
    assert await store.page(GAME, "https://wiki.test/None") is None
    assert await store.page("other", old.url) is None


async def test_a_page_of_megabytes_comes_back_letter_by_letter(store: LoreStore) -> None:
    long = page("Naïve 字 \u2028 text. " * 60_000)
    await store.put_page(GAME, long)
    assert await store.page(GAME, long.url) == long


def _wanted(key: str, tokens: int, cycle: int = 1, day: str = "2091-03-15") -> Reservation:
    return Reservation(key=key, game=GAME, day=day, cycle=cycle, tokens=tokens)


async def test_tokens_are_never_promised_past_a_limit(store: LoreStore) -> None:
    limits = {"per_cycle": 100, "per_day": 150}
    await store.reserve(_wanted("a", 60), **limits)
    await store.reserve(_wanted("a", 70), **limits)
    assert await store.spent(GAME) == 70, "the same key replaces itself"
    with pytest.raises(CycleSpent, match="cycle"):
        await store.reserve(_wanted("b", 31), **limits)
    await store.reserve(_wanted("b", 30), **limits)
    await store.reserve(_wanted("c", 50, cycle=2), **limits)
    with pytest.raises(DaySpent, match="day"):
        await store.reserve(_wanted("d", 1, cycle=3), **limits)
    await store.reserve(_wanted("d", 1, cycle=3, day="2091-03-16"), **limits)
    assert await store.spent(GAME, cycle=1) == 100
    assert await store.spent(GAME, day="2091-03-15") == 150
    assert await store.spent(GAME, day="2091-03-15", cycle=2) == 50
    assert await store.spent("other") == 0


async def test_a_settled_call_keeps_its_answer_and_a_released_one_is_gone(store: LoreStore) -> None:
    await store.reserve(_wanted("a", 60), per_cycle=100, per_day=0)
    await store.settle("a", 20, '{"x": 1}')
    await store.settle("a", 99, "late")
    again = await store.reserve(_wanted("a", 60), per_cycle=10, per_day=0)
    assert (again.tokens, again.settled, again.answer) == (20, True, '{"x": 1}')
    await store.reserve(_wanted("b", 40), per_cycle=100, per_day=0)
    await store.release("b")
    await store.release("a")
    assert await store.spent(GAME) == 20


async def test_the_first_answer_stands_and_reaches_the_agent_once(store: LoreStore) -> None:
    await store.commit_step(commit("a", decisions=[decision("d1"), decision("d2", "other")]))
    answered = await store.answer("d1", "gamma", by="web", at=AT)
    assert (answered.choice, answered.answered_by) == ("Gamma", "web")
    assert await store.answer("d1", "Gamma", by="cli", at=AT) == answered
    with pytest.raises(Conflict):
        await store.answer("d1", "Alpha", by="cli", at=AT)
    with pytest.raises(NotFound):
        await store.answer("d9", "Gamma", by="cli", at=AT)
    with pytest.raises(UserError):
        await store.answer("d2", "Omega", by="cli", at=AT)
    assert [each.decision_id for each in await store.decisions(open_only=True)] == ["d2"]
    assert [each.decision_id for each in await store.decisions(GAME)] == ["d1"]
    (told,) = await store.waiting(RESEARCHER)
    assert told.payload == {"decision_id": "d1", "choice": "Gamma"}


async def test_dead_letters_are_kept_as_they_came(store: LoreStore) -> None:
    letter = DeadLetter(
        id="x1",
        queue="agent.world_lore_validator",
        body='{"odd": "\\u0000"}',
        reason="unknown type",
    )
    await store.bury(letter)
    await store.bury(letter)
    assert await store.dead_letters() == [letter]


async def test_an_accepted_package_becomes_rows_edges_and_claims(store: LoreStore) -> None:
    delta = package()
    assert await store.commit_step(accepted("a", delta))
    assert await store.package(GAME, "delta") == delta
    assert await store.package(GAME, "gamma") is None
    assert await store.claims(GAME) == delta.claims
    (zone,) = await store.rows(GAME, "zone")
    assert zone.data == delta.zone_data.model_dump(mode="json")
    assert [(row.kind, row.id) for row in await store.rows(GAME)] == [
        ("faction", "empire"), ("faction", "pirate"), ("lore", "delta_history"), ("npc", "mira"), ("zone", "delta"),
    ]  # fmt: skip
    assert (await store.graph(GAME)).edges == sorted(delta.relations, key=lambda edge: edge.name)
    assert await store.rows("other") == []


async def test_a_faction_grows_with_every_zone_that_names_it(store: LoreStore) -> None:
    await store.commit_step(accepted("a", package("delta", "gamma")))
    await store.commit_step(accepted("b", package("gamma", "delta")))
    empire = next(row for row in await store.rows(GAME, "faction") if row.id == "empire")
    assert empire.data["goals"] == ["hold delta", "hold gamma"]
    graph = await store.graph(GAME)
    assert len([edge for edge in graph.edges if edge.name == "STANCE_TOWARD"]) == 1
    assert [claim.subject_id for claim in await store.claims(GAME)] == ["delta", "gamma"]
    assert await store.claims(GAME, "gamma") == [claim("gamma")]


async def test_what_is_written_anew_takes_the_place_of_the_same_zones_alone(
    store: LoreStore,
) -> None:
    await store.commit_step(accepted("a", package("delta", "gamma")))
    await store.commit_step(accepted("b", package("gamma", "delta")))
    before = package("delta", "omega")
    less = before.model_copy(update={"lore": [], "relations": before.relations[:1], "claims": []})
    write = GraphWrite(package=less, anew=True)
    assert await store.commit_step(commit("c", agent=VALIDATOR, name="accept", graph=write))
    assert await store.package(GAME, "delta") == less
    assert [row.id for row in await store.rows(GAME, "lore")] == ["gamma_history"]
    empire = next(row for row in await store.rows(GAME, "faction") if row.id == "empire")
    assert empire.data["goals"] == ["hold delta", "hold gamma"]
    ways = [e for e in (await store.graph(GAME)).edges if e.name == "CONNECTS_TO"]
    assert [(e.source_id, e.target_id) for e in ways] == [("delta", "omega"), ("gamma", "delta")]
    assert [claim.subject_id for claim in await store.claims(GAME)] == ["gamma"]
    assert (await store.near(GAME, "what burned long ago?", limit=1))[0].id == "gamma_history"


async def test_a_zone_is_shown_with_what_it_touches(store: LoreStore) -> None:
    await store.commit_step(accepted("a", package("delta", "gamma")))
    await store.commit_step(accepted("b", package("gamma", "omega")))
    await store.commit_step(accepted("c", package("omega", "gamma")))
    graph = await store.graph(GAME, "delta")
    assert {(node.kind, node.id) for node in graph.nodes} == {
        ("zone", "delta"), ("zone", "gamma"), ("npc", "mira"), ("lore", "delta_history"),
    }  # fmt: skip
    assert {(edge.name, edge.source_id, edge.target_id) for edge in graph.edges} == {
        ("CONNECTS_TO", "delta", "gamma"),
        ("LOCATED_IN", "mira", "delta"),
        ("LOCATED_IN", "mira", "gamma"),
        ("ABOUT", "delta_history", "delta"),
    }


async def test_rows_are_found_by_what_they_say(store: LoreStore) -> None:
    await store.commit_step(accepted("a", package()))
    assert (await store.near(GAME, "a dry courier", limit=1))[0].id == "mira"
    assert (await store.near(GAME, "what burned long ago?", limit=1))[0].id == "delta_history"


async def test_steps_committed_side_by_side_are_all_kept(store: LoreStore) -> None:
    keys = [f"k{n}" for n in range(20)]
    async with asyncio.TaskGroup() as group:
        for key in (*keys, *keys):
            group.create_task(store.commit_step(commit(key, messages=[envelope(f"m_{key}")])))
    assert sorted(step.key for step in await store.steps_done(GAME)) == sorted(keys)
    assert len(await store.unsent(RESEARCHER)) == 20


async def test_a_step_made_before_somebody_judged_is_a_conflict(store: LoreStore) -> None:
    first = StepCommit(key="w1", agent="person", game=GAME, judged=0)
    assert await store.commit_step(first) is True
    assert await store.commit_step(first) is False, "the same again is harmless"
    with pytest.raises(Conflict):
        await store.commit_step(StepCommit(key="w2", agent=VALIDATOR, game=GAME, judged=0))
    assert await store.commit_step(StepCommit(key="w2", agent=VALIDATOR, game=GAME, judged=1))
    assert await store.commit_step(StepCommit(key="r", agent=RESEARCHER, game=GAME))
    assert await store.commit_step(StepCommit(key="w3", agent="person", game=GAME, judged=2))
