"""Another app beside ours, on the same server and behind the same guard."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.routing import BaseRoute


@dataclass(frozen=True)
class Mounted:
    """Its routes, and what has to run for as long as the server does."""

    routes: Sequence[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[None]]
