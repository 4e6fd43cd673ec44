"""READ THIS FIRST. The launcher: the one place that knows every app, so that none knows another.

freeform-rpg ARGS ──> launch ──> apps/cli ──┬── a verb does its work through services
                         ^                  └── serve, mcp, discord, worker, lore mcp
                         └───── Doors ──────────┘   start another app
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from freeform.apps.cli.doors import Doors, ListenAt
from freeform.apps.cli.main import run
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from starlette.requests import Request

    from freeform.apps.mcp.seated import SeatDoor
    from freeform.apps.web.mounted import Mounted
    from freeform.apps.web.room import Room
    from freeform.settings import Settings

Say = Callable[[str], None]


def launch(args: list[str]) -> int:
    """Runs one command; its exit code."""
    return run(args, DOORS)


def mounts(room: "Room", host: str) -> "list[Mounted]":
    """What the web server has beside its own routes: the doors of MCP and of Discord."""
    from freeform.apps.discord.http import InteractionsDoor
    from freeform.apps.discord.seated import TableSide
    from freeform.apps.mcp.seated import make_seat_mcp
    from freeform.apps.mcp.server import http_routes, make_mcp
    from freeform.apps.web.mounted import Mounted, by_visitor

    mcp = make_mcp(room.house, room.plays)
    seats = make_seat_mcp(seat_door(room))
    discord = InteractionsDoor(
        room.house, TableSide(turns=room.plays, live=room.tables, wire=room.wire)
    )
    return [
        Mounted(
            by_visitor(http_routes(mcp, host), http_routes(seats, host, stateless=True)),
            mcp.session_manager.run,
        ),
        Mounted((), seats.session_manager.run),
        Mounted(discord.routes(), discord.running),
    ]


def seat_door(room: "Room") -> "SeatDoor":
    """How those who sit at a table come in over MCP: with what the web's guard knows of them."""
    from functools import partial

    from freeform.apps.mcp.seated import ByHandDoor, McpSeat, SeatDoor
    from freeform.apps.web.routes.table.telling import propose_here, tell_here
    from freeform.apps.web.visitors import OWNER, VISITOR, Visitor, check_about

    def seat_of(request: "Request") -> McpSeat:
        visitor: Visitor = request.scope.get(VISITOR, OWNER)
        if visitor.others:
            raise UserError("you sit at several tables; say which with `/mcp?campaign=`")
        check_about(request, visitor)
        room.tables.was_here(visitor.campaign, visitor.person)
        return McpSeat(visitor.campaign, visitor.person, visitor.may, visitor.knows_secrets)

    hand = ByHandDoor(partial(propose_here, room), partial(tell_here, room))
    return SeatDoor(room.house, room.plays, room.tables, seat_of, hand, room.wire)


def _serve(settings: "Settings", where: ListenAt, say: Say) -> None:
    from freeform.apps.web.hosts import check_host

    check_host(where.host, settings)
    if where.workers > 1:
        # Imported before the workers are forked, so that each begins with everything at hand.
        import freeform.apps.discord.http
        import freeform.apps.mcp.server  # noqa: F401
        from freeform.apps.web.many.supervisor import Port, supervise

        supervise(settings, Port(where.host, where.port, where.show), where.workers, say, mounts)
        return
    from freeform.apps.web.serve import new_loop, serve

    work = serve(settings, where.host, where.port, say, show=where.show, mounts=mounts)
    with asyncio.Runner(loop_factory=new_loop()) as runner:
        runner.run(work)


def _mcp(settings: "Settings") -> None:
    from freeform.apps.mcp.server import run_stdio

    run_stdio(settings)


def _discord(settings: "Settings") -> None:
    from freeform.apps.discord.bot import run_here

    run_here(settings)


def _worker(settings: "Settings", burst: bool, say: Say) -> None:
    from freeform.apps.worker.answering import start

    start(settings, burst, say)


def _lore_mcp(settings: "Settings", server: str, where: ListenAt, say: Say) -> None:
    try:
        from freeform.apps.lore_mcp.run import run_server
    except ImportError:
        raise UserError(
            'the lore servers need their packages: pip install "freeform-rpg[lore]"'
        ) from None
    run_server(settings, server, where.host, where.port, say)


DOORS = Doors(serve=_serve, mcp=_mcp, discord=_discord, worker=_worker, lore_mcp=_lore_mcp)
