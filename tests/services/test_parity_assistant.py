"""Every use case of the assistant, of books, parties and lore gives the same through every door."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.discord.rooms import LARDER
from tests.assistant.sheet.examples import BRANNOC
from tests.contracts.lore_cases import commit, decision
from tests.ingest.book import make_book
from tests.plain_kernels import PLAIN_KERNELS
from tests.services.assistant_doors import (
    OneHouse,
    assert_refused,
    assert_same,
    doors_of,
    sentence,
)

BROKEN = b'{"data": {"stats": ['
RULES_QUESTION = "How does grappling work?"


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[OneHouse]:
    """With one small campaign, `a`."""
    async with doors_of(tmp_path / "home") as opened:
        await opened.served.begin()
        yield opened


def upload(name: str, content: bytes) -> dict[str, Any]:
    return {"files": {"file": (name, content)}}


# Characters.


async def test_a_sheet_is_brought_in_shown_listed_and_removed(
    doors: OneHouse, tmp_path: Path
) -> None:
    looked = await doors.http(
        "POST", "/api/characters/preview", **upload(BRANNOC.name, BRANNOC.read_bytes())
    )
    dry = doors.cli("character", "import", str(BRANNOC), "--dry-run")
    assert_same(looked, dry, but=("sheet",))
    kept = doors.cli("character", "import", str(BRANNOC))
    again = await doors.http(
        "POST", "/api/characters", **upload(BRANNOC.name, BRANNOC.read_bytes())
    )
    assert assert_same(kept, again)["id"] == "brannoc_vale"

    assert_same(
        doors.cli("character", "list"),
        await doors.http("GET", "/api/characters"),
        await doors.mcp("list_characters"),
    )
    shown = assert_same(
        doors.cli("character", "show", "brannoc_vale"),
        await doors.http("GET", "/api/characters/Brannoc Vale"),
        await doors.mcp("show_character", id="brannoc_vale"),
    )
    assert shown["derived"]["skill:athletics"]["value"] == 7
    part = assert_same(
        doors.cli("character", "show", "brannoc_vale", "--section", "combat"),
        await doors.http("GET", "/api/characters/brannoc_vale/sections/combat"),
        await doors.mcp("show_character", id="brannoc_vale", section="combat"),
    )
    assert part["section"] == "combat_info"
    assert "You are Brannoc Vale." in await doors.slash("iam", sheet="brannoc vale")
    assert_same(
        doors.cli("character", "show", "a", "--campaign"),
        await doors.http("GET", "/api/campaigns/a/character"),
        await doors.mcp("show_hero", campaign="a"),
    )
    assert doors.cli("character", "remove", "brannoc_vale").document == {"id": "brannoc_vale"}
    gone = await doors.http("DELETE", "/api/characters/brannoc_vale")
    assert_refused(doors.cli("character", "remove", "brannoc_vale"), gone)


async def test_what_is_no_sheet_is_refused_in_the_same_words(
    doors: OneHouse, tmp_path: Path
) -> None:
    unknown = assert_refused(
        doors.cli("character", "show", "nobody"),
        await doors.http("GET", "/api/characters/nobody"),
        await doors.mcp("show_character", id="nobody"),
    )
    assert await doors.slash("iam", sheet="nobody") == sentence(unknown)
    broken = tmp_path / "broken.json"
    broken.write_bytes(BROKEN)
    refused = assert_refused(
        doors.cli("character", "import", str(broken)),
        await doors.http("POST", "/api/characters", **upload("broken.json", BROKEN)),
        await doors.http("POST", "/api/characters/preview", **upload("broken.json", BROKEN)),
    )
    assert refused.startswith("broken.json:1: ")
    doors.cli("character", "import", str(BRANNOC))
    assert_refused(
        doors.cli("character", "show", "brannoc_vale", "--section", "sanity"),
        await doors.http("GET", "/api/characters/brannoc_vale/sections/sanity"),
        await doors.mcp("show_character", id="brannoc_vale", section="sanity"),
    )
    assert_refused(
        doors.cli("character", "show", "nowhere", "--campaign"),
        await doors.http("GET", "/api/campaigns/nowhere/character"),
        await doors.mcp("show_hero", campaign="nowhere"),
    )


# Questions and research.


@pytest.mark.skipif(PLAIN_KERNELS, reason="the programs that are started keep their own kernels")
async def test_a_question_is_answered_alike(doors: OneHouse) -> None:
    doors.cli("character", "import", str(BRANNOC))
    body = {"question": RULES_QUESTION, "character": "brannoc_vale", "notes": "a", "edition": "5.1"}
    options = ("--character", "brannoc_vale", "--notes", "a", "--edition", "5.1")
    told = assert_same(
        doors.cli("ask", RULES_QUESTION, *options),
        await doors.http("POST", "/api/ask", json=body),
        await doors.mcp("ask", **body),
        but=("timings_ms",),
    )
    assert told["sources"]
    plain = assert_same(
        doors.cli("ask", RULES_QUESTION),
        await doors.http("POST", "/api/ask", json={"question": RULES_QUESTION}),
        await doors.mcp("ask", question=RULES_QUESTION),
        but=("timings_ms",),
    )
    assert await doors.slash("ask", question=RULES_QUESTION) == plain["answer"]


@pytest.mark.parametrize(
    ("flag", "field", "value"),
    [
        ("--character", "character", "nobody"),
        ("--notes", "notes", "nowhere"),
        ("--rulebook", "rulebooks", "no_such_pack"),
    ],
)
async def test_a_question_to_what_is_not_there_is_refused_in_the_same_words(
    doors: OneHouse, flag: str, field: str, value: str
) -> None:
    given = {field: [value] if field == "rulebooks" else value}
    refused = assert_refused(
        doors.cli("ask", RULES_QUESTION, flag, value),
        await doors.http("POST", "/api/ask", json={"question": RULES_QUESTION, **given}),
        await doors.mcp("ask", question=RULES_QUESTION, **given),
    )
    assert value in refused


async def test_an_empty_question_is_refused_in_the_same_words(doors: OneHouse) -> None:
    assert_refused(
        doors.cli("ask", "  "),
        await doors.http("POST", "/api/ask", json={"question": "  "}),
        await doors.mcp("ask", question="  "),
    )


async def test_research_is_begun_listed_read_and_resumed_alike(doors: OneHouse) -> None:
    doors.cli("pack", "install", str(LARDER))
    question = "compare Cinder Stew and Iron Broth"
    own = ("researchId", "at", "timings_ms")
    first = doors.cli("research", question, "--pack", "emberfall_larder")
    body = {"question": question, "packs": ["emberfall_larder"]}
    over_http = await doors.http("POST", "/api/research", json=body)
    over_mcp = await doors.mcp("research", **body)
    told = assert_same(first, over_http, over_mcp, but=own)
    assert told["status"] == "COMPLETED" and told["sources"]
    assert_same(
        doors.cli("research", "list"),
        await doors.http("GET", "/api/research"),
        await doors.mcp("list_research"),
    )
    id = told["researchId"]
    assert_same(
        doors.cli("research", "show", id),
        await doors.http("GET", f"/api/research/{id}"),
        await doors.mcp("read_research", research_id=id),
    )
    assert_same(
        doors.cli("research", "--resume", id),
        await doors.http("POST", f"/api/research/{id}/resume"),
        await doors.mcp("resume_research", research_id=id),
    )


async def test_research_that_is_not_there_is_refused_in_the_same_words(doors: OneHouse) -> None:
    assert_refused(
        doors.cli("research", "show", "none"),
        await doors.http("GET", "/api/research/none"),
        await doors.mcp("read_research", research_id="none"),
        doors.cli("research", "--resume", "none"),
        await doors.http("POST", "/api/research/none/resume"),
        await doors.mcp("resume_research", research_id="none"),
    )
    body = {"question": "every food buff", "packs": ["no_such_pack"]}
    assert_refused(
        doors.cli("research", "every food buff", "--pack", "no_such_pack"),
        await doors.http("POST", "/api/research", json=body),
        await doors.mcp("research", **body),
    )
    body = {"question": "every food buff", "notes": "nowhere"}
    assert_refused(
        doors.cli("research", "every food buff", "--notes", "nowhere"),
        await doors.http("POST", "/api/research", json=body),
        await doors.mcp("research", **body),
    )


# Books.


async def test_a_book_that_cannot_be_read_is_refused_in_the_same_words(
    doors: OneHouse, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.pdf"
    notes.write_text("these are only notes")
    look = upload("notes.pdf", notes.read_bytes())
    refused = assert_refused(
        doors.cli("pack-ingest", str(notes), "--yes"),
        await doors.http("POST", "/api/ingests", **look),
        await doors.http("POST", "/api/ingests/look", **look),
    )
    assert refused.startswith("notes.pdf: is not a PDF")
    book = make_book(tmp_path / "coast.pdf")
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(book.read_bytes()[:900])
    assert_refused(
        doors.cli("pack-ingest", str(cut), "--yes"),
        await doors.http("POST", "/api/ingests/look", **upload("cut.pdf", cut.read_bytes())),
    )
    for flag, field, value in (
        ("--pages", "pages", "9-2"),
        ("--system-hint", "system_hint", "gurps"),
    ):
        assert_refused(
            doors.cli("pack-ingest", str(book), "--yes", flag, value),
            await doors.http(
                "POST",
                "/api/ingests",
                **upload("coast.pdf", book.read_bytes()),
                data={field: value},
            ),
        )


async def test_the_families_of_games_are_listed_alike(doors: OneHouse) -> None:
    assert_same(doors.cli("list-systems"), await doors.http("GET", "/api/systems"))


# Parties.


async def test_a_party_is_seated_played_and_looked_at_alike(tmp_path: Path) -> None:
    wanted = {"scenario": "dead_drop", "players": "2", "seed": 7, "strength": 1.0}
    flags = ("--scenario", "dead_drop", "--players", "2", "--seed", "7", "--strength", "1")
    async with doors_of(tmp_path / "one") as one:
        made = one.cli("party", "new", *flags)
        name = made.document["party"]
        run = one.cli("party", "run", name, "--rounds", "2")
        async with doors_of(tmp_path / "two") as two:
            over_mcp = await two.mcp("new_party", **wanted)
            assert_same(made, over_mcp)
            assert_same(run, await two.mcp("run_party", party=name, rounds=2))
        async with doors_of(tmp_path / "three") as three:
            assert_same(made, await three.http("POST", "/api/parties", json=wanted))

        assert_same(one.cli("party", "list"), await one.mcp("list_parties"))
        (row,) = (await one.http("GET", "/api/parties")).document["parties"]
        (mine,) = one.cli("party", "list").document["parties"]
        assert mine.items() <= row.items()
        rounds = await one.http("GET", f"/api/parties/{name}/rounds")
        assert rounds.document["rounds"] == run.document["rounds"]
        assert_same(
            one.cli("party", "stats", name),
            await one.http("GET", f"/api/parties/{name}/stats"),
            await one.mcp("party_stats", party=name),
        )
        assert_same(
            one.cli("party", "memory", name, "bea", "--at", "200", "--most", "20"),
            await one.http("GET", f"/api/parties/{name}/memory/bea?at=200&most=20"),
            await one.mcp("party_memory", party=name, agent="bea", at=200),
        )
        assert_same(
            one.cli("party", "compare", name, name),
            await one.http("GET", f"/api/parties/{name}/compare/{name}"),
            await one.mcp("compare_parties", party=name, other=name),
        )
        heard = assert_same(
            await one.http("GET", f"/api/parties/{name}/channels?viewer=wren_calder"),
            await one.mcp("party_channels", party=name, viewer="wren_calder"),
        )
        shown = one.cli("party", "channels", name, "--as", "wren_calder").document
        assert (shown["as"], shown["layer"]) == (heard["viewer"], heard["layer"])
        assert [m["content"] for m in shown["messages"]] == [
            m["content"] for m in heard["messages"]
        ]
        ended = one.cli("party", "end", name).document
        assert ended["session"] == 2
        later = await one.http("POST", f"/api/parties/{name}/end")
        assert later.document["session"] == 3
        assert (await one.mcp("end_party_night", party=name)).document["session"] == 4


async def test_what_is_no_party_is_refused_in_the_same_words(doors: OneHouse) -> None:
    unknown = [
        doors.cli("party", "run", "nobodys"),
        await doors.http("GET", "/api/parties/nobodys"),
        await doors.http("POST", "/api/parties/nobodys/run"),
        await doors.mcp("run_party", party="nobodys"),
        doors.cli("party", "stats", "nobodys"),
        await doors.http("GET", "/api/parties/nobodys/stats"),
        await doors.mcp("party_stats", party="nobodys"),
        doors.cli("party", "compare", "nobodys", "nobodys"),
        await doors.http("GET", "/api/parties/nobodys/compare/nobodys"),
        doors.cli("party", "end", "nobodys"),
        await doors.http("POST", "/api/parties/nobodys/end"),
    ]
    assert "nobodys" in assert_refused(*unknown)
    for scenario, players in (("dead_drop", "zoe"), ("dead_drop", "99"), ("no_such_story", "2")):
        wanted = {"scenario": scenario, "players": players}
        assert_refused(
            doors.cli("party", "new", "--scenario", scenario, "--players", players),
            await doors.http("POST", "/api/parties", json=wanted),
            await doors.mcp("new_party", **wanted),
        )
    doors.cli(
        "party", "new", "--scenario", "dead_drop", "--players", "2", "--seed", "7", "--party", "p"
    )
    assert_refused(
        doors.cli("party", "memory", "p", "zoe"),
        await doors.http("GET", "/api/parties/p/memory/zoe"),
        await doors.mcp("party_memory", party="p", agent="zoe"),
        doors.cli("party", "channels", "p", "--as", "zoe"),
        await doors.http("GET", "/api/parties/p/channels?viewer=zoe"),
        await doors.mcp("party_channels", party="p", viewer="zoe"),
    )
    assert_refused(
        doors.cli("party", "answer", "p", "Rain."),
        await doors.http("POST", "/api/parties/p/answer", json={"text": "Rain."}),
        await doors.mcp("answer_party", party="p", text="Rain."),
    )


# Lore.


async def test_the_researchers_desk_is_the_same_from_every_side(doors: OneHouse) -> None:
    from freeform.wiring.lore import opened_store

    assert_same(
        doors.cli("lore", "inbox"),
        await doors.http("GET", "/api/lore/inbox"),
        await doors.mcp("lore_inbox"),
    )
    assert await doors.slash("inbox") == "Nothing waits for you."
    nothing = assert_refused(
        doors.cli("lore", "status"),
        await doors.http("GET", "/api/lore/status"),
        await doors.mcp("lore_status"),
        doors.cli("lore", "graph"),
        await doors.http("GET", "/api/lore/graph"),
        await doors.mcp("lore_graph"),
    )
    assert "lore start" in nothing
    assert not (doors.home.path / "lore.db").exists(), "looking makes no store"
    async with opened_store(doors.served.room.settings) as store:
        await store.commit_step(commit("k1", 1, decisions=[decision("d1")]))
    assert_same(
        doors.cli("lore", "inbox"),
        await doors.http("GET", "/api/lore/inbox"),
        await doors.mcp("lore_inbox"),
    )
    assert_same(
        doors.cli("lore", "status"),
        await doors.http("GET", "/api/lore/status"),
        await doors.mcp("lore_status"),
        but=("step_data",),
    )
    assert_refused(
        doors.cli("lore", "status", "--game", "nowhere"),
        await doors.http("GET", "/api/lore/status?game=nowhere"),
        await doors.mcp("lore_status", game="nowhere"),
    )
    assert_refused(
        doors.cli("lore", "graph", "--zone", "Narnia"),
        await doors.http("GET", "/api/lore/graph?zone=Narnia"),
        await doors.mcp("lore_graph", zone="Narnia"),
    )
    unknown = assert_refused(
        doors.cli("lore", "decide", "nothing", "1"),
        await doors.http("POST", "/api/lore/decisions/nothing", json={"choice": "1"}),
        await doors.mcp("lore_decide", decision="nothing", choice="1"),
    )
    assert await doors.slash("decide", decision="nothing", choice="1") == sentence(unknown)
    wrong = assert_refused(
        doors.cli("lore", "decide", "d1", "Narnia"),
        await doors.http("POST", "/api/lore/decisions/d1", json={"choice": "Narnia"}),
        await doors.mcp("lore_decide", decision="d1", choice="Narnia"),
    )
    assert await doors.slash("decide", decision="d1", choice="Narnia") == sentence(wrong)
    done = assert_same(
        doors.cli("lore", "decide", "d", "2"),
        await doors.http("POST", "/api/lore/decisions/d1", json={"choice": "2"}),
        await doors.mcp("lore_decide", decision="d1", choice="Alpha"),
        but=("already",),
    )
    assert done["choice"] == "Alpha"
    assert "**Alpha**" in await doors.slash("decide", decision="d1", choice="2")
    late = assert_refused(
        doors.cli("lore", "decide", "d1", "Gamma"),
        await doors.http("POST", "/api/lore/decisions/d1", json={"choice": "Gamma"}),
        await doors.mcp("lore_decide", decision="d1", choice="Gamma"),
    )
    assert await doors.slash("decide", decision="d1", choice="Gamma") == sentence(late)


# Measuring is for the command line alone; its errors are the services' own.


async def test_measuring_what_is_not_there_says_so_as_playing_does(doors: OneHouse) -> None:
    unknown = assert_refused(
        doors.cli("metrics", "nowhere"),
        doors.cli("replay", "nowhere"),
        doors.cli("bisect", "nowhere", "clock heat <= 5"),
        await doors.http("GET", "/api/campaigns/nowhere"),
    )
    assert "nowhere" in unknown
    assert "textworld" in doors.cli("eval", "no-such-suite").error
