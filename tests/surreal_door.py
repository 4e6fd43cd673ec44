"""A SurrealDB server for tests: the package's own engine behind a WebSocket, since no server binary can be had here.

python tests/surreal_door.py FOLDER PORT: the engine's `execute` takes the same CBOR requests as the server's socket.
"""

import asyncio
import os
import sys

import websockets
from surrealdb._surrealdb_ext import AsyncEmbeddedDB


async def main(folder: str, port: int) -> None:
    os.putenv("SURREAL_SYNC_DATA", "true")
    db = AsyncEmbeddedDB(f"surrealkv://{folder}")
    await db.connect()

    async def talk(socket: websockets.ServerConnection) -> None:
        async for message in socket:
            assert isinstance(message, bytes)
            await socket.send(await db.execute(message))

    async with websockets.serve(
        talk, "127.0.0.1", port, subprotocols=[websockets.Subprotocol("cbor")], max_size=None
    ) as server:
        print("ready", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
