"""One fetch: bounded in size, time and redirects, each hop checked; the errors said in our
words."""

import asyncio
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol
from urllib.parse import urljoin, urlsplit

import httpx2

from freeform import __version__
from freeform.adapters.web.guard import ForbiddenAddress, GuardedNetwork, check_url
from freeform.core.clock import Clock
from freeform.core.errors import NotFound, Unavailable
from freeform.core.record import Record

PRODUCT = "FreeformRPG-Lore"
USER_AGENT = f"{PRODUCT}/{__version__} (a reader of game wikis; obeys robots.txt)"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LONGEST_WAIT_S = 3600.0


class FetchLimits(Record):
    """What one fetch may cost."""

    megabytes: float = 5.0
    seconds: float = 30.0
    redirects: int = 5


class Fetched(Record):
    """What a server answered, whole and unpacked."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes


class Hop(Protocol):
    """Asked before each request, redirects too; raises where it must not be made, waits where it
    must wait."""

    async def __call__(self, url: str) -> None: ...


class WebFetch:
    """Fetches addresses. Raises NotFound, Unavailable or Forbidden."""

    def __init__(
        self, clock: Clock, limits: FetchLimits | None = None, *, allow_private: bool = False
    ) -> None:
        self._clock, self._limits = clock, limits or FetchLimits()
        transport = httpx2.AsyncHTTPTransport(trust_env=False)
        # httpx has no door for a network of one's own; its pool has.
        import ssl

        import httpcore2

        transport._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            max_connections=20,
            keepalive_expiry=10.0,
            network_backend=GuardedNetwork(allow_private),
        )
        self._client = httpx2.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False
        )

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, hop: Hop | None = None
    ) -> Fetched:
        """The answer at the end of all redirects; 2xx and 304 only."""
        seen: list[str] = []
        while True:
            check_url(url)
            if hop:
                await hop(url)
            answer = await self._once(url, headers or {})
            if answer.status not in REDIRECTS:
                return self._judged(answer)
            seen.append(url)
            url = urljoin(url, answer.headers.get("location", ""))
            if len(seen) > self._limits.redirects or url in seen:
                raise NotFound(f"{seen[0]} redirects without end; it is left out")

    async def _once(self, url: str, headers: Mapping[str, str]) -> Fetched:
        host = urlsplit(url).hostname
        sent = {"user-agent": USER_AGENT, "accept-encoding": "gzip, deflate", **headers}
        try:
            # The whole answer has one deadline: a server that drips a byte a second never times out
            # otherwise.
            async with asyncio.timeout(self._limits.seconds):
                async with self._client.stream(
                    "GET", url, headers=sent, timeout=self._limits.seconds
                ) as answer:
                    body = b"" if answer.status_code in REDIRECTS else await self._body(url, answer)
                    plain = {name.lower(): value for name, value in answer.headers.items()}
                    return Fetched(url=url, status=answer.status_code, headers=plain, body=body)
        except TimeoutError:
            raise Unavailable(
                f"{host} took longer than {self._limits.seconds:g} s; it is tried again later"
            ) from None
        except ForbiddenAddress:
            raise
        except httpx2.InvalidURL as wrong:
            raise NotFound(f"'{url[:200]}' is no address ({wrong})") from None
        except httpx2.HTTPError as wrong:
            raise Unavailable(
                f"{host} cannot be read ({type(wrong).__name__}: {wrong}); it is tried again later"
            ) from wrong

    async def _body(self, url: str, answer: httpx2.Response) -> bytes:
        """The body, unpacked here and not by the client: a small packed answer may unpack to
        gigabytes."""
        most = int(self._limits.megabytes * 1_000_000)
        too_big = NotFound(f"{url} is larger than {self._limits.megabytes:g} MB; it is left out")
        declared = answer.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > most:
            raise too_big
        unpack = _unpacker(answer.headers.get("content-encoding", ""))
        body = bytearray()
        try:
            async for piece in answer.aiter_raw():
                body += unpack.decompress(piece, most + 1 - len(body)) if unpack else piece
                if len(body) > most:
                    raise too_big
        except zlib.error:
            raise NotFound(f"{url} says that it is packed and is not; it is left out") from None
        return bytes(body)

    def _judged(self, answer: Fetched) -> Fetched:
        if answer.status < 300 or answer.status == 304:
            return answer
        where = urlsplit(answer.url).hostname
        if answer.status in (408, 425, 429) or answer.status >= 500:
            raise Unavailable(
                f"{where} answered {answer.status}; it is tried again later",
                retry_after=self._wait(answer.headers.get("retry-after", "")),
            )
        raise NotFound(f"{answer.url} is not there ({answer.status})")

    def _wait(self, said: str) -> float | None:
        """Retry-After: seconds or a date."""
        if said.strip().isdigit():
            return min(float(said), LONGEST_WAIT_S)
        try:
            when = parsedate_to_datetime(said)
        except (TypeError, ValueError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return min(max(0.0, (when - self._clock.now()).total_seconds()), LONGEST_WAIT_S)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


def _unpacker(encoding: str) -> "zlib._Decompress | None":
    match encoding.strip().lower():
        case "gzip" | "x-gzip":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        case "deflate":
            return zlib.decompressobj()
        case _:
            return None


def last_modified(headers: Mapping[str, str]) -> str:
    """When the server says that the page was changed, as an ISO time; '' where it does not."""
    try:
        return parsedate_to_datetime(headers.get("last-modified", "")).astimezone(UTC).isoformat()
    except (TypeError, ValueError):
        return ""


def iso(when: datetime) -> str:
    """A time as the records write it."""
    return when.isoformat(timespec="seconds")
