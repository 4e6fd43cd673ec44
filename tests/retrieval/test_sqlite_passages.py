"""The file of an index: killed while it grows, damaged, or written by another process."""

import asyncio
import subprocess
import sys
from pathlib import Path

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.errors import Unavailable
from freeform.retrieval.model import GM, LoreRetrievalQuery
from freeform.retrieval.ports import Where
from tests.retrieval.shelf import SHELF, HashedWords, document, fill, searching

MANY = [
    document(f"d{n}", f"Place {n}", "location", [], f"House number {n} by the canal.")
    for n in range(600)
]
GROW = """
import asyncio, sys
from pathlib import Path
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from tests.retrieval.shelf import HashedWords, fill
from tests.retrieval.test_sqlite_passages import MANY

class Slow(HashedWords):
    async def embed(self, texts):
        print("embedding", flush=True)
        await asyncio.sleep(0.05)
        return await super().embed(texts)

asyncio.run(fill(SqlitePassages(Path(sys.argv[1])), MANY, Slow()))
"""


async def test_an_index_killed_while_it_grew_is_noticed_and_finished(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    command = [sys.executable, "-c", GROW, str(file)]
    run = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert run.stdout
    for _ in range(3):
        await run.stdout.readline()
    run.kill()
    await run.wait()
    index = SqlitePassages(file)
    cut_off = await index.stats(None, HashedWords().name)
    assert cut_off.unfinished and 0 < cut_off.documents < len(MANY) and cut_off.without_vector == 0
    note = (await searching(index).search(LoreRetrievalQuery(keywords="house"), GM)).notes
    assert any("not finished" in line for line in note)
    embedder = HashedWords()
    again = await fill(index, MANY, embedder)
    assert again.changed == len(MANY) - cut_off.documents == len(embedder.asked)
    clean = SqlitePassages()
    await fill(clean, MANY, HashedWords())
    query, where = "house 17 canal", Where(viewer=GM)
    assert await index.words(query, where, 600) == await clean.words(query, where, 600)
    assert not (await index.stats()).unfinished


async def test_a_file_that_is_no_index_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    file.write_bytes(b"this is a shopping list, not a database" * 100)
    index = SqlitePassages(file)
    assert (await index.stats()).unfinished
    assert (await fill(index)).chunks > 0
    assert not (await index.stats()).unfinished
    assert (tmp_path / "index.db.damaged").read_bytes().startswith(b"this is a shopping list")


async def test_a_file_damaged_in_the_middle_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    index = SqlitePassages(file)
    await fill(index, MANY)
    await index.close()
    data = bytearray(file.read_bytes())
    for at in range(8192, len(data), 4096):
        data[at : at + 2048] = b"\xff" * 2048
    file.write_bytes(data)
    said = []
    index = SqlitePassages(file)
    for _ in range(3):
        try:
            await fill(index, MANY)
            break
        except Unavailable as lost:
            said.append(str(lost))
    assert [hit.id for hit in await index.words("number 17", Where(viewer=GM), 1)] == [
        "neo:d17:overview"
    ]
    assert all("pack reindex" in line for line in said)


async def test_what_another_process_wrote_is_seen(tmp_path: Path) -> None:
    file, embedder = tmp_path / "index.db", HashedWords()
    mine, theirs = SqlitePassages(file), SqlitePassages(file)
    await fill(mine, SHELF[:2], embedder)
    (vector,) = await embedder.embed(["market"])
    where = Where(viewer=GM, types=("faction",))
    assert await mine.near(vector, embedder.name, where, 5) == []
    await fill(theirs, SHELF, embedder)
    assert len(await mine.near(vector, embedder.name, where, 5)) == 3


async def test_two_searches_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    index, embedder = SqlitePassages(tmp_path / "a.db"), HashedWords()
    await fill(index, embedder=embedder)
    search = searching(index, embedder)
    queries = [LoreRetrievalQuery(keywords=text) for text in ("bar", "market", "dock", "coat") * 5]
    alone = [(await searching(index, embedder).search(query, GM)).chunks for query in queries]
    together = await asyncio.gather(*(search.search(query, GM) for query in queries))
    assert [result.chunks for result in together] == alone
