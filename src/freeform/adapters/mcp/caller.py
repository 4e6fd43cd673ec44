"""One MCP server as something to call: connects when first needed, again after a loss, and raises
our own errors."""

import asyncio
import re
from typing import Any

from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from freeform.core import errors
from freeform.core.errors import FreeformError, Unavailable, UserError
from freeform.lore.budget import CycleSpent, DaySpent

_KIND = re.compile(r"\[(\w+)(?: retry_after=([\d.]+))?( final)?\] (.*)", re.S)
_KINDS: dict[str, type[FreeformError]] = {
    **{
        name: each
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, FreeformError)
    },
    "CycleSpent": CycleSpent,
    "DaySpent": DaySpent,
}


class McpCaller:
    """Calls tools at one address. Every tool of ours may be called twice with one effect, so a lost
    call is repeated."""

    def __init__(self, url: str, key: str = "", *, tries: int = 8, seconds: float = 120.0) -> None:
        self._url, self._key, self._tries, self._seconds = url, key, tries, seconds
        self._lock = asyncio.Lock()
        self._client: Any = None
        self._owner: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The tool's answer. Raises what the tool raised, or Unavailable."""
        async for attempt in AsyncRetrying(
            retry=retry_if_exception(lambda wrong: isinstance(wrong, _Lost)),
            stop=stop_after_attempt(self._tries),
            wait=wait_exponential_jitter(multiplier=0.2, max=2, jitter=0.2),
            reraise=True,
        ):
            with attempt:
                return await self._once(tool, arguments)
        raise AssertionError("reraise=True always ends the loop above")

    async def _once(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        import httpx2
        from mcp.shared.exceptions import MCPError

        client = await self._opened()
        try:
            said = await client.call_tool(tool, arguments, read_timeout_seconds=self._seconds)
        except MCPError as wrong:
            await self._let_go()
            raise _Lost(
                f"the lore server at {self._url} did not answer `{tool}` ({wrong}); is it running?"
            ) from wrong
        except (OSError, httpx2.HTTPError, RuntimeError) as wrong:
            await self._let_go()
            raise _Lost(
                f"the lore server at {self._url} cannot be reached ({wrong}); start it"
            ) from wrong
        if said.is_error:
            raise as_error(" ".join(getattr(part, "text", "") for part in said.content), tool)
        return dict(said.structured_content or {})

    async def _opened(self) -> Any:
        async with self._lock:
            if self._client is None:
                ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
                self._closing = asyncio.Event()
                # The library wants its connection entered and left by one and the same task.
                self._owner = asyncio.create_task(self._hold(ready, self._closing))
                self._client = await ready
            return self._client

    async def _hold(self, ready: "asyncio.Future[Any]", closing: asyncio.Event) -> None:
        try:
            import httpx2
            from mcp.client.client import Client
            from mcp.client.streamable_http import streamable_http_client
        except ImportError:
            ready.set_exception(
                UserError('MCP needs its package: pip install "freeform-rpg[lore]"')
            )
            return
        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            async with httpx2.AsyncClient(
                headers=headers, timeout=self._seconds, trust_env=False
            ) as http:
                transport = streamable_http_client(
                    self._url, http_client=http, max_sse_event_size=None
                )
                async with Client(transport) as client:
                    ready.set_result(client)
                    await closing.wait()
        except BaseException as wrong:
            if not ready.done():
                first = _first(wrong)
                ready.set_exception(
                    _Lost(
                        f"the lore server at {self._url} cannot be reached ({type(first).__name__}: {first}); start it"
                    )
                )
            if isinstance(wrong, asyncio.CancelledError):
                raise

    async def _let_go(self) -> None:
        async with self._lock:
            owner, self._client, self._owner = self._owner, None, None
            self._closing.set()
        if owner:
            await asyncio.wait({owner}, timeout=0.5)
            owner.cancel()

    async def close(self) -> None:
        """Closes the connection."""
        await self._let_go()


class _Lost(Unavailable):
    """The server could not be asked: the same call may be made again."""


def as_error(text: str, tool: str) -> FreeformError:
    """What a tool said went wrong, as the error it was."""
    said = re.sub(rf"^Error executing tool {re.escape(tool)}: ", "", text)
    found = _KIND.fullmatch(said)
    if not found:
        return Unavailable(f"`{tool}` failed: {said}", passing=False)
    name, wait, final, sentence = found.groups()
    kind = _KINDS.get(name, UserError)
    if issubclass(kind, Unavailable) or name in ("_Lost", "Unavailable"):
        return Unavailable(sentence, retry_after=float(wait) if wait else None, passing=not final)
    if kind in (errors.BadFile,):
        return UserError(sentence)
    return kind(sentence)


def _first(wrong: BaseException) -> BaseException:
    """The reason inside groups of reasons."""
    while isinstance(wrong, BaseExceptionGroup):
        wrong = wrong.exceptions[0]
    return wrong
