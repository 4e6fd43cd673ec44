"""A human game master's hand is the same through every door: it holds in play, is undone, and is
refused with one sentence."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.doors import Doors, alike, begun, opened, refused_alike


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[Doors]:
    """Three doors, and behind each the same campaign, `a`."""
    async with opened(tmp_path) as made:
        await begun(made)
        yield made


async def laid(doors: Doors, verb: str, text: str) -> list[Any]:
    """One of the verbs through each door."""
    return [
        await doors.cli("gm", "a", verb, text),
        await doors.http("POST", "/api/campaigns/a/gm", {"verb": verb, "text": text}),
        await doors.mcp("gm_hand", campaign="a", verb=verb, text=text),
    ]


async def shown(doors: Doors) -> Any:
    """What holds by a game master's hand."""
    return alike(
        [
            await doors.cli("gm", "a", "show"),
            await doors.http("GET", "/api/campaigns/a/gm"),
            await doors.mcp("gm_show", campaign="a"),
        ],
        "whispers", "note", "style", "pinned",
    )  # fmt: skip


async def told(doors: Doors, text: str) -> str:
    """The prose of one turn, which is the same behind every door."""
    return str(
        alike(
            [
                await doors.cli("turn", "a", text),
                await doors.http.played("turns", {"text": text}),
                await doors.mcp("take_turn", campaign="a", text=text),
            ],
            "final_text",
        )["final_text"]
    )


async def undone(doors: Doors) -> None:
    alike(
        [
            await doors.cli("undo", "a"),
            await doors.http("POST", "/api/campaigns/a/undo"),
            await doors.mcp("undo", campaign="a"),
        ],
        "turn_no",
    )


async def test_what_is_done_by_hand_holds_in_the_next_turn_and_is_undone(doors: Doors) -> None:
    done = alike(await laid(doors, "do", "bring: t:finn"), "heard", "turn_no")
    assert any("finn" in line.lower() for line in done["heard"])
    assert "Finn" in await told(doors, "look around")
    await undone(doors)
    await undone(doors)
    assert "Finn" not in await told(doors, "look around")
    await undone(doors)


async def test_what_is_said_whispered_noted_and_pinned_is_shown(doors: Doors) -> None:
    said = alike(await laid(doors, "say", "Orla is dead."), "heard")
    assert any("dead" in line for line in said["heard"])
    assert "dead" in await told(doors, "ask Orla about the cellar")
    for verb, text in (("whisper", "a dog barks"), ("note", "it rains"), ("pin", "f_door")):
        alike(await laid(doors, verb, text), "turn_no")
    held = await shown(doors)
    assert held["whispers"] == ["a dog barks"]
    assert held["note"] == "it rains"
    assert held["pinned"] == ["t:orla#said_1", "f_door"], "what a game master says is pinned too"
    alike(await laid(doors, "unpin", "f_door"), "turn_no")
    assert (await shown(doors))["pinned"] == ["t:orla#said_1"]
    assert "nobody" in refused_alike(await laid(doors, "do", "bring: nobody"))
    assert "f_none" in refused_alike(await laid(doors, "pin", "f_none"))


async def test_the_pen_writes_corrects_and_tells_anew_through_every_door(doors: Doors) -> None:
    async def held(verb: str, text: str = "", turn: int = 0) -> list[Any]:
        words = [text] if text else []
        at = ["--turn", str(turn)] if verb == "reword" else []
        body = {"verb": verb, "text": text, "turn_no": turn}
        return [
            await doors.cli("gm", "a", verb, *words, *at),
            await doors.http("POST", "/api/campaigns/a/gm/pen", body),
            await doors.mcp("gm_pen", campaign="a", **body),
        ]

    assert alike(await held("tell", "The lamp goes out."), "turn_no")["turn_no"] == 1
    first = await told(doors, "look around")
    again = alike(await held("retell"), "heard")["heard"][0]
    assert again.startswith("turn 2 reads now: ") and first[:40] not in again
    alike(await held("reword", "Nothing but dark.", 2), "heard")
    assert "no turn 7" in refused_alike(await held("reword", "Rain.", 7))
