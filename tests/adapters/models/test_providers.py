"""Real providers' code over real HTTP against a server of ours, through the whole gateway."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest

from freeform.adapters.models.make import Access, make_model
from freeform.core.clock import HandClock
from freeform.core.errors import BadReply, Unavailable
from freeform.core.llm.gateway import Call, PassAnswer
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes, Tape
from freeform.engine.two_calls import TELLER, TellerInput
from tests.adapters.models.plays import ANSWERS, BAD, INPUTS, Backstop
from tests.adapters.models.wire import USAGE, Wire
from tests.core.scripted import Ear, HandSleep
from tests.patience import PATIENCE

CALL = Call(campaign="c1", turn_id="t1", turn_no=1, seed="7")
PROSE = ANSWERS["narrator"]["final_text"]
FORMS: dict[str, Callable[[Wire], str]] = {
    "anthropic": lambda wire: "anthropic:claude-sonnet-5-5",
    "openai": lambda wire: "openai:gpt-6.1-terra",
    "openrouter": lambda wire: "openrouter:anthropic/claude-sonnet-5.5",
    "ollama": lambda wire: "ollama:tiny",
    "url": lambda wire: f"url:{wire.url}/v1#tiny",
}
ALL = pytest.mark.parametrize("form", FORMS)
HEARD = pytest.mark.parametrize("heard", [True, False], ids=["streamed", "whole"])


class Played:
    """One question asked over the wire, and everything that came of it."""

    answer: PassAnswer[Any]

    def __init__(self, wire: Wire, form: str, seconds: float = PATIENCE, **access: str) -> None:
        here = {f"{kind}_url": wire.url + "/v1" for kind in ("openai", "openrouter")}
        keys = {f"{kind}_key": "k" for kind in ("anthropic", "openai", "openrouter")}
        self.access = Access(
            **{**keys, **here, "anthropic_url": wire.url, "ollama_url": wire.url, **access}
        )
        self.ear, self.tapes, self.clock = Ear(), MemoryTapes(), HandClock()
        self.sleep = HandSleep(self.clock)
        self.asking = LiveGateway(
            ModelsByRole(make_model(FORMS[form](wire), self.access), Backstop()),
            prompts=bundled(),
            tapes=self.tapes,
            clock=self.clock,
            patience=Patience(RetryPolicy(tries=3, seconds=seconds), self.sleep),
        )

    async def ask(
        self, pass_: str = "narrator", *, heard: bool = True, may_degrade: bool = True
    ) -> "Played":
        call = CALL.model_copy(update={"may_degrade": may_degrade})
        self.answer = await self.asking.ask(*INPUTS[pass_], call, self.ear if heard else None)
        return self

    async def taped(self) -> list[Tape]:
        return list(await self.tapes.of_turn("c1"))


def wire(*moves: str, pass_: str = "narrator") -> Wire:
    return Wire(*moves, reply=ANSWERS[pass_], bad=BAD[pass_])


@ALL
@pytest.mark.parametrize("pass_", INPUTS)
@HEARD
async def test_a_good_answer_is_typed_and_heard_once(form: str, pass_: str, heard: bool) -> None:
    async with wire("good", pass_=pass_) as provider:
        played = await Played(provider, form).ask(pass_, heard=heard)
    record = INPUTS[pass_][0].gives
    assert played.answer.output == record.model_validate(ANSWERS[pass_])
    assert (played.answer.degraded, played.ear.void) == ("", [])
    assert played.ear.heard == (PROSE if heard and pass_ == "narrator" else "")
    assert provider.asked[0].get("stream", False) == (heard and pass_ == "narrator")
    (tape,) = await played.taped()
    assert (tape.usage.input_tokens, tape.usage.output_tokens, tape.tries) == (*USAGE, 1)


@pytest.mark.parametrize("form", ["anthropic", "openai", "openrouter"])
async def test_what_a_call_costs_is_known(form: str) -> None:
    async with wire("good") as provider:
        played = await Played(provider, form).ask()
    assert 0.0001 < played.answer.usage.cost_usd < 0.01


@ALL
async def test_prose_is_heard_while_the_answer_is_still_being_written(form: str) -> None:
    pieces: list[str] = []

    class Slow(Ear):
        def __call__(self, text: str, /) -> None:
            pieces.append(text)
            super().__call__(text)

    async with wire("good") as provider:
        played = Played(provider, form)
        played.ear = Slow()
        await played.ask()
    assert len(pieces) > 5
    assert "".join(pieces) == PROSE


@ALL
@HEARD
async def test_a_wrong_answer_is_shown_its_mistake_and_mended(form: str, heard: bool) -> None:
    async with wire("bad", "good") as provider:
        played = await Played(provider, form).ask(heard=heard)
    assert (played.answer.output.final_text, played.answer.degraded) == (PROSE, "")
    assert (played.ear.heard, played.ear.void) == (PROSE if heard else "", [])
    assert "`final_text`" in str(provider.asked[1]["messages"][-1]), "the mistake is not shown"
    assert "A question, and no prose" in str(provider.asked[1]["messages"][-2])
    (tape,) = await played.taped()
    assert (tape.tries, tape.usage.input_tokens) == (2, 2 * USAGE[0])


@ALL
async def test_a_model_that_never_fits_is_replaced_and_still_paid_for(form: str) -> None:
    async with wire("bad") as provider:
        played = await Played(provider, form).ask()
    assert len(provider.asked) == 3
    assert "did not fit the record" in played.answer.degraded
    assert "validation" not in played.answer.degraded
    assert (played.ear.heard, played.ear.void) == ("It is quiet.", [])
    assert played.answer.usage.input_tokens == 3 * USAGE[0], "what failed was paid for, too"
    failed, instead = await played.taped()
    assert (failed.usage.calls, failed.usage.input_tokens, failed.tries) == (3, 3 * USAGE[0], 3)
    assert (failed.output, instead.model) == (None, "offline")


@ALL
async def test_a_caller_who_may_not_degrade_gets_bad_reply(form: str) -> None:
    async with wire("bad") as provider:
        with pytest.raises(BadReply, match="did not fit the record"):
            await Played(provider, form).ask(may_degrade=False)


@ALL
@HEARD
async def test_a_busy_provider_gets_the_wait_it_asked_for(form: str, heard: bool) -> None:
    async with wire("busy", "good") as provider:
        played = await Played(provider, form).ask(heard=heard)
    assert (played.answer.output.final_text, played.answer.degraded) == (PROSE, "")
    (waited,) = played.sleep.slept
    assert 3.0 <= waited <= 3.5


@ALL
@HEARD
async def test_a_provider_that_stumbles_is_asked_again(form: str, heard: bool) -> None:
    async with wire("broken", "broken", "good") as provider:
        played = await Played(provider, form).ask(heard=heard)
    assert (played.answer.output.final_text, played.answer.degraded) == (PROSE, "")
    assert len(provider.asked) == 3 == len(played.sleep.slept) + 1
    (tape,) = await played.taped()
    assert tape.tries == 3


@ALL
async def test_a_provider_that_is_down_is_replaced(form: str) -> None:
    async with wire("broken") as provider:
        played = await Played(provider, form).ask()
    assert len(provider.asked) == 3
    assert "the provider failed: oh no" in played.answer.degraded
    assert played.ear.heard == "It is quiet."


@ALL
@HEARD
async def test_a_cut_connection_is_tried_again_from_the_start(form: str, heard: bool) -> None:
    async with wire("cut", "good") as provider:
        played = await Played(provider, form).ask(heard=heard)
    assert (played.answer.output.final_text, played.answer.degraded) == (PROSE, "")
    if heard:
        (void,) = played.ear.void
        assert (played.ear.heard, PROSE.startswith(void), bool(void)) == (PROSE, True, True)


@ALL
@HEARD
async def test_a_provider_that_hangs_is_given_up(form: str, heard: bool) -> None:
    async with wire("hang") as provider:
        played = await Played(provider, form, seconds=0.5).ask(heard=heard)
    assert len(provider.asked) <= 1, "asked again"
    assert "no answer within 0.5 s" in played.answer.degraded


@ALL
@HEARD
async def test_a_server_that_is_something_else_is_replaced(form: str, heard: bool) -> None:
    async with wire("odd") as provider:
        played = await Played(provider, form).ask(heard=heard)
    assert (played.answer.output.final_text, played.answer.model) == ("It is quiet.", "offline")
    assert played.answer.degraded


@ALL
async def test_a_refused_key_is_said_and_not_tried_again(form: str) -> None:
    async with wire("refused") as provider:
        with pytest.raises(Unavailable, match="refuses the key; check the API key") as refused:
            await Played(provider, form).ask(may_degrade=False)
    assert (refused.value.passing, len(provider.asked)) == (False, 1)


@ALL
async def test_nobody_at_the_address_is_said_plainly(form: str) -> None:
    provider = wire("good")
    async with provider:
        pass
    with pytest.raises(Unavailable, match="cannot be reached"):
        await Played(provider, form).ask(may_degrade=False)


@ALL
async def test_only_the_given_address_is_spoken_to(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[Any] = []
    connect = socket.socket.connect

    def watch(self: socket.socket, address: Any) -> None:
        reached.append(address)
        connect(self, address)

    async with wire("good") as provider:
        port = int(provider.url.rsplit(":", 1)[1])
        lookups: list[Any] = []
        resolve = socket.getaddrinfo

        def look_up(host: Any, at: Any, *more: Any, **named: Any) -> Any:
            lookups.append((host, at))
            return resolve(host, at, *more, **named)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        monkeypatch.setattr(socket.socket, "connect", watch)
        for variable in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
            monkeypatch.setenv(variable, "http://127.0.0.1:9/elsewhere")
        await Played(provider, form).ask()
    hosts = {(host.decode() if isinstance(host, bytes) else host, at) for host, at in lookups}
    assert hosts | {a[:2] for a in reached} <= {("127.0.0.1", port)}
    assert provider.asked


@pytest.mark.parametrize("form", ["openai", "ollama", "url"])
async def test_a_proxy_of_the_environment_does_not_stand_before_a_model_on_this_machine(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wire("good") as proxy, wire("good") as provider:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        played = await Played(provider, form).ask()
    assert proxy.paths == []
    assert played.answer.output.final_text == PROSE


@ALL
async def test_the_provider_is_sent_our_words_and_our_schema(form: str) -> None:
    async with wire("good") as provider:
        played = await Played(provider, form).ask()
    (tape,) = await played.taped()
    body = provider.asked[0]
    system = bundled().get("engine/narrator").system
    said = [body.get("system"), body["messages"]] if form == "anthropic" else body["messages"]
    assert repr(system)[1:-1] in repr(said)
    assert repr(tape.text)[1:-1] in repr(said)
    assert "established_facts" in str(
        body.get("tools") or body.get("response_format") or body.get("format")
    )


async def test_a_provider_with_marks_for_its_cache_gets_them() -> None:
    async with wire("good") as provider:
        await Played(provider, "anthropic").ask()
    assert "cache_control" in str(provider.asked[0]["system"])


async def test_the_mark_stands_where_a_tellers_question_begins_to_differ() -> None:
    narrator = INPUTS["narrator"][1]
    question = TellerInput.model_construct(
        **narrator.__dict__, story="Long ago there was an inn.", now="Place: bar"
    )
    async with wire("good") as provider:
        await Played(provider, "anthropic").asking.ask(TELLER, question, CALL)
    kept, rest = provider.asked[0]["messages"][0]["content"]
    assert kept["text"].endswith("Long ago there was an inn.") and "cache_control" in kept
    assert "Place: bar" in rest["text"] and "cache_control" not in rest


def test_a_model_says_how_much_it_sees_at_once() -> None:
    keys = Access(anthropic_key="k", openai_key="k", local_window=8192)
    known = make_model("anthropic:claude-sonnet-5-5", keys).window  # type: ignore[attr-defined]
    assert known >= 100_000
    assert make_model("ollama:tiny", keys).window == 8192  # type: ignore[attr-defined]
    assert make_model("url:http://127.0.0.1:9/v1#any", keys).window == 0  # type: ignore[attr-defined]


async def test_ollama_is_told_how_much_to_see_and_never_more_than_its_model_can() -> None:
    for made_for, sees in ((32_768, 16_384), (8192, 8192)):
        async with Wire("good", reply=ANSWERS["narrator"], window=made_for) as provider:
            await Played(provider, "ollama").ask()
        assert provider.asked[0]["options"]["num_ctx"] == sees
        assert provider.asked[0]["think"] is False
        assert provider.paths == ["/api/show", "/api/chat"]


async def test_a_question_too_long_for_a_small_model_is_cut_and_said_so() -> None:
    async with Wire("good", reply=ANSWERS["narrator"], window=512) as provider:
        played = await Played(provider, "ollama").ask()
    assert "prompt cut from about" in played.answer.degraded
    assert "left out: too long for this model" in provider.asked[0]["messages"][-1]["content"]


async def test_a_model_that_ollama_lacks_is_said_with_how_to_fetch_it() -> None:
    async def lacks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        words = b'{"error":"model \'tiny\' not found"}'
        writer.write(
            b"HTTP/1.1 404 X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            % (len(words), words)
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(lacks, "127.0.0.1", 0)
    async with server:
        provider = wire("good")
        provider.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(Unavailable, match="fetch it with `ollama pull tiny`"):
            await Played(provider, "ollama").ask(may_degrade=False)
