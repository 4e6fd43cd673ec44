"""What pydantic-ai raises, in our words: may it pass by itself, when to come back, what to put right."""

import re

from pydantic_ai import exceptions as ai

from freeform.core.errors import BadReply, Unavailable
from freeform.core.llm.gateway import Usage
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
