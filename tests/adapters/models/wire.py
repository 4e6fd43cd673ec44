"""A provider on loopback: speaks Anthropic Messages, OpenAI Chat Completions and Ollama's own, and misbehaves when told to.

    async with Wire("good", reply={...}) as wire:      wire.url, wire.asked (the requests' JSON)

Each request takes the next move of the script; the last move is repeated:
`good` · `bad` (breaks the schema) · `busy` (429, Retry-After) · `broken` (500) · `refused` (401)
· `cut` (the connection ends in the middle) · `hang` (never answers) · `odd` (200, but another kind of JSON)
or one of `texts`: that text, as it is, in pieces of `piece` letters
"""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any, Self

USAGE = (120, 30)


class Wire:
    """One server, one script. `POST …/messages` is answered as Anthropic, `…/chat/completions` as OpenAI, `/api/chat` as
    Ollama, whose model was made to see `window` tokens at once."""

    def __init__(
        self,
        *moves: str,
        reply: dict[str, Any],
        bad: dict[str, Any] | None = None,
        window: int = 32_768,
        texts: dict[str, str] | None = None,
        piece: int = 9,
    ) -> None:
        self._texts, self._piece = texts or {}, piece
        self._moves, self._reply, self._bad, self._window = (
            list(moves),
            reply,
            bad or {"nonsense": 1},
            window,
        )
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.heads: list[str] = []

    async def __aenter__(self) -> Self:
        self._open: set[asyncio.StreamWriter] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
            body = json.loads(await reader.readexactly(int(length[1])) if length else b"{}")
            path = head.split()[1]
            self.paths.append(path)
            self.heads.append(head.lower())
            await self._answer(path, body, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, path: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if path.endswith("/api/tags"):
            vectors = {"name": "bge-m3:latest", "details": {"family": "bert"}}
            listed = [vectors, {"name": "nomic-embed-text:latest"}, {"name": "tiny:latest"}]
            return await self._send(writer, 200, json.dumps({"models": listed}))
        if path.endswith("/api/show"):
            told = {"general.architecture": "llama", "llama.context_length": self._window}
            return await self._send(
                writer, 200, json.dumps({"model_info": told, "capabilities": ["completion"]})
            )
        self.asked.append(body)
        move = self._moves.pop(0) if len(self._moves) > 1 else self._moves[0]
        if move == "hang":
            await asyncio.sleep(3600)
        errors = {"busy": (429, "slow down"), "broken": (500, "oh no"), "refused": (401, "bad key")}
        if move in errors:
            status, words = errors[move]
            error = {"type": "error", "error": {"type": "api_error", "message": words}}
            more = "Retry-After: 3\r\n" if move == "busy" else ""
            return await self._send(writer, status, json.dumps(error), more)
        if move == "odd":
            return await self._send(writer, 200, json.dumps({"hello": "world", "choices": []}))
        said = self._texts.get(move) or json.dumps(self._bad if move == "bad" else self._reply)
        reply = Reply(said, self._piece)
        whole_of, events_of = next(forms for end, forms in FORMS.items() if path.endswith(end))
        if not body.get("stream"):
            whole = json.dumps(whole_of(body, reply))
            return await self._send(
                writer, 200, whole[:40] if move == "cut" else whole, length=len(whole)
            )
        events = list(events_of(body, reply))
        if move == "cut":
            events = events[: len(events) // 2]
        await self._stream(writer, events, whole=move != "cut")

    async def _send(
        self, writer: asyncio.StreamWriter, status: int, text: str, more: str = "", length: int = 0
    ) -> None:
        head = (
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n{more}"
        )
        writer.write(f"{head}Content-Length: {length or len(text)}\r\n\r\n{text}".encode())
        await writer.drain()

    async def _stream(self, writer: asyncio.StreamWriter, events: list[str], whole: bool) -> None:
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
        writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for event in events:
            data = event.encode()
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await writer.drain()
        if whole:
            writer.write(b"0\r\n\r\n")
            await writer.drain()


class Reply(str):
    """What is answered, and how many letters come at once."""

    piece: int

    def __new__(cls, text: str, piece: int) -> "Reply":
        made = super().__new__(cls, text)
        made.piece = piece
        return made


def _pieces(reply: Reply) -> Iterator[str]:
    return (reply[at : at + reply.piece] for at in range(0, len(reply), reply.piece))


def _tool(body: dict[str, Any]) -> str:
    """The tool that the question wants its answer through; empty when it wants plain JSON."""
    tool = next(iter(body.get("tools") or ()), {})
    return str(tool.get("name") or tool.get("function", {}).get("name") or "")


def _anthropic(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    streamed = body.get("stream", False)  # then the arguments follow in pieces
    given = {} if streamed else json.loads(reply)
    tool = {"type": "tool_use", "id": "tu_1", "name": _tool(body), "input": given}
    content = tool if _tool(body) else {"type": "text", "text": reply}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [content],
        "stop_reason": "tool_use" if _tool(body) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1]},
    }


def _anthropic_events(body: dict[str, Any], reply: Reply) -> Iterator[str]:
    def event(kind: str, **more: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

    tool = _tool(body)
    usage = {"input_tokens": USAGE[0], "output_tokens": 1}
    message = {**_anthropic(body, reply), "content": [], "stop_reason": None, "usage": usage}
    yield event("message_start", message=message)
    call = {"type": "tool_use", "id": "tu_1", "name": tool, "input": {}}
    yield event(
        "content_block_start", index=0, content_block=call if tool else {"type": "text", "text": ""}
    )
    for piece in _pieces(reply):
        grown = {"type": "input_json_delta", "partial_json": piece}
        delta = grown if tool else {"type": "text_delta", "text": piece}
        yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    stop = {"stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=stop, usage={"output_tokens": USAGE[1]})
    yield event("message_stop")


def _call(name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
        **more,
    }


def _openai(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    tool, text = _tool(body), reply
    said = {"content": None, "tool_calls": [_call(tool, text)]} if tool else {"content": text}
    finish = "tool_calls" if tool else "stop"
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "provider": "wire",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", **said},
                "finish_reason": finish,
                "native_finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": USAGE[0],
            "completion_tokens": USAGE[1],
            "total_tokens": sum(USAGE),
        },
    }


def _openai_events(body: dict[str, Any], reply: Reply) -> Iterator[str]:
    tool, whole = _tool(body), _openai(body, reply)

    def event(choices: list[dict[str, Any]], **more: Any) -> str:
        base = {key: whole[key] for key in ("id", "created", "model")}
        chunk = {**base, "object": "chat.completion.chunk", "choices": choices, **more}
        return f"data: {json.dumps(chunk)}\n\n"

    def delta(finish: str | None = None, **said: Any) -> list[dict[str, Any]]:
        return [{"index": 0, "delta": said, "finish_reason": finish}]

    first = {"tool_calls": [_call(tool, "", index=0)]} if tool else {"content": ""}
    yield event(delta(role="assistant", **first))
    for piece in _pieces(reply):
        grown = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
        yield event(delta(**grown if tool else {"content": piece}))
    yield event(delta(finish="tool_calls" if tool else "stop"))
    yield event([], usage=whole["usage"])
    yield "data: [DONE]\n\n"


def _ollama(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply}
    counts = {"prompt_eval_count": USAGE[0], "eval_count": USAGE[1]}
    return {
        "model": body["model"],
        "message": message,
        "done": True,
        "done_reason": "stop",
        **counts,
    }


def _ollama_events(body: dict[str, Any], reply: Reply) -> Iterator[str]:
    for piece in _pieces(reply):
        said = {
            "model": body["model"],
            "message": {"role": "assistant", "content": piece},
            "done": False,
        }
        yield json.dumps(said) + "\n"
    yield (
        json.dumps({**_ollama(body, reply), "message": {"role": "assistant", "content": ""}}) + "\n"
    )


FORMS = {
    "/messages": (_anthropic, _anthropic_events),
    "/chat/completions": (_openai, _openai_events),
    "/api/chat": (_ollama, _ollama_events),
}
