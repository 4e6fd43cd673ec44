"""Which models are there by themselves, so that a default can be picked: keys given, a local Ollama."""

import asyncio
import json
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from freeform.adapters.models.make import Access

DEFAULTS = {
    "anthropic": "anthropic:claude-sonnet-5-5",
    "openai": "openai:gpt-6.1-terra",
    "openrouter": "openrouter:anthropic/claude-sonnet-5.5",
}
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


async def found_models(access: Access, within: float = 0.5) -> list[str]:
    """Names for `make_model`, best guess first; nothing but an Ollama on this machine is spoken to."""
    keys = {
        "anthropic": access.anthropic_key,
        "openai": access.openai_key,
        "openrouter": access.openrouter_key,
    }
    return [DEFAULTS[kind] for kind, key in keys.items() if key] + await _at_ollama(
        access.ollama_url, within
    )


async def _at_ollama(url: str, within: float) -> list[str]:
    if urlsplit(url).hostname not in _LOOPBACK:
        return []
    try:
        asking = asyncio.to_thread(_read, f"{url.rstrip('/')}/api/tags", within)
        listed = await asyncio.wait_for(asking, within)
        return [
            f"ollama:{model['name']}" for model in json.loads(listed)["models"] if _talks(model)
        ]
    except (OSError, HTTPException, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
        # Whatever listens there, if anything, is no Ollama.
        return []


def _talks(model: dict[str, Any]) -> bool:
    """Not one of those that only turn texts into vectors: they lie beside the others, and cannot answer."""
    family = str((model.get("details") or {}).get("family", ""))
    return "bert" not in family and "embed" not in model["name"]


def _read(url: str, within: float) -> bytes:
    direct = build_opener(ProxyHandler({}))
    with direct.open(url, timeout=within) as answer:
        return bytes(answer.read(1_000_000))
