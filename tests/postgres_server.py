"""A real Postgres for tests: Debian's server in a folder of its own, on a loopback port, ended by its process id."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psycopg
import pytest

from tests.patience import PATIENCE
from tests.rabbit_server import free_port

OWNER = 65534  # nobody: the server refuses to run as root


def binaries() -> Path | None:
    """The folder of Debian's newest server, or where `initdb` is on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name))
    if found:
        return found[-1]
    there = shutil.which("initdb")
    return Path(there).parent if there else None


class PostgresServer:
    """Started once; the same folder and port again after a stop."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        at = binaries()
        if at is None:
            pytest.skip("no Postgres here (Debian package: postgresql)")
        self._bin, self.port, self._child = at, free_port(), None
        # Under /tmp: whoever runs the server must be able to reach it, and pytest's own folder is root's alone.
        self._folder, self._data = folder, folder / "data"
        self._as = {"user": OWNER, "group": OWNER} if os.geteuid() == 0 else {}
        if self._as:
            os.chown(folder, OWNER, OWNER)
        made = [str(at / "initdb"), "-D", str(self._data), "-U", "freeform", "-A", "trust", "-N",
                "-E", "UTF8", "--locale", "C.UTF-8"]  # fmt: skip
        subprocess.run(made, check=True, capture_output=True, cwd=folder, **self._as)
        with (self._data / "postgresql.conf").open("a") as config:
            config.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
                "fsync = off\nfull_page_writes = off\nsynchronous_commit = off\nautovacuum = off\n"
                "shared_buffers = 32MB\nmax_connections = 40\n" + settings
            )
        self.start()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://freeform@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        with (self._folder / "out").open("ab") as out:
            self._child = subprocess.Popen(
                [str(self._bin / "postgres"), "-D", str(self._data)],
                stdout=out, stderr=out, cwd=self._folder, **self._as,
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert self._child.poll() is None, (self._folder / "out").read_text()[-2000:]
                time.sleep(0.05)
        raise AssertionError(f"Postgres did not start in {PATIENCE:.0f} s")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        if self._child is not None:
            self._child.send_signal(how)
            self._child.wait(PATIENCE)
            self._child = None

    def new_database(self, name: str) -> str:
        """An empty database; its address."""
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"drop database if exists {name} with (force)")
            db.execute(f"create database {name}")
        return self.url(name)

    def close(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)


def emptied(url: str) -> None:
    """Takes every row out of our tables, if there are any."""
    with psycopg.connect(url, autocommit=True) as db:
        rows = db.execute(
            "select tablename from pg_tables where schemaname = 'freeform' and tablename not in ('schema_version', 'run')"
        ).fetchall()
        if rows:
            db.execute(
                f"truncate {', '.join(f'freeform.{name}' for (name,) in rows)} restart identity"
            )
