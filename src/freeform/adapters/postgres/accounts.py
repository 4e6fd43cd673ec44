"""Accounts in Postgres: the same for every server that shares it."""

from typing import Any

import psycopg

from freeform.adapters.postgres.links import PostgresLinks
from freeform.core.errors import Conflict, NotFound
from freeform.players.people.accounts import (
    WRONG_S,
    Account,
    AccountChange,
    PendingLogin,
    account_key,
)

NO_ACCOUNT = "there is no such account; `account list` shows those there are"
TAKEN = "that name is taken; choose another, or sign in"
Raw = psycopg.Connection[tuple[Any, ...]]


class PostgresAccounts:
    """The `AccountStore` of one database."""

    def __init__(self, links: PostgresLinks) -> None:
        self._links = links

    async def get(self, id: str) -> Account | None:
        with self._links.using() as link:
            return _one(link.raw, "id = %s", id)

    async def named(self, name: str) -> Account | None:
        with self._links.using() as link:
            return _one(link.raw, "name = %s", account_key(name))

    async def vouched(self, issuer: str, subject: str) -> Account | None:
        with self._links.using() as link:
            return _one(link.raw, "vouched = %s", f"{issuer} {subject}")

    async def all(self) -> list[Account]:
        with self._links.using() as link:
            sql = 'select record from accounts order by name collate "C"'
            rows = link.raw.execute(sql).fetchall()
        return [Account.model_validate_json(row[0]) for row in rows]

    async def add(self, account: Account) -> None:
        with self._links.using() as link:
            added = link.raw.execute(
                "insert into accounts (id, name, vouched, record) values (%s, %s, %s, %s)"
                " on conflict do nothing",
                _row(account),
            )
        if not added.rowcount:
            raise Conflict(TAKEN)

    async def change(self, id: str, change: AccountChange) -> Account:
        with self._links.using() as link, link.raw.transaction():
            standing = _one(link.raw, "id = %s for update", id)
            if standing is None:
                raise NotFound(NO_ACCOUNT)
            changed = change(standing)
            if changed != standing:
                _update(link.raw, changed)
        return changed

    async def forget(self, id: str) -> None:
        with self._links.using() as link:
            link.raw.execute("delete from accounts where id = %s", (id,))

    async def await_login(self, login: PendingLogin, now: str) -> None:
        with self._links.using() as link:
            link.raw.execute("delete from logins where until < %s", (now,))
            link.raw.execute(
                "insert into logins (state, until, record) values (%s, %s, %s)",
                (login.state, login.until, login.model_dump_json()),
            )

    async def take_login(self, state: str) -> PendingLogin | None:
        with self._links.using() as link:
            row = link.raw.execute(
                "delete from logins where state = %s returning record", (state,)
            ).fetchone()
        return PendingLogin.model_validate_json(row[0]) if row else None

    async def note_wrong(self, who: str, at: float) -> None:
        with self._links.using() as link:
            link.raw.execute("delete from wrong_tries where at <= %s", (at - WRONG_S,))
            link.raw.execute("insert into wrong_tries (name, at) values (%s, %s)", (who, at))

    async def wrong_tries(self, who: str, now: float) -> int:
        sql = "select count(*) from wrong_tries where name = %s and at > %s"
        with self._links.using() as link:
            row = link.raw.execute(sql, (who, now - WRONG_S)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Lets go of the connections."""
        self._links.close()


def _one(raw: Raw, which: str, value: str) -> Account | None:
    row = raw.execute(f"select record from accounts where {which}", (value,)).fetchone()
    return Account.model_validate_json(row[0]) if row else None


def _row(account: Account) -> tuple[str, str, str | None, str]:
    vouched = f"{account.issuer} {account.subject}" if account.issuer else None
    return account.id, account_key(account.name), vouched, account.model_dump_json()


def _update(raw: Raw, changed: Account) -> None:
    try:
        raw.execute(
            "update accounts set name = %s, vouched = %s, record = %s where id = %s",
            (*_row(changed)[1:], changed.id),
        )
    except psycopg.errors.UniqueViolation:
        raise Conflict(TAKEN) from None
