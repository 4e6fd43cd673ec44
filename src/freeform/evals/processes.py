"""Work shared out among processes: campaigns are independent, and a core is what each of them
needs."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")


def in_processes(work: Callable[[J], R], jobs: Sequence[J], processes: int) -> list[R]:
    """The results in the order of the jobs. `work` must be a function of a module, so that others
    can import it."""
    if processes <= 1 or len(jobs) <= 1:
        return [work(job) for job in jobs]
    with ProcessPoolExecutor(max_workers=min(processes, len(jobs))) as crew:
        return list(crew.map(work, jobs))
