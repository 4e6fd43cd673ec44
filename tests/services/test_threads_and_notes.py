"""One store of notes and one of conversations: the same through every door."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.evals.suites.answers.question import HERE
from tests.services.assistant_doors import OneHouse, assert_refused, assert_same, doors_of

VAULT = HERE / "notes" / "tidewatch"
TICKING = ("timings_ms", "thread")


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[OneHouse]:
    async with doors_of(tmp_path / "home") as opened:
        yield opened


async def test_notes_are_brought_in_once_and_asked_through_every_door(doors: OneHouse) -> None:
    done = doors.cli("import", str(VAULT)).document
    assert (done["kind"], done["id"], done["counts"]["sessions"]) == ("notes", "tidewatch", 4)
    assert_same(
        doors.cli("notes", "list"),
        await doors.http("GET", "/api/notes"),
        await doors.mcp("list_notes"),
    )
    question = "What did we pay for the barge?"
    body = {"question": question, "notes": "tidewatch"}
    told = assert_same(
        doors.cli("ask", question, "--notes", "tidewatch"),
        await doors.http("POST", "/api/ask", json=body),
        await doors.mcp("ask", **body),
        but=TICKING,
    )
    assert "150 gp" in told["answer"]
    assert "150 gp" in await doors.slash("ask", question=question, notes="tidewatch")


async def test_a_conversation_goes_on_whichever_door_it_is_asked_through(doors: OneHouse) -> None:
    doors.cli("import", str(VAULT))
    first = doors.cli(
        "ask", "What happened in session 13?", "--notes", "tidewatch", "--thread", "new"
    ).document
    thread = first["thread"]
    assert "quicksilver" in first["answer"]
    body = {"question": "And the one after that?", "notes": "tidewatch", "thread": thread}
    next_one = await doors.mcp("ask", **body)
    assert "Session 14" in next_one.document["answer"]
    kept = (await doors.http("GET", f"/api/ask/threads/{thread}")).document
    assert [turn["question"] for turn in kept["asked"]] == [
        "What happened in session 13?",
        "And the one after that?",
    ]
    rows = (await doors.http("GET", "/api/ask/threads")).document["threads"]
    assert [(row["id"], row["turns"]) for row in rows] == [(thread, 2)]
    await doors.http("DELETE", f"/api/ask/threads/{thread}")
    gone = await doors.http("GET", f"/api/ask/threads/{thread}")
    assert "no conversation" in assert_refused(gone)


async def test_on_discord_a_follow_up_knows_what_was_asked_before(doors: OneHouse) -> None:
    doors.cli("import", str(VAULT))
    await doors.slash("ask", question="What happened in session 13?", notes="tidewatch")
    told = await doors.slash("ask", question="And the one after that?", notes="tidewatch")
    assert "Session 14" in told


async def test_a_thread_with_a_name_that_is_none_is_refused(doors: OneHouse) -> None:
    body = {"question": "How does grappling work?", "thread": "../secrets"}
    assert_refused(
        doors.cli("ask", body["question"], "--thread", "../secrets"),
        await doors.http("POST", "/api/ask", json=body),
        await doors.mcp("ask", **body),
    )
