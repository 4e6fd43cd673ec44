"""GGUF weights in this process by llama.cpp: what it writes is held to the record by a grammar."""

import asyncio
import importlib
import importlib.util
import os
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from freeform.adapters.models.asking_model import Message, Written
from freeform.adapters.models.grammar import Caps, grammar_of
from freeform.adapters.models.json_stream import Growing
from freeform.adapters.models.local_model import WINDOW, LocalModel
from freeform.core.chance import Chance
from freeform.core.errors import BadSettings, Unavailable
from freeform.core.ids import RandomIds
from freeform.core.llm.budget import answer_room
from freeform.core.llm.gateway import Question, Usage
from freeform.core.text import shorten

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY = 8, 9
_INTEGERS = {0: "<B", 2: "<H", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_MOST_KEYS = 1000


def window_of(path: Path) -> int:
    """The model's `context_length`; 0 when the file does not say, or does not read."""
    try:
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                return 0
            _, _, keys = struct.unpack("<IQQ", file.read(20))
            for _ in range(min(keys, _MOST_KEYS)):
                key = file.read(_number(file, "<Q")).decode(errors="replace")
                kind = _number(file, "<I")
                if key.endswith(".context_length") and kind in _INTEGERS:
                    return max(0, _number(file, _INTEGERS[kind]))
                _skip(file, kind)
    except (OSError, ValueError, struct.error, OverflowError, MemoryError):
        pass
    return 0


def _number(file: BinaryIO, form: str) -> int:
    return int(struct.unpack(form, file.read(struct.calcsize(form)))[0])


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        file.seek(_number(file, "<Q"), 1)
    elif kind == _ARRAY:
        inner, count = _number(file, "<I"), _number(file, "<Q")
        if inner in _SIZES:
            file.seek(_SIZES[inner] * count, 1)
        else:
            for _ in range(count):
                _skip(file, inner)
    elif kind in _SIZES:
        file.seek(_SIZES[kind], 1)
    else:
        raise ValueError(f"a value of kind {kind}")


class GgufModel(LocalModel):
    """A model file. Loaded at the first question, on all cores but one."""

    def __init__(
        self,
        path: Path,
        *,
        window: int = WINDOW,
        answer: int = 1024,
        caps: Caps | None = None,
        repairs: int = 2,
        plain: bool = False,
    ) -> None:
        """`window`: the tokens the model sees at once; `answer`: how many of them the answer may
        take; `plain`: on the code every processor has."""
        super().__init__(window, answer, repairs)
        if importlib.util.find_spec("xllamacpp") is None:
            raise BadSettings("gguf: models need llama.cpp; run: pip install 'freeform-rpg[gguf]'")
        if not path.is_file():
            raise BadSettings(
                f"there is no file {path}; write gguf:PATH with the path of a .gguf file"
            )
        self._path, self._caps, self._made_for = path, caps or Caps(), window_of(path)
        self._loading, self._server = threading.Lock(), cast(Any, None)
        self._plain = plain

    @property
    def name(self) -> str:
        return f"gguf:{self._path.name}"

    async def _window_of_model(self) -> int:
        return self._made_for

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        pass_, call = question.pass_, question.call
        window, answer = await self._room()
        schema = pass_.schema()
        body = {
            "messages": messages,
            "grammar": grammar_of(schema, self._caps_of(tries), pass_.streams),
            "max_tokens": answer_room(question, answer),
            "temperature": 0.7,
            "seed": Chance(call.seed, "gguf", call.turn_id, pass_.id, tries).die(2**31 - 1),
            # What is kept of the last question changes how sums round, and so what a seed says.
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        loop, given_up, heard = asyncio.get_running_loop(), threading.Event(), _Heard()

        def hear(chunk: dict[str, Any]) -> bool:
            piece = heard.add(chunk)
            if piece and growing:
                loop.call_soon_threadsafe(growing.add, piece)
            return given_up.is_set()

        try:
            await asyncio.to_thread(self._ask_server, body, hear, window)
        finally:
            # A thread cannot be cancelled; llama.cpp stops at the next token when asked to.
            given_up.set()
        if heard.error:
            raise Unavailable(f"llama.cpp refused: {shorten(heard.error, 200)}", passing=False)
        return heard

    def _caps_of(self, tries: int) -> Caps:
        """Tighter with every try; at the last no list is filled that may be empty: it ends."""
        caps = self._caps.tighter(tries - 1)
        if 1 < tries > self._repairs:
            return caps.model_copy(update={"items": 0})
        return caps

    def _ask_server(self, body: dict[str, Any], hear: Any, window: int) -> None:
        with self._loading:
            self._server = self._server or _load(self._path, window, self._plain)
        self._server.handle_chat_completions(body, hear)


@dataclass
class _Heard(Written):
    """What llama.cpp has written so far."""

    error: str = ""

    def add(self, chunk: dict[str, Any]) -> str:
        self.error = self.error or str(chunk.get("error", {}).get("message", ""))
        if used := chunk.get("usage"):
            asked, said = used["prompt_tokens"], used["completion_tokens"]
            self.usage = Usage(calls=1, input_tokens=asked, output_tokens=said)
        choices = chunk.get("choices") or [{}]
        self.cut = self.cut or choices[0].get("finish_reason") == "length"
        piece = str(choices[0].get("delta", {}).get("content") or "")
        self.text += piece
        return piece


def _load(path: Path, window: int, plain: bool = False) -> Any:
    # Waiting threads that spin slow the working ones to a crawl. Read when the library loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # noqa: TID251
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.warmup, params.verbosity = window, 1, False, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(
        1, (os.cpu_count() or 2) - 1
    )
    # Weights laid out anew for this processor: the one thing chosen at run time.
    params.no_extra_bufts = plain
    # The library opens a loopback port whether one wants it or not: nobody else gets in.
    params.offline, params.ui, params.api_keys = True, False, [RandomIds().new("key")]
    try:
        return xllamacpp.Server(params)
    except RuntimeError as failed:
        raise Unavailable(f"llama.cpp cannot load {path}: {failed}", passing=False) from failed
