"""Questions of those who sit at one table: each is answered from what their own seat may know, by every door."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.serving import serving
from tests.apps.web.test_other_doors import call, chat
from tests.apps.web.test_people import quiet

KEY = "open-sesame-42"
FUSE = "ceramic fuse"
"""What only who stays finds."""
ASKED = "What was found in the jukebox?"


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    async with serving(tmp_path / "home", serve_key=KEY) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin("a", "dead_drop")
        async with gathered(served, KEY) as made:
            yield made


async def ask(who: Guest, question: str) -> Any:
    answer = await who.ask("POST", "/company/ask", {"question": question})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def act(company: Company, who: Guest, text: str) -> None:
    assert (await who.ask("POST", "/turns", {"text": text})).status_code == 202
    await quiet(company)


async def test_who_was_elsewhere_is_not_told_what_was_found_by_any_door(company: Company) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    wim = await company.guest("Wim", "spectator")
    await act(company, ben, "I go to Kettle Row")
    await act(company, cleo, "I search the jukebox")
    for who in (cleo, wim):  # who was there, and who watches all
        assert FUSE in str(await ask(who, ASKED))
    assert FUSE in (await chat(cleo, ASKED, model="table/a:ask"))[1]
    assert FUSE in (await call(cleo, "ask", question=ASKED))[1]
    assert FUSE not in str(await ask(ben, ASKED))
    status, told = await chat(ben, ASKED, model="table/a:ask")
    assert status == 200 and FUSE not in told
    refused, told = await call(ben, "ask", question=ASKED)
    assert not refused and FUSE not in told
    story = (await ben.ask("GET", "/story")).json()
    assert [turn["turn_no"] for turn in story["turns"]] == [1]  # a question is no turn


async def test_each_asks_of_their_own_hero_and_of_nothing_else_that_the_owner_has(
    company: Company,
) -> None:
    mine = {"name": "Sparrow", "concept": "A retired lamplighter."}
    ben = await company.guest("Ben", hero=mine)
    notes = company.served.room.house.settings.home / "notes" / "a"
    notes.mkdir(parents=True)
    (notes / "mine.md").write_text("# Secret plan\n\nThe jukebox is a trapdoor, says zqownerzq.\n")
    await act(company, ben, "I look around")
    await company.owner.post("/api/campaigns/a/turns", json={"text": "I wait"})
    await quiet(company)  # another hero stands in the light now
    told = await ask(ben, "Who am I and what is my background?")
    assert "lamplighter" in str(told) and "Ines Marchetti" not in str(told["sources"][:1])
    wish = {"question": "What is the secret plan with the jukebox?", "notes": "a"}
    assert "zqownerzq" in (await company.owner.post("/api/ask", json=wish)).text
    assert "zqownerzq" not in str(await ask(ben, "What is the secret plan with the jukebox?"))
    rules = await ask(ben, "What does the frightened condition do?")
    assert rules["sources"]


async def test_who_asks_without_end_waits_and_a_question_has_its_length(company: Company) -> None:
    ben = await company.guest("Ben")
    long = await ben.ask("POST", "/company/ask", {"question": "why " * 1000})
    assert long.status_code == 400 and "letters long" in long.text
    for _ in range(6):
        await ask(ben, "Who is here?")
    refused = await ben.ask("POST", "/company/ask", {"question": "Who is here?"})
    assert refused.status_code == 503 and "wait a moment" in refused.text
