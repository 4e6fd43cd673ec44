"""Campaign files copied out and taken in, for archives."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from freeform.adapters.sql.names import check_id
from freeform.adapters.sqlite.db import open_file, plainly, scripts, transaction
from freeform.core.errors import BadFile, Conflict, UserError


class SqliteCopies:
    """Copies of `campaigns/<id>/table.db` under a home."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def copy_out(self, campaign: str, to: Path) -> None:
        """A whole copy of one moment, made by SQLite's own backup while others may be writing."""
        path = self._path(campaign)
        with (
            plainly(path),
            closing(sqlite3.connect(path)) as source,
            closing(sqlite3.connect(to)) as copy,
        ):
            source.backup(copy)
            copy.execute("pragma journal_mode = delete")

    def take_in(self, file: Path, campaign: str, taken_as: str) -> None:
        """Puts a copy on the shelf once it has proved to be one of ours and whole."""
        path = self._path(taken_as)
        prove_copy(file, campaign, taken_as)
        with plainly(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                raise Conflict(f"there is a campaign '{taken_as}' already; choose another id")
            beside = path.with_suffix(".part")
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(beside)) as copy:
                source.backup(copy)
            beside.replace(path)

    def take_out(self, campaign: str) -> None:
        """Takes the file away; whatever else lies in its folder stays."""
        path = self._path(campaign)
        with plainly(path):
            path.unlink()
            for beside in ("-wal", "-shm"):
                path.with_name(path.name + beside).unlink(missing_ok=True)

    def remove(self, campaign: str) -> None:
        """Takes the whole folder away. First it gets a name that is no campaign's: what is gone is
        gone at once, however long the disk takes. An open store notices that its file is gone."""
        remove_folder(self._path(campaign).parent)

    def _path(self, campaign: str) -> Path:
        return self._home / "campaigns" / check_id(campaign) / "table.db"


def remove_folder(folder: Path) -> None:
    """Takes a folder away, if it is there."""
    gone = folder.with_name(f".gone-{folder.name}")
    with plainly(folder):
        shutil.rmtree(gone, ignore_errors=True)
        if folder.exists():
            folder.replace(gone)
            shutil.rmtree(gone)


def prove_copy(file: Path, campaign: str, taken_as: str) -> None:
    """BadFile unless the file is a campaign of ours and whole; then it is up to date, and called
    as it will be."""
    with plainly(file), closing(sqlite3.connect(file, isolation_level=None)) as db:
        _check(db, file, campaign)
        if taken_as != campaign:
            _rename(db, campaign, taken_as)
    open_file(file).close()


def _check(db: sqlite3.Connection, file: Path, campaign: str) -> None:
    """A file from elsewhere is read with suspicion: its own code never runs, and there must be
    none."""
    db.execute("pragma trusted_schema = off")
    (version,) = db.execute("pragma user_version").fetchone()
    if version > len(scripts()):
        raise UserError(
            "this archive was made by a newer Freeform RPG; update this one, then import it"
        )
    ours = (
        version > 0 and db.execute("select 1 from campaigns where id = ?", (campaign,)).fetchone()
    )
    if not ours or not _code(db) <= _our_code():
        raise BadFile(file.name, "is not a campaign made by Freeform RPG; it was not imported")
    (sound,) = db.execute("pragma quick_check").fetchone()
    if sound != "ok":
        raise BadFile(file.name, "is damaged; export it again")


def _code(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """Triggers and views: what a file would have run."""
    return set(db.execute("select name, sql from sqlite_master where type in ('trigger', 'view')"))


def _our_code() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        for script in scripts():
            fresh.executescript(script)
        return _code(fresh)


def _rename(db: sqlite3.Connection, old: str, new: str) -> None:
    """Another id in every row. Our triggers keep rows as they are, so they step aside for it."""
    triggers = db.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
    tables = [
        name
        for (name,) in db.execute("select name from sqlite_master where type = 'table'").fetchall()
    ]
    db.execute("pragma foreign_keys = off")
    with transaction(db, "immediate"):
        for name, _ in triggers:
            db.execute(f'drop trigger "{name}"')
        for table in tables:
            columns = {row[1] for row in db.execute(f'pragma table_info("{table}")')}
            wanted = {"id"} if table == "campaigns" else {"campaign_id", "campaign"}
            for column in wanted & columns:
                db.execute(f'update "{table}" set {column} = ? where {column} = ?', (new, old))
        for _, sql in triggers:
            db.execute(sql)
