"""SqlitePassages: the default index. Words in FTS5, vectors as float32, both in one file and one
transaction."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from freeform.adapters.sqlite.passages import queries as q
from freeform.adapters.sqlite.passages.rows import (
    CHUNK_COLUMNS,
    chunk_of,
    documents_of,
    marks,
    ref_test,
    seen_by,
    signals_of,
    terms,
)
from freeform.core.errors import Unavailable, UserError
from freeform.core.log import tell
from freeform.retrieval.model import ContentPackChunk, IndexStats
from freeform.retrieval.ports import Fresh, Hit, Vector, Where

if TYPE_CHECKING:
    from freeform.adapters.sqlite.passages.vectors import VectorRows

T = TypeVar("T")
_LOG = logging.getLogger("freeform.index")
_BUSY_SECONDS = 10
_FEW = 20_000
"""So many vectors are compared in about 2 ms: sooner done than handed to another thread."""
HIGHEST = {"gm": 2, "player": 1, "npc": 0}
"""Up to which audience a viewer may look (see `vector_rows.AUDIENCES`)."""


class SqlitePassages:
    """One index in one file. A damaged file is set aside and an empty index begun; `stats` calls it
    unfinished."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._frequencies = q.Frequencies()
        self._vectors: tuple[str, int, VectorRows] | None = None
        self._stats: dict[tuple[str | None, str], tuple[int, IndexStats]] = {}
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._open()
        except sqlite3.DatabaseError as wrong:
            if file and not q.is_damage(wrong) and q.is_sqlite(file):
                raise Unavailable(
                    f"the index {file} cannot be opened ({wrong}); is another program busy with it?"
                ) from wrong
            self._start_over()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self._file or ":memory:",
            check_same_thread=False,
            isolation_level=None,
            timeout=_BUSY_SECONDS,
        )
        try:
            # A crash of the machine may lose the last writes, never the file: the next run writes
            # them again.
            db.executescript(
                "pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536;"
                " pragma mmap_size = 2147483648;"
            )
            q.migrate(db)
            db.execute("select count(*) from sources").fetchone()
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _start_over(self) -> None:
        """Sets a damaged file aside and begins an empty one: everything in it can be made again."""
        if self._file is None:
            raise Unavailable("an index in memory was damaged; begin again")
        self._vectors = None
        for end in ("-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            self._file.replace(self._file.with_name(self._file.name + ".damaged"))
        self._db = self._open()
        tell(_LOG, logging.WARNING, "index_set_aside", file=self._file.name)
        self._db.execute("insert or replace into meta values (?, '1')", [q.DAMAGED])

    async def _run(self, work: Callable[[sqlite3.Connection], T], *, brief: bool = False) -> T:
        """Does the work on another thread, one at a time. Brief work is done here, if no one else
        is at it."""

        def locked() -> T:
            with self._lock:
                return self._guarded(work)

        if brief and self._lock.acquire(blocking=False):
            try:
                return self._guarded(work)
            finally:
                self._lock.release()
        return await asyncio.to_thread(locked)

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """For an index that lies over this one: reads the file, one at a time, with SQLite's errors
        as ours."""
        return await self._run(work)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The work, with SQLite's errors as ours. A damaged file, and no other, is set aside."""
        try:
            return work(self._db)
        except (sqlite3.IntegrityError, sqlite3.DataError) as wrong:
            # What was to be written does not fit: the file is as good as before.
            raise UserError(f"the search index does not take it ({wrong})") from wrong
        except sqlite3.DatabaseError as wrong:
            if not q.is_damage(wrong):
                raise Unavailable(
                    f"the search index is not usable just now ({wrong}); try again"
                ) from wrong
            self._db.close()
            self._start_over()
            raise Unavailable(
                f"the search index was damaged ({wrong}) and has been set aside; run `pack reindex`"
            ) from wrong

    async def close(self) -> None:
        """Lets go of the file."""
        await self._run(lambda db: db.close())

    # Writing

    async def begin(self, source: str) -> dict[str, str]:
        def work(db: sqlite3.Connection) -> dict[str, str]:
            db.execute(
                "insert into sources (id) values (?) on conflict do update set finished = 0",
                [source],
            )
            return dict(
                db.execute(
                    "select key, digest from documents where source = ?", [source]
                ).fetchall()
            )

        return await self._run(work)

    async def finish(self, source: str, at: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            with q.transaction(db):
                held = db.execute(
                    "select 1 from documents where source = ? limit 1", [source]
                ).fetchone()
                if held:
                    db.execute("update sources set finished = 1, at = ? where id = ?", [at, source])
                else:
                    db.execute("delete from sources where id = ?", [source])
                db.execute("delete from meta where key = ?", [q.DAMAGED])
                q.forget_old_vectors(db)
                q.bump(db)

        await self._run(work)

    async def write(
        self, fresh: Sequence[Fresh], gone: Sequence[str], vectors: Mapping[str, Vector], model: str
    ) -> None:
        def work(db: sqlite3.Connection) -> None:
            before = q.version(db)
            with q.transaction(db):
                dropped = q.drop(db, [*gone, *(entry.key for entry in fresh)])
                added = [q.insert(db, entry) for entry in fresh]
                db.executemany(
                    "insert or replace into vectors values (?, ?, ?)",
                    [(model, id, vector) for id, vector in vectors.items()],
                )
                after = q.bump(db)
            self._follow(db, before, after, dropped, added, filled=bool(vectors) and not fresh)

        await self._run(work)

    def _follow(
        self,
        db: sqlite3.Connection,
        before: int,
        after: int,
        dropped: list[int],
        added: list[int],
        filled: bool,
    ) -> None:
        """Keeps the matrix in memory in step with what was written, if it was in step before."""
        if self._vectors is None:
            return
        model, version, rows = self._vectors
        if version != before or filled:
            self._vectors = None
            return
        rows.drop(dropped)
        for start in range(0, len(added), q.MAX_VARIABLES):
            part = added[start : start + q.MAX_VARIABLES]
            rows.add(q.vector_rows(db, model, f"and c.document in ({marks(part)})", part))
        self._vectors = (model, after, rows)

    async def without_vector(self, model: str, embedding_ids: Sequence[str]) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            sql = "select 1 from vectors where model = ? and embedding_id = ?"
            return [
                id
                for id in dict.fromkeys(embedding_ids)
                if not db.execute(sql, [model, id]).fetchone()
            ]

        return await self._run(work)

    async def lacking(self, model: str, most: int) -> list[ContentPackChunk]:
        sql = (
            f"select {CHUNK_COLUMNS} from chunks c where not exists (select 1 from vectors v where v.model = ?"
            " and v.embedding_id = c.embedding_id) group by c.embedding_id limit ?"
        )
        return await self._run(lambda db: [chunk_of(row) for row in db.execute(sql, [model, most])])

    # Searching

    async def words(self, query: str, where: Where, most: int) -> list[Hit]:
        def work(db: sqlite3.Connection) -> list[Hit]:
            wanted = terms(query)
            if not wanted:
                return []
            q.own(db, where)
            table = "words_all" if where.viewer.kind == "gm" else "words_open"
            match = q.match_of(db, table, wanted, self._frequencies)
            found = q.ranked(db, table, match, where, most)
            if where.viewer.kind == "npc":
                found = q.with_own(db, wanted, found, where, most)
            return [Hit(id=name, score=round(score, 6)) for name, score in found]

        return await self._run(work)

    async def near(self, vector: Vector, model: str, where: Where, most: int) -> list[Hit]:
        def work(db: sqlite3.Connection) -> list[Hit]:
            rows = self._matrix(db, model)
            owned = q.own(db, where)
            highest = HIGHEST[where.viewer.kind]
            best = rows.near(vector, q.documents(db, where), highest, owned, most)
            names = q.names(db, [chunk for chunk, _ in best])
            hits = [Hit(id=names[chunk], score=score) for chunk, score in best if chunk in names]
            return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:most]

        if find_spec("numpy") is None:
            return []
        held = self._vectors
        small = held is not None and held[0] == model and len(held[2]) <= _FEW
        return await self._run(work, brief=small)

    def _matrix(self, db: sqlite3.Connection, model: str) -> "VectorRows":
        """The vectors in memory: as they are, or read anew when another program wrote."""
        from freeform.adapters.sqlite.passages.vectors import VectorRows

        version = q.version(db)
        if self._vectors is None or self._vectors[:2] != (model, version):
            rows = VectorRows()
            rows.add(q.vector_rows(db, model))
            self._vectors = (model, version, rows)
        return self._vectors[2]

    async def beside(self, ids: Sequence[str], where: Where) -> dict[str, list[str]]:
        def work(db: sqlite3.Connection) -> dict[str, list[str]]:
            q.own(db, where)
            seen = seen_by(where).sql
            step = (
                "select c.name from chunks c where c.document = ? and c.place {} ?"
                f" and {seen} order by c.place {{}} limit 1"
            )
            found: dict[str, list[str]] = {}
            for id in ids:
                at = db.execute(
                    "select document, place from chunks where name = ?", [id]
                ).fetchone()
                if at:
                    near = (
                        db.execute(step.format(*way), at).fetchone()
                        for way in (("<", "desc"), (">", "asc"))
                    )
                    found[id] = [row[0] for row in near if row]
            return found

        return await self._run(work, brief=True)

    async def find(self, where: Where, most: int) -> list[ContentPackChunk]:
        def work(db: sqlite3.Connection) -> list[ContentPackChunk]:
            q.own(db, where)
            about, seen = documents_of(where), seen_by(where)
            order, values = "", list[str]()
            if not where.any_of.empty:
                tests = [ref_test(kind, id) for kind, id in signals_of(where)]
                test = " or ".join(sql for sql, _ in tests)
                order = f"(select count(*) from refs r where r.document = d.id and ({test})) desc, "
                values = [value for _, part in tests for value in part]
            sql = (
                f"select {CHUNK_COLUMNS} from chunks c join documents d on d.id = c.document"
                f" where {about.sql} and {seen.sql} order by {order}d.key, c.place limit ?"
            )
            rows = db.execute(sql, [*about.values, *seen.values, *values, most])
            return [chunk_of(row) for row in rows]

        return await self._run(work)

    async def get(self, ids: Sequence[str]) -> list[ContentPackChunk]:
        def work(db: sqlite3.Connection) -> list[ContentPackChunk]:
            found: dict[str, ContentPackChunk] = {}
            for start in range(0, len(ids), q.MAX_VARIABLES):
                part = ids[start : start + q.MAX_VARIABLES]
                sql = f"select {CHUNK_COLUMNS} from chunks c where c.name in ({marks(part)})"
                found |= {chunk.id: chunk for chunk in map(chunk_of, db.execute(sql, part))}
            return [found[id] for id in ids if id in found]

        return await self._run(work, brief=True)

    # About itself

    async def stats(self, source: str | None = None, model: str = "") -> IndexStats:
        def work(db: sqlite3.Connection) -> IndexStats:
            version = q.version(db)
            kept = self._stats.get((source, model))
            if kept is None or kept[0] != version:
                kept = self._stats[source, model] = (version, q.stats(db, source, model))
            return kept[1].model_copy(update={"unfinished": q.unfinished(db, source)})

        return await self._run(work, brief=(source, model) in self._stats)

    async def sources(self) -> list[str]:
        return await self._run(
            lambda db: [row[0] for row in db.execute("select id from sources order by id")]
        )

    async def version(self) -> int:
        return await self._run(q.version, brief=True)
