"""Lore in SurrealDB: schemafull tables, RELATE edges, one BEGIN … COMMIT for each piece of work."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import Field
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from freeform.adapters.surreal.connection import Clash, SurrealConnection
from freeform.adapters.surreal.schema import RELATIONS, TABLES, optional_fields
from freeform.core.errors import Unavailable
from freeform.core.record import Record, canonical
from freeform.lore.model import KINDS, Kind, Relation

T = TypeVar("T")
BESIDE = ("id", "seq", "game", "grp", "state", "embedding", "embedding_model")
"""Columns that are not part of the record of a lore row."""


class SurrealRow(Record):
    """One row. `key` is unique in its table; `game`, `grp` and `state` can be searched by."""

    table: str
    key: str
    game: str = ""
    grp: str = ""
    state: str = ""
    doc: dict[str, Any] = Field(default_factory=dict)
    vector: bytes = b""
    """The embedding of a lore row: little-endian float32."""
    vector_model: str = ""


class SurrealRows:
    """Rows of lore in SurrealDB. One piece of work at a time: this process is the only writer."""

    def __init__(self, connection: SurrealConnection, tries: int = 8) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()
        self._seq: dict[str, int] = {}
        self._tries = tries if connection.remote else 3

    async def run(self, work: "Callable[[Transaction], Awaitable[T]]") -> T:
        """Does the work on what stands, then writes all of it at once; after a lost connection, all
        of it again."""
        async with self._lock:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception(lambda wrong: isinstance(wrong, Clash) or _passing(wrong)),
                stop=stop_after_attempt(self._tries),
                wait=wait_exponential_jitter(multiplier=0.2, max=5, jitter=0.2),
                reraise=True,
            ):
                with attempt:
                    changes = Transaction(self._connection, self._seq)
                    result = await work(changes)
                    await changes.commit()
        return result

    async def close(self) -> None:
        """Closes the connection and lets go of the folder."""
        async with self._lock:
            await self._connection.close()


class Transaction:
    """Reads at once; keeps the writes until the work is done."""

    def __init__(self, connection: SurrealConnection, seq: dict[str, int]) -> None:
        self._connection, self._seq = connection, seq
        self._statements: list[str] = []
        self._given: dict[str, Any] = {}
        self._fresh: list[tuple[str, int, str]] = []

    async def get(self, table: str, key: str) -> SurrealRow | None:
        """The row of that key."""
        (found,) = await self._connection.ask("SELECT * FROM ONLY $id", id=_id(table, key))
        return _row(table, key, found) if found else None

    async def find(
        self, table: str, *, game: str = "", grp: str = "", state: str = "", limit: int = 0
    ) -> list[SurrealRow]:
        """Rows that fit every filter that is set, in the order they were first written."""
        filters = {
            name: value for name, value in (("game", game), ("grp", grp), ("state", state)) if value
        }
        where = " AND ".join(f"{name} = ${name}" for name in filters)
        text = f"SELECT * FROM {_known(table)}{f' WHERE {where}' if where else ''} ORDER BY seq"
        (found,) = await self._connection.ask(
            f"{text} LIMIT {limit:d}" if limit else text, **filters
        )
        return [_row(table, _key(each["id"].id), each) for each in found]

    async def edges(self, game: str, end: tuple[Kind, str] | None = None) -> list[Relation]:
        """All edges of a game, or those that begin or end at a row."""
        if end is None:
            found = await self._connection.ask(
                "; ".join(f"SELECT * FROM {name} WHERE game = $game" for name in RELATIONS),
                game=game,
            )
            named = [
                (name, row) for name, rows in zip(RELATIONS, found, strict=True) for row in rows
            ]
        else:
            touching = [name for name, kinds in RELATIONS.items() if end[0] in kinds]
            text = "; ".join(f"SELECT * FROM $end<->{name}" for name in touching)
            found = await self._connection.ask(text, end=_id(end[0], f"{game}/{end[1]}"))
            # An edge from a row to itself is met from both ends.
            unique = {
                str(row["id"]): (name, row)
                for name, rows in zip(touching, found, strict=True)
                for row in rows
            }
            named = list(unique.values())
        edges = [
            Relation(
                name=name,
                source_kind=row["in"].table_name,
                source_id=row["in"].id[1],
                target_kind=row["out"].table_name,
                target_id=row["out"].id[1],
                label=row["label"],
                confidence=row["confidence"],
            )
            for name, row in named
        ]
        return sorted(edges, key=lambda edge: (edge.name, edge.source_id, edge.target_id))

    def put(self, row: SurrealRow) -> None:
        """Writes a row; one of that key keeps its place in the order."""
        n = len(self._given)
        self._given[f"k{n}"] = _id(row.table, row.key)
        content = _content(row)
        self._given[f"c{n}"] = content
        fields = ", ".join(f"{name}: $c{n}.{name}" for name in content)
        # A row that was there keeps its place; a new one gets the next number, given at the commit.
        text = f"UPSERT $k{n} CONTENT {{ {fields}, seq: $k{n}.seq ?? $s{n} }} RETURN NONE"
        self._statements.append(text)
        self._fresh.append((row.table, n, row.key))

    def drop(self, table: str, key: str) -> None:
        """Forgets a row."""
        n = len(self._given)
        self._given[f"k{n}"] = _id(table, key)
        self._statements.append(f"DELETE $k{n} RETURN NONE")

    def drop_all(self, tables: Sequence[str], game: str) -> None:
        """Forgets every row of a game in these tables, or every edge of these names."""
        n = len(self._given)
        self._given[f"g{n}"] = game
        for table in tables:
            name = table if table in RELATIONS else _known(table)
            self._statements.append(f"DELETE {name} WHERE game = $g{n} RETURN NONE")

    def relate(self, game: str, edges: Sequence[Relation]) -> None:
        """Writes edges; the same edge again is replaced."""
        by_name: dict[str, list[dict[str, Any]]] = {}
        for edge in edges:
            digest = hashlib.sha256(
                canonical([game, edge.source_id, edge.target_id, edge.label]).encode()
            ).hexdigest()[:24]
            by_name.setdefault(edge.name, []).append(
                {
                    "id": _raw(edge.name, digest),
                    "in": _id(edge.source_kind, f"{game}/{edge.source_id}"),
                    "out": _id(edge.target_kind, f"{game}/{edge.target_id}"),
                    "game": game,
                    "label": edge.label,
                    "confidence": float(edge.confidence),
                }
            )
        for name, rows in by_name.items():
            n = len(self._given)
            self._given[f"old{n}"] = [row["id"] for row in rows]
            self._given[f"new{n}"] = rows
            self._statements.append(f"DELETE $old{n} RETURN NONE")
            self._statements.append(f"INSERT RELATION INTO {name} $new{n} RETURN NONE")

    async def commit(self) -> None:
        """All that was put, in one transaction."""
        if not self._statements:
            return
        for table, n, _ in self._fresh:
            self._given[f"s{n}"] = await self._next(table)
        await self._connection.ask(
            "BEGIN;\n" + ";\n".join(self._statements) + ";\nCOMMIT;", **self._given
        )

    async def _next(self, table: str) -> int:
        if table not in self._seq:
            (top,) = await self._connection.ask(
                f"SELECT VALUE seq FROM {_known(table)} ORDER BY seq DESC LIMIT 1"
            )
            self._seq[table] = top[0] if top else 0
        self._seq[table] += 1
        return self._seq[table]


def _passing(wrong: BaseException) -> bool:
    return isinstance(wrong, Unavailable) and wrong.passing


def _raw(table: str, key: Any) -> Any:
    from surrealdb import RecordID

    return RecordID(table, key)


def _id(table: str, key: str) -> Any:
    """A lore row's id is [game, slug], so that a person can write zone:['naev',
    'delta_polaris']."""
    return _raw(_known(table), key.split("/", 1) if table in KINDS else key)


def _key(id_: Any) -> str:
    return "/".join(id_) if isinstance(id_, list) else str(id_)


def _known(table: str) -> str:
    assert table in TABLES, table
    return table


def _content(row: SurrealRow) -> dict[str, Any]:
    meta: dict[str, Any] = {"game": row.game, "grp": row.grp, "state": row.state}
    if row.table not in KINDS:
        return meta | {"doc": canonical(row.doc)}
    fields = {
        name: value for name, value in row.doc.items() if value is not None and name not in BESIDE
    }
    meta["embedding_model"] = row.vector_model
    return fields | meta | ({"embedding": row.vector} if row.vector else {})


def _row(table: str, key: str, found: dict[str, Any]) -> SurrealRow:
    meta = {name: found.get(name, "") for name in ("game", "grp", "state")}
    if table not in KINDS:
        return SurrealRow(table=table, key=key, doc=json.loads(found["doc"]), **meta)
    doc = {name: value for name, value in found.items() if name not in BESIDE}
    doc["id"] = key.split("/", 1)[1]
    if table == "zone":
        doc["game"] = found["game"]
    for name in optional_fields(table):
        doc.setdefault(name, None)
    model = found.get("embedding_model", "")
    return SurrealRow(
        table=table,
        key=key,
        doc=doc,
        vector=bytes(found.get("embedding") or b""),
        vector_model=model,
        **meta,
    )
