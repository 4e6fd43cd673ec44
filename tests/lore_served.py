"""A lore server's application really served on loopback, in this process."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from tests.patience import PATIENCE


@asynccontextmanager
async def served(app: Any, port: int = 0) -> AsyncIterator[str]:
    """Its address while the block runs."""
    # The protocol is named, else asyncio leaves Nagle on and every answer waits 40 ms.
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
    )
    task = asyncio.create_task(server.serve([door]))
    try:
        async with asyncio.timeout(PATIENCE):
            while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        server.should_exit = True
        await asyncio.wait({task}, timeout=PATIENCE)
        door.close()
