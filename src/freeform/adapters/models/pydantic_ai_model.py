"""Any model of pydantic-ai as our Model: typed answers, repairs that show the mistake, one field
streamed."""

import os
import re
from collections.abc import AsyncIterable
from typing import Any, cast

from pydantic_ai import Agent, NativeOutput, RunContext
from pydantic_ai import exceptions as ai
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    AgentStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model as AiModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from freeform.adapters.models.json_stream import Growing
from freeform.core.errors import BadReply, Unavailable
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
    Usage,
)
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


def translate(failed: ai.AgentRunError, usage: Usage, tries: int) -> BadReply | Unavailable:
    """Our error for theirs. The provider's own words are kept, cut short."""
    if isinstance(failed, ai.UnexpectedModelBehavior):
        cause = failed.__cause__ or failed
        return BadReply(
            f"its answers did not fit the record: {_words(cause)}", usage=usage, tries=tries
        )
    for kind, sentence in _FIXES:
        if isinstance(failed, kind):
            return Unavailable(f"{sentence}: {_words(failed)}", passing=False, usage=usage)
    wait = failed.retry_after if isinstance(failed, ai.ModelAPIError) else None
    sentence = next(
        (words for kind, words in _PASSING if isinstance(failed, kind)), "the provider failed"
    )
    return Unavailable(f"{sentence}: {_words(failed)}", retry_after=wait, usage=usage)


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

# Trying again is the gateway's business, not the SDK's. Eager: Anthropic otherwise holds a field
# back until
# it is whole. (Other providers ignore a setting that is not theirs.)
_SETTINGS = cast(
    ModelSettings,
    {
        "max_retries": 0,
        "max_tokens": 8192,
        "thinking": False,
        "anthropic_eager_input_streaming": True,
    },
)


class PydanticAiModel:
    """A provider's model. Nothing is sent anywhere but to the address that `model` was built with.

    With `native` the answer is asked for as JSON of a schema, which local servers enforce while
    they write; else as the arguments of a tool, which the large providers do best.
    """

    def __init__(
        self, name: str, model: AiModel, repairs: int = 2, *, native: bool = False
    ) -> None:
        self._name, self._model, self._repairs, self._native = name, model, repairs, native

    @property
    def name(self) -> str:
        return self._name

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        pass_, used = question.pass_, RunUsage()
        growing = Growing(pass_.streams, listen) if listen and pass_.streams else None
        agent = Agent(
            self._model,
            output_type=NativeOutput(pass_.gives) if self._native else pass_.gives,
            instructions=question.prompt.system,
            name="freeform",
            retries={"output": self._repairs},
            model_settings=_SETTINGS,
        )

        async def hear(_: RunContext[Any], events: AsyncIterable[AgentStreamEvent]) -> None:
            async for event in events:
                if growing:
                    _feed(growing, event)

        try:
            # Entered per reply, so that no connection outlives its event loop.
            async with self._model:
                run = await agent.run(
                    question.text, usage=used, event_stream_handler=hear if growing else None
                )
        except AgentRunError as failed:
            raise translate(failed, _usage(used), max(used.requests, 1)) from failed
        except (UserError, LookupError, TypeError, AttributeError, ValueError) as failed:
            # A server that answers 200 with something else entirely makes pydantic-ai stumble over
            # it.
            words = (
                f"the answer does not read as this provider's; check the model's address: {failed}"
            )
            raise Unavailable(words, passing=False, usage=_usage(used)) from failed
        if growing:
            growing.end(pass_.streamed(run.output))
        return ModelSaid(run.output, _usage(used), used.requests)


def _feed(growing: Growing, event: AgentStreamEvent) -> None:
    match event:
        case PartStartEvent(part=ToolCallPart() as part):
            growing.again()
            growing.add(part.args_as_json_str() if part.args else "")
        case PartStartEvent(part=TextPart() as part):
            growing.again()
            growing.add(part.content)
        case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str() as piece)):
            growing.add(piece)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=piece)):
            growing.add(piece)
        case _:
            pass


def _usage(used: RunUsage) -> Usage:
    """Tokens as the provider counted them; dollars by the price list that comes with
    pydantic-ai."""
    return Usage(
        calls=used.requests,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=float(used.cost or 0),
    )
