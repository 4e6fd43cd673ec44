"""Which models a server offers: `/models` of those that speak as OpenAI, Anthropic or OpenRouter
do, `/api/tags` of an Ollama. A key is sent to that address and to no other."""

import asyncio
import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from freeform.adapters.models.make import Access
from freeform.core.address import is_this_machine
from freeform.core.errors import BadSettings, Unavailable

LONGEST, MOST, WITHIN_S = 8_000_000, 1000, 15.0
_REFUSED = (401, 403)


class _Stays(HTTPRedirectHandler):
    """No answer sends us, and the key with us, elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


async def served_models(kind: str, access: Access, url: str = "") -> list[str]:
    """Names for `make_model`, as the server lists them; `url` is for the kind of that name."""
    asked, headers = _question(kind, access, url.rstrip("/"))
    try:
        reading = asyncio.to_thread(_read, asked, headers)
        rows = json.loads(await asyncio.wait_for(reading, WITHIN_S))
        listed = rows["models"] if kind == "ollama" else rows["data"]
        names = [str(row["name" if kind == "ollama" else "id"]) for row in listed]
    except HTTPError as wrong:
        wrong.close()
        if wrong.code in _REFUSED:
            raise BadSettings(f"{asked} refuses the key; look whether it is whole") from None
        raise Unavailable(f"{asked} answers {wrong.code}; look at the address") from None
    except (OSError, HTTPException, TimeoutError) as wrong:
        why = getattr(wrong, "reason", None) or wrong or "no answer in time"
        raise Unavailable(f"nothing answers at {asked} ({why})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unavailable(f"{asked} is no list of models; look at the address") from None
    stem = f"url:{url.rstrip('/')}#" if kind == "url" else f"{kind}:"
    return [f"{stem}{name}" for name in names[:MOST]]


def _question(kind: str, access: Access, url: str) -> tuple[str, dict[str, str]]:
    def bearer(key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key and key != "none" else {}

    match kind:
        case "ollama":
            return f"{(url or access.ollama_url).rstrip('/')}/api/tags", {}
        case "anthropic":
            head = {"x-api-key": access.anthropic_key, "anthropic-version": "2023-06-01"}
            return f"{access.anthropic_url}/v1/models?limit=100", head
        case "openai":
            return f"{access.openai_url}/models", bearer(access.openai_key)
        case "openrouter":
            return f"{access.openrouter_url}/models", bearer(access.openrouter_key)
    if kind != "url" or not url.startswith(("http://", "https://")):
        raise BadSettings("give the server's address, such as http://127.0.0.1:8080/v1")
    return f"{url}/models", bearer(access.url_key)


def _read(url: str, headers: dict[str, str]) -> bytes:
    direct = [ProxyHandler({})] if is_this_machine(url) else []
    with build_opener(_Stays, *direct).open(Request(url, headers=headers), timeout=WITHIN_S) as got:
        return bytes(got.read(LONGEST))
