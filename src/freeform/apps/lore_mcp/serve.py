"""A lore server over streamable HTTP: tools at /mcp, /healthz beside them, a key for strangers."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from freeform import __version__
from freeform.core.errors import UserError

MOST_BYTES = 64_000_000
"""A package with its claims and a page with its text are larger than the library's usual limit."""

NO_KEY = b'{"error": "send the key as a bearer token; it is the setting lore_mcp_key"}'
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Callable[[], Awaitable[Message]], Send], Awaitable[None]]


def new_server(name: str) -> MCPServer[Any]:
    """A server without tools."""
    title = f"Freeform RPG lore: {name}"
    return MCPServer(f"freeform-lore-{name}", title=title, version=__version__, log_level="WARNING")


def make_app(server: MCPServer[Any], key: str = "") -> App:
    """The server as a web application. Stateless: any request may reach any copy of it."""
    # Behind a name of the composition's own network the Host header is that name; then the key
    # guards instead.
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        transport_security=unguarded if key else None,
    )

    async def app(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"] == "/healthz":
                await _say(send, 200, b'{"ok": true}')
                return
            given = dict(scope["headers"]).get(b"authorization", b"")
            if key and not hmac.compare_digest(given, f"Bearer {key}".encode()):
                await _say(send, 401, NO_KEY)
                return
        await inner(scope, receive, send)

    return app


def check_door(host: str, key: str) -> None:
    """Any host but loopback needs a key."""
    if key:
        return
    try:
        inside = ip_address(host).is_loopback
    except ValueError:
        inside = host == "localhost"
    if not inside:
        raise UserError(
            f"{host} can be reached from other machines; "
            "set a key with the setting `lore_mcp_key` first"
        )


async def _say(send: Send, status: int, body: bytes) -> None:
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
