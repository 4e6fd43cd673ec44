"""OpenAiEmbedder: any address that speaks OpenAI's `/embeddings` (Voyage, Ollama, llama.cpp)."""

import math
from array import array
from collections.abc import Sequence
from typing import Any

import httpx2

from freeform.core.errors import BadSettings, Unavailable
from freeform.retrieval.ports import Vector

_BATCH = 64
_TRIES = 3


class OpenAiEmbedder:
    """One model at one address; `url` ends before `/embeddings`: `http://127.0.0.1:11434/v1`."""

    def __init__(self, url: str, model: str, key: str = "", *, seconds: float = 60) -> None:
        self._url, self._model, self._seconds = url.rstrip("/"), model, seconds
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    @property
    def name(self) -> str:
        return f"{self._model}@{self._url}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        # A client for each call: a connection belongs to one event loop, an embedder to several.
        async with httpx2.AsyncClient(headers=self._headers, timeout=self._seconds) as client:
            for start in range(0, len(texts), _BATCH):
                vectors += await self._ask(client, list(texts[start : start + _BATCH]))
        return vectors

    async def _ask(self, client: httpx2.AsyncClient, texts: list[str]) -> list[Vector]:
        """One request; what may pass by itself is tried again."""
        for tries_left in range(_TRIES - 1, -1, -1):
            try:
                body = {"model": self._model, "input": texts, "encoding_format": "float"}
                answer = await client.post(f"{self._url}/embeddings", json=body)
            except httpx2.InvalidURL as wrong:
                raise BadSettings(
                    f"`embedding_url` {self._url!r} is no address ({wrong}); "
                    "write it as http://127.0.0.1:11434/v1"
                ) from wrong
            except httpx2.HTTPError as lost:
                if tries_left:
                    continue
                raise Unavailable(
                    f"the embedder at {self._url} does not answer ({lost}); is it running?"
                ) from lost
            if answer.status_code == 200:
                return self._read(answer, len(texts))
            if (
                answer.status_code not in (408, 409, 429) and answer.status_code < 500
            ) or not tries_left:
                raise self._refused(answer)
        raise AssertionError("unreachable: the last try returns or raises")

    def _refused(self, answer: httpx2.Response) -> Unavailable:
        passing = answer.status_code == 429 or answer.status_code >= 500
        fix = "try again later" if passing else "check the model's name and the key in the settings"
        wait = answer.headers.get("retry-after", "")
        return Unavailable(
            f"the embedder at {self._url} answered {answer.status_code} "
            f"for the model '{self._model}'; {fix}",
            retry_after=float(wait) if wait.isdigit() else None,
            passing=passing,
        )

    def _read(self, answer: httpx2.Response, count: int) -> list[Vector]:
        try:
            rows: list[dict[str, Any]] = sorted(answer.json()["data"], key=lambda row: row["index"])
            vectors = [unit(list(map(float, row["embedding"]))) for row in rows]
        except (ValueError, KeyError, TypeError) as wrong:
            raise Unavailable(
                f"the embedder at {self._url} did not answer as OpenAI does ({wrong})"
            ) from wrong
        if len(vectors) != count or len({len(vector) for vector in vectors}) > 1:
            raise Unavailable(
                f"the embedder at {self._url} gave {len(vectors)} vectors for {count} texts"
            )
        return vectors


def unit(numbers: Sequence[float]) -> Vector:
    """The numbers at unit length, as bytes."""
    length = math.sqrt(sum(number * number for number in numbers)) or 1.0
    packed = array("f", [number / length for number in numbers])
    if array("H", [1]).tobytes() != b"\x01\x00":
        packed.byteswap()
    return packed.tobytes()
