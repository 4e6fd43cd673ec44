"""The other apps that a verb can start. The launcher says how; the command line knows none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from freeform.settings import Settings

Say = Callable[[str], None]


@dataclass(frozen=True)
class ListenAt:
    """Where to listen, whether to open the browser there, and how many processes do so."""

    host: str
    port: int
    show: bool = False
    workers: int = 1


@dataclass(frozen=True)
class Doors:
    """One function for each app; each runs until it is stopped."""

    serve: Callable[["Settings", ListenAt, Say], None]
    mcp: Callable[["Settings"], None]
    discord: Callable[["Settings"], None]
    worker: Callable[["Settings", bool, Say], None]
    lore_mcp: Callable[["Settings", str, ListenAt, Say], None]


def _closed(*_: object) -> None:
    raise AssertionError("this command line was started without the launcher")


NO_DOORS = Doors(_closed, _closed, _closed, _closed, _closed)
"""For tests and for `make docs`: verbs are there, but start nothing."""
