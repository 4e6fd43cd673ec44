"""SqliteLore: the default store of the lore researcher. One file, one transaction for each step."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from freeform.adapters.sqlite.db import BUSY_MS, plainly, statements, transaction
from freeform.adapters.sqlite.lore import graph as graph_rows
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.core.record import canonical
from freeform.lore.budget import check_reservation
from freeform.lore.daemon.checkpoint import read_checkpoint
from freeform.lore.daemon.decisions import answered, response_to
from freeform.lore.judge.rows import rows_of, text_of
from freeform.lore.messages import DeadLetter, Decision, MessageEnvelope
from freeform.lore.model import Claim, Kind, LoreGraph, NodeRow, ResearchCheckpoint, ResearchPackage
from freeform.lore.ports import JUDGES, Reservation, Spend, StepCommit, WebPage
from freeform.retrieval.ports import Embedder, Vector


class SqliteLore:
    """The `LoreStore` in one file, shared by the researcher, the validator and the desk."""

    def __init__(self, path: Path, embedder: Embedder | None = None) -> None:
        self._path, self._embedder, self._lock = path, embedder, threading.RLock()
        with plainly(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000
            )
            # A killed process loses nothing it was told is saved; see db.py.
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            _migrate(self._db)

    async def commit_step(self, commit: StepCommit) -> bool:
        vectors = await self._embed(commit)
        with self._writing() as db:
            if db.execute("select 1 from steps where key = ?", (commit.key,)).fetchone():
                return False
            _check_judged(db, commit)
            self._write_step(db, commit)
            for envelope in commit.messages:
                db.execute(
                    "insert or ignore into outbox (message_id, agent, body) values (?, ?, ?)",
                    (envelope.message_id, envelope.source_agent, envelope.model_dump_json()),
                )
            if commit.consumed:
                db.execute("update inbox set done = 1 where message_id = ?", (commit.consumed,))
            for decision in commit.decisions:
                db.execute(
                    "insert or ignore into decisions (decision_id, game, body) values (?, ?, ?)",
                    (decision.decision_id, decision.game, decision.model_dump_json()),
                )
            if commit.checkpoint:
                self._write_checkpoint(db, commit.game, commit.checkpoint)
            if commit.graph:
                name = self._embedder.name if self._embedder else ""
                packages = [commit.graph.package, *commit.graph.also]
                if commit.graph.anew:
                    graph_rows.write_anew(db, commit.game, packages, vectors, name)
                else:
                    graph_rows.write(db, commit.game, commit.graph.package, vectors, name)
            return True

    async def _embed(self, commit: StepCommit) -> dict[tuple[str, str], Vector]:
        if not commit.graph or not self._embedder:
            return {}
        packages = [commit.graph.package, *commit.graph.also]
        rows = [row for package in packages for row in rows_of(package)]
        vectors = await self._embedder.embed([text_of(row) for row in rows])
        return {(row.kind, row.id): vector for row, vector in zip(rows, vectors, strict=True)}

    @staticmethod
    def _write_step(db: sqlite3.Connection, commit: StepCommit) -> None:
        db.execute(
            "insert into steps (key, agent, game, zone_name, step, name, result, spend, consumed, at)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                commit.key, commit.agent, commit.game, commit.zone_name, commit.step, commit.name,
                canonical(commit.result), canonical(commit.spend), commit.consumed, commit.at,
            ),
        )  # fmt: skip

    @staticmethod
    def _write_checkpoint(db: sqlite3.Connection, game: str, point: ResearchCheckpoint) -> None:
        row = db.execute("select sequence from checkpoints where game = ?", (game,)).fetchone()
        have = row[0] if row else 0
        if point.sequence != have + 1:
            raise Conflict(
                f"another researcher works on '{game}' (it is at {have}, this one at {point.sequence - 1}); stop one of them"
            )
        (touched,) = db.execute("select coalesce(max(touched), 0) + 1 from checkpoints").fetchone()
        db.execute(
            "insert into checkpoints (game, sequence, body, touched) values (?, ?, ?, ?) on conflict (game) do update"
            " set sequence = excluded.sequence, body = excluded.body, touched = excluded.touched",
            (game, point.sequence, point.model_dump_json(), touched),
        )

    async def steps_done(self, game: str) -> list[StepCommit]:
        with self._reading() as db:
            rows = db.execute(
                "select key, agent, game, zone_name, step, name, result, spend, consumed, at from steps"
                " where game = ? order by seq", (game,)
            ).fetchall()  # fmt: skip
        return [
            StepCommit(
                key=key, agent=agent, game=of, zone_name=zone, step=step, name=name, result=json.loads(result),
                spend=Spend.model_validate_json(spend), consumed=consumed, at=at,
            )
            for key, agent, of, zone, step, name, result, spend, consumed, at in rows
        ]  # fmt: skip

    async def load_checkpoint(self, game: str) -> ResearchCheckpoint | None:
        with self._reading() as db:
            row = db.execute("select body from checkpoints where game = ?", (game,)).fetchone()
        return read_checkpoint(json.loads(row[0]), game) if row else None

    async def games(self) -> list[str]:
        with self._reading() as db:
            return [
                game for (game,) in db.execute("select game from checkpoints order by touched desc")
            ]

    async def put_page(self, game: str, page: WebPage) -> None:
        with self._writing() as db:
            db.execute(
                "insert or ignore into pages (game, url, sha256, body) values (?, ?, ?, ?)",
                (game, page.url, page.sha256, page.model_dump_json()),
            )
            for asked in {page.url, page.asked_url or page.url}:
                db.execute(
                    "insert into addresses (game, asked, url, sha256) values (?, ?, ?, ?) on conflict (game, asked)"
                    " do update set url = excluded.url, sha256 = excluded.sha256",
                    (game, asked, page.url, page.sha256),
                )

    async def page(self, game: str, url: str, sha256: str = "") -> WebPage | None:
        with self._reading() as db:
            if not sha256:
                found = db.execute(
                    "select url, sha256 from addresses where game = ? and asked = ?", (game, url)
                ).fetchone()
                if not found:
                    return None
                url, sha256 = found
            row = db.execute(
                "select body from pages where game = ? and url = ? and sha256 = ?",
                (game, url, sha256),
            ).fetchone()
        return WebPage.model_validate_json(row[0]) if row else None

    async def reserve(
        self, reservation: Reservation, *, per_cycle: int, per_day: int
    ) -> Reservation:
        with self._writing() as db:
            row = db.execute(
                "select game, day, cycle, tokens, settled, answer from reservations where key = ?",
                (reservation.key,),
            ).fetchone()
            if row and row[4]:
                game, day, cycle, tokens, _, answer = row
                return Reservation(
                    key=reservation.key,
                    game=game,
                    day=day,
                    cycle=cycle,
                    tokens=tokens,
                    settled=True,
                    answer=answer,
                )
            new, game = reservation, reservation.game
            others = "select coalesce(sum(tokens), 0) from reservations where key <> ? and game = ?"
            (day_used,) = db.execute(f"{others} and day = ?", (new.key, game, new.day)).fetchone()
            (cycle_used,) = db.execute(
                f"{others} and cycle = ?", (new.key, game, new.cycle)
            ).fetchone()
            check_reservation(
                new, day_used=day_used, cycle_used=cycle_used, per_day=per_day, per_cycle=per_cycle
            )
            db.execute(
                "insert or replace into reservations (key, game, day, cycle, tokens) values (?, ?, ?, ?, ?)",
                (new.key, game, new.day, new.cycle, new.tokens),
            )
        return reservation

    async def settle(self, key: str, tokens: int, answer: str = "") -> None:
        with self._writing() as db:
            db.execute(
                "update reservations set tokens = ?, answer = ?, settled = 1 where key = ? and not settled",
                (tokens, answer, key),
            )

    async def release(self, key: str) -> None:
        with self._writing() as db:
            db.execute("delete from reservations where key = ? and not settled", (key,))

    async def spent(self, game: str, day: str = "", cycle: int | None = None) -> int:
        with self._reading() as db:
            (total,) = db.execute(
                "select coalesce(sum(tokens), 0) from reservations where game = :game and (:day = '' or day = :day)"
                " and (:cycle is null or cycle = :cycle)",
                {"game": game, "day": day, "cycle": cycle},
            ).fetchone()
        return int(total)

    async def unsent(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        return self._messages(
            "select body from outbox where agent = ? and not sent order by seq limit ?",
            agent,
            limit,
        )

    async def mark_sent(self, message_id: str) -> None:
        with self._writing() as db:
            db.execute("update outbox set sent = 1 where message_id = ?", (message_id,))

    async def accept(self, envelope: MessageEnvelope) -> bool:
        with self._writing() as db:
            return _into_inbox(db, envelope)

    async def waiting(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        return self._messages(
            "select body from inbox where agent = ? and not done order by seq limit ?", agent, limit
        )

    def _messages(self, query: str, agent: str, limit: int) -> list[MessageEnvelope]:
        with self._reading() as db:
            rows = db.execute(query, (agent, limit)).fetchall()
        return [MessageEnvelope.model_validate_json(body) for (body,) in rows]

    async def bury(self, letter: DeadLetter) -> None:
        with self._writing() as db:
            db.execute(
                "insert or ignore into dead_letters (id, body) values (?, ?)",
                (letter.id, letter.model_dump_json()),
            )

    async def dead_letters(self) -> list[DeadLetter]:
        with self._reading() as db:
            rows = db.execute("select body from dead_letters order by seq").fetchall()
        return [DeadLetter.model_validate_json(body) for (body,) in rows]

    async def decisions(self, game: str = "", open_only: bool = False) -> list[Decision]:
        with self._reading() as db:
            rows = db.execute(
                "select body from decisions where ? in ('', game) order by seq", (game,)
            ).fetchall()
        found = [Decision.model_validate_json(body) for (body,) in rows]
        return [decision for decision in found if decision.open or not open_only]

    async def answer(self, decision_id: str, choice: str, *, by: str, at: str) -> Decision:
        with self._writing() as db:
            row = db.execute(
                "select body from decisions where decision_id = ?", (decision_id,)
            ).fetchone()
            if not row:
                raise NotFound(
                    f"no decision '{decision_id}' waits; `freeform-rpg lore inbox` lists those that do"
                )
            before = Decision.model_validate_json(row[0])
            after = answered(before, choice, by, at)
            if after != before:
                db.execute(
                    "update decisions set body = ? where decision_id = ?",
                    (after.model_dump_json(), decision_id),
                )
                _into_inbox(db, response_to(after))
        return after

    async def graph(self, game: str, zone_id: str = "") -> LoreGraph:
        with self._reading() as db:
            return graph_rows.read(db, game, zone_id)

    async def rows(self, game: str, kind: Kind | None = None) -> list[NodeRow]:
        with self._reading() as db:
            return graph_rows.rows(db, game, kind)

    async def claims(self, game: str, subject_id: str = "") -> list[Claim]:
        with self._reading() as db:
            return graph_rows.claims(db, game, subject_id)

    async def package(self, game: str, zone_id: str) -> ResearchPackage | None:
        with self._reading() as db:
            row = db.execute(
                "select body from packages where game = ? and zone_id = ?", (game, zone_id)
            ).fetchone()
        return ResearchPackage.model_validate_json(row[0]) if row else None

    async def near(self, game: str, text: str, limit: int = 10) -> list[NodeRow]:
        vector = (await self._embedder.embed([text]))[0] if self._embedder else None
        name = self._embedder.name if self._embedder else ""
        with self._reading() as db:
            return graph_rows.near(db, game, text, vector, name, limit)

    async def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, plainly(self._path), transaction(self._db, "immediate") as db:
            yield db

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, plainly(self._path):
            yield self._db


def _check_judged(db: sqlite3.Connection, commit: StepCommit) -> None:
    if commit.judged is None:
        return
    row = db.execute(
        "select count(*) from steps where game = ? and agent in (?, ?)", (commit.game, *JUDGES)
    ).fetchone()
    if row[0] != commit.judged:
        raise Conflict(f"somebody else has judged '{commit.game}' meanwhile; try again")


def _into_inbox(db: sqlite3.Connection, envelope: MessageEnvelope) -> bool:
    found = db.execute(
        "insert or ignore into inbox (message_id, agent, body) values (?, ?, ?)",
        (envelope.message_id, envelope.target_agent, envelope.model_dump_json()),
    )
    return found.rowcount == 1


def _migrate(db: sqlite3.Connection) -> None:
    folder = files("freeform.adapters.sqlite") / "lore_migrations"
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    (have,) = db.execute("pragma user_version").fetchone()
    if have > len(scripts):
        raise UserError(
            f"lore.db has format {have} and this program reads up to {len(scripts)}; update Freeform RPG"
        )
    for number in range(have + 1, len(scripts) + 1):
        with transaction(db, "immediate"):
            # Another process may have been faster while this one waited.
            if db.execute("pragma user_version").fetchone()[0] < number:
                for statement in statements(scripts[number - 1].read_text(encoding="utf-8")):
                    db.execute(statement)
                db.execute(f"pragma user_version = {number}")
