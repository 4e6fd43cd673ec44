"""Work shared out among processes: campaigns are independent, and a core is what each of them
needs."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Done = Callable[[int, int], None]
"""Told how many jobs are done, and of how many."""
J = TypeVar("J")
R = TypeVar("R")


def in_processes(
    work: Callable[[J], R], jobs: Sequence[J], processes: int, done: Done | None = None
) -> list[R]:
    """The results in the order of the jobs. `work` must be a function of a module, so that others
    can import it."""
    if processes <= 1 or len(jobs) <= 1:
        return _counted(map(work, jobs), len(jobs), done)
    with ProcessPoolExecutor(max_workers=min(processes, len(jobs))) as crew:
        return _counted(crew.map(work, jobs), len(jobs), done)


def _counted(results: Iterable[R], total: int, done: Done | None) -> list[R]:
    """The results as they come, each of them told."""
    found = []
    for result in results:
        found.append(result)
        if done:
            done(len(found), total)
    return found
