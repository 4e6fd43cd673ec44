"""A server in a process of its own, whose narrator stops before the last word: `python … HOME STORE_URL`."""

import asyncio
import sys
from pathlib import Path

from freeform.apps.web.serve import alone
from tests.apps.web.serving import Pausing, serving


async def main(home: Path, store_url: str) -> None:
    """Says its address, then `waits` when a turn is half told; until it is killed."""
    model = Pausing()
    async with serving(home, model, alone, store_url=store_url) as served:
        print(served.url, flush=True)
        await model.waits.wait()
        print("waits", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
