"""The five tables and eight relations in SQLite: writing a package, reading the graph, finding rows
by meaning."""

import hashlib
import sqlite3
from array import array
from collections.abc import Mapping

from freeform.language.words import telling_words
from freeform.lore.judge.rows import (
    claim_key,
    in_place,
    merged,
    rows_of,
    text_of,
)
from freeform.lore.model import Claim, Kind, LoreGraph, NodeRow, Relation, ResearchPackage
from freeform.retrieval.ports import Vector


def write(
    db: sqlite3.Connection,
    game: str,
    package: ResearchPackage,
    vectors: Mapping[tuple[str, str], Vector],
    embedder: str,
) -> None:
    """All of an accepted package; rows that are there are merged."""
    for row in rows_of(package):
        old = db.execute(
            "select body from nodes where game = ? and kind = ? and id = ?",
            (game, row.kind, row.id),
        ).fetchone()
        if old:
            row = merged(NodeRow.model_validate_json(old[0]), row)
        db.execute(
            "insert or replace into nodes (game, kind, id, body, said, vector, embedder) values (?, ?, ?, ?, ?, ?, ?)",
            (
                game,
                row.kind,
                row.id,
                row.model_dump_json(),
                text_of(row),
                vectors.get((row.kind, row.id)),
                embedder,
            ),
        )
    for edge in package.relations:
        db.execute(
            "insert into edges values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update"
            " set confidence = max(confidence, excluded.confidence)",
            (
                game, edge.name, edge.source_kind, edge.source_id, edge.target_kind, edge.target_id, edge.label,
                edge.confidence,
            ),
        )  # fmt: skip
    for claim in package.claims:
        db.execute(
            "insert or ignore into claims (game, id, subject_id, body) values (?, ?, ?, ?)",
            (
                game, hashlib.sha256(claim_key(claim).encode()).hexdigest()[:32], claim.subject_id,
                claim.model_dump_json(),
            ),
        )  # fmt: skip
    db.execute(
        "insert or replace into packages (game, zone_id, body) values (?, ?, ?)",
        (game, package.zone_data.id, package.model_dump_json()),
    )


def write_anew(
    db: sqlite3.Connection,
    game: str,
    packages: list[ResearchPackage],
    vectors: Mapping[tuple[str, str], Vector],
    embedder: str,
) -> None:
    """Packages in place of those of their zones; rows, edges and ledger made again from all."""
    found = db.execute("select body from packages where game = ?", (game,)).fetchall()
    held = [ResearchPackage.model_validate_json(body) for (body,) in found]
    kept: dict[tuple[str, str], tuple[str, Vector]] = {
        (kind, id): (said, vector)
        for kind, id, said, vector in db.execute(
            "select kind, id, said, vector from nodes where game = ? and embedder = ?",
            (game, embedder),
        ).fetchall()
    }
    for table in ("nodes", "edges", "claims"):
        db.execute(f"delete from {table} where game = ?", (game,))
    for package in in_place(held, packages):
        write(db, game, package, vectors, embedder)
    for (kind, id), (said, vector) in kept.items():
        # A vector is of a text: a row that reads otherwise now is found by its words.
        db.execute(
            "update nodes set vector = ? where game = ? and kind = ? and id = ? and said = ?"
            " and vector is null",
            (vector, game, kind, id, said),
        )


def read(db: sqlite3.Connection, game: str, zone_id: str = "") -> LoreGraph:
    """The whole graph of a game, or a zone with all it touches and what those touch among
    themselves."""
    found = db.execute(
        "select name, source_kind, source_id, target_kind, target_id, label, confidence from edges where game = ?"
        " order by name, source_id, target_id, label",
        (game,),
    ).fetchall()
    edges = [
        Relation(
            name=name, source_kind=sk, source_id=sid, target_kind=tk, target_id=tid, label=label, confidence=confidence
        )
        for name, sk, sid, tk, tid, label, confidence in found
    ]  # fmt: skip
    nodes = rows(db, game, None)
    if zone_id:
        near: set[tuple[str, str]] = {("zone", zone_id)}
        for edge in edges:
            ends = {(edge.source_kind, edge.source_id), (edge.target_kind, edge.target_id)}
            if ("zone", zone_id) in ends:
                near |= ends
        zone = next((n for n in nodes if n.kind == "zone" and n.id == zone_id), None)
        near |= {("faction", id) for id in (zone.data.get("faction_ids") or [])} if zone else set()
        nodes = [node for node in nodes if (node.kind, node.id) in near]
        edges = [
            e
            for e in edges
            if (e.source_kind, e.source_id) in near and (e.target_kind, e.target_id) in near
        ]
    return LoreGraph(nodes=nodes, edges=edges)


def rows(db: sqlite3.Connection, game: str, kind: Kind | None) -> list[NodeRow]:
    """Rows of one table or of all."""
    found = db.execute(
        "select body from nodes where game = ? and ? in ('', kind) order by kind, id",
        (game, kind or ""),
    ).fetchall()
    return [NodeRow.model_validate_json(body) for (body,) in found]


def claims(db: sqlite3.Connection, game: str, subject_id: str) -> list[Claim]:
    """The ledger, in the order it was written."""
    found = db.execute(
        "select body from claims where game = ? and ? in ('', subject_id) order by seq",
        (game, subject_id),
    ).fetchall()
    return [Claim.model_validate_json(body) for (body,) in found]


def near(
    db: sqlite3.Connection, game: str, text: str, vector: Vector | None, embedder: str, limit: int
) -> list[NodeRow]:
    """By vectors of the same embedder, else by shared words."""
    found = db.execute(
        "select body, said, vector, embedder from nodes where game = ?", (game,)
    ).fetchall()
    wanted = set(telling_words(text))
    asked = _numbers(vector) if vector else None

    def score(row: tuple[str, str, bytes | None, str]) -> float:
        _, said, stored, name = row
        shared = len(wanted & set(telling_words(said))) / max(1, len(wanted))
        if asked is None or stored is None or name != embedder:
            return shared
        return sum(a * b for a, b in zip(asked, _numbers(stored), strict=True)) + shared

    ranked = sorted(((score(row), row[0]) for row in found), key=lambda pair: (-pair[0], pair[1]))
    return [NodeRow.model_validate_json(body) for value, body in ranked[:limit] if value > 0]


def _numbers(vector: bytes) -> "array[float]":
    numbers = array("f")
    numbers.frombytes(vector)
    return numbers
