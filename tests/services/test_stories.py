"""A story as something one owns, through both doors; the front page; the map that a character could draw."""

import html
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.doors import Doors, Refused, alike, begun, opened

ROW = ("id", "name", "archived", "party", "current_turn")


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[Doors]:
    """The doors, and behind each the same campaign, `a`."""
    async with opened(tmp_path) as made:
        await begun(made)
        yield made


async def both(doors: Doors, cli: tuple[str, ...], method: str, path: str, body: Any = None) -> Any:
    """The same through the command line and HTTP."""
    return alike([await doors.cli("campaign", *cli), await doors.http(method, path, body)], *ROW)


async def ids(doors: Doors) -> list[str]:
    listed = await doors.http("GET", "/api/campaigns")
    assert [row["id"] for row in (await doors.cli("campaigns"))["campaigns"]] == [
        row["id"] for row in listed["campaigns"]
    ]
    return [row["id"] for row in listed["campaigns"]]


async def test_a_story_is_named_copied_put_away_deleted_and_taken_back(doors: Doors) -> None:
    at = "/api/campaigns/a"
    named = await both(
        doors, ("rename", "a", " Winter  sands "), "POST", f"{at}/card", {"name": " Winter  sands "}
    )
    assert named["name"] == "Winter sands"
    assert (await doors.http("GET", at))["name"] == "Winter sands"
    copied = await both(doors, ("copy", "a"), "POST", f"{at}/copy")
    assert (copied["id"], copied["name"]) == ("a-2", "Winter sands (copy)")
    away = await both(doors, ("archive", "a"), "POST", f"{at}/card", {"archived": True})
    assert away["archived"] and await ids(doors) == ["a-2", "a"]
    await both(doors, ("delete", "a-2"), "DELETE", "/api/campaigns/a-2")
    assert await ids(doors) == ["a"]
    binned = await doors.http("GET", "/api/campaigns?deleted=true")
    assert [row["id"] for row in binned["campaigns"]] == ["a-2"]
    await both(doors, ("restore", "a-2"), "POST", "/api/campaigns/a-2/restore")
    assert await ids(doors) == ["a-2", "a"]


async def test_a_story_is_removed_for_good_only_from_the_bin(doors: Doors) -> None:
    refused = await doors.http("DELETE", "/api/campaigns/a?for_good=true")
    assert isinstance(refused, Refused) and "delete it first" in refused.sentence
    await doors.http("DELETE", "/api/campaigns/a")
    await doors.http("DELETE", "/api/campaigns/a?for_good=true")
    assert isinstance(await doors.http("GET", "/api/campaigns/a"), Refused)
    assert not list((doors.http.served.room.settings.home / "campaigns").iterdir())
    again = {"scenario": "cellar", "campaign": "a", "seed": 7}
    assert (await doors.http("POST", "/api/campaigns", again))["campaign"] == "a"


async def test_a_name_too_long_is_refused_and_a_card_that_does_not_read_hides_no_story(
    doors: Doors,
) -> None:
    refused = await doors.http("POST", "/api/campaigns/a/card", {"name": "x" * 500})
    assert isinstance(refused, Refused) and "120 letters" in refused.sentence
    home = doors.http.served.room.settings.home
    (home / "campaigns" / "a" / "card.json").write_text("{half a")
    assert (await doors.http("GET", "/api/campaigns"))["campaigns"][0]["id"] == "a"


async def test_a_name_goes_with_the_archive(doors: Doors) -> None:
    await doors.http("POST", "/api/campaigns/a/card", {"name": "Winter"})
    zipped = await doors.http("GET", "/api/campaigns/a/export?format=zip")
    await doors.http.bring("a.zip", zipped, campaign="b")
    assert (await doors.http("GET", "/api/campaigns/b"))["name"] == "Winter"


async def test_the_front_page_has_hero_place_and_last_line_and_no_party(doors: Doors) -> None:
    await doors.http.played("turns", {"text": "look around"})
    page = await doors.http("GET", "/api/home")
    [story] = page["stories"]
    told = (await doors.http.served.story())[-1]["final_text"]
    assert story["last_line"].rstrip("…") in told and story["turn_no"] == 1
    table = await doors.http("GET", "/api/campaigns/a/table")
    assert (story["hero"], story["place"]) == (table["hero"]["name"], table["scene"]["name"])
    party = {"scenario": "cellar", "players": "2", "seed": 3}
    made = await doors.http("POST", "/api/parties", party)
    assert [row["id"] for row in (await doors.http("GET", "/api/home"))["stories"]] == ["a"]
    rows = (await doors.http("GET", "/api/campaigns"))["campaigns"]
    assert {row["id"]: row["party"] for row in rows} == {"a": False, made["campaign"]: True}
    kept = await doors.http("DELETE", f"/api/campaigns/{made['campaign']}")
    assert isinstance(kept, Refused) and "AI party" in kept.sentence


async def test_the_map_grows_with_what_the_character_has_seen(doors: Doors) -> None:
    await doors.http(
        "POST", "/api/campaigns", {"scenario": "drowned_bell", "campaign": "bell", "seed": 7}
    )
    before = await doors.http("GET", "/api/campaigns/bell/map")
    names = {place["id"]: place["name"] for place in before["places"]}
    assert [place["id"] for place in before["places"] if place["here"]] == ["saltmarch:causeway"]
    assert "saltmarch:undercroft" not in names and "saltmarch:bell_tower" not in names
    gate = [way for way in before["ways"] if way["to"] == "saltmarch:gatehouse"]
    assert [(way["open"], way["state"]) for way in gate] == [(False, "shut")]
    assert {who["name"]: who["at"] for who in before["people"]}[
        "Obed Crake"
    ] == "saltmarch:causeway"
    assert "Prior Edda" not in json.dumps(before)
    served = doors.http.served
    await served.turn("Go round by the weed rocks to the harbour", campaign="bell")
    after = await doors.http("GET", "/api/campaigns/bell/map")
    assert [place["id"] for place in after["places"] if place["here"]] == ["saltmarch:hard"]
    assert len(after["places"]) > len(before["places"])
    assert {who["name"]: who["here"] for who in after["people"]}["Obed Crake"] in (True, False)
    [way] = [
        way
        for way in after["ways"]
        if way["from"] == "saltmarch:causeway" and way["to"] == "saltmarch:gatehouse"
    ]
    assert way["state"] in ("unsure", "shut")


async def test_the_story_leaves_as_a_page_that_fetches_nothing_and_runs_nothing(
    doors: Doors,
) -> None:
    await doors.http("POST", "/api/campaigns/a/card", {"name": "Salt <script>alert(1)</script>"})
    await doors.http.played("turns", {"text": "I kick <b>the door</b> down"})
    page = (await doors.http("GET", "/api/campaigns/a/export?format=html")).decode()
    told = (await doors.http.served.story())[-1]
    assert "&lt;b&gt;the door&lt;/b&gt;" in page and "<script" not in page
    assert "http:" not in page and "https:" not in page and "url(" not in page
    assert html.escape(told["final_text"].splitlines()[0].strip()) in page
    assert page.count("<li id='dice") == len(told["rolls"])
    table = await doors.http("GET", "/api/campaigns/a/table")
    assert f"the story of {table['hero']['name']}" in page


async def test_a_story_is_shared_as_one_page_of_what_the_character_knows(doors: Doors) -> None:
    await doors.http(
        "POST", "/api/campaigns", {"scenario": "drowned_bell", "campaign": "bell", "seed": 7}
    )
    await doors.http.served.turn("I ask Obed about the bell Hester", campaign="bell")
    told = (await doors.http("GET", "/api/campaigns/bell/story"))["turns"][0]
    await doors.http.served.turn("I open <b>the sky</b>", campaign="bell")
    for beside in (
        "ooc: spiders frighten me, I have a phobia",
        "I look around. (ooc: my real name is Zebulon Quark)",
        "(out of character: the dog barks, back in five) I look at Obed",
    ):
        await doors.http.served.turn(beside, campaign="bell")
    told_beside = (await doors.http("GET", "/api/campaigns/bell/story"))["turns"][2:]
    lines = [each["final_text"].splitlines() for each in told_beside]
    replied = [lines[0][0], lines[1][-1], lines[2][0]]
    page = (await doors.http("GET", "/api/campaigns/bell/export?format=share")).decode()
    table = await doors.http("GET", "/api/campaigns/bell/table")
    world = await doors.http("GET", "/api/campaigns/bell/world")
    for known in (table["hero"]["concept"], "Obed Crake", *(one["text"] for one in table["facts"])):
        assert html.escape(known) in page
    assert html.escape(told["final_text"].splitlines()[0].strip()) in page
    people = [one for one in world["entities"] if one["type"] in ("npc", "creature")]
    assert page.count("class='face'") == len(people) + 1
    # Nobody the character has not heard of, no place they know no way to, no id, nothing that runs or is fetched.
    # What is done beside a remark stays.
    assert "I look around." in page and "I look at Obed" in page
    remarks = ("phobia", "Zebulon", "the dog", "ooc", *map(html.escape, replied))
    hidden_words = ("Edda", "undercroft", "saltmarch:", "<script", "http:", "https:", "<b>the sky")
    for hidden in (*hidden_words, *remarks):
        assert hidden not in page
