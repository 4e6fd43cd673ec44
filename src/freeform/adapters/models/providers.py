"""The providers that pydantic-ai speaks to for us, each with its key and its address given.

Each is imported only when it is chosen: the two SDKs behind them take seconds to load.
"""

import httpx2
from pydantic_ai import ModelProfile
from pydantic_ai.models import Model as AiModel

from freeform.core.address import is_this_machine

# Given in place of no key, so that no key is looked for in the environment.
NO_KEY = "none"
_NO_TAGS = ("\0", "\0")
# Thoughts are taken off by `answer.py`: pydantic-ai knows their tags only where each comes alone.
PLAIN_TEXT = ModelProfile(thinking_tags=_NO_TAGS)


def straight(url: str) -> httpx2.AsyncClient | None:
    """For a server on this machine, a client that no proxy of the environment stands before."""
    if not is_this_machine(url):
        return None
    return httpx2.AsyncClient(timeout=None, trust_env=False, follow_redirects=False)


def anthropic(model: str, url: str, key: str) -> AiModel:
    """Anthropic's Messages."""
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(model, provider=AnthropicProvider(base_url=url, api_key=key))


def openai(model: str, url: str, key: str) -> AiModel:
    """OpenAI's Chat Completions."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=url, api_key=key, http_client=straight(url))
    return OpenAIChatModel(model, provider=provider, profile=PLAIN_TEXT)


def openrouter(model: str, url: str, key: str) -> AiModel:
    """OpenRouter, which passes the question on to the maker named before the slash."""
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    class Here(OpenRouterProvider):
        @property
        def base_url(self) -> str:
            return url

    return OpenRouterModel(model, provider=Here(api_key=key), profile=PLAIN_TEXT)


def ollama(model: str, url: str) -> AiModel:
    """A local Ollama; its OpenAI door is below `/v1`."""
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(base_url=f"{url.rstrip('/')}/v1", api_key=NO_KEY)
    # Ollama takes system messages anywhere; else pydantic-ai puts a paragraph about that
    # before our prompt.
    profile = ModelProfile(supports_inline_system_prompts=True, thinking_tags=_NO_TAGS)
    return OllamaModel(model, provider=provider, profile=profile)


def compatible(model: str, url: str, key: str) -> AiModel:
    """Any server with OpenAI's Chat Completions."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(
        "url", base_url=url, api_key=key or NO_KEY, http_client=straight(url)
    )
    return OpenAIChatModel(model, provider=provider, profile=PLAIN_TEXT)
