"""Which models are there by themselves: those of the keys that are set, and a local Ollama's."""

import asyncio
import json
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.request import ProxyHandler, build_opener

from freeform.adapters.models.make import Access, is_cloud
from freeform.core.address import is_this_machine

DEFAULTS = {
    "anthropic": "anthropic:claude-sonnet-5-5",
    "openai": "openai:gpt-6.1-terra",
    "openrouter": "openrouter:anthropic/claude-sonnet-5.5",
}


@dataclass(frozen=True)
class FoundModel:
    """A name for `make_model`, and whether what it is asked goes over the network."""

    name: str
    remote: bool


async def found_models(access: Access, within: float = 0.5) -> list[FoundModel]:
    """Best guess first; nothing but an Ollama on this machine is spoken to."""
    keys = {
        "anthropic": access.anthropic_key,
        "openai": access.openai_key,
        "openrouter": access.openrouter_key,
    }
    by_key = [FoundModel(DEFAULTS[kind], remote=True) for kind, key in keys.items() if key]
    return by_key + await _at_ollama(access.ollama_url, within)


async def _at_ollama(url: str, within: float) -> list[FoundModel]:
    if not is_this_machine(url):
        return []
    try:
        asking = asyncio.to_thread(_read, f"{url.rstrip('/')}/api/tags", within)
        rows = json.loads(await asyncio.wait_for(asking, within))["models"]
        talking = [row for row in rows if _talks(row)]
        return [FoundModel(f"ollama:{row['name']}", remote=_is_remote(row)) for row in talking]
    except (OSError, HTTPException, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
        # Whatever listens there, if anything, is no Ollama.
        return []


def _is_remote(row: dict[str, Any]) -> bool:
    """Whether Ollama only passes questions on: a model of its cloud may go by any name here."""
    return bool(row.get("remote_host") or row.get("remote_model")) or is_cloud(row["name"])


def _talks(model: dict[str, Any]) -> bool:
    """Not one of those that only turn texts into vectors: they cannot answer."""
    family = str((model.get("details") or {}).get("family", ""))
    return "bert" not in family and "embed" not in model["name"]


def _read(url: str, within: float) -> bytes:
    direct = build_opener(ProxyHandler({}))
    with direct.open(url, timeout=within) as answer:
        return bytes(answer.read(1_000_000))
