"""Another app beside ours, on the same server and behind the same guard."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from freeform.apps.web.visitors import OWNER, VISITOR


@dataclass(frozen=True)
class Mounted:
    """Its routes, and what has to run for as long as the server does."""

    routes: Sequence[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class ByVisitor:
    """One address, two apps: the owner's, and one for those who sit at a table."""

    owners: ASGIApp
    seats: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.owners if scope.get(VISITOR, OWNER).is_owner else self.seats
        await app(scope, receive, send)


def by_visitor(owners: Sequence[BaseRoute], seats: Sequence[BaseRoute]) -> list[BaseRoute]:
    """Routes of the same addresses, by who asks."""
    rest = {route.path: route.app for route in seats if isinstance(route, Route)}
    mine = [route for route in owners if isinstance(route, Route)]
    return [
        Route(each.path, ByVisitor(each.app, rest[each.path]), methods=list(each.methods or []))
        for each in mine
    ]
