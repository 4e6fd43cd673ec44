"""The providers that pydantic-ai speaks to for us, each with its key and its address given.

Each is imported only when it is chosen: the two SDKs behind them take seconds to load.
"""

import httpx2
from pydantic_ai import ModelProfile
from pydantic_ai.models import Model as AiModel

from freeform.core.address import is_this_machine

# Given in place of no key, so that no key is looked for in the environment.
NO_KEY = "none"
LONGEST_S = 600.0
"""As long as the SDKs wait by themselves; our own time limit is shorter."""


def straight(url: str) -> httpx2.AsyncClient | None:
    """For a server on this machine, a client that no proxy of the environment stands before."""
    if not is_this_machine(url):
        return None
    return httpx2.AsyncClient(timeout=LONGEST_S, trust_env=False, follow_redirects=False)


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
    return OpenAIChatModel(model, provider=provider)


def openrouter(model: str, url: str, key: str) -> AiModel:
    """OpenRouter, which passes the question on to the maker named before the slash."""
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    class Here(OpenRouterProvider):
        @property
        def base_url(self) -> str:
            return url

    return OpenRouterModel(model, provider=Here(api_key=key))


def ollama(model: str, url: str) -> AiModel:
    """A local Ollama; its OpenAI door is below `/v1`."""
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(base_url=f"{url.rstrip('/')}/v1", api_key=NO_KEY)
    # Ollama takes system messages anywhere; else pydantic-ai puts a paragraph about that
    # before our prompt.
    return OllamaModel(
        model, provider=provider, profile=ModelProfile(supports_inline_system_prompts=True)
    )


def compatible(model: str, url: str, key: str) -> AiModel:
    """Any server with OpenAI's Chat Completions."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(
        "url", base_url=url, api_key=key or NO_KEY, http_client=straight(url)
    )
    return OpenAIChatModel(model, provider=provider)
