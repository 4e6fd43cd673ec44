"""A model server on loopback that speaks only when the test tells it to: "in the middle of the prose" is a place, not luck.

    with slow_model() as model:      server.ask("/model", {"model": model.name})
        model.speak("The bell rings. ")      model.end()      model.hung_up.wait(PATIENCE)

It speaks the OpenAI protocol. Questions that do not stream (what does the player mean, what comes next) are answered at
once; the narrator's answer streams word by word as the test says it, and goes on when a client comes back.
"""

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.patience import PATIENCE

END = ""
MEANT = {"intent": "look", "proposed_actions": [{"action": "examine", "details": "looks around"}]}


class SlowModel:
    """What the test says, and what it may wait for."""

    def __init__(self, port: int) -> None:
        self.name = f"url:http://127.0.0.1:{port}/v1#slow"
        self.asked: list[dict[str, Any]] = []
        self.telling, self.hung_up = threading.Event(), threading.Event()
        self.said: queue.Queue[str] = queue.Queue()

    def speak(self, words: str) -> None:
        """These words of the prose go out now."""
        self.said.put(words)

    def end(self) -> None:
        """The narrator has said everything."""
        self.said.put(END)


@contextmanager
def slow_model() -> Iterator[SlowModel]:
    """Runs until the block ends; a narrator in mid-sentence is then cut off."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    model = SlowModel(server.server_address[1])
    server.model = model  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.end()
        server.shutdown()
        server.server_close()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_: object) -> None:
        """Silence."""

    def do_GET(self) -> None:
        self._send(json.dumps({"object": "list", "data": [{"id": "slow", "object": "model"}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model: SlowModel = self.server.model
        model.asked.append(body)
        if not body.get("stream"):
            return self._send(json.dumps(_whole(body)))
        model.hung_up.clear()
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            self._tell(body, model)
        except OSError:
            model.hung_up.set()

    def _tell(self, body: dict[str, Any], model: SlowModel) -> None:
        self._chunk(body, '{"final_text": "')
        model.telling.set()
        while (words := self._next(model)) != END:
            self._chunk(body, json.dumps(words)[1:-1])
        self._chunk(body, '", "next_prompt": "What now?", "suggested_actions": ["I wait"]}', "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _next(self, model: SlowModel) -> str:
        """The next words, or OSError when the client has gone meanwhile."""
        for _ in range(int(PATIENCE / 0.02)):
            try:
                return model.said.get(timeout=0.02)
            except queue.Empty:
                self._check_there()
        raise OSError("nobody said anything")

    def _check_there(self) -> None:
        try:
            if self.connection.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK) == b"":
                raise OSError("the client hung up")
        except BlockingIOError:
            pass

    def _chunk(self, body: dict[str, Any], piece: str, finish: str | None = None) -> None:
        choice = {
            "index": 0,
            "delta": {"role": "assistant", "content": piece},
            "finish_reason": finish,
        }
        whole = {**_head(body), "object": "chat.completion.chunk", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
        self.wfile.flush()

    def _send(self, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _head(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": "chat_1", "created": 1, "model": body.get("model", "slow")}


def _whole(body: dict[str, Any]) -> dict[str, Any]:
    """An answer at once: what the player means, or nothing in particular."""
    reply = MEANT if "proposed_actions" in json.dumps(body) else {}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": json.dumps(reply)},
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {**_head(body), "object": "chat.completion", "choices": [choice], "usage": usage}
