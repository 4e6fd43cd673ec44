"""GGUF weights in this process by llama.cpp: what it writes is held to the record by a grammar."""

import asyncio
import importlib
import importlib.util
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from freeform.adapters.models.grammar import Caps, grammar_of
from freeform.adapters.models.growing import Growing
from freeform.core.chance import Chance
from freeform.core.errors import BadReply, BadSettings, Unavailable
from freeform.core.gateway import Listen, Out, Question, Said, Usage
from freeform.core.ids import RandomIds
from freeform.core.text import count_tokens, shorten

Message = dict[str, str]


class GgufModel:
    """A model file. Loaded at the first question, on all cores but one."""

    def __init__(
        self,
        path: Path,
        *,
        window: int = 4096,
        answer: int = 1024,
        caps: Caps | None = None,
        repairs: int = 2,
    ) -> None:
        """`window`: the tokens the model sees at once; `answer`: how many of them the answer may take."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise BadSettings("gguf: models need llama.cpp; run: pip install 'freeform-rpg[gguf]'")
        if not path.is_file():
            raise BadSettings(f"there is no file {path}; write gguf:PATH with the path of a .gguf file")
        self._path, self._window, self._answer = path, window, answer
        self._caps, self._repairs = caps or Caps(), repairs
        self._loading, self._server = threading.Lock(), cast(Any, None)

    @property
    def name(self) -> str:
        return f"gguf:{self._path.name}"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        pass_, usage = question.pass_, Usage()
        growing = Growing(pass_.streams, listen) if listen and pass_.streams else None
        system, text, note = self._fit(question)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
        wrong = ""
        for tries in range(1, self._repairs + 2):
            if growing:
                growing.again()
            written = await self._write(question, messages, tries, growing)
            usage += written.usage
            try:
                output = pass_.gives.model_validate_json(written.text)
            except ValidationError as failed:
                wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in failed.errors()[:3])
                messages = [*messages[:2], *_mistake(written.text, wrong)]
                continue
            if growing:
                growing.end(pass_.streamed(output))
            return Said(output, usage, tries, note)
        tries = self._repairs + 1
        raise BadReply(f"its answers did not fit the record: {shorten(wrong, 200)}", usage=usage, tries=tries)

    def _fit(self, question: Question[Any]) -> tuple[str, str, str]:
        """System and text cut to the window, and a note if so. Ends are kept: the player speaks there."""
        system, text = question.prompt.system, question.text
        room = self._window - self._answer
        asked = count_tokens(system) + count_tokens(text)
        if asked <= room:
            return system, text, ""
        system = _without_middle(system, room // 3)
        text = _without_middle(text, room - count_tokens(system))
        left = count_tokens(system) + count_tokens(text)
        return system, text, f"prompt cut from about {asked} to {left} tokens to fit {self.name}'s window"

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> "_Written":
        pass_, call = question.pass_, question.call
        schema = pass_.gives.model_json_schema()
        body = {
            "messages": messages,
            "grammar": grammar_of(schema, self._caps.tighter(tries - 1), pass_.streams),
            "max_tokens": self._answer,
            "temperature": 0.7,
            "seed": Chance(call.seed, "gguf", call.turn_id, pass_.id, tries).die(2**31 - 1),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        loop, given_up, written = asyncio.get_running_loop(), threading.Event(), _Written()

        def hear(chunk: dict[str, Any]) -> bool:
            piece = written.add(chunk)
            if piece and growing:
                loop.call_soon_threadsafe(growing.add, piece)
            return given_up.is_set()

        try:
            await asyncio.to_thread(self._ask_server, body, hear)
        finally:
            # A thread cannot be cancelled; llama.cpp stops at the next token when asked to.
            given_up.set()
        if written.error:
            raise Unavailable(f"llama.cpp refused: {shorten(written.error, 200)}", passing=False)
        return written

    def _ask_server(self, body: dict[str, Any], hear: Any) -> None:
        with self._loading:
            self._server = self._server or _load(self._path, self._window)
        self._server.handle_chat_completions(body, hear)


@dataclass
class _Written:
    """What llama.cpp has written so far."""

    text: str = ""
    error: str = ""
    usage: Usage = field(default_factory=lambda: Usage(calls=1))

    def add(self, chunk: dict[str, Any]) -> str:
        self.error = self.error or str(chunk.get("error", {}).get("message", ""))
        if used := chunk.get("usage"):
            asked, said = used["prompt_tokens"], used["completion_tokens"]
            self.usage = Usage(calls=1, input_tokens=asked, output_tokens=said)
        choices = chunk.get("choices") or [{}]
        piece = str(choices[0].get("delta", {}).get("content") or "")
        self.text += piece
        return piece


def _load(path: Path, window: int) -> Any:
    # Waiting threads that spin slow the working ones to a crawl. Read when the library loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # noqa: TID251
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.warmup, params.verbosity = window, 1, False, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) - 1)
    # The library opens a loopback port whether one wants it or not: nobody else gets in.
    params.offline, params.ui, params.api_keys = True, False, [RandomIds().new("key")]
    try:
        return xllamacpp.Server(params)
    except RuntimeError as failed:
        raise Unavailable(f"llama.cpp cannot load {path}: {failed}", passing=False) from failed


def _mistake(answer: str, wrong: str) -> list[Message]:
    """The model's own answer and what is wrong with it."""
    again = f"That does not fit: {shorten(wrong, 300)}. Answer once more, shorter, and mend it."
    return [{"role": "assistant", "content": shorten(answer, 600)}, {"role": "user", "content": again}]


def _without_middle(text: str, most: int) -> str:
    """At most so many tokens, with a mark where the middle was."""
    if count_tokens(text) <= most:
        return text
    mark = "\n[… left out: too long for this model …]\n"
    keep = max(most - count_tokens(mark), 8) * len(text) // count_tokens(text)
    return text[: keep // 2] + mark + text[len(text) - keep // 2 :]
