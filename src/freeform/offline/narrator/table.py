"""Telling what was said at the table: answers as they are, with nothing put around them."""

from collections.abc import Sequence
from typing import Any

from freeform.engine.world.model import EngineEvent
from freeform.offline.narrator.draft import Draft


def answered(t: Draft, d: dict[str, Any]) -> None:
    """What the character can tell."""
    t.add(str(d.get("text") or ""), breaks=True)


def table_talk(t: Draft, d: dict[str, Any]) -> None:
    """A rule, a command, a word in kind."""
    t.add(str(d.get("text") or ""), breaks=True)


def is_all(events: Sequence[EngineEvent]) -> bool:
    """Whether nothing happened but words at the table."""
    return bool(events) and all("free" in event.tags for event in events)
