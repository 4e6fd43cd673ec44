"""Doors for other programs, each with a real client: `openai`, `llm`, and the client of `mcp` over HTTP and stdio."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import openai
import pytest
from mcp import Client, StdioServerParameters

from tests.apps.program import Home
from tests.apps.web.serving import Served, Tab, prose, serving

Chat = list[dict[str, str]]


def chat_of(*words: str) -> Any:
    """A chat as a client keeps it: its answers stand between, and do not count."""
    told: Chat = [{"role": "system", "content": "You are a game master."}]
    for word in words:
        told += [
            {"role": "user", "content": word},
            {"role": "assistant", "content": "(what it thinks was said)"},
        ]
    return told[:-1]


def client(served: Served) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{served.url}/v1", api_key="none", max_retries=0)


async def ask(served: Served, *words: str, model: str = "table/a") -> str:
    async with client(served) as ai:
        answer = await ai.chat.completions.create(model=model, messages=chat_of(*words))
    return answer.choices[0].message.content or ""


async def test_the_openai_client_lists_tables_and_plays(served: Served) -> None:
    async with client(served) as ai:
        assert [model.id async for model in ai.models.list()] == ["table/a", "table/a:ask"]
    said = await ask(served, "look around")
    (told,) = await served.story()
    assert told["final_text"] and told["final_text"] in said


async def test_the_openai_client_streams_while_a_tab_follows(served: Served) -> None:
    async with client(served) as ai, Tab(served) as tab:
        stream = await ai.chat.completions.create(
            model="table/a", messages=chat_of("look around"), stream=True
        )
        chunks = [chunk async for chunk in stream]
        heard = await tab.until("done")
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert said.strip() == prose(heard).strip()
    assert chunks[-1].choices[0].finish_reason == "stop"


async def test_the_same_messages_again_are_another_take_and_never_a_second_turn(
    served: Served,
) -> None:
    await ask(served, "look around")
    await ask(served, "look around", "take the mug")
    await ask(served, "look around", "take the mug")
    turns = await served.story()
    assert [turn["player_input"] for turn in turns] == ["look around", "take the mug"]
    assert turns[1]["takes"] == 2
    mugs = [
        t
        for t in (await served.get("/api/campaigns/a/table"))["inventory"]
        if t["name"] == "pewter mug"
    ]
    assert [mug["qty"] for mug in mugs] == [1]


async def test_going_on_from_an_earlier_message_is_a_branch(served: Served) -> None:
    await ask(served, "look around")
    await ask(served, "look around", "take the mug")
    await ask(served, "look around", "wait")
    assert [turn["player_input"] for turn in await served.story()] == ["look around", "wait"]
    await ask(served, "look around", "take the mug", "look at the hearth")
    played = [turn["player_input"] for turn in await served.story()]
    assert played == ["look around", "take the mug", "look at the hearth"], (
        "the first branch is found again"
    )


async def test_a_request_the_client_sends_again_is_the_same_turn(served: Served) -> None:
    body = {"model": "table/a", "messages": chat_of("look around")}
    first = await served.post("/v1/chat/completions", body)
    again = await served.post("/v1/chat/completions", body, x_stainless_retry_count="1")
    assert (
        again["choices"][0]["message"]["content"].strip()
        in first["choices"][0]["message"]["content"]
    )
    (turn,) = await served.story()
    assert turn["takes"] == 1


@pytest.mark.parametrize(
    ("model", "messages", "status"),
    [
        ("gpt-4", [{"role": "user", "content": "hi"}], 404),
        ("table/nobodys", [{"role": "user", "content": "hi"}], 404),
        ("table/a", [], 400),
        ("table/a", [{"role": "user", "content": "  "}], 400),
    ],
)
async def test_the_openai_client_hears_what_is_wrong(
    served: Served, model: str, messages: Any, status: int
) -> None:
    async with client(served) as ai:
        with pytest.raises(openai.APIStatusError) as wrong:
            await ai.chat.completions.create(model=model, messages=messages)
    assert wrong.value.status_code == status and wrong.value.body["message"]  # type: ignore[index]


async def llm(served: Served, home: Path, *args: str) -> str:
    """What the `llm` command says, with our tables among its models."""
    home.mkdir(exist_ok=True)
    (home / "extra-openai-models.yaml").write_text(
        f"- {{model_id: cellar, model_name: 'table/a', api_base: '{served.url}/v1'}}\n"
    )
    run = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).parent / "llm"), *args,
        env={"LLM_USER_PATH": str(home), "HOME": str(home), "LLM_LOAD_PLUGINS": ""}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    said, wrong = await run.communicate()
    assert run.returncode == 0, wrong.decode()[-800:]
    return said.decode()


async def test_the_llm_command_plays_a_turn_and_goes_on(served: Served, tmp_path: Path) -> None:
    home = tmp_path / "llm"
    streamed = await llm(
        served, home, "-m", "cellar", "-s", "You are a game master.", "look around"
    )
    whole = await llm(served, home, "-c", "--no-stream", "take the mug")
    turns = await served.story()
    assert [turn["player_input"] for turn in turns] == ["look around", "take the mug"]
    assert turns[0]["final_text"] in streamed and turns[1]["final_text"] in whole


async def play_by_mcp(mcp: Client) -> None:
    tools = {tool.name for tool in (await mcp.list_tools()).tools}
    assert tools >= {"list_campaigns", "take_turn", "read_state", "search_lore", "recap", "ask"}
    rows = (await mcp.call_tool("list_campaigns", {})).structured_content
    assert rows is not None and [row["id"] for row in rows["campaigns"]] == ["a"]
    said = {"campaign": "a", "text": "take the mug", "turn_id": "m1"}
    first = (await mcp.call_tool("take_turn", said)).structured_content
    again = (await mcp.call_tool("take_turn", said)).structured_content
    assert first == again and first is not None and first["turn_no"] == 1 and first["final_text"]
    state = (await mcp.call_tool("read_state", {"campaign": "a"})).structured_content
    assert state is not None and "pewter mug" in [thing["name"] for thing in state["inventory"]]
    assert "smuggles" not in str(state)
    wrong = await mcp.call_tool("take_turn", {"campaign": "nobodys", "text": "wait"})
    assert wrong.is_error and "no campaign 'nobodys'" in str(wrong.content)
    found = (await mcp.call_tool("search_lore", {"query": "Viktor", "k": 3})).structured_content
    assert found is not None and found["chunks"]
    packs = await mcp.read_resource("freeform://packs")
    assert "neo_seattle" in str(packs.contents)
    assert "session" in str(await mcp.read_resource("freeform://campaigns/a/sessions"))
    recap = (await mcp.call_tool("recap", {"campaign": "a"})).structured_content
    assert recap is not None and recap["recap"]


async def test_an_mcp_client_plays_over_http(served_whole: Served) -> None:
    async with Client(f"{served_whole.url}/mcp") as mcp:
        await play_by_mcp(mcp)


async def test_an_mcp_client_plays_over_standard_input_and_output(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    async with serving(home.path) as served:
        await served.begin()
    args = ["-m", "freeform", "--model", "offline", "mcp"]
    async with Client(
        StdioServerParameters(command=sys.executable, args=args, env=home.environ)
    ) as mcp:
        await play_by_mcp(mcp)
