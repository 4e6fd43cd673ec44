"""A zone of a made wiki, worked to its end: pages, claims, rows, doubts, letters, and the pack that comes of it."""

from pathlib import Path
from typing import Any

from freeform.lore.publish.publish import publish
from tests.lore.emberfall import GAME, ports_on, run
from tests.snapshots.keeping import cut, plain, without

TOLD_ELSEWHERE = (
    "sha256",
    "accessed_at",
    "revision",
    "made_at",
    "at",
    "id",
    "message_id",
    "updated_at",
    "game",
)


async def zone(folder: Path) -> dict[str, Any]:
    """Ashmoor and what it leads to."""
    ports = ports_on(folder / "lore.db")
    ended = await run(ports, ["Ashmoor"])
    store = ports.store
    rows = [_row(row) for row in await store.rows(GAME)]
    claims = [_claim(claim) for claim in await store.claims(GAME)]
    package = await store.package(GAME, "ashmoor")
    point = await store.load_checkpoint(GAME)
    await publish(store, GAME, folder / "pack")
    files = sorted(file for file in (folder / "pack").rglob("*") if file.is_file())
    pack = {
        file.relative_to(folder / "pack").as_posix(): file.read_text(encoding="utf-8").splitlines()
        for file in files
    }
    await store.close()
    return {
        "ended": plain(ended),
        "checkpoint": cut(without(plain(point), *TOLD_ELSEWHERE)),
        "rows": rows,
        "claims": claims,
        "conflicts": cut(without(plain(package), *TOLD_ELSEWHERE, "sources", "claims")),
        "pack": {name: lines for name, lines in pack.items() if "facts" not in name},
    }


def _row(row: Any) -> Any:
    return cut(without(plain(row), *TOLD_ELSEWHERE, "sources"))


def _claim(claim: Any) -> Any:
    return cut(without(plain(claim), *TOLD_ELSEWHERE))
