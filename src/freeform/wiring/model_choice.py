"""Which model plays, which could, and whether what is played stays on this machine."""

from typing import Any

from freeform.adapters.models.found import FoundModel, found_models
from freeform.adapters.models.lists.served import served_models
from freeform.adapters.models.make import Access, address_in, is_cloud
from freeform.core.address import is_this_machine
from freeform.settings import Settings

ROLES = ("interpreter", "planner", "narrator", "cheap", "players")
OFFLINE = "offline"
BUILT_IN = "built in; nothing leaves this machine, costs nothing"
HERE = "on this machine, costs nothing"
ELSEWHERE = "over the network; what is played is sent there"


def access(settings: Settings) -> Access:
    """Keys and addresses for the providers."""
    own_server = {"openai_url": settings.base_url} if settings.base_url else {}
    return Access(
        anthropic_key=settings.anthropic_api_key.get_secret_value(),
        openai_key=settings.openai_api_key.get_secret_value(),
        openrouter_key=settings.openrouter_api_key.get_secret_value(),
        url_key=settings.url_api_key.get_secret_value(),
        ollama_url=settings.ollama_url,
        local_window=settings.local_window,
        **own_server,
    )


def named_models(settings: Settings) -> dict[str, str]:
    """The roles that have a model of their own."""
    named = {role: str(getattr(settings, f"models_{role}")) for role in ROLES}
    return {role: name for role, name in named.items() if name}


async def chosen_model(settings: Settings) -> str:
    """The model that plays. `auto` takes a local one; a key alone never sends anything anywhere."""
    if settings.model != "auto":
        return settings.model
    for model in await found_models(access(settings)):
        if model.name.startswith("ollama:") and _is_here(model.name, settings, [model]):
            return model.name
    return OFFLINE


async def models(settings: Settings) -> list[dict[str, Any]]:
    """The models that can be used from here, each with a note on what it means to use it."""
    rows = [{"name": OFFLINE, "note": BUILT_IN}]
    listed = await found_models(access(settings))
    for model in listed:
        here = _is_here(model.name, settings, listed)
        rows.append({"name": model.name, "note": HERE if here else ELSEWHERE})
    return rows


async def served_by(settings: Settings, kind: str, url: str = "") -> list[str]:
    """The models that a server lists, by name."""
    return await served_models(kind, access(settings), url)


async def stays_here(settings: Settings, chosen: str) -> bool:
    """Whether all that is played stays here: with that model, each role's own, and the embedder."""
    if settings.vectors_sent_to:
        return False
    names = [chosen, *named_models(settings).values()]
    listed: list[FoundModel] = []
    if any(name.startswith("ollama:") for name in names):
        listed = await found_models(access(settings))
    return all(_is_here(name, settings, listed) for name in names)


def _is_here(name: str, settings: Settings, listed: list[FoundModel]) -> bool:
    """Whether one model runs on this machine, as far as its name, its address and Ollama tell."""
    kind, _, rest = name.partition(":")
    match kind:
        case "offline" | "gguf":
            return True
        case "ollama":
            if is_cloud(rest) or not is_this_machine(settings.ollama_url):
                return False
            # Ollama knows `tiny` as `tiny:latest`.
            called = {name, f"{name}:latest"}
            return not any(model.remote for model in listed if model.name in called)
        case "url":
            return is_this_machine(address_in(rest)[0])
        case "openai":
            return is_this_machine(settings.base_url)
        case _:
            return False
