"""What SillyTavern 1.19 sends to an OpenAI-compatible server, as written down from the running program (see docs/web.md).

It is no Python package, so its requests are sent again here: prompts of its own around the chat, a greeting nobody
played, the same messages again for a swipe, and chats that end with the table's own words.
"""

from typing import Any

from tests.apps.web.serving import Served

SAMPLING = {
    "temperature": 1,
    "max_tokens": 300,
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "top_p": 1,
}
BEFORE = [
    {
        "role": "system",
        "content": "Write Seraphina's next reply in a fictional chat between Seraphina and User.",
    },
    {"role": "system", "content": '[Seraphina\'s Personality= "caring"]'},
    {"role": "system", "content": "[Start a new Chat]"},
    {"role": "assistant", "content": "*You wake with a start.*"},
]
CONTINUE = "[Continue your last message without repeating its original content.]"
IMPERSONATE = "[Write your next reply from the point of view of User, using the chat history so far as a guideline.]"


async def send(served: Served, *chat: str, last: str = "", role: str = "system") -> str:
    """The player's words and the table's in turn, after what SillyTavern puts before them."""
    told = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(chat)]
    after = [{"role": role, "content": last}] if last else []
    body: dict[str, Any] = {
        "model": "table/a",
        "messages": [*BEFORE, *told, *after],
        "stream": False,
        **SAMPLING,
    }
    answer = await served.post("/v1/chat/completions", body)
    return str(answer["choices"][0]["message"]["content"])


async def played(served: Served) -> list[tuple[str, int]]:
    return [(turn["player_input"], turn["takes"]) for turn in await served.story()]


async def test_a_chat_with_prompts_around_it_plays_what_the_player_said_and_a_swipe_is_another_take(
    served: Served,
) -> None:
    first = await send(served, "look around")
    await send(served, "look around", first, "take the mug")
    await send(served, "look around", first, "take the mug")
    assert await played(served) == [("look around", 1), ("take the mug", 2)]


async def test_continue_gives_the_rest_of_what_was_cut_off_and_plays_nothing(
    served: Served,
) -> None:
    whole = await send(served, "look around")
    half = whole[: len(whole) // 2].rstrip()
    rest = await send(served, "look around", half, last=CONTINUE)
    assert half + rest == whole
    more = await send(served, "look around", whole, last=CONTINUE)
    assert "You might: " in more
    assert await played(served) == [("look around", 1)]


async def test_impersonate_gives_something_the_player_might_do_and_plays_nothing(
    served: Served,
) -> None:
    whole = await send(served, "look around")
    might = await send(served, "look around", whole, last=IMPERSONATE)
    assert might in (await served.get("/api/campaigns/a"))["suggested_actions"]
    assert await played(served) == [("look around", 1)]


async def test_prompts_that_it_says_in_the_players_name_are_nobodys_words(served: Served) -> None:
    """So it is with its post-processing "strict", which knows but one system message."""
    opened = {"role": "user", "content": "Let's get started."}
    body = {
        "model": "table/a",
        "messages": [BEFORE[0], opened, BEFORE[3], {"role": "user", "content": "wait"}],
    }
    answer = await served.post("/v1/chat/completions", body)
    whole = answer["choices"][0]["message"]["content"]
    assert await send(served, "wait", whole, last=CONTINUE, role="user")
    assert await played(served) == [("wait", 1)]
