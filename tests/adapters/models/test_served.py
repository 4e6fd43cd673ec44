"""What servers list: a real peer of each protocol on loopback; keys go to that address and nowhere else."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from freeform.adapters.models.lists.served import served_models
from freeform.adapters.models.make import Access
from freeform.core.errors import BadSettings, Unavailable


class ListPeer(BaseHTTPRequestHandler):
    """Lists models as each protocol does; notes who asked with which key."""

    def do_GET(self) -> None:
        seen: list[tuple[str, dict[str, str]]] = self.server.seen  # type: ignore[attr-defined]
        seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        key = self.headers.get("x-api-key") or self.headers.get("authorization") or ""
        code, body = 200, json.dumps({"data": [{"id": "small"}, {"id": "maker/large"}]}).encode()
        if self.path.startswith("/api/tags"):
            body = json.dumps({"models": [{"name": "tiny:latest", "size": 7}]}).encode()
        elif "wrong" in key:
            code = 401
        elif self.path.startswith("/moved"):
            code = 302
        elif self.path.startswith("/page"):
            body = b"<html>hello</html>"
        self.send_response(code)
        if code == 302:
            self.send_header("Location", "/v1/models")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def peer() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), ListPeer)
    server.seen, server.url = [], f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("kind", "at", "names", "key"),
    [
        ("openai", "openai_url", ["openai:small", "openai:maker/large"], ("authorization", "Bearer o")),
        ("openrouter", "openrouter_url", ["openrouter:small", "openrouter:maker/large"], ("authorization", "Bearer r")),
        ("anthropic", "anthropic_url", ["anthropic:small", "anthropic:maker/large"], ("x-api-key", "a")),
        ("ollama", "ollama_url", ["ollama:tiny:latest"], None),
    ],
)  # fmt: skip
async def test_each_provider_is_asked_as_it_speaks(
    peer: Any, kind: str, at: str, names: list[str], key: tuple[str, str] | None
) -> None:
    keys = {"anthropic_key": "a", "openai_key": "o", "openrouter_key": "r", "url_key": "u"}
    assert await served_models(kind, Access(**{**keys, at: peer.url})) == names
    ((_, heads),) = peer.seen
    assert key is None or heads[key[0]] == key[1]


async def test_an_address_is_given_its_own_key_and_no_other(peer: Any) -> None:
    url = f"{peer.url}/v1"
    names = [f"url:{url}#small", f"url:{url}#maker/large"]
    assert await served_models("url", Access(openai_key="o", url_key="u"), url) == names
    assert await served_models("url", Access(openai_key="o", url_key="none"), f"{url}/") == names
    first, second = (heads for _, heads in peer.seen)
    assert first["authorization"] == "Bearer u" and "authorization" not in second


async def test_what_is_wrong_with_a_server_is_one_sentence(peer: Any) -> None:
    cases: list[tuple[str, type[Exception], str]] = [
        (f"{peer.url}/moved", Unavailable, "answers 302"),
        (f"{peer.url}/page", Unavailable, "no list of models"),
        ("http://127.0.0.1:1/v1", Unavailable, "nothing answers"),
        ("file:///etc/passwd", BadSettings, "give the server's address"),
    ]
    for url, kind, said in cases:
        with pytest.raises(kind, match=said):
            await served_models("url", Access(url_key="u"), url)
    with pytest.raises(BadSettings, match="refuses the key"):
        await served_models("url", Access(url_key="wrong"), f"{peer.url}/v1")
    assert [path for path, _ in peer.seen if path.endswith("/models")].count("/v1/models") == 1
