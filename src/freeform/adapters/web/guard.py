"""Which addresses may be fetched. The name is looked up here, checked, and connected to as it was
checked.

A look-up elsewhere would let a name answer with a public address for the check and a private one
for the connection.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from freeform.core.errors import NotFound


class ForbiddenAddress(NotFound):
    """An address that must not be fetched: it is inside, not on the web. For who reads the web
    there is nothing there."""


def check_url(url: str) -> None:
    """Only http and https, with a host and without a name and password in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ForbiddenAddress(
            f"'{url[:200]}' is no address; give one such as https://example.org/wiki/Page"
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ForbiddenAddress(f"'{url[:200]}' is not on the web; give an http or https address")
    if parts.username or parts.password or port == 0:
        raise ForbiddenAddress(
            f"the address of {parts.hostname} carries a login or a port that cannot be used; leave them out"
        )


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet. An IPv4 address inside an IPv6 one counts
    as itself."""
    ip = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Connects only to addresses that passed the check, on every hop, whatever name led there."""

    def __init__(self, allow_private: bool = False) -> None:
        self._inner = httpcore2.AnyIOBackend()
        self._allow_private = allow_private

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the name is the library's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """The first checked address that answers."""
        addresses = await self._look_up(host, port)
        private = [address for address in addresses if not is_public(address)]
        if private and not self._allow_private:
            raise ForbiddenAddress(
                f"{host if host == private[0] else f'{host} leads to {private[0]}, which'} is not on the open web; "
                "set `lore_allow_private` if you mean to read your own network"
            )
        wrong: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as each:
                wrong = each
        raise wrong

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        """Never: a file is not on the web."""
        raise ForbiddenAddress("a socket in the file system is not on the web")

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    @staticmethod
    async def _look_up(host: str, port: int) -> list[str]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host.strip("[]"), port, type=socket.SOCK_STREAM
            )
        except (socket.gaierror, UnicodeError) as wrong:
            raise httpcore2.ConnectError(f"{host} is not known") from wrong
        return list(dict.fromkeys(str(each[4][0]) for each in found))
