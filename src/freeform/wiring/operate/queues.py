"""The queues of workers, where the settings name a Redis."""

from freeform.adapters.redis import queues
from freeform.adapters.redis.queues import QueuedJob
from freeform.settings import Settings

__all__ = ["QueuedJob", "list_queued", "try_again"]


def list_queued(settings: Settings) -> list[QueuedJob]:
    """What waits, runs or failed there; nothing without a Redis."""
    return queues.list_queued(settings.players_redis) if settings.players_redis else []


def try_again(settings: Settings, id: str) -> None:
    """Puts a failed job back into its queue."""
    queues.try_again(settings.players_redis, id)
