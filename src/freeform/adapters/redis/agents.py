"""Agents' questions as RQ jobs: enqueued side by side, answered by `worker` processes, failed ones
kept to look at."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from typing import Any

from freeform.adapters.redis.experiments import QUEUE as EXPERIMENTS
from freeform.core.errors import Unavailable, UserError
from freeform.core.llm.tape import Tape, TapeStore
from freeform.core.log import current_request, tell
from freeform.players.ports import AgentJob, JobDone

_LOG = logging.getLogger("freeform.worker")
QUEUE = "players"
WORK = "freeform.apps.worker.answering.answer_job"
"""By name: an adapter knows no app."""
RETRIES = (1, 2, 4)
"""Seconds before each further try of a job that broke."""
RESULT_SECONDS, FAILURE_SECONDS = 600, 7 * 86_400
_POLL = 0.02


class RqCrew:
    """Hands in other processes. A job that nobody takes stops the round where it can go on
    later."""

    def __init__(
        self,
        url: str,
        tapes: TapeStore,
        seconds: float = 30.0,
        retries: Sequence[float] = RETRIES,
        *,
        scripted: bool = False,
    ) -> None:
        """`scripted`: the workers have no model either."""
        self.scripted = scripted
        try:
            import redis
            from rq import Queue
            from rq.serializers import JSONSerializer
        except ImportError as absent:
            raise UserError(
                "workers need the extra `players`: install freeform-rpg[players]"
            ) from absent
        self._tapes, self._seconds, self._retries = tapes, seconds, list(retries)
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)
        self._queue = Queue(QUEUE, connection=self._redis, serializer=JSONSerializer)

    async def ask_all(self, jobs: Sequence[AgentJob]) -> list[JobDone]:
        """The answers in the order of the jobs."""
        from redis.exceptions import RedisError

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(job)) for job in jobs]
        except* (RedisError, OSError) as gone:
            why = gone.exceptions[0]
            raise Unavailable(
                f"Redis does not answer ({why}); start it and run again, the round goes on"
            ) from None
        except* Unavailable as nobody:
            raise nobody.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _one(self, job: AgentJob) -> JobDone:
        id = name_of(job)
        queued = await asyncio.to_thread(self._enqueue, id, job)
        waited, limit = 0.0, self._seconds + sum(self._retries)
        while waited < limit:
            status = str(await asyncio.to_thread(_status, queued))
            if status == "finished":
                return await self._taken(await asyncio.to_thread(queued.return_value))
            if status in ("failed", "stopped", "canceled"):
                why = await asyncio.to_thread(_why, queued)
                tell(_LOG, logging.ERROR, "job_failed", job=id, status=status)
                return JobDone(failed=f"the worker failed: {why} (job {id} is kept)")
            await asyncio.sleep(_POLL)
            waited += _POLL
        await asyncio.to_thread(queued.delete)
        raise Unavailable(
            f"no worker answered within {limit:g} s; start one with `freeform-rpg worker`, then run again: "
            "the round goes on"
        )

    def _enqueue(self, id: str, job: AgentJob) -> Any:
        """The job under its own name: asked again after a crash, an answer that is there is taken
        as it is."""
        from rq import Retry
        from rq.exceptions import NoSuchJobError
        from rq.job import Job as RqJob
        from rq.serializers import JSONSerializer

        try:
            there = RqJob.fetch(id, connection=self._redis, serializer=JSONSerializer)
            if _status(there) in ("finished", "queued", "scheduled"):
                return there
            there.delete()
        except NoSuchJobError:
            pass
        waits = [max(1, round(wait)) for wait in self._retries]
        again = Retry(max=len(waits), interval=waits) if waits else None
        return self._queue.enqueue_call(
            WORK, args=(job.document(),), timeout=max(1, int(self._seconds)), result_ttl=RESULT_SECONDS,
            failure_ttl=FAILURE_SECONDS, job_id=id, retry=again, meta={"request": current_request()},
        )  # fmt: skip

    async def _taken(self, text: str) -> JobDone:
        """The worker's answer; its tapes are kept here, beside the campaign."""
        said = json.loads(text)
        for tape in said["tapes"]:
            await self._tapes.add(Tape.model_validate(tape))
        return JobDone.model_validate(said["done"])


def name_of(job: AgentJob) -> str:
    """A job's id: the exact question, so that the same one is asked once."""
    return f"players_{hashlib.sha256(job.document().encode()).hexdigest()[:32]}"


def _status(job: Any) -> str:
    status = job.get_status(refresh=True)
    return getattr(status, "value", str(status))


def _why(job: Any) -> str:
    result = job.latest_result()
    text = (result.exc_string or "") if result else ""
    return text.strip().split("\n")[-1] or "no reason was given"


def start_worker(url: str, *, burst: bool = False, name: str | None = None) -> None:
    """Works off jobs, questions before runs of experiments, until told to stop (or, with `burst`,
    until there are none)."""
    import redis
    from redis.exceptions import RedisError
    from rq import Queue, Worker
    from rq.serializers import JSONSerializer

    try:
        connection = redis.Redis.from_url(url)
        connection.ping()
        queues = [
            Queue(q, connection=connection, serializer=JSONSerializer) for q in (QUEUE, EXPERIMENTS)
        ]
        worker = Worker(queues, connection=connection, serializer=JSONSerializer, name=name)
        worker.work(burst=burst, with_scheduler=True, logging_level="WARNING")
    except (RedisError, OSError) as gone:
        raise Unavailable(
            f"Redis does not answer ({gone}); start it, or set `players_redis` to another"
        ) from gone
