"""Chunks as rows, and filters as SQL."""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from freeform.language.words import stop_words, words
from freeform.retrieval.model import ChunkMetadata, ContentPackChunk
from freeform.retrieval.ports import Where

_MOST_TERMS = 32


def terms(query: str, keep: frozenset[str] = frozenset()) -> list[str]:
    """The words to look for, in plain order, small ones left out unless they are to be kept or there are no others."""
    small = stop_words() - keep
    said = words(query)
    wanted = [word for word in said if word not in small] or said
    return list(dict.fromkeys(wanted))[:_MOST_TERMS]


def match_any(words: Iterable[str]) -> str:
    """An FTS5 expression: any of the words. Quoted, so that nothing a person types is an operator."""
    return " OR ".join(f'"{word}"' for word in words)


class SqlCondition:
    """SQL over `chunks c` with its parameters."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.values: list[str] = []

    def add(self, sql: str, values: Sequence[str]) -> None:
        """And this."""
        self.parts.append(sql)
        self.values += values

    @property
    def sql(self) -> str:
        """For a `where`."""
        return " and ".join(self.parts) or "1"


def marks(values: Sequence[object]) -> str:
    """As many question marks."""
    return ", ".join("?" * len(values))


def seen_by(where: Where) -> SqlCondition:
    """What the viewer may see, on the level of chunks. Must say what `scope.may_see` says."""
    condition = SqlCondition()
    match where.viewer.kind:
        case "gm":
            pass
        case "player":
            condition.add("c.audience <> 'gm'", [])
        case "npc":
            condition.add("(c.audience = 'all' or c.id in (select id from owned))", [])
    return condition


def documents_of(where: Where) -> SqlCondition:
    """The filters that a whole document passes or fails, over `documents d`."""
    condition = SqlCondition()
    if len(where.corpora) < 2:
        condition.add(f"d.corpus in ({marks(where.corpora)})", where.corpora)
    if where.packs:
        condition.add(f"d.pack_id in ({marks(where.packs)})", where.packs)
    if where.types:
        condition.add(f"d.type in ({marks(where.types)})", where.types)
    if where.documents:
        condition.add(f"d.key in ({marks(where.documents)})", where.documents)
    for tag in where.tags:
        _add_refs(condition, [("tag", tag)])
    if where.entities:
        wanted = [
            (kind, id)
            for id in where.entities
            for kind in ("self", "entity", "location", "faction")
        ]
        _add_refs(condition, wanted)
    if where.locations:
        _add_refs(condition, [("location", id) for id in where.locations])
    if not where.any_of.empty:
        _add_refs(condition, signals_of(where))
    return condition


def signals_of(where: Where) -> list[tuple[str, str]]:
    """The query's signals as (kind, id)."""
    s = where.any_of
    named = (
        ("location", s.locations),
        ("faction", s.factions),
        ("thread", s.threads),
        ("tag", s.tags),
    )
    entities = [(kind, id) for id in s.entities for kind in ("entity", "self")]
    return [*((kind, id) for kind, ids in named for id in ids), *entities]


def ref_test(kind: str, id: str) -> tuple[str, list[str]]:
    """SQL over `refs` for one id: the full id, or a short one in any pack."""
    local = local_of(id)
    if ":" in id and kind != "tag":
        return "(kind = ? and local = ? and value = ?)", [kind, local, id]
    return "(kind = ? and local = ?)", [kind, local]


def _add_refs(condition: SqlCondition, wanted: Sequence[tuple[str, str]]) -> None:
    tests = [ref_test(kind, id) for kind, id in wanted]
    sql = " or ".join(test for test, _ in tests)
    condition.add(
        f"d.id in (select document from refs where {sql})",
        [value for _, values in tests for value in values],
    )


def local_of(id: str) -> str:
    """An id without its pack, in lower case."""
    return id.rpartition(":")[2].casefold()


def refs_of(chunk: ContentPackChunk) -> set[tuple[str, str, str]]:
    """What the chunk's document is about, as (kind, local, value)."""
    about = chunk.metadata
    named = (
        ("self", [chunk.document]),
        ("location", about.location_ids),
        ("entity", about.entity_ids),
        ("faction", about.faction_ids),
        ("thread", about.thread_ids),
        ("tag", about.tags),
    )
    return {(kind, local_of(id), id) for kind, ids in named for id in ids}


def row_of(chunk: ContentPackChunk, document: int) -> tuple[object, ...]:
    """The chunk as a row; columns as in INSERT_CHUNK."""
    rest = {
        "pack_id": chunk.pack_id,
        "document": chunk.document,
        "file_path": chunk.file_path,
        "section_path": chunk.section_path,
        "aliases": chunk.aliases,
        "metadata": chunk.metadata.model_dump(),
        "corpus": chunk.corpus,
    }
    return (
        chunk.id, document, chunk.place, chunk.audience, json.dumps(chunk.known_by), chunk.metadata.token_count,
        chunk.embedding_id, chunk.metadata.name, ", ".join(chunk.aliases), chunk.heading, chunk.chunk_text,
        json.dumps({**rest, "heading": chunk.heading}, ensure_ascii=False),
    )  # fmt: skip


INSERT_CHUNK = (
    "insert into chunks (name, document, place, audience, known_by, tokens, embedding_id,"
    " title, aliases, heading, text, rest) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
CHUNK_COLUMNS = "c.name, c.place, c.audience, c.known_by, c.embedding_id, c.text, c.rest"


def chunk_of(row: sqlite3.Row | tuple[object, ...]) -> ContentPackChunk:
    """A row of CHUNK_COLUMNS as a chunk. Rows are ours, so they are not checked again."""
    name, place, audience, known_by, embedding_id, text, rest = row
    kept = json.loads(str(rest))
    metadata = ChunkMetadata.model_construct(**kept.pop("metadata"))
    return ContentPackChunk.model_construct(
        id=name,
        place=place,
        audience=audience,
        known_by=json.loads(str(known_by)),
        embedding_id=embedding_id,
        chunk_text=text,
        metadata=metadata,
        **kept,
    )
