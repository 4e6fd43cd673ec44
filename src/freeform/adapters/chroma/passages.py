"""ChromaPassages: the index with its vectors in Chroma. Chroma proposes; the SQLite file beside it
decides."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from freeform.adapters.sqlite.passages import queries as q
from freeform.adapters.sqlite.passages.passages import HIGHEST, SqlitePassages
from freeform.adapters.sqlite.passages.rows import marks
from freeform.core.errors import BadSettings, Unavailable
from freeform.retrieval.model import ContentPackChunk, IndexStats
from freeform.retrieval.ports import Fresh, Hit, Vector, Where

if TYPE_CHECKING:
    from chromadb import Collection
    from chromadb.api import ClientAPI

T = TypeVar("T")
_Row: TypeAlias = tuple[str, str, int, bytes]
"""Audience, id, document and vector of a chunk."""
_ID = "c.id || '.' || c.document || '.' || c.embedding_id"
"""A chunk's id in Chroma. Chunk numbers are used again, so it names the text and the document too:
what differs in any of them is another row."""
_READ = {"gm": ("all", "player", "gm"), "player": ("all", "player"), "npc": ("all",)}
"""Which audiences' collections are asked for a viewer."""
_SEARCHED = 500
"""How many passages Chroma looks at for a question: more finds more of the true best, and takes
longer."""
_SPARE = 16
"""So many more than wanted are asked for, since Chroma breaks ties as it likes."""


class ChromaPassages:
    """Texts, words, filters and the vectors' true copy in SqlitePassages; `near` asks Chroma which
    to compare.

    Each audience has a collection of its own: in a shared one, a secret would bend the way an
    approximate search takes, and with it what a player is given.
    """

    def __init__(self, held: SqlitePassages, folder: Path, name: str) -> None:
        if find_spec("chromadb") is None:
            raise BadSettings(
                "the setting `index` is `chroma`, which is not installed: "
                "install the extra with `pip install freeform-rpg[chroma]`, or set it to `sqlite`"
            )
        self._held, self._folder, self._name = held, folder, name
        self._lock, self._stepping = threading.Lock(), asyncio.Lock()
        self._client: ClientAPI | None = None
        self._collections: dict[str, Collection] = {}
        self._step: tuple[str, int] | None = None
        self._model = ""

    # Vectors

    async def near(self, vector: Vector, model: str, where: Where, most: int) -> list[Hit]:
        if most < 1:
            return []
        await self._keep_in_step(model)
        documents = await self._held.read(lambda db: q.documents(db, where))
        if documents == []:
            return []
        proposed = await self._run(lambda: self._propose(vector, where, documents, most + _SPARE))
        return await self._held.read(lambda db: _compare(db, vector, model, where, proposed, most))

    def _propose(
        self, vector: Vector, where: Where, documents: list[int] | None, most: int
    ) -> list[int]:
        """The numbers of chunks that may be among the best."""
        import numpy as np

        asked = np.frombuffer(vector, dtype="<f4")
        test: Any = None if documents is None else {"document": {"$in": documents}}
        found: list[int] = []
        for audience in _READ[where.viewer.kind]:
            collection = self._collections.get(audience)
            if collection is not None and collection.metadata["width"] == len(asked):
                hits = collection.query(
                    query_embeddings=[asked], n_results=most, where=test, include=[]
                )
                found += map(_number, hits["ids"][0])
        return found

    async def _keep_in_step(self, model: str) -> None:
        """Takes out of Chroma what the file no longer holds and puts in what it lacks, if anything
        was written."""
        async with self._stepping:
            version = await self._held.version()
            if self._step == (model, version):
                return
            wanted = await self._held.read(lambda db: _wanted(db, model))
            missing = await self._run(lambda: self._clear(model, wanted))
            for start in range(0, len(missing), q.MAX_VARIABLES):
                rows = await self._held.read(
                    partial(_rows, model=model, ids=missing[start : start + q.MAX_VARIABLES])
                )
                await self._run(partial(self._add, model, rows))
            self._step = (model, version)

    def _clear(self, model: str, wanted: Mapping[str, set[str]]) -> list[str]:
        """Opens the collections and removes what is not wanted in them; the ids that they lack."""
        client, missing = self._opened(), list[str]()
        there = {collection.name: collection for collection in client.list_collections()}
        self._collections = {}
        for audience in _READ["gm"]:
            name, ids = f"{self._name}-{audience}", wanted.get(audience, set())
            held = set[str]()
            if name in there and (there[name].metadata or {}).get("model") != model:
                client.delete_collection(name)
            elif name in there:
                collection = client.get_collection(name, embedding_function=None)
                self._collections[audience] = collection
                held = set(collection.get(include=[])["ids"])
                gone = sorted(held - ids)
                for start in range(0, len(gone), q.MAX_VARIABLES):
                    collection.delete(ids=gone[start : start + q.MAX_VARIABLES])
            # By text, not by number: secrets take numbers too, and the order of adding bends the
            # search.
            missing += sorted(ids - held, key=lambda id: id.rpartition(".")[2])
        return missing

    def _add(self, model: str, rows: "Sequence[_Row]") -> None:
        import numpy as np

        for audience in _READ["gm"]:
            mine = [row for row in rows if row[0] == audience]
            if not mine:
                continue
            if audience not in self._collections:
                self._collections[audience] = self._opened().get_or_create_collection(
                    f"{self._name}-{audience}",
                    embedding_function=None,
                    metadata={"model": model, "width": len(mine[0][3]) // 4},
                    configuration={"hnsw": {"space": "ip", "ef_search": _SEARCHED}},
                )
            self._collections[audience].upsert(
                ids=[id for _, id, _, _ in mine],
                embeddings=[np.frombuffer(vector, dtype="<f4") for _, _, _, vector in mine],
                metadatas=[{"document": document} for _, _, document, _ in mine],
            )

    def _opened(self) -> "ClientAPI":
        if self._client is None:
            import chromadb
            from chromadb.config import Settings

            self._folder.mkdir(parents=True, exist_ok=True)
            self._client = chromadb.PersistentClient(
                self._folder, Settings(anonymized_telemetry=False)
            )
        return self._client

    async def _run(self, work: Callable[[], T]) -> T:
        """Does the work on another thread, one at a time, with Chroma's errors as ours."""

        def locked() -> T:
            with self._lock, self._plainly():
                return work()

        return await asyncio.to_thread(locked)

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except (ChromaError, OSError) as wrong:
            self._step = None
            raise Unavailable(
                f"the vectors in {self._folder} cannot be used ({wrong}); try again, or delete that folder: "
                "it is made anew from the index beside it"
            ) from wrong

    async def close(self) -> None:
        """Lets go of the files."""
        from chromadb.api.client import Client

        client, self._client, self._step = self._client, None, None
        if isinstance(client, Client):
            await asyncio.to_thread(client.close)
        await self._held.close()

    # The rest is the file's.

    async def begin(self, source: str) -> dict[str, str]:
        return await self._held.begin(source)

    async def write(
        self, fresh: Sequence[Fresh], gone: Sequence[str], vectors: Mapping[str, Vector], model: str
    ) -> None:
        await self._held.write(fresh, gone, vectors, model)
        self._model = model if vectors else self._model

    async def finish(self, source: str, at: str) -> None:
        await self._held.finish(source, at)
        if (
            self._model
        ):  # Else no vectors were made in this run, and the next question finds out what changed.
            await self._keep_in_step(self._model)

    async def without_vector(self, model: str, embedding_ids: Sequence[str]) -> list[str]:
        return await self._held.without_vector(model, embedding_ids)

    async def lacking(self, model: str, most: int) -> list[ContentPackChunk]:
        return await self._held.lacking(model, most)

    async def words(self, query: str, where: Where, most: int) -> list[Hit]:
        return await self._held.words(query, where, most)

    async def beside(self, ids: Sequence[str], where: Where) -> dict[str, list[str]]:
        return await self._held.beside(ids, where)

    async def find(self, where: Where, most: int) -> list[ContentPackChunk]:
        return await self._held.find(where, most)

    async def get(self, ids: Sequence[str]) -> list[ContentPackChunk]:
        return await self._held.get(ids)

    async def stats(self, source: str | None = None, model: str = "") -> IndexStats:
        return await self._held.stats(source, model)

    async def sources(self) -> list[str]:
        return await self._held.sources()

    async def version(self) -> int:
        return await self._held.version()


def _wanted(db: Connection, model: str) -> dict[str, set[str]]:
    """By audience the ids of all chunks with a vector of that model."""
    sql = (
        f"select c.audience, {_ID} from chunks c"
        " where exists (select 1 from vectors v where v.model = ? and v.embedding_id = c.embedding_id)"
    )
    found: dict[str, set[str]] = {}
    for audience, id in db.execute(sql, [model]):
        found.setdefault(audience, set()).add(id)
    return found


def _rows(db: Connection, model: str, ids: Sequence[str]) -> list[_Row]:
    """Those of these that are still there."""
    sql = (
        f"select c.audience, {_ID}, c.document, v.vector from chunks c cross join vectors v"
        f" where c.id in ({marks(ids)}) and v.model = ? and v.embedding_id = c.embedding_id"
    )
    asked = set(ids)
    return [row for row in db.execute(sql, [*map(_number, ids), model]) if row[1] in asked]


def _compare(
    db: Connection, vector: Vector, model: str, where: Where, proposed: Sequence[int], most: int
) -> list[Hit]:
    """The best of the proposed, exactly. Who may see what is decided here, not by what Chroma said.

    What an NPC knows of itself lies among the secrets, where Chroma is not asked: those few are all
    compared.
    """
    from freeform.adapters.sqlite.passages.vectors import VectorRows

    owned, rows = q.own(db, where), VectorRows()
    chunks = sorted({*proposed, *owned})
    for start in range(0, len(chunks), q.MAX_VARIABLES):
        part = chunks[start : start + q.MAX_VARIABLES]
        rows.add(q.vector_rows(db, model, f"and c.id in ({marks(part)})", part))
    best = rows.near(vector, q.documents(db, where), HIGHEST[where.viewer.kind], owned, most)
    names = q.names(db, [chunk for chunk, _ in best])
    hits = [Hit(id=names[chunk], score=score) for chunk, score in best]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:most]


def _number(id: str) -> int:
    """The chunk that an id of ours in Chroma stands for."""
    return int(id.partition(".")[0])
