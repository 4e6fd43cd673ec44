"""What lies in the queues of workers: waiting, being done, and failed for good, to be looked at."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from freeform.adapters.redis.agents import QUEUE as PLAYERS
from freeform.adapters.redis.experiments import QUEUE as EXPERIMENTS
from freeform.core.errors import NotFound, Unavailable

QUEUES = (PLAYERS, EXPERIMENTS)
MOST_LISTED = 50


@dataclass(frozen=True)
class QueuedJob:
    """One job of a queue."""

    queue: str
    id: str
    state: str
    why: str = ""


def list_queued(url: str) -> list[QueuedJob]:
    """The jobs of every queue that are not done; Unavailable when Redis does not answer."""
    from redis.exceptions import RedisError

    try:
        return [job for queue in _queues(url) for job in _jobs(queue)]
    except (RedisError, OSError) as gone:
        raise Unavailable("Redis does not answer; start it, or clear `players_redis`") from gone


def try_again(url: str, id: str) -> None:
    """Puts a failed job back into its queue. NotFound when it is none."""
    from redis.exceptions import RedisError
    from rq.exceptions import InvalidJobOperation, NoSuchJobError

    try:
        for queue in _queues(url):
            if id in queue.failed_job_registry:
                queue.failed_job_registry.requeue(id)
                return
    except (InvalidJobOperation, NoSuchJobError):
        pass
    except (RedisError, OSError) as gone:
        raise Unavailable("Redis does not answer; start it, or clear `players_redis`") from gone
    raise NotFound("no failed job has that id any more; look at the list again")


def _queues(url: str) -> list[Any]:
    import redis
    from rq import Queue
    from rq.serializers import JSONSerializer

    connection = redis.Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3)
    return [Queue(name, connection=connection, serializer=JSONSerializer) for name in QUEUES]


def _jobs(queue: Any) -> Iterator[QueuedJob]:
    found = {
        "running": queue.started_job_registry.get_job_ids(),
        "waiting": [
            *queue.get_job_ids(0, MOST_LISTED),
            *queue.scheduled_job_registry.get_job_ids(),
        ],
        "failed": queue.failed_job_registry.get_job_ids(),
    }
    for state, ids in found.items():
        for id in ids[:MOST_LISTED]:
            yield QueuedJob(
                queue.name, str(id), state, _why(queue, id) if state == "failed" else ""
            )


def _why(queue: Any, id: str) -> str:
    """The last line of what went wrong."""
    job = queue.fetch_job(id)
    result = job.latest_result() if job else None
    told = (result.exc_string or "").strip() if result else ""
    return told.rpartition("\n")[2][:300]
