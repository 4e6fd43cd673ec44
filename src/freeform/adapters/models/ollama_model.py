"""A model in Ollama, by Ollama's own door: only there may one say how many tokens the model is to
see at once.

Behind its OpenAI door the window is the server's, on most machines 4,096 tokens, and a longer
question loses its beginning without a word.
"""

import json
from typing import Any
from urllib.parse import quote

import httpx2

from freeform.adapters.models.asking_model import Message, Written
from freeform.adapters.models.json_stream import Growing
from freeform.adapters.models.local_model import ANSWER, WINDOW, LocalModel
from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.llm.budget import answer_room
from freeform.core.llm.gateway import Question, Usage
from freeform.core.text import shorten


class OllamaModel(LocalModel):
    """Nothing is sent anywhere but to `url`."""

    def __init__(
        self, model: str, url: str, *, window: int = WINDOW, answer: int = ANSWER, repairs: int = 2
    ) -> None:
        super().__init__(window, answer, repairs)
        self._model, self._url = model, url.rstrip("/")
        self._made_for: int | None = None

    @property
    def name(self) -> str:
        return f"ollama:{self._model}"

    async def _window_of_model(self) -> int:
        if self._made_for is None:
            said = await self._asked("/api/show", {"model": self._model})
            told = said.get("model_info")
            lengths = (
                [v for k, v in told.items() if k.endswith(".context_length")]
                if isinstance(told, dict)
                else []
            )
            self._made_for = next((n for n in lengths if isinstance(n, int) and n > 0), 0)
        return self._made_for

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        pass_, call = question.pass_, question.call
        window, answer = await self._room()
        body = {
            "model": self._model,
            "messages": messages,
            "format": pass_.schema(),
            "stream": growing is not None,
            "think": False,
            "options": {
                "num_ctx": window,
                "num_predict": answer_room(question, answer),
                "temperature": 0.7,
                "seed": Chance(call.seed, "ollama", call.turn_id, pass_.id, tries).die(2**31 - 1),
            },
        }
        if growing is None:
            return _written([await self._asked("/api/chat", body)])
        lines: list[dict[str, Any]] = []
        async with self._client() as client:
            try:
                async with client.stream("POST", f"{self._url}/api/chat", json=body) as answered:
                    if answered.status_code != 200:
                        await answered.aread()
                    self._check(answered)
                    async for line in answered.aiter_lines():
                        if line.strip():
                            lines.append(_line(line))
                            growing.add(str(_said(lines[-1])))
            except httpx2.HTTPError as failed:
                raise self._unreached(failed) from failed
        return _written(lines)

    async def _asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        async with self._client() as client:
            try:
                answered = await client.post(f"{self._url}{path}", json=body)
            except httpx2.HTTPError as failed:
                raise self._unreached(failed) from failed
        self._check(answered)
        return _line(answered.text)

    def _client(self) -> httpx2.AsyncClient:
        """Made per question, so that no connection outlives its event loop. How long to wait is the
        gateway's business."""
        return httpx2.AsyncClient(timeout=None, trust_env=False, follow_redirects=False)

    def _check(self, answered: httpx2.Response) -> None:
        if answered.status_code == 200:
            return
        words = _words(answered)
        match answered.status_code:
            case 401 | 403:
                raise Unavailable(
                    f"the provider refuses the key; check the API key there: {words}", passing=False
                )
            case 404:
                fetch = f"fetch it with `ollama pull {quote(self._model, safe=':/._-')}`"
                raise Unavailable(
                    f"Ollama does not have {self._model}; {fetch}: {words}", passing=False
                )
            case 429:
                wait = answered.headers.get("retry-after", "")
                after = float(wait) if wait.replace(".", "", 1).isdigit() else None
                raise Unavailable(f"the provider asks for fewer calls: {words}", retry_after=after)
            case status if status >= 500:
                raise Unavailable(f"the provider failed: {words}")
            case _:
                raise Unavailable(f"the provider refuses the question: {words}", passing=False)

    def _unreached(self, failed: httpx2.HTTPError) -> Unavailable:
        start = "start Ollama, or set `ollama_url`"
        why = shorten(str(failed) or type(failed).__name__, 120)
        return Unavailable(
            f"the provider cannot be reached, or the connection broke; {start}: {why}"
        )


def _line(text: str) -> dict[str, Any]:
    """One object of an answer."""
    try:
        said = json.loads(text)
    except ValueError as failed:
        raise Unavailable(
            f"the connection broke, or this is no Ollama: {shorten(text, 80)}"
        ) from failed
    if not isinstance(said, dict):
        raise Unavailable("the answer does not read as Ollama's; check `ollama_url`", passing=False)
    if wrong := said.get("error"):
        raise Unavailable(f"the provider failed: {shorten(str(wrong), 200)}")
    return said


def _said(line: dict[str, Any]) -> Any:
    message = line.get("message")
    return message.get("content") or "" if isinstance(message, dict) else ""


def _written(lines: list[dict[str, Any]]) -> Written:
    last = lines[-1] if lines else {}
    if lines and "message" not in lines[0]:
        raise Unavailable("the answer does not read as Ollama's; check `ollama_url`", passing=False)
    if not last.get("done"):
        raise Unavailable("the connection broke before the answer was whole")
    counts = [last.get(name) for name in ("prompt_eval_count", "eval_count")]
    asked, answered = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    text = "".join(str(_said(line)) for line in lines)
    usage = Usage(calls=1, input_tokens=asked, output_tokens=answered)
    return Written(text, usage, cut=last.get("done_reason") == "length")


def _words(answered: httpx2.Response) -> str:
    """The server's own sentence, cut short."""
    try:
        error = json.loads(answered.text).get("error", "")
    except (ValueError, AttributeError):
        error = answered.text
    told = error.get("message", "") if isinstance(error, dict) else str(error)
    return shorten(" ".join(str(told).split()), 200)
