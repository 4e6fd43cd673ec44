"""Questions over HTTP, through the OpenAI door and through MCP, on a real server."""

import openai
from mcp import Client

from tests.apps.web.serving import Served, Tab


async def test_a_question_over_http_is_answered_and_tabs_hear_how_far_it_is(served: Served) -> None:
    async with Tab(served) as tab:
        told = await served.post("/api/ask", {"question": "How does grappling work?", "id": "q1"})
        heard = await tab.until("asking")
    assert [need["tool"] for need in told["tools_needed"]] == ["rulebook"]
    assert "Grappling" in told["answer"] and told["sources"][0]["n"] == 1
    assert heard[-1].data["ask"] == "q1"


async def test_a_question_about_the_campaign_is_answered_from_what_happened_there(
    served: Served,
) -> None:
    async with openai.AsyncOpenAI(base_url=f"{served.url}/v1", api_key="none", max_retries=0) as ai:
        asked = [{"role": "user", "content": "What is in my inventory?"}]
        answer = await ai.chat.completions.create(model="table/a:ask", messages=asked)  # type: ignore[arg-type]
        stream = await ai.chat.completions.create(model="table/a:ask", messages=asked, stream=True)  # type: ignore[arg-type]
        pieces = [chunk.choices[0].delta.content or "" async for chunk in stream]
    said = answer.choices[0].message.content or ""
    assert "brass lamp" in said and "".join(pieces).strip() == said.strip()
    assert await served.story() == [], "a question is no turn"


async def test_an_mcp_client_asks(served_whole: Served) -> None:
    async with Client(f"{served_whole.url}/mcp") as mcp:
        told = (
            await mcp.call_tool("ask", {"question": "What does the prone condition do?"})
        ).structured_content
        wrong = await mcp.call_tool("ask", {"question": "  "})
    assert told is not None and told["answer"] and told["tools_needed"][0]["tool"] == "rulebook"
    assert wrong.is_error and "no question" in str(wrong.content)


async def test_a_request_cannot_name_a_file_of_the_server(served: Served) -> None:
    for field in ("character", "notes"):
        answer = await served.http.post(
            "/api/ask", json={"question": "Who am I?", field: "/etc/hostname"}
        )
        assert answer.status_code in (400, 404) and answer.json()["error"]
