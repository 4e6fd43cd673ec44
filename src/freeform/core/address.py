"""Whether an address leads to this machine and nowhere else."""

from ipaddress import ip_address
from urllib.parse import urlsplit

_READ_IN_TWO_WAYS = frozenset("\\ \t\r\n")
"""Signs that one reader of addresses drops and another keeps."""


def is_this_machine(url: str) -> bool:
    """True only for a plain loopback address: what can be read in two ways counts as elsewhere."""
    if _READ_IN_TWO_WAYS & set(url):
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return False
    # `http://localhost@evil.example` is evil.example: a name before the host is never needed here.
    if parts.scheme not in ("http", "https") or "@" in parts.netloc:
        return False
    return is_loopback(host)


def is_web_address(url: str) -> bool:
    """Whether it is the whole address of a server: http or https, and a host."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def host_of(url: str) -> str:
    """The host and port of an address, without the name and password that may stand before them."""
    return urlsplit(url).netloc.rpartition("@")[2]


def without_password(url: str) -> str:
    """The address without the name and password in it."""
    return urlsplit(url)._replace(netloc=host_of(url)).geturl()


def is_loopback(host: str) -> bool:
    """Whether a host's name or number is this machine's own; no name is looked up."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
