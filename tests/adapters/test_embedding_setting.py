"""An embedder by its address: set, used by `pack search`, told when it is on another machine, rebuilt when it changes."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from freeform.core.errors import BadSettings
from freeform.engine.shelf.pack_install import search
from freeform.retrieval.model import GM, LoreRetrievalQuery
from freeform.settings import Settings
from freeform.wiring import books, embedder

MEANINGS = {"sailors": (1.0, 0.0), "mariners": (1.0, 0.1), "bread": (0.0, 1.0)}


class Server(BaseHTTPRequestHandler):
    """Speaks `/embeddings`: two words of one meaning lie side by side."""

    asked: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Server.asked.append({**body, "key": self.headers.get("Authorization", "")})
        rows = [{"index": n, "embedding": self._vector(t)} for n, t in enumerate(body["input"])]
        data = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    @staticmethod
    def _vector(text: str) -> list[float]:
        said = [vector for word, vector in MEANINGS.items() if word in text.lower()]
        return [sum(part) + 0.001 for part in zip(*said, strict=True)] if said else [0.001, 0.001]

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    Server.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    pack = tmp_path / "packs" / "port" / "1.0.0"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text(
        "id: port\nname: Port\nversion: 1.0.0\nlayer: setting\nlicense: {type: cc0}\n"
    )
    for name, text in (("quay", "Here the mariners rest."), ("oven", "Here bread is sold.")):
        (pack / f"{name}.md").write_text(
            f"---\nid: {name}\ntype: location\n---\n\n# {name.title()}\n\n{text}\n"
        )
    return tmp_path


def with_embedder(home: Path, url: str, model: str = "small") -> Settings:
    return Settings.model_validate(
        {"home": home, "embedding_url": url, "embedding_model": model, "embedding_key": "k1"}
    )


async def look(settings: Settings, words: str) -> tuple[list[str], list[str]]:
    asked = LoreRetrievalQuery(keywords=words, packs=["port"])
    found = await search(books(settings), asked, GM)
    return [passage.chunk_id for passage in found.chunks], found.notes


async def test_another_word_of_the_same_meaning_is_found_by_the_server_that_was_set(
    home: Path, url: str
) -> None:
    ids, notes = await look(with_embedder(home, url), "sailors")
    assert ids[0].startswith("port:quay")
    assert not any("words alone" in note for note in notes)
    assert {(call["model"], call["key"]) for call in Server.asked} == {("small", "Bearer k1")}


async def test_another_embedder_makes_the_vectors_anew_and_says_so(home: Path, url: str) -> None:
    await look(with_embedder(home, url), "sailors")
    again, quiet = await look(with_embedder(home, url), "sailors")
    assert not any("given vectors" in note for note in quiet)
    before = len(Server.asked)
    ids, notes = await look(with_embedder(home, url, "large"), "sailors")
    assert ids == again
    assert any(f"given vectors by large@{url}" in note for note in notes)
    assert sum(len(call["input"]) for call in Server.asked[before:]) > 2


async def test_a_server_that_is_away_leaves_search_by_words(home: Path) -> None:
    ids, notes = await look(with_embedder(home, "http://127.0.0.1:9/v1"), "mariners")
    assert ids[0].startswith("port:quay")
    assert any("does not answer" in note for note in notes)


def test_an_address_without_a_model_is_one_sentence(home: Path, url: str) -> None:
    with pytest.raises(BadSettings, match="embedding_model"):
        embedder(with_embedder(home, url, ""))


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("", ""),
        ("http://127.0.0.1:11434/v1", ""),
        ("http://localhost:11434/v1", ""),
        ("https://api.example.com/v1", "api.example.com"),
        ("http://localhost@evil.example/v1", "evil.example"),
        ("http://127.0.0.1.evil.example/v1", "127.0.0.1.evil.example"),
    ],
)
def test_who_gets_the_texts_is_known(home: Path, address: str, host: str) -> None:
    assert with_embedder(home, address).vectors_sent_to == host
