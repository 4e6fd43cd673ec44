"""GraphitiMemories: the players' memory as `Edge` nodes in Neo4j, FalkorDB or Kuzu, through Graphiti's drivers."""

import base64
from collections.abc import Sequence
from typing import Any

from freeform.adapters.graphiti.ranking import by_vector, by_words
from freeform.adapters.graphiti.schema import (
    FALKOR_INDEXES,
    FOREVER,
    INDEXES,
    KUZU_TABLES,
    MORE_INDEXES,
)
from freeform.core.errors import Unavailable
from freeform.core.record import canonical
from freeform.players.memory.ask_memory import figures_of_rows
from freeform.players.memory.model import Belief, MemoryFact, RecallFigures, Rehearsal
from freeform.players.memory.ports import When
from freeform.retrieval.ports import Hit, Vector

_GIVE = "RETURN e.record AS record, e.invalid_at AS invalid_at, e.expired_at AS expired_at, e.seq AS seq"


class GraphitiMemories:
    """The `MemoryStore` of one graph. Numbers and filters are the database's; words and vectors are ranked here."""

    def __init__(self, driver: Any, scope: str = "") -> None:
        """`driver` is one of Graphiti's. `scope` keeps parties in one graph apart: nothing of another is ever seen."""
        self._driver = driver
        self._scope = f"{scope}/" if scope else ""
        self._next = 0

    async def prepare(self) -> None:
        """Makes the indexes (for Kuzu, the tables) where they are not there yet."""
        provider = str(getattr(self._driver.provider, "value", self._driver.provider)).lower()
        self._next = 1
        for statement in {"kuzu": KUZU_TABLES, "falkordb": FALKOR_INDEXES}.get(
            provider, INDEXES + MORE_INDEXES
        ):
            await self._ask(statement)
        (row,) = await self._ask("MATCH (e:Edge) RETURN max(e.seq) AS seq") or [{"seq": None}]
        self._next = int(row["seq"] or 0) + 1

    async def close(self) -> None:
        """Lets go of the connection."""
        await self._driver.close()

    # Writing

    async def add(self, facts: Sequence[MemoryFact]) -> list[str]:
        closed: list[str] = []
        for fact in facts:
            if await self.get([fact.id]):
                continue
            if fact.source != "claim" and not fact.many:
                fact, ended = await self._settled(fact)
                closed += ended
            await self._ask(
                "CREATE (e:Edge {uuid: $uuid, agent_id: $agent_id, session_number: $session, days_elapsed: $created,"
                " valid_at: $valid, invalid_at: $invalid, expired_at: $expired, subject: $subject,"
                " predicate: $predicate, value: $value, fact: $fact, importance: $importance, corruption_type: '',"
                " original_uuid: $original, confidence: 1.0, source: $source, many: $many, seq: $seq, record: $record})",
                uuid=self._own(fact.id), agent_id=self._own(fact.group), session=fact.episode.session, created=fact.created_at,
                valid=fact.valid_at, invalid=_end(fact.invalid_at), expired=_end(fact.expired_at),
                subject=fact.subject, predicate=fact.predicate, value=fact.value, fact=fact.text,
                importance=fact.importance, original=fact.claim_of, source=fact.source, many=fact.many,
                seq=self._next, record=canonical(fact),
            )  # fmt: skip
            self._next += 1
        return closed

    async def _settled(self, fact: MemoryFact) -> tuple[MemoryFact, list[str]]:
        """Closes what the fact ends; the fact itself ends where something later begins."""
        others = await self._ask(
            "MATCH (e:Edge) WHERE e.agent_id = $agent_id AND e.subject = $subject AND e.predicate = $predicate"
            " AND e.value <> $value AND e.invalid_at >= $forever AND e.source <> 'claim' AND e.many = false"
            " RETURN e.uuid AS uuid, e.valid_at AS valid_at ORDER BY e.seq",
            agent_id=self._own(fact.group), subject=fact.subject, predicate=fact.predicate, value=fact.value,
            forever=FOREVER,
        )  # fmt: skip
        later = [row["valid_at"] for row in others if row["valid_at"] > fact.valid_at]
        ended = [row["uuid"] for row in others if row["valid_at"] <= fact.valid_at]
        if later and fact.invalid_at is None:
            fact = fact.model_copy(update={"invalid_at": min(later)})
        if ended:
            await self._ask(
                "MATCH (e:Edge) WHERE e.uuid IN $ids SET e.invalid_at = $invalid, e.expired_at = $expired",
                ids=ended, invalid=fact.valid_at, expired=fact.created_at,
            )  # fmt: skip
        return fact, [uuid.removeprefix(self._scope) for uuid in ended]

    async def add_vectors(self, model: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        groups = {fact.id: fact.group for fact in await self.get([id for id, _ in vectors])}
        for id, vector in vectors:
            if id in groups:
                await self._ask(
                    "MERGE (v:Embedding {uuid: $uuid}) SET v.model = $model, v.agent_id = $agent_id, v.fact = $fact,"
                    " v.vector = $vector",
                    uuid=self._own(f"{model}|{id}"), model=model, agent_id=self._own(groups[id]), fact=id,
                    vector=base64.b64encode(vector).decode(),
                )  # fmt: skip

    async def rehearse(self, rehearsals: Sequence[Rehearsal]) -> None:
        held = {fact.id for fact in await self.get([r.fact_id for r in rehearsals])}
        for r in rehearsals:
            if r.fact_id in held:
                await self._ask(
                    "MERGE (r:Rehearsal {uuid: $uuid}) SET r.agent = $agent, r.fact = $fact, r.day = $day, r.no = $no,"
                    " r.how = $how, r.session = $session",
                    uuid=self._own(f"{r.agent}|{r.fact_id}|{r.day}|{r.no}|{r.how}"), agent=self._own(r.agent), fact=r.fact_id,
                    day=r.day,
                    no=r.no, how=r.how, session=r.session,
                )  # fmt: skip

    async def note(self, beliefs: Sequence[Belief]) -> None:
        held = {fact.id for fact in await self.get([belief.fact_id for belief in beliefs])}
        for belief in beliefs:
            if belief.fact_id in held:
                await self._ask(
                    "MERGE (r:Recalled {uuid: $uuid}) SET r.agent = $agent, r.corruption_type = $error,"
                    " r.confidence = $confidence",
                    uuid=self._own(f"{belief.agent}|{belief.fact_id}"), agent=self._own(belief.agent),
                    error=belief.corruption_type or "", confidence=belief.confidence,
                )  # fmt: skip

    # Structured questions

    async def get(self, ids: Sequence[str]) -> list[MemoryFact]:
        if not ids:
            return []
        found = {
            fact.id: fact
            for fact in await self._facts("WHERE e.uuid IN $ids", ids=[self._own(id) for id in ids])
        }
        return [found[id] for id in ids if id in found]

    async def in_sessions(
        self, groups: Sequence[str], first: int, last: int, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        test, values = _at(when)
        return await self._facts(
            f"WHERE e.agent_id IN $groups AND e.session_number >= $first AND e.session_number <= $last{test}",
            f"ORDER BY e.importance DESC, e.days_elapsed DESC, e.seq DESC LIMIT {int(most)}",
            groups=groups, first=first, last=last, **values,
        )  # fmt: skip

    async def recent(
        self, groups: Sequence[str], since: float, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        test, values = _at(when)
        return await self._facts(
            f"WHERE e.agent_id IN $groups AND e.days_elapsed >= $since{test}",
            f"ORDER BY e.days_elapsed DESC, e.seq DESC LIMIT {int(most)}",
            groups=groups, since=float(since), **values,
        )  # fmt: skip

    async def as_of(
        self,
        groups: Sequence[str],
        when: When,
        subject: str = "",
        predicate: str = "",
        most: int = 100,
    ) -> list[MemoryFact]:
        test, values = _at(when)
        for name, wanted in (("subject", subject), ("predicate", predicate)):
            if wanted:
                test, values = f"{test} AND e.{name} = ${name}", {**values, name: wanted}
        order = f"ORDER BY e.days_elapsed DESC, e.seq DESC LIMIT {int(most)}"
        return await self._facts(
            f"WHERE e.agent_id IN $groups{test}", order, groups=groups, **values
        )

    async def similar(
        self, fact: MemoryFact, groups: Sequence[str], before: float, most: int = 8
    ) -> list[MemoryFact]:
        found = await self._facts(
            "WHERE e.agent_id IN $groups AND (e.subject = $subject OR e.predicate = $predicate) AND e.uuid <> $uuid"
            " AND e.days_elapsed <= $before",
            groups=groups, subject=fact.subject, predicate=fact.predicate, uuid=self._own(fact.id),
            before=float(before),
        )  # fmt: skip
        return sorted(
            found, key=lambda f: (abs(f.created_at - fact.created_at), f.created_at, f.id)
        )[:most]

    async def rehearsals(
        self, agent: str, fact_ids: Sequence[str], until: float | None = None
    ) -> dict[str, list[Rehearsal]]:
        rows = await self._ask(
            "MATCH (r:Rehearsal) WHERE r.agent = $agent AND r.fact IN $ids AND r.day <= $until RETURN"
            " r.fact AS fact_id, r.day AS day, r.no AS no, r.how AS how, r.session AS session ORDER BY r.day, r.no",
            agent=self._own(agent), ids=list(fact_ids), until=FOREVER if until is None else float(until),
        )  # fmt: skip
        found: dict[str, list[Rehearsal]] = {}
        for row in rows:
            found.setdefault(row["fact_id"], []).append(
                Rehearsal.model_validate({"agent": agent, **row})
            )
        return found

    async def figures(self, agent: str) -> RecallFigures:
        rows = await self._ask(
            "MATCH (r:Recalled) WHERE r.agent = $agent RETURN r.corruption_type AS error, r.confidence AS sure",
            agent=self._own(agent),
        )
        return figures_of_rows(agent, [(row["error"], row["sure"]) for row in rows])

    async def count(self, groups: Sequence[str]) -> int:
        rows = await self._ask(
            "MATCH (e:Edge) WHERE e.agent_id IN $groups RETURN count(e) AS n",
            groups=[self._own(g) for g in groups],
        )
        return int(rows[0]["n"]) if rows else 0

    # Searching

    async def words(
        self, query: str, groups: Sequence[str], when: When | None = None, most: int = 50
    ) -> list[Hit]:
        hits: list[Hit] = []
        for group in dict.fromkeys(groups):
            facts = await self._facts(
                "WHERE e.agent_id = $owner", "ORDER BY e.seq", owner=self._own(group)
            )
            scores = by_words(query, [f.text for f in facts], [f.episode.session for f in facts])
            hits += [
                Hit(id=fact.id, score=round(score, 6))
                for fact, score in zip(facts, scores, strict=True)
                if score > 0 and _counts(fact, when)
            ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:most]

    async def near(
        self,
        vector: Vector,
        model: str,
        groups: Sequence[str],
        when: When | None = None,
        most: int = 50,
        beside: float = 0.0,
    ) -> list[Hit]:
        hits: list[Hit] = []
        for group in dict.fromkeys(groups):
            rows = await self._ask(
                "MATCH (v:Embedding) WHERE v.model = $model AND v.agent_id = $owner RETURN v.fact AS fact,"
                " v.vector AS vector",
                model=model, owner=self._own(group),
            )  # fmt: skip
            held = {row["fact"]: base64.b64decode(row["vector"]) for row in rows}
            facts = await self._facts(
                "WHERE e.agent_id = $owner", "ORDER BY e.seq", owner=self._own(group)
            )
            facts = [
                fact for fact in facts if fact.id in held and len(held[fact.id]) == len(vector)
            ]
            sessions = [fact.episode.session for fact in facts]
            scores = by_vector(vector, [held[fact.id] for fact in facts], sessions, beside)
            hits += [
                Hit(id=fact.id, score=round(score, 5))
                for fact, score in zip(facts, scores, strict=True)
                if _counts(fact, when)
            ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:most]

    async def without_vector(
        self, model: str, groups: Sequence[str], most: int
    ) -> list[MemoryFact]:
        rows = await self._ask(
            "MATCH (v:Embedding) WHERE v.model = $model AND v.agent_id IN $groups RETURN v.fact AS fact",
            model=model, groups=[self._own(group) for group in groups],
        )  # fmt: skip
        held = {row["fact"] for row in rows}
        facts = await self._facts("WHERE e.agent_id IN $groups", "ORDER BY e.seq", groups=groups)
        return [fact for fact in facts if fact.id not in held][:most]

    # Below

    async def _facts(self, where: str, order: str = "", **values: Any) -> list[MemoryFact]:
        if "groups" in values:
            values["groups"] = [self._own(group) for group in values["groups"]]
            if not values["groups"]:
                return []
        rows = await self._ask(f"MATCH (e:Edge) {where} {_GIVE} {order}", **values)
        return [_fact(row) for row in rows]

    def _own(self, name: str) -> str:
        return self._scope + name

    async def _ask(self, cypher: str, **values: Any) -> list[dict[str, Any]]:
        """The rows of a statement. Whatever a driver raises means that the graph cannot be asked just now."""
        if not self._next:
            await self.prepare()
        failures: tuple[type[Exception], ...] = (OSError, RuntimeError, *_driver_errors())
        try:
            result = await self._driver.execute_query(cypher, **values)
        except failures as wrong:
            raise Unavailable(
                f"the memory graph does not answer ({wrong}); check its address and that it runs"
            ) from wrong
        rows = result[0] if result else []
        return [dict(row) for row in rows]


def _driver_errors() -> tuple[type[Exception], ...]:
    """What the drivers that are installed raise."""
    found: list[type[Exception]] = []
    try:
        from neo4j.exceptions import DriverError, Neo4jError

        found += [DriverError, Neo4jError]
    except ImportError:
        pass
    try:
        from redis.exceptions import RedisError

        found.append(RedisError)
    except ImportError:
        pass
    return tuple(found)


def _fact(row: dict[str, Any]) -> MemoryFact:
    ends = {
        name: None if row[name] >= FOREVER else row[name] for name in ("invalid_at", "expired_at")
    }
    return MemoryFact.model_validate_json(row["record"]).model_copy(update=ends)


def _end(day: float | None) -> float:
    return FOREVER if day is None else float(day)


def _at(when: When | None) -> tuple[str, dict[str, Any]]:
    test, values = "", dict[str, Any]()
    if when is not None and when.known_at is not None:
        test += " AND e.days_elapsed <= $known AND e.expired_at > $known"
        values["known"] = float(when.known_at)
    if when is not None and when.valid_at is not None:
        test += " AND e.valid_at <= $held AND e.invalid_at > $held"
        values["held"] = float(when.valid_at)
    return test, values


def _counts(fact: MemoryFact, when: When | None) -> bool:
    def within(day: float | None, start: float, end: float | None) -> bool:
        return day is None or (start <= day and (end is None or day < end))

    return when is None or (
        within(when.known_at, fact.created_at, fact.expired_at)
        and within(when.valid_at, fact.valid_at, fact.invalid_at)
    )
