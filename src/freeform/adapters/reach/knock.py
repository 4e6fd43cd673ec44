"""Says a first word to a server and waits for any answer: a process that hangs gives none."""

import asyncio
import contextlib
from dataclasses import dataclass
from urllib.parse import urlsplit

HELLO = {
    "redis": b"PING\r\n",
    "amqp": b"AMQP\x00\x00\x09\x01",
    "postgresql": b"\x00\x00\x00\x08\x04\xd2\x16\x2f",
    "http": b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n",
}
"""What each kind of server answers to, whoever asks."""
PORTS = {"redis": 6379, "amqp": 5672, "postgresql": 5432, "http": 80, "https": 443}
_SAME = {"rediss": "redis", "amqps": "amqp", "postgres": "postgresql"}
_HTTP = ("https", "ws", "wss")
_SECURE = ("rediss", "amqps", "https", "wss")


@dataclass(frozen=True)
class _Door:
    host: str
    port: int
    hello: bytes
    secure: bool


async def knock(address: str, seconds: float = 2.0) -> str:
    """Why nothing answers there, in a few words without the address; '' when something does."""
    try:
        door = _door(address)
    except ValueError:
        return "its address does not read"
    try:
        async with asyncio.timeout(seconds):
            return await _ask(door)
    except TimeoutError:
        return f"no answer within {seconds:g} s"
    except (OSError, EOFError) as wrong:
        return _few_words(wrong)


def _door(address: str) -> _Door:
    parts = urlsplit(address)
    scheme = parts.scheme
    kind = "http" if scheme in _HTTP else _SAME.get(scheme, scheme)
    if not parts.hostname or kind not in HELLO:
        raise ValueError(address)
    usual = PORTS["https"] if scheme in ("https", "wss") else PORTS[kind]
    return _Door(parts.hostname, parts.port or usual, HELLO[kind], scheme in _SECURE)


async def _ask(door: _Door) -> str:
    reader, writer = await asyncio.open_connection(door.host, door.port, ssl=door.secure or None)
    try:
        writer.write(door.hello)
        await writer.drain()
        return "" if await reader.read(1) else "it hangs up without a word"
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _few_words(wrong: Exception) -> str:
    if isinstance(wrong, ConnectionRefusedError):
        return "nothing listens there"
    return "it cannot be reached"
