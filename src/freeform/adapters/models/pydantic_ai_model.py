"""Any model of pydantic-ai as our Model: it carries the words and the schema there and the answer
back; reading, mending and asking again are ours."""

import os
import re
from collections.abc import Sequence
from typing import Any, cast

import httpx2
from pydantic_ai import exceptions as ai
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    CachePoint,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model as AiModel
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from freeform.adapters.models.asking_model import AskingModel, Message, Written
from freeform.adapters.models.json_stream import Growing
from freeform.core.errors import Unavailable
from freeform.core.llm.budget import answer_room
from freeform.core.llm.gateway import Question, Usage
from freeform.core.record import canonical
from freeform.core.text import shorten

_FIXES: tuple[tuple[type[ai.AgentRunError], str], ...] = (
    (
        ai.ModelAuthenticationError,
        "the provider refuses the key; check the API key in the settings",
    ),
    (
        ai.ModelNotFoundError,
        "the provider does not know this model; check the model's name and address",
    ),
    (ai.ModelQuotaExceededError, "the provider says the account's credit is used up; top it up"),
    (
        ai.ModelContextWindowExceededError,
        "the question is too long for this model; choose a larger one",
    ),
    (ai.ModelRequestRejectedError, "the provider refuses the question"),
)
_PASSING: tuple[tuple[type[ai.AgentRunError], str], ...] = (
    (ai.ModelRateLimitError, "the provider asks for fewer calls"),
    (ai.ModelOverloadedError, "the provider is overloaded"),
    (ai.ModelTimeoutError, "the provider did not answer in time"),
    (ai.ModelRequestTimeout, "the provider did not answer in time"),
    (ai.ModelConnectionError, "the provider cannot be reached, or the connection broke"),
)


def translate(failed: ai.AgentRunError) -> Unavailable:
    """Our error for theirs. The provider's own words are kept, cut short."""
    for kind, sentence in _FIXES:
        if isinstance(failed, kind):
            return Unavailable(f"{sentence}: {_words(failed)}", passing=False)
    wait = failed.retry_after if isinstance(failed, ai.ModelAPIError) else None
    sentence = next(
        (words for kind, words in _PASSING if isinstance(failed, kind)), "the provider failed"
    )
    return Unavailable(f"{sentence}: {_words(failed)}", retry_after=wait)


def _words(failed: BaseException) -> str:
    body = getattr(failed, "body", None)
    if isinstance(body, dict):
        # Providers nest their sentence differently; show it rather than the whole body.
        inner = body.get("error", body)
        if isinstance(inner, dict) and isinstance(inner.get("message"), str):
            return shorten(" ".join(inner["message"].split()), 200)
    plain = re.sub(r"For further information visit \S+", "", str(failed))
    return shorten(" ".join(plain.split()), 200)


# A program for players does not print another project's banner.
os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")  # noqa: TID251

_NO_LIMIT = httpx2.Timeout(None, connect=30.0)
"""How long to wait for an answer is the gateway's business (`time_limit_s`)."""
# Trying again is the gateway's business, not the SDK's. Eager: Anthropic otherwise holds a field
# back until
# it is whole. (Other providers ignore a setting that is not theirs.)
_SETTINGS = cast(
    ModelSettings,
    {
        "max_retries": 0,
        "thinking": False,
        "timeout": _NO_LIMIT,
        # Marks what is the same in every turn, where a provider wants it marked.
        "cache": {"messages": False},
        "anthropic_eager_input_streaming": True,
    },
)
_TOOL, _LONGEST = "final_result", 8192


def _settings(question: Question[Any]) -> ModelSettings:
    """With an answer no longer than was set aside for the call."""
    return cast(ModelSettings, {**_SETTINGS, "max_tokens": answer_room(question, _LONGEST)})


class PydanticAiModel(AskingModel):
    """A provider's model. Nothing is sent anywhere but to the address that `model` was built with.

    With `native` the answer is asked for as JSON of a schema, which local servers enforce while
    they write; else as the arguments of a tool, which the large providers do best.
    """

    def __init__(
        self, name: str, model: AiModel, repairs: int = 2, *, native: bool = False
    ) -> None:
        super().__init__(repairs)
        self._name, self._model, self._native = name, model, native

    @property
    def name(self) -> str:
        return self._name

    @property
    def window(self) -> int:
        """The tokens it sees at once, as the provider says; 0 where nobody knows."""
        return int(self._model.profile.get("context_window") or 0)

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        system, talk = messages[0]["content"], _talk(messages[1:])
        wanted, settings = self._wanted(question, system), _settings(question)
        try:
            # Entered per try, so that no connection outlives its event loop.
            async with self._model:
                if growing is None:
                    return _written(await self._model.request(talk, settings, wanted))
                async with self._model.request_stream(talk, settings, wanted) as stream:
                    async for event in stream:
                        _feed(growing, event)
                    return _written(stream.get())
        except ai.UnexpectedModelBehavior as failed:
            raise _not_theirs(failed) from failed
        except AgentRunError as failed:
            raise translate(failed) from failed
        except (UserError, LookupError, TypeError, AttributeError, ValueError) as failed:
            # A server that answers 200 with something else entirely makes pydantic-ai stumble over
            # it.
            raise _not_theirs(failed) from failed

    def _wanted(self, question: Question[Any], system: str) -> ModelRequestParameters:
        """The schema of the answer, and the words that stand before the conversation."""
        said, schema = [InstructionPart(content=system)], question.pass_.schema()
        title = str(schema.pop("title", "Answer"))
        meant = schema.pop("description", None)
        if self._native:
            return ModelRequestParameters(
                output_mode="native",
                output_object=OutputObjectDefinition(
                    json_schema=schema, name=title, description=meant
                ),
                instruction_parts=said,
            )
        tool = ToolDefinition(
            name=_TOOL, parameters_json_schema=schema, description=meant, kind="output"
        )
        return ModelRequestParameters(
            output_mode="tool",
            output_tools=[tool],
            allow_text_output=False,
            instruction_parts=said,
        )


def _talk(messages: Sequence[Message]) -> list[ModelMessage]:
    """A conversation as pydantic-ai writes it."""
    talk: list[ModelMessage] = []
    for message in messages:
        if message["role"] == "assistant":
            talk.append(ModelResponse(parts=[TextPart(message["content"])]))
        else:
            talk.append(ModelRequest(parts=[UserPromptPart(_marked(message))]))
    return talk


def _marked(message: Message) -> str | list[UserContent]:
    """A question with a mark where it begins to differ from the last one; a provider that keeps
    nothing leaves the mark out."""
    whole, stable = message["content"], message.get("stable", "")
    if not stable or not whole.startswith(stable) or stable == whole:
        return whole
    return [stable, CachePoint(), whole[len(stable) :]]


def _written(response: ModelResponse) -> Written:
    """What was written: the arguments of a tool, else the plain text."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart) and part.args]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    text = _arguments(calls[0]) if calls else "".join(texts)
    return Written(text, _usage(response), cut=response.finish_reason == "length")


def _arguments(call: ToolCallPart) -> str:
    """As they were written, readable or not."""
    if isinstance(call.args, str):
        return call.args
    return canonical(call.args) if call.args else ""


def _not_theirs(failed: Exception) -> Unavailable:
    words = f"the answer does not read as this provider's; check the model's address: {failed}"
    return Unavailable(shorten(words, 300), passing=False)


def _feed(growing: Growing, event: ModelResponseStreamEvent) -> None:
    match event:
        case PartStartEvent(part=ToolCallPart() as part):
            growing.again()
            growing.add(_arguments(part))
        case PartStartEvent(part=TextPart() as part):
            growing.again()
            growing.add(part.content)
        case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str() as piece)):
            growing.add(piece)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=piece)):
            growing.add(piece)
        case _:
            pass


def _usage(response: ModelResponse) -> Usage:
    """Tokens as the provider counted them; dollars by the price list that comes with
    pydantic-ai."""
    used = response.usage
    cost = used.cost
    if cost is None:
        try:
            cost = response.cost().total_price
        except (LookupError, ValueError, AssertionError):
            cost = None  # nobody knows the price of this model
    return Usage(
        calls=1,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=float(cost or 0),
    )
