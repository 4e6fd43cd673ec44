"""Answers that hold for as long as the files they were read from, kept under their stamp.

Listing the shelf means reading every pack. A person opens the same page again and again; a pack
changes once a week.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, cast

T = TypeVar("T")
Stamp = tuple[tuple[str, int, int], ...]
MOST = 200
"""Answers kept; the one that was asked for longest ago is the first to go."""


def stamp(folders: Iterable[Path]) -> Stamp:
    """Every file under these folders with its time and size; an absent folder has none."""
    return tuple(sorted(chain.from_iterable(map(_files, folders))))


def _files(folder: Path) -> Iterable[tuple[str, int, int]]:
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        told = entry.stat()
                        yield entry.path, told.st_mtime_ns, told.st_size
        except (FileNotFoundError, NotADirectoryError):
            continue


class FileCache:
    """Answers by name, each with the stamp it holds for."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[Stamp, Any]] = {}
        self._working: dict[str, asyncio.Lock] = {}

    async def get(self, name: str, folders: Iterable[Path], work: Callable[[], Awaitable[T]]) -> T:
        """The answer of that name: kept, or made anew when a file has changed; one at a time."""
        async with self._working.setdefault(name, asyncio.Lock()):
            now = stamp(folders)
            held = self._answers.pop(name, None)
            answer = held[1] if held and held[0] == now else await work()
            self._answers[name] = now, answer
            while len(self._answers) > MOST:
                gone = next(iter(self._answers))
                self._answers.pop(gone)
                self._working.pop(gone, None)
            return cast("T", answer)
