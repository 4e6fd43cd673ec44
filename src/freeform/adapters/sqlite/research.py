"""Research in SQLite: one file under the home; every item is a row of its own, written when it is
done."""

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from freeform.adapters.sql.entries import unreadable
from freeform.adapters.sqlite.db import open_small, plainly, transaction
from freeform.adapters.sqlite.file_lock import hold_file
from freeform.assistant.research.model import ItemResult, ResearchRow, ResearchState, Status
from freeform.core.errors import Conflict, NotFound

_SCHEMA = """
create table if not exists research (id text primary key, question text not null, status text not null,
  at text not null, head text not null);
create table if not exists steps (research_id text not null references research (id) on delete cascade,
  step_id integer not null, place integer not null, status text not null, error text not null, body text not null,
  primary key (research_id, step_id));
create table if not exists items (research_id text not null references research (id) on delete cascade,
  step_id integer not null, item text not null, body text not null, primary key (research_id, step_id, item));
"""


class SqliteResearch:
    """The `ResearchStore` of one home."""

    def __init__(self, path: Path) -> None:
        self._path, self._db = path, open_small(path, _SCHEMA)

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()

    async def create(self, state: ResearchState) -> None:
        with plainly(self._path), transaction(self._db, "immediate") as db:
            if db.execute("select 1 from research where id = ?", (state.researchId,)).fetchone():
                raise Conflict(
                    f"there already is research '{state.researchId}'; go on with it by --resume"
                )
            _write(db, state)

    async def load(self, research_id: str) -> ResearchState:
        with plainly(self._path), transaction(self._db, "deferred") as db:
            head = db.execute("select head from research where id = ?", (research_id,)).fetchone()
            steps = db.execute(
                "select step_id, status, error, body from steps where research_id = ? order by place",
                (research_id,),
            ).fetchall()
            items = db.execute(
                "select step_id, item, body from items where research_id = ? order by rowid",
                (research_id,),
            ).fetchall()
        if head is None:
            there = ", ".join(row.researchId for row in (await self.rows())[:5]) or "none yet"
            raise NotFound(f"no research '{research_id}'; there are: {there}")
        try:
            done: dict[int, dict[str, ItemResult]] = {}
            for step_id, item, body in items:
                done.setdefault(step_id, {})[item] = ItemResult.model_validate_json(body)
            plan = [
                {
                    **json.loads(body),
                    "status": status,
                    "error": error,
                    "items": done.get(step_id, {}),
                }
                for step_id, status, error, body in steps
            ]
            return ResearchState.model_validate({**json.loads(head[0]), "plan": plan})
        except (ValidationError, ValueError) as wrong:
            raise unreadable(self._path, f"research '{research_id}'", wrong) from wrong

    async def rows(self) -> Sequence[ResearchRow]:
        with plainly(self._path), transaction(self._db, "deferred") as db:
            rows = db.execute(
                "select id, question, status, at from research order by at desc, rowid desc"
            ).fetchall()
        return [ResearchRow(researchId=i, originalQuery=q, status=s, at=at) for i, q, s, at in rows]

    async def put(self, state: ResearchState) -> None:
        with plainly(self._path), transaction(self._db, "immediate") as db:
            _write(db, state)

    async def put_step(
        self, research_id: str, step_id: int, status: Status, error: str = ""
    ) -> None:
        with plainly(self._path), transaction(self._db, "immediate") as db:
            db.execute(
                "update steps set status = ?, error = ? where research_id = ? and step_id = ?",
                (status, error, research_id, step_id),
            )

    async def put_item(self, research_id: str, step_id: int, done: ItemResult) -> None:
        with plainly(self._path), transaction(self._db, "immediate") as db:
            db.execute(
                "insert or replace into items (research_id, step_id, item, body) values (?, ?, ?, ?)",
                (research_id, step_id, done.item, done.model_dump_json()),
            )

    @asynccontextmanager
    async def claim(self, research_id: str) -> AsyncIterator[None]:
        """The system lets go of the lock when the process ends, however it ends."""
        busy = f"'{research_id}' is being worked on by another program; wait for it, or end it"
        with hold_file(self._path.parent / "locks" / f"{research_id}.lock", busy):
            yield


def _write(db: sqlite3.Connection, state: ResearchState) -> None:
    head = state.model_dump_json(exclude={"plan", "collectedData", "spent"})
    db.execute(
        "insert into research (id, question, status, at, head) values (?, ?, ?, ?, ?)"
        " on conflict (id) do update set status = excluded.status, head = excluded.head",
        (state.researchId, state.originalQuery, state.status, state.at, head),
    )
    kept = {(step.stepId, item) for step in state.plan for item in step.items}
    for row in db.execute(
        "select step_id, item from items where research_id = ?", (state.researchId,)
    ).fetchall():
        if row not in kept:
            db.execute(
                "delete from items where research_id = ? and step_id = ? and item = ?",
                (state.researchId, *row),
            )
    db.execute("delete from steps where research_id = ?", (state.researchId,))
    db.executemany(
        "insert into steps (research_id, step_id, place, status, error, body) values (?, ?, ?, ?, ?, ?)",
        [
            (
                state.researchId,
                step.stepId,
                place,
                step.status,
                step.error,
                step.model_dump_json(exclude={"result"}),
            )
            for place, step in enumerate(state.plan)
        ],
    )
