"""Research with the web and with other people's MCP tools, both on loopback."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from freeform.adapters.mcp.tools import tools_of
from freeform.assistant.research.research import research
from freeform.core.errors import Unavailable
from freeform.settings import Settings
from freeform.wiring.research import research_ports
from tests.apps.web.serving import serving


@pytest.fixture
async def searx() -> AsyncIterator[str]:
    """A search engine that speaks SearXNG's JSON."""

    async def answer(request: web.Request) -> web.Response:
        asked = request.query["q"]
        hits = [
            {
                "url": "https://lore.example/dragon",
                "title": "The Paper Dragon",
                "content": f"About {asked}: folded in 1207.",
            }
        ]
        return web.Response(
            body=json.dumps({"query": asked, "results": hits}).encode(),
            content_type="application/json",
        )

    app = web.Application()
    app.router.add_get("/search", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_what_no_pack_knows_is_looked_up_on_the_web_with_its_address(
    tmp_path: Path, searx: str
) -> None:
    wanted = {
        "home": tmp_path,
        "model": "offline",
        "lore_search_url": searx,
        "lore_allow_private": True,
    }
    async with research_ports(Settings.model_validate(wanted)) as ports:
        assert "web_search" in ports.tools
        state = await research("When was the Paper Dragon folded?", ports)
    assert "folded in 1207" in state.answer
    assert any(source.url == "https://lore.example/dragon" for source in state.sources)


async def test_tools_of_an_mcp_server_can_be_planned_with(tmp_path: Path) -> None:
    async with serving(tmp_path / "served") as served:
        wanted: dict[str, Any] = {
            "home": tmp_path,
            "model": "offline",
            "research_mcp": f"{served.url}/mcp",
        }
        async with research_ports(Settings.model_validate(wanted)) as ports:
            mine = [name for name in ports.tools if name.startswith("mcp_")]
            assert mine, list(ports.tools)
            rolled = (
                await ports.tools["mcp_roll"].run({"expr": "2d6"}) if "mcp_roll" in mine else []
            )
            assert not rolled or rolled[0].text


async def test_an_mcp_server_that_is_gone_is_said_plainly() -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        await tools_of("http://127.0.0.1:1/mcp")
