"""Opening a SQLite file of ours: pragmas, migrations, and SQLite's complaints in plain
sentences."""

import errno
import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from freeform.core.errors import BadFile, FreeformError, Unavailable, UserError

BUSY_MS = 5_000
"""How long a writer waits for another process. Our transactions take about a millisecond."""


def open_file(path: Path, folder: str = "migrations") -> sqlite3.Connection:
    """The file, brought up to date; made when it is not there. Raises our own errors only. `folder`
    holds the migrations of that kind of file."""
    with plainly(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Callers hold the file's lock, so the connection may move between threads.
        db = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000
        )
        try:
            # WAL: readers and the writer do not wait for each other. NORMAL: a killed process loses
            # nothing
            # it was told is saved; a power cut may lose the last moments, but never leaves half a
            # turn.
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = normal")
            # About 16 MB: what a turn wrote is moved into the file itself, and the disk waited for,
            # seldom.
            db.execute("pragma wal_autocheckpoint = 4000")
            db.execute("pragma foreign_keys = on")
            migrate(db, path, folder)
        except BaseException:
            db.close()
            raise
        return db


def open_small(path: Path, schema: str) -> sqlite3.Connection:
    """A file of a few tables that are made when they are not there."""
    with plainly(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000
        )
        db.execute("pragma journal_mode = wal")
        db.execute("pragma foreign_keys = on")
        db.executescript(schema)
        return db


def scripts(folder: str = "migrations") -> list[str]:
    """The migrations, in order. A file that has shipped never changes; new ones are added
    behind."""
    place = files("freeform.adapters.sqlite") / folder
    found = sorted((f for f in place.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    assert [int(f.name[:4]) for f in found] == list(range(1, len(found) + 1)), (
        "migrations have a gap"
    )
    return [f.read_text(encoding="utf-8") for f in found]


def migrate(db: sqlite3.Connection, path: Path, folder: str = "migrations") -> None:
    """Runs each numbered file once, in order, each in a transaction of its own."""
    wanted = scripts(folder)
    (have,) = db.execute("pragma user_version").fetchone()
    if have > len(wanted):
        raise UserError(
            f"{path} has format {have} and this program reads formats up to {len(wanted)}; "
            "update Freeform RPG to open it"
        )
    for number in range(have + 1, len(wanted) + 1):
        with transaction(db, "immediate"):
            # Another process may have been faster while this one waited.
            (have,) = db.execute("pragma user_version").fetchone()
            if have >= number:
                continue
            if number == 1 and db.execute("select count(*) from sqlite_master").fetchone()[0]:
                raise BadFile(
                    str(path), "is a database of some other program; move it away and try again"
                )
            for statement in statements(wanted[number - 1]):
                db.execute(statement)
            db.execute(f"pragma user_version = {number}")


def statements(script: str) -> Iterator[str]:
    """A script's statements one by one: `executescript` would commit before each run."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


# These two are written out, not generators: a turn enters them a dozen times.
class transaction:
    """All of it or nothing. `immediate` takes the write lock at once; `deferred` only reads."""

    __slots__ = ("_begin", "_db")

    def __init__(self, db: sqlite3.Connection, kind: str) -> None:
        self._db, self._begin = db, f"begin {kind}"

    def __enter__(self) -> sqlite3.Connection:
        self._db.execute(self._begin)
        return self._db

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: object
    ) -> None:
        try:
            if wrong is None:
                self._db.execute("commit")
        finally:
            # SQLite has already rolled back after some errors, a full disk among them.
            if self._db.in_transaction:
                self._db.execute("rollback")


class plainly:
    """Turns what SQLite and the system say about a file into what a person can do about it."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: object
    ) -> None:
        match wrong:
            case FreeformError():  # ours already; one of them is a PermissionError, too
                return
            case sqlite3.Error() if said := explain(wrong, self._path):
                raise said from wrong
            case OverflowError():
                large = f"a number in this change is too large to keep in {self._path}; use a smaller one"
                raise UserError(large) from wrong
            case OSError():
                raise explain_system(wrong, self._path) from wrong


def explain(wrong: sqlite3.Error, path: Path) -> FreeformError | None:
    """What a complaint of SQLite means for a person; None when it is a mistake in our own code."""
    match getattr(wrong, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BadFile(
                str(path),
                f"is damaged or no database ({wrong}); put back a copy, or move its folder away",
            )
        case sqlite3.SQLITE_FULL:
            return UserError(
                f"no room is left for {path}; free some space and try again, nothing was changed"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return UserError(
                f"{path} cannot be written ({wrong}); allow writing there, or choose another --home"
            )
        case sqlite3.SQLITE_TOOBIG:
            return UserError(f"a text in this change is too long to keep in {path}; shorten it")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Unavailable(f"{path} is in use by another program; try again in a moment")
        case sqlite3.SQLITE_IOERR:
            return Unavailable(
                f"{path} cannot be read or written ({wrong}); check the disk, then try again"
            )
    return None


def explain_system(wrong: OSError, path: Path) -> FreeformError:
    """What the system's refusal means for a person."""
    if wrong.errno in (errno.ENOSPC, errno.EDQUOT):
        return UserError(
            f"no room is left for {path}; free some space and try again, nothing was changed"
        )
    reason = wrong.strerror or str(wrong)
    return UserError(
        f"{path} cannot be opened ({reason.lower()}); allow it, or choose another --home"
    )
