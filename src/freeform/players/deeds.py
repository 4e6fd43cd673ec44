"""What was tried in a round, as options name it, and other small views of a record that adapters share."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

from freeform.core.clock import Clock
from freeform.core.errors import NotFound
from freeform.players.model import Message, RoundRecord


def current(messages: Iterable[Message], clock: Clock, hours: float) -> list[Message]:
    """Those messages that are still kept. A clock that was set back makes none older than it is."""
    if not hours:
        return list(messages)
    end = clock.now() - timedelta(hours=hours)
    return [message for message in messages if not message.at or _said_at(message.at) > end]


@lru_cache(maxsize=4_096)
def _said_at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


def deeds_in(record: RoundRecord) -> list[str]:
    """What was tried in a round, in the words of options: `I ask Dutch about Jin.` is `Ask Dutch about Jin`."""
    tried = (record.actions[agent].intent.strip().rstrip(".") for agent in record.order if agent in record.actions)
    plain = (deed.removeprefix("I ") for deed in tried if deed)
    return [deed[:1].upper() + deed[1:] for deed in plain]


def missing(party: str, names: list[str]) -> NotFound:
    """The complaint that there is no such party."""
    there = f"there are: {', '.join(names)}" if names else "there are none yet; make one with `party new`"
    return NotFound(f"no party '{party}'; {there}")
