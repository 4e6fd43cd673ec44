"""The graph's half of the store: rows of the five tables, RELATE edges, the ledger of claims, and
what is near."""

import hashlib
from collections.abc import Sequence
from typing import Any

from freeform.adapters.surreal.rows import SurrealRow, SurrealRows, Transaction
from freeform.adapters.surreal.schema import RELATIONS
from freeform.core.errors import Unavailable
from freeform.lore.judge.row_search import nearest
from freeform.lore.judge.rows import (
    claim_key,
    folded,
    in_place,
    merged,
    rows_of,
    text_of,
)
from freeform.lore.model import KINDS, Claim, Kind, LoreGraph, NodeRow, Relation, ResearchPackage
from freeform.retrieval.ports import Embedder, Vector

Ready = dict[tuple[Kind, str], tuple[str, Vector]]
"""A row's text and its vector."""


class SurrealGraph:
    """What was accepted. Embeds what it writes where it has an embedder (D8)."""

    def __init__(self, rows: SurrealRows, embedder: Embedder | None = None) -> None:
        self._rows, self._embedder = rows, embedder

    async def _embedded(self, game: str, package: ResearchPackage) -> Ready:
        """Vectors of the rows as they will stand. Made before the transaction begins: it must not
        wait for a model."""
        if self._embedder is None:
            return {}

        async def work(tx: Transaction) -> list[tuple[Kind, str, str]]:
            rows = [await _as_it_will_stand(tx, game, row) for row in rows_of(package)]
            return [(row.kind, row.id, text_of(row)) for row in rows]

        wanted = await self._rows.run(work)
        try:
            vectors = await self._embedder.embed([text for _, _, text in wanted])
        except Unavailable:
            # Words still find the rows; the next write of them embeds them.
            return {}
        return {
            (kind, id_): (text, vector)
            for (kind, id_, text), vector in zip(wanted, vectors, strict=True)
        }

    async def _write_graph(
        self, tx: Transaction, game: str, package: ResearchPackage, ready: Ready
    ) -> None:
        for row in rows_of(package):
            whole = await _as_it_will_stand(tx, game, row)
            text, vector = ready.get((row.kind, row.id), ("", b""))
            fits = bool(vector) and text == text_of(whole)
            tx.put(self._row(game, whole, vector if fits else b""))
        held = {_identity(edge): edge for edge in await tx.edges(game)} if package.relations else {}
        fresh: dict[tuple[str, ...], Relation] = {}
        for edge in package.relations:
            before = fresh.get(_identity(edge)) or held.get(_identity(edge))
            surer = max(edge.confidence, before.confidence) if before else edge.confidence
            fresh[_identity(edge)] = edge.model_copy(update={"confidence": surer})
        tx.relate(game, list(fresh.values()))
        for claim in package.claims:
            digest = _digest(game, claim)
            if await tx.get("claim", digest) is None:
                doc = claim.model_dump(mode="json")
                tx.put(
                    SurrealRow(table="claim", key=digest, game=game, grp=claim.subject_id, doc=doc)
                )
        key = node_key(game, package.zone_data.id)
        tx.put(SurrealRow(table="package", key=key, game=game, doc=package.model_dump(mode="json")))

    async def _write_anew(
        self, tx: Transaction, game: str, new: list[ResearchPackage], ready: Ready
    ) -> None:
        """Packages in place of those of their zones; rows, edges and ledger made again from all."""
        held = [
            ResearchPackage.model_validate(row.doc) for row in await tx.find("package", game=game)
        ]
        packages = in_place(held, new)
        before = {(kind, row.key): row for kind in KINDS for row in await tx.find(kind, game=game)}
        tx.drop_all([*KINDS, *RELATIONS, "claim"], game)
        for row in folded(packages):
            text, vector = ready.get((row.kind, row.id), ("", b""))
            old = before.get((row.kind, node_key(game, row.id)))
            fits = bool(vector) and text == text_of(row)
            if not fits and old and old.vector and text_of(_node(row.kind, old)) == text_of(row):
                vector, fits = old.vector, True
            tx.put(self._row(game, row, vector if fits else b""))
        edges: dict[tuple[str, ...], Relation] = {}
        claims: dict[str, Claim] = {}
        for package in packages:
            for edge in package.relations:
                same = edges.get(_identity(edge))
                if same is None or same.confidence < edge.confidence:
                    edges[_identity(edge)] = edge
            claims |= {_digest(game, claim): claim for claim in package.claims}
        tx.relate(game, list(edges.values()))
        for digest, claim in claims.items():
            doc = claim.model_dump(mode="json")
            tx.put(SurrealRow(table="claim", key=digest, game=game, grp=claim.subject_id, doc=doc))
        for package in new:
            key, doc = node_key(game, package.zone_data.id), package.model_dump(mode="json")
            tx.put(SurrealRow(table="package", key=key, game=game, doc=doc))

    def _row(self, game: str, row: NodeRow, vector: Vector) -> SurrealRow:
        return SurrealRow(
            table=row.kind,
            key=node_key(game, row.id),
            game=game,
            grp=str(row.data.get("zone_id") or ""),
            doc=row.data,
            vector=vector,
            vector_model=self._embedder.name if vector and self._embedder else "",
        )

    async def graph(self, game: str, zone_id: str = "") -> LoreGraph:
        """All of a game, or a zone with all it touches and what those touch among themselves."""

        async def work(tx: Transaction) -> tuple[list[Relation], list[Relation]]:
            touching = await tx.edges(game, ("zone", zone_id)) if zone_id else []
            return touching, await tx.edges(game)

        touching, edges = await self._rows.run(work)
        nodes = await self.rows(game)
        if zone_id:
            near: set[tuple[str, str]] = {("zone", zone_id)}
            near |= {(edge.source_kind, edge.source_id) for edge in touching}
            near |= {(edge.target_kind, edge.target_id) for edge in touching}
            zone = next((node for node in nodes if (node.kind, node.id) == ("zone", zone_id)), None)
            near |= (
                {("faction", id_) for id_ in zone.data.get("faction_ids") or []} if zone else set()
            )
            nodes = [node for node in nodes if (node.kind, node.id) in near]
            edges = [
                e
                for e in edges
                if {(e.source_kind, e.source_id), (e.target_kind, e.target_id)} <= near
            ]
        return LoreGraph(nodes=nodes, edges=edges)

    async def rows(self, game: str, kind: Kind | None = None) -> list[NodeRow]:
        """Rows by table and id."""
        found = [
            _node(table, row)
            for table in ([kind] if kind else KINDS)
            for row in await self._find(table, game=game)
        ]
        return sorted(found, key=lambda node: (node.kind, node.id))

    async def claims(self, game: str, subject_id: str = "") -> list[Claim]:
        """The ledger, in the order it was written."""
        return [
            Claim.model_validate(row.doc)
            for row in await self._find("claim", game=game, grp=subject_id)
        ]

    async def package(self, game: str, zone_id: str) -> ResearchPackage | None:
        """The accepted package of a zone."""
        row = await self._get("package", node_key(game, zone_id))
        return ResearchPackage.model_validate(row.doc) if row else None

    async def near(self, game: str, text: str, limit: int = 10) -> list[NodeRow]:
        """Nearest in meaning; by words where there is no embedder, or for rows without a vector of
        its model."""
        rows = [
            (_node(kind, row), row) for kind in KINDS for row in await self._find(kind, game=game)
        ]
        name = self._embedder.name if self._embedder else ""
        asked = b""
        if self._embedder and any(row.vector_model == name for _, row in rows):
            (asked,) = await self._embedder.embed([text])
        vectors = {
            (node.kind, node.id): row.vector for node, row in rows if row.vector_model == name
        }
        return nearest(text, asked, [node for node, _ in rows], vectors)[:limit]

    async def _get(self, table: str, key: str) -> SurrealRow | None:
        async def work(tx: Transaction) -> SurrealRow | None:
            return await tx.get(table, key)

        return await self._rows.run(work)

    async def _find(self, table: str, **filters: Any) -> Sequence[SurrealRow]:
        async def work(tx: Transaction) -> list[SurrealRow]:
            return await tx.find(table, **filters)

        return await self._rows.run(work)


def node_key(game: str, id_: str) -> str:
    """The key of a row of the five tables: two games may each have a zone of that name."""
    return f"{game}/{id_}"


async def _as_it_will_stand(tx: Transaction, game: str, row: NodeRow) -> NodeRow:
    held = await tx.get(row.kind, node_key(game, row.id))
    return merged(_node(row.kind, held), row) if held else row


def _digest(game: str, claim: Claim) -> str:
    return hashlib.sha256(f"{game}\n{claim_key(claim)}".encode()).hexdigest()[:32]


def _identity(edge: Relation) -> tuple[str, ...]:
    return edge.name, edge.source_id, edge.target_id, edge.label


def _node(kind: Kind, row: SurrealRow) -> NodeRow:
    doc = row.doc
    name = str(doc.get("name") or doc.get("title") or doc["id"])
    confidence = float(doc.get("confidence") or 0)
    return NodeRow(
        kind=kind, id=str(doc["id"]), name=name, game=row.game, confidence=confidence, data=doc
    )
