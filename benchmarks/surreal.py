"""Whether SurrealDB can hold the lore (decision 0019): schema, relations, speed, durability, one owner.

python benchmarks/surreal.py [--sizes 10000 100000] [--kills 20] [--json]

The engine is the embedded one of the PyPI package; SQLite does the same work beside it. Seeds are fixed.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from freeform.core.chance import Chance

SEED = 20_19
BATCH = 500
DIMENSIONS = 384
WORDS = (
    "ember",
    "harbour",
    "jump",
    "nebula",
    "empire",
    "pirate",
    "colony",
    "station",
    "treaty",
    "relic",
)
SCHEMA = """
DEFINE TABLE IF NOT EXISTS zone SCHEMAFULL; DEFINE FIELD IF NOT EXISTS name ON zone TYPE string;
DEFINE FIELD IF NOT EXISTS arc ON zone TYPE string;
DEFINE FIELD IF NOT EXISTS confidence ON zone TYPE float;
DEFINE TABLE IF NOT EXISTS connects_to TYPE RELATION IN zone OUT zone SCHEMAFULL;
DEFINE TABLE IF NOT EXISTS counter SCHEMALESS; DEFINE TABLE IF NOT EXISTS ledger SCHEMALESS;
"""


@asynccontextmanager
async def opened(folder: Path, durable: bool = True) -> AsyncIterator[Any]:
    """The embedded engine on that folder. The engine reads its variable when it starts."""
    os.putenv("SURREAL_SYNC_DATA", "true" if durable else "false")
    from surrealdb import AsyncSurreal

    async with AsyncSurreal(f"surrealkv://{folder}") as db:
        await db.use("freeform", "lore")
        yield db


async def run(db: Any, text: str, **given: Any) -> list[Any]:
    """Every statement's result; the first that failed is raised (`query` would hide all but the first)."""
    answer = await db.query_raw(text, given)
    wrong = [row["result"] for row in answer["result"] if row["status"] != "OK"]
    if wrong:
        raise RuntimeError(str(wrong))
    return [row["result"] for row in answer["result"]]


def rows(size: int) -> list[dict[str, Any]]:
    chance = Chance(SEED)
    return [
        {
            "id": n,
            "name": f"Zone {n}",
            "arc": " ".join(chance.choose(WORDS) for _ in range(20)),
            "confidence": chance.die(100) / 100,
        }
        for n in range(size)
    ]


def edges(size: int) -> list[tuple[int, int]]:
    chance = Chance(SEED + 1)
    return sorted({(n, chance.die(size) - 1) for n in range(size) for _ in range(2)})


async def speed(size: int, folder: Path) -> dict[str, float]:
    """Inserts and relations in batches, then single reads and hops, per second."""
    from surrealdb import RecordID

    out: dict[str, float] = {}
    chance, made, links = Chance(SEED + 2), rows(size), edges(size)
    picks = [chance.die(size) - 1 for _ in range(500)]
    async with opened(folder) as db:
        await run(db, SCHEMA)
        start = perf_counter()
        for at in range(0, size, BATCH):
            await run(db, "INSERT INTO zone $rows RETURN NONE", rows=made[at : at + BATCH])
        out["inserts_per_s"] = size / (perf_counter() - start)
        start = perf_counter()
        for at in range(0, len(links), BATCH):
            pairs = [
                {"in": RecordID("zone", a), "out": RecordID("zone", b)}
                for a, b in links[at : at + BATCH]
            ]
            await run(db, "INSERT RELATION INTO connects_to $rows RETURN NONE", rows=pairs)
        out["relates_per_s"] = len(links) / (perf_counter() - start)
        for name, text in (
            ("reads_per_s", "SELECT * FROM ONLY $id"),
            ("one_hop_per_s", "SELECT VALUE ->connects_to->zone.name FROM ONLY $id"),
            (
                "two_hops_per_s",
                "SELECT VALUE ->connects_to->zone->connects_to->zone.name FROM ONLY $id",
            ),
        ):
            start = perf_counter()
            for n in picks:
                await run(db, text, id=RecordID("zone", n))
            out[name] = len(picks) / (perf_counter() - start)
    start = perf_counter()
    async with opened(folder) as db:
        found = await run(db, "SELECT count() FROM zone GROUP ALL")
        assert found[0][0]["count"] == size
    out["open_and_count_s"] = perf_counter() - start
    out["megabytes"] = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6
    return out


def sqlite_speed(size: int, file: Path) -> dict[str, float]:
    """The same work in SQLite, every batch one synced transaction."""
    out: dict[str, float] = {}
    chance, made, links = Chance(SEED + 2), rows(size), edges(size)
    picks = [chance.die(size) - 1 for _ in range(500)]
    db = sqlite3.connect(file, isolation_level=None)
    db.executescript(
        "pragma journal_mode=wal; pragma synchronous=full;"
        "create table zone (id integer primary key, name text, arc text, confidence real);"
        "create table connects_to (a int, b int, primary key (a, b)) without rowid;"
    )
    start = perf_counter()
    for at in range(0, size, BATCH):
        db.execute("begin")
        db.executemany(
            "insert into zone values (:id, :name, :arc, :confidence)", made[at : at + BATCH]
        )
        db.execute("commit")
    out["inserts_per_s"] = size / (perf_counter() - start)
    start = perf_counter()
    for at in range(0, len(links), BATCH):
        db.execute("begin")
        db.executemany("insert into connects_to values (?, ?)", links[at : at + BATCH])
        db.execute("commit")
    out["relates_per_s"] = len(links) / (perf_counter() - start)
    hop = "select z.name from connects_to c join zone z on z.id = c.b where c.a = ?"
    hops = "select z.name from connects_to c join connects_to d on d.a = c.b join zone z on z.id = d.b where c.a = ?"
    for name, text in (
        ("reads_per_s", "select * from zone where id = ?"),
        ("one_hop_per_s", hop),
        ("two_hops_per_s", hops),
    ):
        start = perf_counter()
        for n in picks:
            db.execute(text, (n,)).fetchall()
        out[name] = len(picks) / (perf_counter() - start)
    db.close()
    return out


async def indexes(folder: Path, count: int = 400) -> dict[str, float]:
    """What a full-text and a vector index cost per record, and whether they find."""
    chance, made = Chance(SEED + 3), rows(count)
    vectors = [[chance.die(2001) / 1000 - 1.001 for _ in range(DIMENSIONS)] for _ in range(count)]
    out: dict[str, float] = {}
    async with opened(folder) as db:
        await run(db, SCHEMA)
        await run(db, "DEFINE ANALYZER en TOKENIZERS class FILTERS lowercase, snowball(english)")
        await run(db, "DEFINE INDEX words ON zone FIELDS arc SEARCH ANALYZER en BM25")
        start = perf_counter()
        for row in made:
            await run(db, "CREATE zone CONTENT $row", row=row)
        out["full_text_ms_per_record"] = 1000 * (perf_counter() - start) / count
        found = (await run(db, "SELECT VALUE id FROM zone WHERE arc @@ 'embers'"))[0]
        out["full_text_recall"] = len(found) / sum("ember" in row["arc"].split() for row in made)
        await run(db, "REMOVE INDEX words ON zone")
        await run(db, "DEFINE FIELD vector ON zone TYPE option<array<float>>")
        await run(
            db,
            f"DEFINE INDEX near ON zone FIELDS vector HNSW DIMENSION {DIMENSIONS} DIST COSINE TYPE F32",
        )
        start = perf_counter()
        for n, vector in enumerate(vectors):
            await run(
                db,
                "UPDATE type::thing('zone', $n) SET vector = $vector RETURN NONE",
                n=n,
                vector=vector,
            )
        out["vector_ms_per_record"] = 1000 * (perf_counter() - start) / count
        hits, start = 0, perf_counter()
        for n in range(50):
            answer = await run(
                db, "SELECT VALUE id FROM zone WHERE vector <|1,40|> $vector", vector=vectors[n]
            )
            hits += bool(answer[0]) and answer[0][0].id == n
        out["vector_query_ms"] = 1000 * (perf_counter() - start) / 50
        out["vector_recall_at_1"] = hits / 50
    return out


def commits(root: Path, count: int = 500) -> dict[str, float]:
    """Milliseconds of one small transaction, synced and not, and SQLite's."""
    out = {}
    for name, durable in (("commit_ms_synced", True), ("commit_ms_not_synced", False)):
        # The engine reads its variable once in a process: each kind has its own.
        child = [
            sys.executable,
            __file__,
            "--child",
            "commits",
            str(root / name),
            str(durable),
            str(count),
        ]
        out[name] = float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    db = sqlite3.connect(root / "commits.db", isolation_level=None)
    db.executescript(
        "pragma journal_mode=wal; pragma synchronous=full; create table x (n int); create table y (n int);"
    )
    start = perf_counter()
    for n in range(count):
        db.execute("begin")
        db.execute("insert into x values (?)", (n,))
        db.execute("insert into y values (?)", (n,))
        db.execute("commit")
    out["sqlite_commit_ms_synced"] = 1000 * (perf_counter() - start) / count
    db.close()
    return out


async def child_commits(folder: Path, durable: bool, count: int) -> None:
    async with opened(folder, durable) as db:
        await run(db, SCHEMA)
        start = perf_counter()
        for n in range(count):
            await run(
                db, "BEGIN; CREATE counter SET n = $n; CREATE ledger SET n = $n; COMMIT;", n=n
            )
        print(1000 * (perf_counter() - start) / count)


async def child_writes(folder: Path) -> None:
    """Writes pairs of rows in transactions for ever, saying each number once it is acknowledged."""
    async with opened(folder) as db:
        await run(db, SCHEMA)
        first = len((await run(db, "SELECT id FROM counter"))[0])
        for n in range(first, 1_000_000):
            await run(
                db,
                "BEGIN; CREATE type::thing('counter', $n); CREATE type::thing('ledger', $n); COMMIT;",
                n=n,
            )
            print(n, flush=True)


async def child_increments(folder: Path, count: int) -> None:
    async with opened(folder) as db:
        for _ in range(count):
            await run(db, "UPSERT counter:shared SET n += 1")


def kills(folder: Path, rounds: int) -> dict[str, float]:
    """SIGKILL at random moments: acknowledged rows lost, and transactions torn in half."""
    chance, acknowledged, lost, torn = Chance(SEED + 4), 0, 0, 0
    for _ in range(rounds):
        child = subprocess.Popen(
            [sys.executable, __file__, "--child", "writes", str(folder)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout
        last = -1
        for _ in range(chance.die(120)):
            last = int(child.stdout.readline())
        os.kill(child.pid, signal.SIGKILL)
        rest = child.stdout.read().split("\n")[:-1]
        last = int(rest[-1]) if rest else last
        child.wait()
        acknowledged = last + 1
        counted, kept = asyncio.run(both_tables(folder))
        lost += len(set(range(acknowledged)) - counted)
        torn += len(counted ^ kept)
    return {"kills": rounds, "acknowledged": acknowledged, "lost": lost, "torn": torn}


async def both_tables(folder: Path) -> tuple[set[int], set[int]]:
    """The numbers that stand in each of the two tables."""
    async with opened(folder) as db:
        found = await run(db, "SELECT VALUE id FROM counter; SELECT VALUE id FROM ledger;")
    return {each.id for each in found[0]}, {each.id for each in found[1]}


def two_owners(folder: Path, count: int = 500) -> dict[str, float]:
    """Two processes that both open the folder and count to 500 each: what is left."""
    child = [sys.executable, __file__, "--child", "increments", str(folder), str(count)]
    both = [subprocess.Popen(child, stderr=subprocess.DEVNULL) for _ in range(2)]
    codes = [each.wait() for each in both]

    async def look() -> Any:
        async with opened(folder) as db:
            return (await run(db, "SELECT VALUE n FROM ONLY counter:shared"))[0]

    try:
        found = asyncio.run(look())
    except RuntimeError:
        found = -1
    return {
        "wanted": 2 * count,
        "found": found,
        "failed_processes": sum(code != 0 for code in codes),
    }


async def schema(folder: Path) -> dict[str, Any]:
    """What a schemafull table refuses, and what `query` hides."""
    out: dict[str, Any] = {}
    async with opened(folder) as db:
        await run(db, SCHEMA)
        try:
            await run(db, "CREATE zone SET name = 1, arc = '', confidence = 1.0")
            out["wrong_type_refused"] = False
        except RuntimeError:
            out["wrong_type_refused"] = True
        kept = await run(db, "CREATE zone:a SET name = 'A', arc = '', confidence = 1.0, other = 1")
        out["unknown_field"] = "kept" if "other" in kept[0][0] else "dropped without a word"
        try:
            await db.query(
                "CREATE zone:b SET name = 'B', arc = '', confidence = 1.0; CREATE zone:c SET name = 1;"
            )
            out["query_hides_later_errors"] = True
        except RuntimeError:
            out["query_hides_later_errors"] = False
    return out


def fsyncs(root: Path) -> dict[str, Any]:
    """How often 100 commits reach the disk, counted by strace where there is one."""
    if not shutil.which("strace"):
        return {"strace": "absent"}
    out = {}
    for durable in (True, False):
        trace = root / f"trace{durable}"
        child = [
            sys.executable,
            __file__,
            "--child",
            "commits",
            str(root / f"sync{durable}"),
            str(durable),
            "100",
        ]
        command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", "-o", str(trace), *child]
        subprocess.run(command, check=True, capture_output=True)
        calls = [int(line.split()[3]) for line in trace.read_text().splitlines() if "sync" in line]
        out["synced" if durable else "not_synced"] = sum(calls)
    return out


def measure(sizes: list[int], rounds: int) -> dict[str, Any]:
    """Everything, in folders that are thrown away."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        return {
            "schema": asyncio.run(schema(root / "schema")),
            "speed": {n: asyncio.run(speed(n, root / f"speed{n}")) for n in sizes},
            "sqlite": {n: sqlite_speed(n, root / f"speed{n}.db") for n in sizes},
            "indexes": asyncio.run(indexes(root / "indexes")),
            "commits": commits(root),
            "fsyncs_of_100_commits": fsyncs(root),
            "sigkill": kills(root / "kills", rounds),
            "two_owners": two_owners(root / "owners"),
        }


def main() -> None:
    """Measures and prints; `--child` is one of the processes it starts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", nargs="+")
    given = parser.parse_args()
    match given.child:
        case ["commits", folder, durable, count]:
            asyncio.run(child_commits(Path(folder), durable == "True", int(count)))
        case ["writes", folder]:
            asyncio.run(child_writes(Path(folder)))
        case ["increments", folder, count]:
            asyncio.run(child_increments(Path(folder), int(count)))
        case _:
            found = measure(given.sizes, given.kills)
            if given.json:
                print(json.dumps(found))
                return
            for part, values in found.items():
                for key, value in values.items():
                    for name, figure in (
                        value.items() if isinstance(value, dict) else (("", value),)
                    ):
                        shown = f"{figure:,.3f}" if isinstance(figure, float) else figure
                        print(f"{part:<24}{key!s:<26}{name:<20}{shown}")


if __name__ == "__main__":
    main()
