"""A model from its name: `anthropic:…`, `openai:…`, `openrouter:…`, `ollama:…`, `url:…#…`,
`gguf:…`."""

from dataclasses import dataclass, field
from pathlib import Path

from freeform.adapters.models.local_model import WINDOW
from freeform.core.errors import BadSettings
from freeform.core.llm.gateway import Model

FORMS = (
    "offline, anthropic:NAME, openai:NAME, openrouter:MAKER/NAME, ollama:NAME, "
    "url:http://HOST/v1#NAME or gguf:PATH"
)


@dataclass(frozen=True)
class Access:
    """Keys and addresses, as the settings give them; nothing is looked up in the environment."""

    anthropic_key: str = field(default="", repr=False)
    openai_key: str = field(default="", repr=False)
    openrouter_key: str = field(default="", repr=False)
    url_key: str = field(default="", repr=False)
    anthropic_url: str = "https://api.anthropic.com"
    openai_url: str = "https://api.openai.com/v1"
    openrouter_url: str = "https://openrouter.ai/api/v1"
    ollama_url: str = "http://127.0.0.1:11434"
    local_window: int = WINDOW


def make_model(name: str, access: Access | None = None, repairs: int = 2) -> Model:
    """The model of that name. BadSettings says what is missing. Nothing is sent yet."""
    # Imported here: pydantic-ai and its SDKs take seconds to load, and offline play needs none of
    # it.
    access = access or Access()
    kind, _, rest = name.partition(":")
    if not rest or kind not in ("anthropic", "openai", "openrouter", "ollama", "url", "gguf"):
        raise BadSettings(f"'{name}' names no model; write {FORMS}")
    if kind == "gguf":
        from freeform.adapters.models.gguf_model import GgufModel

        return GgufModel(Path(rest).expanduser(), window=access.local_window, repairs=repairs)
    if kind == "ollama" and not is_cloud(rest):
        from freeform.adapters.models.ollama_model import OllamaModel

        return OllamaModel(rest, access.ollama_url, window=access.local_window, repairs=repairs)
    from freeform.adapters.models import providers
    from freeform.adapters.models.pydantic_ai_model import PydanticAiModel

    match kind:
        case "anthropic":
            key = _key(access.anthropic_key, name, "anthropic_api_key")
            return PydanticAiModel(
                name, providers.anthropic(rest, access.anthropic_url, key), repairs
            )
        case "openai":
            key = _key(access.openai_key, name, "openai_api_key")
            return PydanticAiModel(name, providers.openai(rest, access.openai_url, key), repairs)
        case "openrouter":
            key = _key(access.openrouter_key, name, "openrouter_api_key")
            if "/" not in rest:
                raise BadSettings(f"'{name}' lacks its maker; write openrouter:MAKER/NAME")
            return PydanticAiModel(
                name, providers.openrouter(rest, access.openrouter_url, key), repairs
            )
        case "ollama":
            # What Ollama passes on to its cloud has its whole window there, and is not held to a
            # schema.
            return PydanticAiModel(name, providers.ollama(rest, access.ollama_url), repairs)
    url, model = address_in(rest)
    if not model or not url.startswith(("http://", "https://")):
        raise BadSettings(f"'{name}' does not read; write url:http://HOST:PORT/v1#MODEL")
    return PydanticAiModel(
        name,
        providers.compatible(model, url, access.url_key or access.openai_key),
        repairs,
        native=True,
    )


def is_cloud(name: str) -> bool:
    """Whether an Ollama model's name says that Ollama passes it on to its cloud."""
    return name.endswith(("-cloud", ":cloud"))


def address_in(rest: str) -> tuple[str, str]:
    """The address and the model of `url:ADDRESS#MODEL`."""
    url, _, model = rest.partition("#")
    return url, model


def _key(key: str, name: str, setting: str) -> str:
    if not key:
        raise BadSettings(f"'{name}' needs a key; set `{setting}` or choose another model")
    return key
