"""What a turn came to, for whoever holds a telling against it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from freeform.core.text import plain_form
from freeform.engine.log import Resolved
from freeform.engine.world.model import AllowedAction, BlockedAction, EngineEvent
from freeform.engine.world.names import words

_MOSTLY = 0.6
"""A sentence that shares so much of its telling words with an event tells that event."""
_FEWEST = 2


@dataclass(frozen=True)
class Happened:
    """The events of a turn, what was tried and what was refused in it."""

    events: list[EngineEvent] = field(default_factory=list)
    allowed: list[AllowedAction] = field(default_factory=list)
    blocked: list[BlockedAction] = field(default_factory=list)
    player_input: str = ""

    @classmethod
    def of(cls, resolved: Resolved) -> "Happened":
        """What the log has of it."""
        judged = resolved.validator
        tried, refused = judged.allowed_actions, judged.blocked_actions
        return cls(resolved.engine_events, tried, refused, resolved.player_input)

    @cached_property
    def texts(self) -> list[str]:
        """Every string in the events' details."""
        return [text for event in self.events for text in _strings(event.details)]

    @cached_property
    def said(self) -> frozenset[str]:
        """The telling words of all of it."""
        return frozenset().union(*(words(text) for text in self.texts))

    @cached_property
    def touched(self) -> frozenset[str]:
        """The ids that events name."""
        return frozenset(self.texts)

    def tells(self, sentence: str) -> bool:
        """Whether a sentence only says what an event says, or is a refusal's own words."""
        plain = plain_form(sentence).strip(" .")
        if plain and any(plain in plain_form(refusal.reason) for refusal in self.blocked):
            return True
        mine = words(sentence)
        if len(mine) < _FEWEST:
            return False
        return any(len(mine & words(text)) >= _MOSTLY * len(mine) for text in self.texts)

    def speaks_of(self, name: str) -> bool:
        """Whether an event's words name someone."""
        called = words(name)
        return bool(called) and any(called <= words(text) for text in self.texts)

    def moved(self) -> bool:
        """Whether the player's character went somewhere."""
        return any(event.type == "moved" for event in self.events)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)
