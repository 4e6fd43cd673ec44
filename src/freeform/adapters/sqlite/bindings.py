"""What is remembered of Discord, in a file of its own under the home."""

import json
from collections.abc import Sequence
from pathlib import Path

from freeform.adapters.sqlite.db import open_small, plainly, transaction

_SCHEMA = """
create table if not exists seen (interaction text primary key) without rowid;
create table if not exists people (user text primary key, sheet text not null);
create table if not exists channels (channel text primary key, campaign text not null);
create table if not exists seats (
  user text, campaign text, token text not null, primary key (user, campaign)
);
create table if not exists told_turns (channel text, turn_id text, unique (channel, turn_id));
create table if not exists answers (key text primary key, sources text not null);
"""
_KEPT = 5_000


class SqliteBindings:
    """The `Bindings` of one home."""

    def __init__(self, path: Path) -> None:
        self._path, self._db = path, open_small(path, _SCHEMA)

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()

    async def first_time(self, interaction: str) -> bool:
        return self._write("insert or ignore into seen (interaction) values (?)", interaction) == 1

    async def sheet_of(self, user: str) -> str:
        return self._read("select sheet from people where user = ?", user)

    async def bind_sheet(self, user: str, sheet: str) -> None:
        self._write("insert or replace into people (user, sheet) values (?, ?)", user, sheet)

    async def campaign_of(self, channel: str) -> str:
        return self._read("select campaign from channels where channel = ?", channel)

    async def bind_channel(self, channel: str, campaign: str) -> None:
        self._write(
            "insert or replace into channels (channel, campaign) values (?, ?)", channel, campaign
        )

    async def channels(self) -> list[tuple[str, str]]:
        with plainly(self._path):
            rows = self._db.execute("select channel, campaign from channels order by channel")
            return [(str(channel), str(campaign)) for channel, campaign in rows.fetchall()]

    async def token_of(self, user: str, campaign: str) -> str:
        return self._read("select token from seats where user = ? and campaign = ?", user, campaign)

    async def bind_token(self, user: str, campaign: str, token: str) -> None:
        self._write(
            "insert or replace into seats (user, campaign, token) values (?, ?, ?)",
            user,
            campaign,
            token,
        )

    async def tokens_at(self, campaign: str) -> list[tuple[str, str]]:
        with plainly(self._path):
            rows = self._db.execute(
                "select user, token from seats where campaign = ? order by user", (campaign,)
            ).fetchall()
        return [(str(user), str(token)) for user, token in rows]

    async def told_turns(self, channel: str) -> set[str]:
        with plainly(self._path):
            rows = self._db.execute(
                "select turn_id from told_turns where channel = ? order by rowid desc limit ?",
                (channel, _KEPT),
            ).fetchall()
        return {str(turn_id) for (turn_id,) in rows}

    async def mark_told(self, channel: str, turn_ids: Sequence[str]) -> None:
        rows = [(channel, turn_id) for turn_id in turn_ids]
        with plainly(self._path), transaction(self._db, "immediate") as db:
            db.executemany(
                "insert or ignore into told_turns (channel, turn_id) values (?, ?)", rows
            )

    async def keep_sources(self, key: str, sources: list[str]) -> None:
        self._write(
            "insert or replace into answers (key, sources) values (?, ?)", key, json.dumps(sources)
        )
        self._write(
            "delete from answers where rowid <= (select max(rowid) from answers) - ?", _KEPT
        )

    async def sources_of(self, key: str) -> list[str]:
        kept = self._read("select sources from answers where key = ?", key)
        return [str(source) for source in json.loads(kept)] if kept else []

    def _read(self, sql: str, *values: object) -> str:
        with plainly(self._path):
            row = self._db.execute(sql, values).fetchone()
        return str(row[0]) if row else ""

    def _write(self, sql: str, *values: object) -> int:
        with plainly(self._path), transaction(self._db, "immediate") as db:
            return db.execute(sql, values).rowcount
