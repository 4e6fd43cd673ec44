"""What the program says of where play goes: "nothing leaves this machine" is said only where it is so."""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from freeform import wiring
from freeform.settings import Settings

CLOUD_FIRST = [
    {"name": "gpt-oss:120b-cloud", "model": "gpt-oss:120b-cloud"},
    {"name": "glm-4.6:cloud", "model": "glm-4.6:cloud"},
    {
        "name": "mine:latest",
        "remote_host": "https://ollama.com:443",
        "remote_model": "gpt-oss:120b",
    },
    {"name": "tiny:latest", "details": {"family": "llama"}},
]


def ollama(rows: list[dict[str, Any]]) -> Iterator[str]:
    """An Ollama that lists these models."""

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"models": rows}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def cloudy() -> Iterator[str]:
    """Cloud models first, one of them under a name of one's own; then one that is really here."""
    yield from ollama(CLOUD_FIRST)


@pytest.fixture
def only_cloud() -> Iterator[str]:
    """Nothing but cloud models."""
    yield from ollama(CLOUD_FIRST[:3])


def test_auto_takes_no_model_of_ollamas_cloud(cloudy: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, ollama_url=cloudy)
    assert asyncio.run(wiring.chosen_model(settings)) == "ollama:tiny:latest"


def test_auto_plays_offline_where_ollama_has_only_its_cloud(
    only_cloud: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, ollama_url=only_cloud)
    assert asyncio.run(wiring.chosen_model(settings)) == "offline"


def test_the_list_says_which_models_send_what_is_played(cloudy: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, ollama_url=cloudy)
    notes = {row["name"]: row["note"] for row in asyncio.run(wiring.models(settings))}
    assert "on this machine" in notes["ollama:tiny:latest"]
    for name in ("ollama:gpt-oss:120b-cloud", "ollama:glm-4.6:cloud", "ollama:mine:latest"):
        assert "sent" in notes[name] and "on this machine" not in notes[name]


@pytest.mark.parametrize(
    ("settings", "stays"),
    [
        ({"model": "offline"}, True),
        ({"model": "gguf:model.gguf"}, True),
        ({"model": "url:http://127.0.0.1:8080/v1#m"}, True),
        ({"model": "url:http://localhost:8080/v1#m"}, True),
        ({"model": "url:http://localhost@evil.example/v1#m"}, False),
        ({"model": "url:http://127.0.0.1.evil.example/v1#m"}, False),
        ({"model": "url:https://evil.example/v1#http://127.0.0.1"}, False),
        ({"model": "ollama:tiny:latest"}, True),
        ({"model": "ollama:gpt-oss:120b-cloud"}, False),
        ({"model": "ollama:glm-4.6:cloud"}, False),
        ({"model": "ollama:tiny", "ollama_url": "http://gpu.example:11434"}, False),
        ({"model": "ollama:tiny", "ollama_url": "http://localhost@evil.example:11434"}, False),
        ({"model": "openai:m"}, False),
        ({"model": "openai:m", "base_url": "http://127.0.0.1:8080/v1"}, True),
        ({"model": "openai:m", "base_url": "http://127.0.0.1.evil.example/v1"}, False),
        ({"model": "anthropic:m"}, False),
        ({"model": "offline", "models_narrator": "anthropic:m"}, False),
        ({"model": "offline", "models_players": "ollama:big-cloud"}, False),
        ({"model": "offline", "models_cheap": "url:http://[::1]:9/v1#m"}, True),
    ],
)
def test_what_stays_here(settings: dict[str, str], stays: bool, tmp_path: Path) -> None:
    given = Settings.model_validate(
        {"home": tmp_path, "ollama_url": "http://127.0.0.1:1", **settings}
    )
    assert asyncio.run(wiring.stays_here(given, given.model)) is stays


def test_a_cloud_model_under_a_name_of_ones_own_is_known_by_its_row(
    cloudy: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, ollama_url=cloudy, model="ollama:mine:latest")
    assert asyncio.run(wiring.stays_here(settings, settings.model)) is False
    short = settings.model_copy(update={"model": "ollama:mine"})
    assert asyncio.run(wiring.stays_here(short, short.model)) is False
