"""SqliteMemories: the players' memory in one file. Each group has its own word index and its own
matrix of vectors."""

import sqlite3
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from freeform.adapters.sqlite.db import transaction
from freeform.adapters.sqlite.memory import rows as m
from freeform.adapters.sqlite.memory.file import MemoryFile
from freeform.adapters.sqlite.passages.rows import marks, match_any, terms
from freeform.language.words import word_class
from freeform.players.memory.ask_memory import figures
from freeform.players.memory.model import Belief, MemoryFact, RecallFigures, Rehearsal
from freeform.players.memory.ports import When
from freeform.retrieval.ports import Hit, Vector

if TYPE_CHECKING:
    from freeform.adapters.sqlite.memory.vectors import MemoryVectors

TEXT, AROUND = 1.0, 0.5
"""What a word in the fact itself counts, and one in its neighbours (chosen on two LoCoMo
conversations)."""
_MANY_SESSIONS = 40
SMALL = 5_000
"""Up to so many facts in a file every row with one of the words is ranked, at once and without a
thread."""


class SqliteMemories(MemoryFile):
    """The `MemoryStore` of one file. Structured questions are answered at once, searches on another
    thread."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._vectors: dict[tuple[str, int], tuple[int, MemoryVectors]] = {}
        self._asked: dict[tuple[object, ...], list[Hit]] = {}
        self._written: tuple[int, ...] = ()

    # Writing

    async def add(self, facts: Sequence[MemoryFact]) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            closed: list[str] = []
            fresh: dict[tuple[int, int], int] = {}
            with transaction(db, "immediate"):
                for fact in facts:
                    group = self._make_group(db, fact.group)
                    ended = m.place(db, fact, group)
                    if ended is not None:
                        closed += ended
                        fresh[group, fact.episode.session] = (
                            fresh.get((group, fact.episode.session), 0) + 1
                        )
                for (group, session), count in fresh.items():
                    m.index_words(db, group, session, count)
            return closed

        try:
            return await self._run(work)
        except BaseException:
            self._groups.clear()
            raise

    async def add_vectors(self, model: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        def work(db: sqlite3.Connection) -> None:
            held = m.numbers(db, [id for id, _ in vectors])
            rows = [(model, held[id], vector) for id, vector in vectors if id in held]
            with transaction(db, "immediate"):
                db.executemany("insert or replace into vectors values (?, ?, ?)", rows)
            self._grow(db, model, {no: vector for _, no, vector in rows})

        await self._run(work)

    async def rehearse(self, rehearsals: Sequence[Rehearsal]) -> None:
        def work(db: sqlite3.Connection) -> None:
            held = m.numbers(db, [r.fact_id for r in rehearsals])
            with transaction(db, "immediate"):
                db.executemany(
                    "insert or ignore into rehearsals values (?, ?, ?, ?, ?, ?)",
                    [
                        (r.agent, held[r.fact_id], r.day, r.no, r.how, r.session)
                        for r in rehearsals
                        if r.fact_id in held
                    ],
                )

        await self._run(work, brief=True)

    async def note(self, beliefs: Sequence[Belief]) -> None:
        def work(db: sqlite3.Connection) -> None:
            with transaction(db, "immediate"):
                m.note(db, beliefs)

        await self._run(work, brief=len(beliefs) < 100)

    # Structured questions

    async def get(self, ids: Sequence[str]) -> list[MemoryFact]:
        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            found: dict[str, MemoryFact] = {}
            for part in m.parts(ids):
                rows = db.execute(f"{m.SELECT} where f.id in ({marks(part)})", part)
                found |= {row[0]: m.fact_of(row) for row in rows}
            return [found[id] for id in ids if id in found]

        return await self._run(work, brief=True)

    async def in_sessions(
        self, groups: Sequence[str], first: int, last: int, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        then, values = m.at(when)
        start = "select f.importance, f.created_at, f.no from facts f indexed by facts_by_session where f.grp = ? and"
        best = "order by f.importance desc, f.created_at desc limit ?"

        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            found: list[tuple[float, float, int]] = []
            for group in self._numbers(db, groups):
                # Each session's best lie in the index in this very order; over many sessions one
                # sort is cheaper.
                spans = (
                    [(n, n) for n in range(first, last + 1)]
                    if last - first < _MANY_SESSIONS
                    else [(first, last)]
                )
                for low, high in spans:
                    one = low == high
                    sql = f"{start} f.session {'= ?' if one else 'between ? and ?'}{then} {best}"
                    found += db.execute(
                        sql, [group, *([low] if one else [low, high]), *values, most]
                    )
            return self._whole(db, [no for _, _, no in sorted(found, reverse=True)[:most]])

        return await self._run(work, brief=True)

    async def recent(
        self, groups: Sequence[str], since: float, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        then, values = m.at(when)
        sql = (
            "select f.created_at, f.no from facts f indexed by facts_by_day where f.grp = ? and f.created_at >= ?"
            f"{then} order by f.created_at desc, f.no desc limit ?"
        )

        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            found: list[tuple[float, int]] = []
            for group in self._numbers(db, groups):
                found += db.execute(sql, [group, since, *values, most])
            return self._whole(db, [no for _, no in sorted(found, reverse=True)[:most]])

        return await self._run(work, brief=True)

    async def as_of(
        self,
        groups: Sequence[str],
        when: When,
        subject: str = "",
        predicate: str = "",
        most: int = 100,
    ) -> list[MemoryFact]:
        then, values = m.at(when)
        about = [("subject", subject), ("predicate", predicate)]
        tests = "".join(f" and f.{name} = ?" for name, wanted in about if wanted)
        named = [wanted for _, wanted in about if wanted]
        index = {
            (True, True): "facts_by_subject",
            (True, False): "facts_of_subject",
            (False, True): "facts_by_predicate",
        }
        sql = (
            f"select f.created_at, f.no from facts f indexed by"
            f" {index.get((bool(subject), bool(predicate)), 'facts_by_day')} where f.grp = ?{tests}{then}"
            " order by f.created_at desc, f.no desc limit ?"
        )

        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            found: list[tuple[float, int]] = []
            for group in self._numbers(db, groups):
                found += db.execute(sql, [group, *named, *values, most])
            return self._whole(db, [no for _, no in sorted(found, reverse=True)[:most]])

        return await self._run(work, brief=True)

    async def similar(
        self, fact: MemoryFact, groups: Sequence[str], before: float, most: int = 8
    ) -> list[MemoryFact]:
        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            found: set[tuple[float, float, str, int]] = set()
            for group in self._numbers(db, groups):
                for index, name, value in (
                    ("facts_of_subject", "subject", fact.subject),
                    ("facts_by_predicate", "predicate", fact.predicate),
                ):
                    start = (
                        f"select abs(f.created_at - ?), f.created_at, f.id, f.no from facts f indexed by {index}"
                        f" where f.grp = ? and f.{name} = ? and f.id <> ? and f.created_at"
                    )
                    about = [fact.created_at, group, value, fact.id]
                    until = f"{start} <= ? order by f.created_at desc limit ?"
                    found |= set(db.execute(until, [*about, min(fact.created_at, before), most]))
                    later = f"{start} > ? and f.created_at <= ? order by f.created_at limit ?"
                    found |= set(db.execute(later, [*about, fact.created_at, before, most]))
            return self._whole(db, [row[3] for row in sorted(found)[:most]])

        return await self._run(work, brief=True)

    async def rehearsals(
        self, agent: str, fact_ids: Sequence[str], until: float | None = None
    ) -> dict[str, list[Rehearsal]]:
        def work(db: sqlite3.Connection) -> dict[str, list[Rehearsal]]:
            found: dict[str, list[Rehearsal]] = {}
            last = float("inf") if until is None else until
            for part in m.parts(fact_ids):
                sql = (
                    "select r.agent, f.id, r.day, r.no, r.how, r.session from facts f join rehearsals r"
                    f" on r.agent = ? and r.fact = f.no where f.id in ({marks(part)}) and r.day <= ?"
                    " order by r.day, r.no"
                )
                for row in db.execute(sql, [agent, *part, last]):
                    found.setdefault(row[1], []).append(m.rehearsal_of(row))
            return found

        return await self._run(work, brief=True)

    async def figures(self, agent: str) -> RecallFigures:
        sql = "select corruption_type, bin, n, sure, squared from recall_counts where agent = ?"
        return await self._run(
            lambda db: figures(agent, db.execute(sql, [agent]).fetchall()), brief=True
        )

    async def count(self, groups: Sequence[str]) -> int:
        def work(db: sqlite3.Connection) -> int:
            held = self._numbers(db, groups)
            return sum(
                db.execute("select count(*) from facts where grp = ?", [n]).fetchone()[0]
                for n in held
            )

        return await self._run(work)

    # Searching

    async def words(
        self, query: str, groups: Sequence[str], when: When | None = None, most: int = 50
    ) -> list[Hit]:
        def work(db: sqlite3.Connection) -> list[Hit]:
            if not (wanted := terms(query, keep=word_class("particles"))):
                return []
            small = self._is_small(db)
            found = [
                self._words_in(db, group, wanted, when, most, small)
                for group in self._numbers(db, groups)
            ]
            return sorted(
                (hit for hits in found for hit in hits), key=lambda hit: (-hit.score, hit.id)
            )[:most]

        return await self._run(work, brief=True, if_=self._is_small)

    async def near(
        self,
        vector: Vector,
        model: str,
        groups: Sequence[str],
        when: When | None = None,
        most: int = 50,
        beside: float = 0.0,
    ) -> list[Hit]:
        if find_spec("numpy") is None:
            return []

        def work(db: sqlite3.Connection) -> list[Hit]:
            best: list[tuple[float, str]] = []
            for group in self._numbers(db, groups):
                rows, wanted = self._matrix(db, model, group), 2 * most
                scores = rows.scores(vector, beside)
                while True:
                    found = rows.best(scores, wanted)
                    kept = self._then(db, [no for no, _ in found], when)
                    if len(kept) >= most or wanted >= len(scores):
                        break
                    wanted *= 4
                best += [(-round(score, 5), kept[no]) for no, score in found if no in kept]
            return [Hit(id=id, score=-worth) for worth, id in sorted(best)[:most]]

        return await self._run(work)

    async def without_vector(
        self, model: str, groups: Sequence[str], most: int
    ) -> list[MemoryFact]:
        def work(db: sqlite3.Connection) -> list[MemoryFact]:
            held = self._numbers(db, groups)
            sql = (
                f"{m.SELECT} where f.grp in ({marks(held)}) and not exists"
                " (select 1 from vectors v where v.model = ? and v.fact = f.no) order by f.no limit ?"
            )
            return [m.fact_of(row) for row in db.execute(sql, [*held, model, most])]

        return await self._run(work)

    # Below

    def _is_small(self, db: sqlite3.Connection) -> bool:
        """Whether a search takes less time than handing it to a thread."""
        return (db.execute("select max(no) from facts").fetchone()[0] or 0) <= SMALL

    def _words_in(
        self,
        db: sqlite3.Connection,
        group: int,
        wanted: Sequence[str],
        when: When | None,
        most: int,
        small: bool,
    ) -> list[Hit]:
        """One group's best by words. Kept until something is written: in a round several agents ask
        the same of one."""
        written = (db.total_changes, *db.execute("pragma data_version").fetchone())
        if written != self._written:
            self._asked.clear()
            self._written = written
        then, values = m.at(when)
        key = (group, *wanted, then, *values, most)
        if key not in self._asked:
            table = self._table(db, group)
            score = f"bm25({table}, {TEXT}, {AROUND})"
            sql = (
                f"select f.id, -{score} as score from {table} w join facts f on f.no = w.rowid"
                f" where w.{table} match ?{then} order by score desc limit ?"
            )
            match = match_any(wanted) if small else m.rarest(db, table, wanted)
            rows = db.execute(sql, [match, *values, most + 1])
            self._asked[key] = [Hit(id=id, score=round(worth, 6)) for id, worth in rows]
        return self._asked[key]

    def _matrix(self, db: sqlite3.Connection, model: str, group: int) -> "MemoryVectors":
        """A group's vectors in memory; read anew when another program wrote."""
        from freeform.adapters.sqlite.memory.vectors import MemoryVectors

        (version,) = db.execute("pragma data_version").fetchone()
        held = self._vectors.get((model, group))
        if held is None or held[0] != version:
            sql = (
                "select f.no, f.session, v.vector from facts f join vectors v on v.model = ? and v.fact = f.no"
                " where f.grp = ? order by f.no"
            )
            held = self._vectors[model, group] = (
                version,
                MemoryVectors(db.execute(sql, [model, group])),
            )
        return held[1]

    def _grow(self, db: sqlite3.Connection, model: str, fresh: dict[int, Vector]) -> None:
        """Puts new vectors behind those in memory; a group where one goes in between is read anew
        when it is asked."""
        rows: dict[int, list[tuple[int, int, bytes]]] = {}
        for part in m.parts(list(fresh)):
            sql = f"select grp, no, session from facts where no in ({marks(part)}) order by no"
            for group, no, session in db.execute(sql, part):
                rows.setdefault(group, []).append((no, session, fresh[no]))
        for group, new in rows.items():
            held = self._vectors.get((model, group))
            if held is not None and new[0][0] > held[1].last:
                held[1].add(new)
            else:
                self._vectors.pop((model, group), None)
