"""Runs of an experiment as RQ jobs: put into a queue of their own, played by `worker` processes on
any machine."""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from freeform.core.errors import Unavailable, UserError

QUEUE = "experiments"
WORK = "freeform.apps.worker.experiment.play_job"
"""By name: an adapter knows no app."""
KEPT_SECONDS = 7 * 86_400
_POLL, _PATIENCE = 0.05, 15.0
"""How often to look, and how long to wait for a first worker, in seconds."""


def run_at_workers(
    url: str,
    jobs: Sequence[Sequence[Any]],
    seconds: int,
    say: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """Each job's row, in the order of the jobs. `seconds` is what one may take; `say` hears how
    many are done."""
    try:
        import redis
        from redis.exceptions import RedisError
        from rq import Queue
        from rq.serializers import JSONSerializer
    except ImportError as absent:
        raise UserError(
            "workers need the extra `players`: install freeform-rpg[players]"
        ) from absent
    try:
        connection = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)
        queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)
        queued = [
            queue.enqueue_call(
                WORK,
                args=(json.dumps(list(job)),),
                timeout=seconds,
                result_ttl=KEPT_SECONDS,
                failure_ttl=KEPT_SECONDS,
            )
            for job in jobs
        ]
        return _gathered(queued, queue, say)
    except (RedisError, OSError) as gone:
        raise Unavailable(
            f"Redis does not answer ({gone}); start it, or set `players_redis` to another"
        ) from gone


def _gathered(queued: list[Any], queue: Any, say: Callable[[int], None]) -> list[dict[str, Any]]:
    from rq import Worker

    rows: dict[int, dict[str, Any]] = {}
    alone = 0.0
    while len(rows) < len(queued):
        for n, job in enumerate(queued):
            if n in rows:
                continue
            status = job.get_status(refresh=True)
            if (status := getattr(status, "value", str(status))) == "finished":
                rows[n] = json.loads(job.return_value())
                say(len(rows))
            elif status in ("failed", "stopped", "canceled"):
                _drop(queued)
                result = job.latest_result()
                why = ((result.exc_string or "") if result else "").strip().split("\n")[-1]
                raise Unavailable(
                    f"a worker could not play run {n + 1}: {why or 'no reason was given'}"
                )
        alone = 0.0 if Worker.count(queue=queue) else alone + _POLL
        if alone > _PATIENCE:
            _drop(queued)
            raise Unavailable(
                "no worker takes the runs; start one or more with `freeform-rpg worker`, then try again"
            )
        time.sleep(_POLL)
    return [rows[n] for n in range(len(queued))]


def _drop(queued: list[Any]) -> None:
    """Runs nobody has begun are taken back."""
    for job in queued:
        if str(getattr(job.get_status(refresh=True), "value", "")) == "queued":
            job.cancel()
