"""The database's tables, brought up to date by numbered files, each run once."""

from importlib.resources import files
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from freeform.core.errors import UserError

LOCK = 7_319_204_411
"""Held while tables are made: servers that start at once wait for each other."""


def scripts() -> list[str]:
    """The migrations, in order. A file that has shipped never changes; new ones are added
    behind."""
    place = files("freeform.adapters.postgres") / "migrations"
    found = sorted((f for f in place.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    assert [int(f.name[:4]) for f in found] == list(range(1, len(found) + 1)), "a gap"
    return [f.read_text(encoding="utf-8") for f in found]


def migrate(db: "psycopg.Connection[tuple[Any, ...]]", schema: str, shown: str) -> None:
    """Runs each numbered file once, in order, each in a transaction of its own."""
    wanted = scripts()
    have = _version(db, schema)
    _check(have, len(wanted), shown)
    while have < len(wanted):
        with db.transaction():
            db.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
            # Another process may have been faster while this one waited.
            have = _version(db, schema)
            _check(have, len(wanted), shown)
            if have == len(wanted):
                return
            name = Identifier(schema)
            db.execute(SQL("create schema if not exists {}").format(name))
            db.execute(SQL("set local search_path to {}").format(name))
            db.execute("create table if not exists schema_version (version integer not null)")
            db.execute(wanted[have])
            db.execute("delete from schema_version")
            db.execute("insert into schema_version (version) values (%s)", (have + 1,))
        have += 1


def _version(db: "psycopg.Connection[tuple[Any, ...]]", schema: str) -> int:
    known = db.execute("select to_regclass(%s)", (f"{schema}.schema_version",)).fetchone()
    if known is None or known[0] is None:
        return 0
    row = db.execute(
        SQL("select version from {}.schema_version").format(Identifier(schema))
    ).fetchone()
    return int(row[0]) if row else 0


def _check(have: int, wanted: int, shown: str) -> None:
    if have > wanted:
        raise UserError(
            f"{shown} has format {have} and this program reads formats up to {wanted}; "
            "update Freeform RPG on this machine to use it"
        )
