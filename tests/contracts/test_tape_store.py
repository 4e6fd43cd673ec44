"""What every TapeStore promises: one suite, run on each way of having one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.postgres.shelf import PostgresShelf
from freeform.adapters.postgres.store import PostgresTapes
from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteTapes
from freeform.core.errors import UserError
from freeform.core.llm.gateway import Usage
from freeform.core.llm.tape import MemoryTapes, Tape, TapeStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def tapes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TapeStore]:
    if request.param == "postgres":
        held = PostgresShelf(PostgresLinks(request.getfixturevalue("postgres")))
        yield PostgresTapes(held)
        held.close()
        return
    shelf = CampaignShelf(tmp_path)
    yield SqliteTapes(shelf) if request.param == "sqlite" else MemoryTapes()
    shelf.close()


def tape(**changes: Any) -> Tape:
    fields: dict[str, Any] = {
        "key": "k1",
        "campaign": "c",
        "turn_id": "turn_1",
        "turn_no": 1,
        "pass_id": "engine/narrator",
        "prompt": "engine/narrator@0#9f",
        "model": "offline",
        "seed": "7",
        "input_json": json.dumps({"who": "Mira", "äh": [1, 2.5, None]}),
        "text": "Tell it.",
        "output": {"final_text": "Light."},
        "usage": Usage(calls=1, input_tokens=10, output_tokens=5, cost_usd=0.001),
        "ms": 12.5,
        "at": "2091-03-15T19:00:00+00:00",
    }
    return Tape(**{**fields, **changes})


async def test_a_tape_comes_back_as_it_was(tapes: TapeStore) -> None:
    short, long = tape(), tape(key="k2", text="Long. " * 5000, output={"final_text": "ö" * 9000})
    for each in (short, long):
        await tapes.add(each)
    assert await tapes.find("c", "k1") == short
    assert await tapes.find("c", "k2") == long


async def test_the_newest_good_answer_is_found(tapes: TapeStore) -> None:
    assert await tapes.find("c", "k1") is None
    await tapes.add(tape(output={"final_text": "old"}))
    await tapes.add(tape(output={"final_text": "new"}))
    await tapes.add(tape(output=None, error="it timed out"))
    found = await tapes.find("c", "k1")
    assert found
    assert found.output == {"final_text": "new"}


async def test_an_answer_that_is_empty_is_still_an_answer(tapes: TapeStore) -> None:
    await tapes.add(tape(output={}))
    found = await tapes.find("c", "k1")
    assert found
    assert found.output == {}


async def test_tapes_belong_to_their_campaign(tapes: TapeStore) -> None:
    await tapes.add(tape(campaign="a"))
    await tapes.add(tape(campaign=""))
    assert await tapes.find("b", "k1") is None
    assert [t.campaign for t in await tapes.of_turn("a")] == ["a"]
    assert [t.campaign for t in await tapes.of_turn("")] == [""]
    assert await tapes.of_turn("b") == []


async def test_the_tapes_of_a_turn_are_in_order(tapes: TapeStore) -> None:
    for turn_no, pass_id in ((1, "one"), (2, "two"), (2, "three"), (3, "four")):
        await tapes.add(tape(turn_no=turn_no, pass_id=pass_id))
    assert [t.pass_id for t in await tapes.of_turn("c", 2)] == ["two", "three"]
    assert [t.pass_id for t in await tapes.of_turn("c")] == ["one", "two", "three", "four"]


async def test_what_was_spent_adds_up_since_a_moment(tapes: TapeStore) -> None:
    for campaign, at in (
        ("a", "2091-03-15T19:00:00Z"),
        ("a", "2091-03-15T20:00:00Z"),
        ("b", "2091-03-15T21:00:00Z"),
    ):
        await tapes.add(tape(campaign=campaign, at=at))
    await tapes.add(tape(campaign="", at="2091-03-15T23:30:00+02:00"))
    since = "2091-03-15T20:00:00Z"
    assert (await tapes.spent("a", since)).calls == 1
    assert await tapes.spent(None, since) == Usage(
        calls=3, input_tokens=30, output_tokens=15, cost_usd=0.003
    )
    assert (await tapes.spent("", since)).calls == 1
    assert await tapes.spent("nobody", since) == Usage()
    assert await tapes.spent(None, "2092-01-01T00:00:00Z") == Usage()


async def test_failed_calls_are_paid_for_too(tapes: TapeStore) -> None:
    await tapes.add(tape(output=None, error="it broke off"))
    assert (await tapes.spent("c", "2091-01-01T00:00:00Z")).calls == 1


async def test_a_moment_that_is_none_is_refused(tapes: TapeStore) -> None:
    with pytest.raises(UserError, match="'yesterday' is no moment"):
        await tapes.spent(None, "yesterday")


async def test_a_tape_before_its_campaign_begins_makes_no_campaign(tmp_path: Path) -> None:
    from freeform.adapters.sqlite.campaign.store import SqliteStore
    from freeform.core.clock import HandClock
    from tests.story import begun

    shelf = CampaignShelf(tmp_path)
    store, tapes = SqliteStore(shelf, HandClock()), SqliteTapes(shelf)
    await tapes.add(tape())
    assert await store.campaigns() == []
    await store.create("c", begun())
    assert len(await tapes.of_turn("c")) == 1
    shelf.close()


async def test_what_no_model_was_sent_is_written_with_the_next_change_and_what_one_was_at_once(
    tmp_path: Path,
) -> None:
    from freeform.adapters.sqlite.campaign.store import SqliteStore
    from freeform.core.clock import HandClock
    from tests.story import begun

    async def others_see() -> list[str]:
        other = CampaignShelf(tmp_path)
        found = [each.key for each in await SqliteTapes(other).of_turn("c")]
        other.close()
        return found

    shelf = CampaignShelf(tmp_path)
    tapes = SqliteTapes(shelf)
    await tapes.add(tape(key="free", text=""))
    assert await others_see() == []
    await SqliteStore(shelf, HandClock()).create("c", begun())
    assert await others_see() == ["free"]
    await tapes.add(tape(key="free again", text=""))
    await tapes.add(tape(key="sent"))
    assert await others_see() == ["free", "free again", "sent"]
    await tapes.add(tape(key="last", text=""))
    shelf.close()
    assert (await others_see())[-1] == "last"
