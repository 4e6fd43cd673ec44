"""A connection to SurrealDB that checks every statement, says what failed, and comes back after a
restart."""

import asyncio
import os
from pathlib import Path
from typing import Any

from freeform.adapters.surreal.schema import statements
from freeform.core.errors import Unavailable, UserError

NAMESPACE, DATABASE = "freeform", "lore"
PREFIX = "surrealkv://"
CLASH = "can be retried"
"""What the engine says when two transactions met."""


LOCK_FILE, OWNER_FILE = "owner.lock", "owner.pid"


class Clash(Exception):
    """Two transactions met: do this one again."""


class Ownership:
    """One owner for one folder, until it is let go or its process dies.

    The embedded engine takes no lock of its own, and two writers would lose each other's rows.
    """

    def __init__(self, folder: Path) -> None:
        from filelock import lock_descriptor

        folder.mkdir(parents=True, exist_ok=True)
        # Who holds it stands in a file of its own: on Windows nobody reads a locked one.
        owner = folder / OWNER_FILE
        self._held = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
        if not lock_descriptor(self._held, blocking=False):
            self.release()
            name = owner.read_text(errors="replace").strip() if owner.is_file() else ""
            raise UserError(
                f"{folder} belongs to process {name or 'of another program'}; "
                "end it, or speak to it: run `freeform-rpg lore mcp storage` once and set `lore_storage_url` to its address"
            )
        owner.write_text(f"{os.getpid()}\n")

    def release(self) -> None:
        """Lets go; a second time is harmless."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1


class SurrealConnection:
    """Opened at the first question. `url`: `surrealkv://FOLDER` (embedded), `mem://`,
    `ws://HOST:PORT`, `wss://…`."""

    def __init__(self, url: str, user: str = "", password: str = "") -> None:
        self._url, self._user, self._password = url, user, password
        self._db: Any = None
        self._owner: Ownership | None = None
        if url.startswith(PREFIX):
            self._owner = Ownership(Path(url.removeprefix(PREFIX)))
            # The engine syncs every commit only when this stands in the C environment before it
            # first opens a file.
            os.putenv("SURREAL_SYNC_DATA", "true")

    @property
    def remote(self) -> bool:
        """Whether it is a server that can go away and come back."""
        return self._url.startswith(("ws:", "wss:", "http:", "https:"))

    async def ask(self, text: str, **given: Any) -> list[Any]:
        """Every statement's result. `query` of the package hides errors after the first
        statement."""
        db = await self._opened()
        rows = await self._send(db.query_raw(text, given))
        wrong = [str(row["result"]) for row in rows if row["status"] != "OK"]
        if not wrong:
            return [row["result"] for row in rows]
        # A failed transaction marks every statement; the one that says why is the useful one.
        said = next((each for each in wrong if "not executed" not in each), wrong[0])
        if CLASH in said or "conflict" in said.lower():
            raise Clash(said)
        raise Unavailable(f"SurrealDB refused a change: {said}", passing=False)

    async def _opened(self) -> Any:
        if self._db is None:
            try:
                from surrealdb import AsyncSurreal
            except ImportError:
                raise UserError(
                    'lore in SurrealDB needs its package: pip install "freeform-rpg[lore]"'
                ) from None
            db: Any = AsyncSurreal(self._url)
            try:
                await self._send(db.connect(), plain=True)
                if self._user:
                    await self._send(
                        db.signin({"username": self._user, "password": self._password}), plain=True
                    )
                await self._send(db.use(NAMESPACE, DATABASE), plain=True)
                self._db = db
                await self.ask(";\n".join(statements()))
            except BaseException:
                self._db = None
                raise
        return self._db

    async def _send(self, question: Any, plain: bool = False) -> Any:
        """Waits for an answer. When the socket closes the package *cancels* what waits: that is not
        our cancellation."""
        task = asyncio.ensure_future(question)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            await self._lost()
            raise Unavailable(
                f"SurrealDB at {self._url} closed the connection; it is tried again when it is back"
            )
        wrong = task.exception()
        if wrong is None:
            answer = task.result()
            if plain:
                return answer
            if "result" not in answer:
                raise Unavailable(
                    f"SurrealDB did not understand: {answer.get('error')}", passing=False
                )
            return answer["result"]
        # KeyError: the package, when the socket closes, forgets the question before it takes it off
        # its list.
        if isinstance(wrong, OSError | KeyError) or type(wrong).__module__.startswith("websockets"):
            await self._lost()
            raise Unavailable(
                f"SurrealDB at {self._url} cannot be reached ({wrong}); start it and try again"
            ) from wrong
        if type(wrong).__module__.startswith("surrealdb") or isinstance(wrong, RuntimeError):
            raise Unavailable(
                f"SurrealDB at {self._url} refused: {wrong}", passing=False
            ) from wrong
        raise wrong

    async def _lost(self) -> None:
        db, self._db = self._db, None
        task = getattr(db, "recv_task", None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Closes it and lets go of the folder."""
        if self._db is not None:
            await self._db.close()
            self._db = None
        if self._owner:
            self._owner.release()
