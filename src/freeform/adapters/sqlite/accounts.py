"""Accounts on disk: `accounts.db` in the home, made with the first one, or with the first wrong try
at a server of several processes. Those tries hold addresses, for a minute: the next one, and the
next opening, takes older ones away."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock

from freeform.adapters.sqlite.db import open_file, plainly, transaction
from freeform.core.errors import Conflict, NotFound
from freeform.players.people.accounts import (
    WRONG_S,
    Account,
    AccountChange,
    PendingLogin,
    account_key,
)

FILE = "accounts.db"
NO_ACCOUNT = "there is no such account; `account list` shows those there are"
TAKEN = "that name is taken; choose another, or sign in"


class SqliteAccounts:
    """The accounts of a home, in one small file that only its owner reads."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE
        self._open: sqlite3.Connection | None = None
        self._lock = RLock()

    async def get(self, id: str) -> Account | None:
        return self._one("select record from accounts where id = ?", id)

    async def named(self, name: str) -> Account | None:
        return self._one("select record from accounts where name = ?", account_key(name))

    async def vouched(self, issuer: str, subject: str) -> Account | None:
        wanted = vouched_key(issuer, subject) or ""
        return self._one("select record from accounts where vouched = ?", wanted)

    async def all(self) -> list[Account]:
        if not self._path.exists():
            return []
        with self._using("deferred") as db:
            rows = db.execute("select record from accounts order by name").fetchall()
        return [Account.model_validate_json(row[0]) for row in rows]

    async def add(self, account: Account) -> None:
        try:
            with self._using("immediate") as db:
                db.execute(
                    "insert into accounts (id, name, vouched, record) values (?, ?, ?, ?)",
                    account_row(account),
                )
        except sqlite3.IntegrityError:
            raise Conflict(TAKEN) from None

    async def change(self, id: str, change: AccountChange) -> Account:
        if not self._path.exists():
            raise NotFound(NO_ACCOUNT)
        try:
            with self._using("immediate") as db:
                row = db.execute("select record from accounts where id = ?", (id,)).fetchone()
                if row is None:
                    raise NotFound(NO_ACCOUNT)
                standing = Account.model_validate_json(row[0])
                changed = change(standing)
                if changed != standing:
                    db.execute(
                        "update accounts set name = ?, vouched = ?, record = ? where id = ?",
                        (*account_row(changed)[1:], id),
                    )
        except sqlite3.IntegrityError:
            raise Conflict(TAKEN) from None
        return changed

    async def forget(self, id: str) -> None:
        if self._path.exists():
            with self._using("immediate") as db:
                db.execute("delete from accounts where id = ?", (id,))

    async def await_login(self, login: PendingLogin, now: str) -> None:
        with self._using("immediate") as db:
            db.execute("delete from logins where until < ?", (now,))
            db.execute(
                "insert into logins (state, until, record) values (?, ?, ?)",
                (login.state, login.until, login.model_dump_json()),
            )

    async def take_login(self, state: str) -> PendingLogin | None:
        if not self._path.exists():
            return None
        with self._using("immediate") as db:
            row = db.execute(
                "delete from logins where state = ? returning record", (state,)
            ).fetchone()
        return PendingLogin.model_validate_json(row[0]) if row else None

    async def note_wrong(self, who: str, at: float) -> None:
        with self._using("immediate") as db:
            db.execute("delete from wrong_tries where at <= ?", (at - WRONG_S,))
            db.execute("insert into wrong_tries (name, at) values (?, ?)", (who, at))

    async def wrong_tries(self, who: str, now: float) -> int:
        if not self._path.exists():
            return 0
        sql = "select count(*) from wrong_tries where name = ? and at > ?"
        with self._using("deferred") as db:
            (count,) = db.execute(sql, (who, now - WRONG_S)).fetchone()
        return int(count)

    def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def _one(self, sql: str, value: str) -> Account | None:
        if not self._path.exists():
            return None
        with self._using("deferred") as db:
            row = db.execute(sql, (value,)).fetchone()
        return Account.model_validate_json(row[0]) if row else None

    @contextmanager
    def _using(self, kind: str) -> Iterator[sqlite3.Connection]:
        with self._lock, plainly(self._path), transaction(self._db(), kind) as db:
            yield db

    def _db(self) -> sqlite3.Connection:
        if self._open is not None and not self._path.exists():
            self.close()  # the home was emptied meanwhile
        if self._open is None:
            if not self._path.exists():  # what lies beside it is made as it is
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.touch(mode=0o600)
            self._open = open_file(self._path, "account_migrations")
            # What is forgotten leaves no trace in the file's free pages.
            self._open.execute("pragma secure_delete = on")
            old = "delete from wrong_tries where at <= strftime('%s', 'now') - ?"
            self._open.execute(old, (WRONG_S,))
        return self._open


def vouched_key(issuer: str, subject: str) -> str | None:
    """Who one is at a provider, as one word; None for nobody."""
    return f"{issuer} {subject}" if issuer else None


def account_row(account: Account) -> tuple[str, str, str | None, str]:
    """An account as it is kept."""
    vouched = vouched_key(account.issuer, account.subject)
    return account.id, account_key(account.name), vouched, account.model_dump_json()


def without_passwords(path: Path) -> list[str]:
    """Takes passwords and sessions out of a copy of the file; what was taken out, in words."""
    with plainly(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        (count,) = db.execute("select count(*) from accounts").fetchone()
        db.execute(
            "update accounts set record ="
            " json_set(record, '$.password', '', '$.sessions', json('[]'))"
        )
        db.execute("delete from logins")
        db.execute("delete from wrong_tries")  # addresses of people
        db.execute("vacuum")
    return [f"passwords and sessions of {count} accounts"] if count else []
