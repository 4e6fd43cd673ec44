"""Databases copied as they are at one moment, while others write; and checked afterwards."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from freeform.adapters.sqlite.db import plainly, scripts
from freeform.core.errors import BadFile, UserError

HEADER = b"SQLite format 3\x00"
FORMATS = {
    "table.db": "migrations",
    "people.db": "people_migrations",
    "accounts.db": "account_migrations",
}
"""The numbered formats of files by their name."""
_SOME_PAGES = 2_000


def is_database(path: Path) -> bool:
    """Whether a file is one of SQLite's."""
    with path.open("rb") as opened:
        return opened.read(len(HEADER)) == HEADER


def copy_moment(path: Path, to: Path) -> None:
    """One moment of a database, by SQLite's own online backup; its writers hardly notice."""
    address = f"file:{_quoted(path)}?mode=ro"
    with (
        plainly(path),
        closing(sqlite3.connect(address, uri=True, timeout=30)) as source,
        closing(sqlite3.connect(to)) as copy,
    ):
        source.backup(copy, pages=_SOME_PAGES, sleep=0.01)
        copy.execute("pragma journal_mode = delete")


def check_database(path: Path, shown: str) -> None:
    """Refuses a file that is damaged, or of a format that this program does not know yet."""
    with plainly(path), closing(_read_only(path)) as db:
        (sound,) = db.execute("pragma quick_check").fetchone()
        if sound != "ok":
            raise BadFile(shown, "is damaged; restore an older backup")
        (version,) = db.execute("pragma user_version").fetchone()
    known = FORMATS.get(Path(shown).name)
    if known and version > len(scripts(known)):
        raise UserError(f"{shown} was made by a newer Freeform RPG; update this one, then restore")


def digest_events(path: Path) -> list[str]:
    """A digest of each event of a campaign's log, in order: equal lists are equal stories."""
    with plainly(path), closing(_read_only(path)) as db:
        rows = db.execute("select * from log order by id")
        return [_digest(row) for row in rows]


def digest_branches(path: Path) -> str:
    """Where its branches stand."""
    with plainly(path), closing(_read_only(path)) as db:
        return _digest(tuple(db.execute("select * from branches order by 1").fetchall()))


def _digest(row: object) -> str:
    return hashlib.sha256(json.dumps(row, ensure_ascii=False).encode()).hexdigest()[:24]


def _read_only(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
    db.execute("pragma trusted_schema = off")
    return db


def _quoted(path: Path) -> str:
    return path.absolute().as_uri().removeprefix("file://")
