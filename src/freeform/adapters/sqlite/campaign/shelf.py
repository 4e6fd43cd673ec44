"""The shelf: which campaigns there are on disk, and their files held open between calls."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from freeform.adapters.sql.names import SAFE, check_id
from freeform.adapters.sqlite.db import open_file, plainly, transaction
from freeform.core.errors import BadFile, FreeformError, NotFound
from freeform.core.text import shorten, visible

MOST_WAITING = 64


class File:
    """One open file. `kept` is what a store remembers of it; it goes when the file is replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.db = open_file(path)
        self.lock = RLock()
        self.kept: dict[str, Any] = {}
        self.waiting: list[tuple[str, Sequence[Any]]] = []
        """Statements that cost nobody anything to do again: they go with the next change, in one
        transaction."""
        self._written = 0
        self._name = str(path)
        self._identity = _identity(self._name)

    def is_same(self) -> bool:
        """Nobody has deleted or replaced the file since it was opened."""
        return self._identity is not None and self._identity == _identity(self._name)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Everything read inside is of one moment."""
        with self.lock, plainly(self.path), transaction(self.db, "deferred") as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Everything written inside is kept, or nothing is. One writer at a time, in all
        processes."""
        with self.lock, plainly(self.path), transaction(self.db, "immediate") as db:
            self._written += 1
            waiting, self.waiting = self.waiting, []  # one that cannot be kept is not tried again
            for statement, values in waiting:
                db.execute(statement, values)
            try:
                yield db
            except BaseException:
                self.waiting = [*waiting, *self.waiting]
                raise

    def ask(self, question: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of one question, which needs no transaction around it."""
        with self.lock, plainly(self.path):
            row: tuple[Any, ...] | None = self.db.execute(question, values).fetchone()
            return row

    def version(self) -> tuple[int, int]:
        """Changes whenever the file may have changed: by another process, or by us."""
        with self.lock, plainly(self.path):
            (others,) = self.db.execute("pragma data_version").fetchone()
            return others, self._written

    def add_later(self, statement: str, values: Sequence[Any]) -> None:
        """Lets a statement wait; not for ever."""
        with self.lock:
            self.waiting.append((statement, values))
            if len(self.waiting) >= MOST_WAITING:
                self.settle()

    def settle(self) -> None:
        """Writes what waits."""
        if self.waiting:
            with self.writing():
                pass

    def close(self) -> None:
        """Lets go of the file."""
        with self.lock:
            with suppress(
                FreeformError, sqlite3.Error
            ):  # a full disk, say: what waits can be made again
                self.settle()
            self.db.close()


class CampaignShelf:
    """The files under a home: `campaigns/<id>/table.db`, and `tapes.db` for calls outside a
    campaign."""

    def __init__(self, home: Path, keep: int = 32) -> None:
        self._home, self._keep = home, keep
        self._files: dict[str, File] = {}
        self._lock = RLock()

    def names(self) -> list[str]:
        """Every folder that holds a campaign file, in order of name."""
        with plainly(self._home):
            found = self._home.joinpath("campaigns").glob("*/table.db")
            return sorted(path.parent.name for path in found if SAFE.fullmatch(path.parent.name))

    def campaign(self, campaign: str, *, make: bool = False) -> File:
        """A campaign's file; NotFound when there is none, unless it is to be made."""
        with self._lock:
            if file := self._held(campaign):
                return file
            path = self._home / "campaigns" / check_id(campaign) / "table.db"
            if not make and not path.exists():
                raise self.missing(campaign)
            file = self._hold(campaign, path)
            self._check_name(file, campaign)
            return file

    def _check_name(self, file: File, campaign: str) -> None:
        """A folder that somebody renamed or copied holds a campaign of another name."""
        row = file.ask("select id from campaigns limit 1")
        if row is None or row[0] == campaign:
            return
        self._files.pop(campaign).close()
        raise BadFile(
            f"campaigns/{campaign}",
            f"holds the campaign '{shorten(visible(str(row[0])), 40)}'; call the folder so again, "
            "or make a copy of a campaign with `export` and `import --campaign`",
        )

    def at_hand(self, campaign: str) -> File | None:
        """A campaign's file if it is open, without asking whether it is still the one on disk: for
        what neither changes nor matters then."""
        return self._files.get(campaign)

    def outside(self) -> File:
        """The file for tapes that belong to no campaign."""
        with self._lock:
            return self._held("") or self._hold("", self._home / "tapes.db")

    def missing(self, campaign: str) -> NotFound:
        """The complaint that there is no such campaign, with those that there are."""
        names = [name for name in self.names() if name != campaign]
        there = (
            f"there are: {', '.join(names)}"
            if names
            else "there are none yet; begin one with new-game"
        )
        return NotFound(f"no campaign '{campaign}'; {there}")

    def close(self) -> None:
        """Lets go of every file."""
        with self._lock:
            while self._files:
                self._files.popitem()[1].close()

    def _held(self, name: str) -> File | None:
        """The file as it was left open, unless it is another one by now. The last one asked for
        stands last."""
        file = self._files.pop(name, None)
        if file is not None and not file.is_same():
            file.waiting.clear()
            with suppress(sqlite3.Error):
                file.close()
            return None
        if file is not None:
            self._files[name] = file
        return file

    def _hold(self, name: str, path: Path) -> File:
        self._files[name] = File(path)
        if len(self._files) > self._keep:
            self._files.pop(next(iter(self._files))).close()
        return self._files[name]


def _identity(path: str) -> tuple[int, int] | None:
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_dev, there.st_ino
