"""Commits steps to a SurrealDB folder for ever, saying each number once it is acknowledged. For the kill test."""

import asyncio
import sys

from freeform.adapters.surreal.connection import SurrealConnection
from freeform.adapters.surreal.rows import SurrealRows
from freeform.adapters.surreal.store import SurrealLore
from tests.contracts.lore_cases import GAME, commit, envelope


async def main(folder: str) -> None:
    store = SurrealLore(SurrealRows(SurrealConnection(f"surrealkv://{folder}")))
    done = len(await store.steps_done(GAME))
    for n in range(done + 1, 10**6):
        await store.commit_step(commit(f"k{n}", n, messages=[envelope(f"m{n}")]))
        print(n, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
