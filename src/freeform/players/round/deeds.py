"""What was tried in a round, as options name it, and other small views of a record that adapters share."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

from freeform.core.clock import Clock
from freeform.core.errors import NotFound
from freeform.players.memory.phrasing import RESULTS
from freeform.players.model import Message, RoundRecord, Ruling


def current(messages: Iterable[Message], clock: Clock, hours: float) -> list[Message]:
    """Those messages that are still kept. A clock that was set back makes none older than it is."""
    if not hours:
        return list(messages)
    end = clock.now() - timedelta(hours=hours)
    return [message for message in messages if not message.at or _said_at(message.at) > end]


@lru_cache(maxsize=4_096)
def _said_at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


AGAIN = 3
"""How often a shut door is forced. What worked counts so often at once: nobody does it again."""


def deeds_in(record: RoundRecord) -> list[str]:
    """What was tried in a round, in the words of options: `I ask Dutch about Jin.` is `Ask Dutch about Jin`."""
    found: list[str] = []
    for agent in record.order:
        deed = (
            record.actions[agent].intent.strip().rstrip(".").removeprefix("I ")
            if agent in record.actions
            else ""
        )
        if deed:
            found += [deed[:1].upper() + deed[1:]] * (
                AGAIN if _worked(record.rulings.get(agent)) else 1
            )
    return found


def _worked(ruling: Ruling | None) -> bool:
    rolled = (
        [str(e.get("outcome", "")) for e in ruling.events if e.get("type") == "outcome"]
        if ruling
        else []
    )
    return any(RESULTS.get(outcome, "").startswith("it worked") for outcome in rolled)


def missing(party: str, names: list[str]) -> NotFound:
    """The complaint that there is no such party."""
    there = (
        f"there are: {', '.join(names)}"
        if names
        else "there are none yet; make one with `party new`"
    )
    return NotFound(f"no party '{party}'; {there}")
