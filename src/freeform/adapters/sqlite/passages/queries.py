"""The SQL behind SqlitePassages: each a function of the connection."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from freeform.adapters.sqlite.passages.rows import (
    INSERT_CHUNK,
    documents_of,
    marks,
    match_any,
    refs_of,
    row_of,
    seen_by,
)
from freeform.retrieval.model import IndexStats
from freeform.retrieval.ports import Fresh, Where
from freeform.retrieval.scope import same

MAX_VARIABLES = 900
MOST_ROWS = 1000
"""bm25 costs about 3 µs a row: where more rows would match, only those with one of the rarer words
are ranked."""
DAMAGED = "damaged"


def migrate(db: sqlite3.Connection) -> None:
    """Runs each numbered file once, in order. A file that has shipped never changes."""
    (done,) = db.execute("pragma user_version").fetchone()
    folder = files("freeform.adapters.sqlite") / "passage_migrations"
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    for number, file in enumerate(scripts, start=1):
        if number > done:
            script = file.read_text(encoding="utf-8")
            db.executescript(f"begin immediate; {script}; pragma user_version = {number}; commit;")


def is_sqlite(file: Path) -> bool:
    """Whether the file begins like a database (an empty one counts)."""
    with file.open("rb") as opened:
        return opened.read(16) in (b"SQLite format 3\0", b"")


def is_damage(wrong: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is broken; else something is wrong with what was asked of it."""
    # The lowest byte is the kind of error, the rest says more about it.
    code = getattr(wrong, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    db.execute("begin immediate")
    try:
        yield
    except BaseException:
        db.execute("rollback")
        raise
    db.execute("commit")


def version(db: sqlite3.Connection) -> int:
    """How often the index was written."""
    row = db.execute("select value from meta where key = 'version'").fetchone()
    return int(row[0]) if row else 0


def bump(db: sqlite3.Connection) -> int:
    """One more write."""
    new = version(db) + 1
    db.execute("insert or replace into meta values ('version', ?)", [str(new)])
    return new


def drop(db: sqlite3.Connection, keys: Sequence[str]) -> list[int]:
    """Forgets documents; their numbers."""
    dropped = []
    for key in keys:
        if row := db.execute("select id from documents where key = ?", [key]).fetchone():
            for sql in (
                "delete from chunks where document = ?",
                "delete from refs where document = ?",
                "delete from documents where id = ?",
            ):
                db.execute(sql, row)
            dropped.append(int(row[0]))
    return dropped


def insert(db: sqlite3.Connection, entry: Fresh) -> int:
    """Writes a document and its chunks; its number."""
    first = entry.chunks[0] if entry.chunks else None
    about = (first.pack_id, first.metadata.type, first.corpus) if first else ("", "", "authored")
    number = db.execute(
        "insert into documents (key, source, digest, pack_id, type, corpus) values (?, ?, ?, ?, ?, ?)",
        [entry.key, entry.source, entry.digest, *about],
    ).lastrowid
    assert number is not None
    db.executemany(INSERT_CHUNK, [row_of(chunk, number) for chunk in entry.chunks])
    refs = {ref for chunk in entry.chunks for ref in refs_of(chunk)}
    db.executemany("insert into refs values (?, ?, ?, ?)", [(*ref, number) for ref in sorted(refs)])
    return number


def own(db: sqlite3.Connection, where: Where) -> list[int]:
    """Puts the chunks an NPC knows of itself into the table `owned`; their numbers."""
    if where.viewer.kind != "npc":
        return []
    db.execute("create temp table if not exists owned (id integer primary key)")
    db.execute("delete from owned")
    rows = db.execute("select id, known_by from chunks where known_by <> '[]'").fetchall()
    mine = [
        number
        for number, known in rows
        if any(same(where.viewer.id, who) for who in json.loads(known))
    ]
    db.executemany("insert into owned values (?)", [(number,) for number in mine])
    return mine


def documents(db: sqlite3.Connection, where: Where) -> list[int] | None:
    """The documents that pass the filters; None when there are no filters."""
    about = documents_of(where)
    if not about.parts:
        return None
    return [
        row[0]
        for row in db.execute(f"select d.id from documents d where {about.sql}", about.values)
    ]


class Frequencies:
    """How many rows of a table hold a word; counted once per version of the index."""

    def __init__(self) -> None:
        self._version = -1
        self._held: dict[tuple[str, str], int] = {}

    def of(self, db: sqlite3.Connection, table: str, word: str) -> int:
        """Rows of that table with the word, in any of its forms; of very common words, only that
        they are so."""
        if self._version != (now := version(db)):
            self._version, self._held = now, {}
        if (table, word) not in self._held:
            sql = f"select count(*) from (select 1 from {table} where {table} match ? limit ?)"
            (self._held[table, word],) = db.execute(
                sql, [match_any([word]), 8 * MOST_ROWS]
            ).fetchone()
        return self._held[table, word]


def match_of(
    db: sqlite3.Connection, table: str, words: Sequence[str], frequencies: Frequencies
) -> str:
    """Any of the words; where that is too many rows, any of the rarest, ranked by all."""
    held = {word: frequencies.of(db, table, word) for word in words}
    rarest: list[str] = []
    rows = 0
    for word in sorted((word for word in words if held[word]), key=lambda word: (held[word], word)):
        if rarest and rows + held[word] > MOST_ROWS:
            return f"({match_any(rarest)}) AND ({match_any(words)})"
        rarest.append(word)
        rows += held[word]
    return match_any(words)


def ranked(
    db: sqlite3.Connection, table: str, match: str, where: Where, most: int
) -> list[tuple[str, float]]:
    """The best (name, score) by bm25. Ties go by name, never by the order of writing."""
    about, seen = documents_of(where), seen_by(where)
    tests, values = [], list[str]()
    if about.parts:
        tests.append(f"c.document in (select d.id from documents d where {about.sql})")
        values += about.values
    tests += seen.parts if table == "words_all" or where.viewer.kind == "npc" else []
    if not tests:
        sql = f"select rowid, -rank from {table} where {table} match ? order by rank limit ?"
        rows = db.execute(sql, [match, most + 1]).fetchall()
        by_number = names(db, [number for number, _ in rows])
        found = [(by_number[number], score) for number, score in rows]
    else:
        sql = (
            f"select c.name, -f.rank from {table} f join chunks c on c.id = f.rowid"
            f" where f.{table} match ? and {' and '.join(tests)} order by f.rank limit ?"
        )
        found = db.execute(sql, [match, *values, most + 1]).fetchall()
    found = [(name, round(score, 6)) for name, score in found]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:most]


def with_own(
    db: sqlite3.Connection,
    wanted: Sequence[str],
    found: list[tuple[str, float]],
    where: Where,
    most: int,
) -> list[tuple[str, float]]:
    """Puts an NPC's own secret chunks in by how many of the words they hold.

    Their bm25 would depend on other people's secrets, so they are placed by what the open hits
    score:
    a chunk with all the words is as good as the best of them.
    """
    about = documents_of(where)
    test = (
        f"and c.document in (select d.id from documents d where {about.sql})" if about.parts else ""
    )
    sql = (
        "select c.name from words_all f join chunks c on c.id = f.rowid where f.words_all match ?"
        f" and c.audience = 'gm' and c.id in (select id from owned) {test}"
    )
    held: dict[str, int] = {}
    for word in wanted:
        for (name,) in db.execute(sql, [match_any([word]), *about.values]):
            held[name] = held.get(name, 0) + 1
    best = found[0][1] if found else 1.0
    mine = [(name, round(best * count / len(wanted), 6)) for name, count in held.items()]
    return sorted([*found, *mine], key=lambda hit: (-hit[1], hit[0]))[:most]


def names(db: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    """The names of chunks."""
    found: dict[int, str] = {}
    for start in range(0, len(numbers), MAX_VARIABLES):
        part = numbers[start : start + MAX_VARIABLES]
        found |= dict(
            db.execute(f"select id, name from chunks where id in ({marks(part)})", part).fetchall()
        )
    return found


def vector_rows(
    db: sqlite3.Connection, model: str, test: str = "", values: Sequence[int] = ()
) -> Iterator[tuple[int, int, str, bytes]]:
    """(chunk, document, audience, vector) of every chunk with a vector of that model."""
    # Without a test the vectors lead (`cross join` keeps that order), which reads the file from
    # front to back.
    tables = "chunks c cross join vectors v" if test else "vectors v cross join chunks c"
    sql = (
        f"select c.id, c.document, c.audience, v.vector from {tables}"
        f" where v.model = ? and v.embedding_id = c.embedding_id {test}"
    )
    yield from db.execute(sql, [model, *values])


def stats(db: sqlite3.Connection, source: str | None, model: str) -> IndexStats:
    """Counts, of one source or of all; `without_vector` only when a model is named."""
    test, values = ("where d.source = ?", [source]) if source is not None else ("", list[str]())
    sql = f"select count(*), coalesce(sum(c.tokens), 0) from chunks c join documents d on d.id = c.document {test}"
    chunks, tokens = db.execute(sql, values).fetchone()
    (held,) = db.execute(f"select count(*) from documents d {test}", values).fetchone()
    lacking = 0
    if model:
        missing = "not exists (select 1 from vectors v where v.model = ? and v.embedding_id = c.embedding_id)"
        sql = f"select count(*) from chunks c join documents d on d.id = c.document {test}"
        sql += f" {'and' if test else 'where'} {missing}"
        (lacking,) = db.execute(sql, [*values, model]).fetchone()
    which = "where id = ?" if source is not None else ""
    (at,) = db.execute(f"select coalesce(max(at), '') from sources {which}", values).fetchone()
    return IndexStats(
        documents=held, chunks=chunks, total_tokens=tokens, without_vector=lacking, last_indexed=at
    )


def unfinished(db: sqlite3.Connection, source: str | None) -> bool:
    """Whether a run was cut off, or the index had to be begun anew and nothing was indexed
    since."""
    if db.execute("select 1 from meta where key = ?", [DAMAGED]).fetchone():
        return True
    test, values = ("and id = ?", [source]) if source is not None else ("", list[str]())
    return (
        db.execute(f"select 1 from sources where finished = 0 {test} limit 1", values).fetchone()
        is not None
    )


def forget_old_vectors(db: sqlite3.Connection) -> None:
    """Lets go of vectors no chunk uses, once they outnumber the others: until then they are a
    cache."""
    (held,) = db.execute("select count(*) from vectors").fetchone()
    (used,) = db.execute("select count(distinct embedding_id) from chunks").fetchone()
    if held > 3 * used + 1000:
        db.execute(
            "delete from vectors where embedding_id not in (select embedding_id from chunks)"
        )
