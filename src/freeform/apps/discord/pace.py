"""Edits of a message while an answer is made: at most one in two seconds."""

import asyncio
from collections.abc import Awaitable, Callable

PAUSE = 2.0


class Edits:
    """Takes lines as they come and shows the newest one, not more often than Discord likes."""

    def __init__(self, edit: Callable[[str], Awaitable[None]], pause: float = PAUSE) -> None:
        self._edit, self._pause = edit, pause
        self._line, self._shown = "", ""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def tell(self, line: str) -> None:
        """A new line; the one before it may never be seen."""
        if line != self._line:
            self._line = line
            self._changed.set()

    async def __aenter__(self) -> "Edits":
        self._task = asyncio.create_task(self._show())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _show(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._line != self._shown:
                self._shown = self._line
                await self._edit(self._line)
                await asyncio.sleep(self._pause)
