"""Failed jobs of workers can be looked at and tried again; the queues are RQ's own."""

import pytest

from freeform.adapters.redis.queues import list_queued, try_again
from freeform.core.errors import NotFound, Unavailable
from tests.players.conftest import RedisServer

pytest.importorskip("rq")


def test_what_waits_and_what_failed_is_listed_and_a_dead_letter_goes_back(
    redis_server: RedisServer,
) -> None:
    redis_url = redis_server.url.removesuffix("0") + "9"
    import redis
    from rq import Queue, SimpleWorker
    from rq.serializers import JSONSerializer

    connection = redis.Redis.from_url(redis_url)
    queue = Queue("players", connection=connection, serializer=JSONSerializer)
    queue.enqueue("json.loads", "{", job_id="broken")
    assert [(job.id, job.state) for job in list_queued(redis_url)] == [("broken", "waiting")]
    worker = SimpleWorker([queue], connection=connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="CRITICAL")
    (failed,) = list_queued(redis_url)
    assert (failed.id, failed.state) == ("broken", "failed") and "JSONDecodeError" in failed.why
    try_again(redis_url, "broken")
    assert [(job.id, job.state) for job in list_queued(redis_url)] == [("broken", "waiting")]
    with pytest.raises(NotFound):
        try_again(redis_url, "nothing")


def test_a_redis_that_is_gone_is_said() -> None:
    with pytest.raises(Unavailable, match="players_redis"):
        list_queued("redis://127.0.0.1:1/0")
